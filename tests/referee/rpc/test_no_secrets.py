"""Tokens, secrets, keys and seeds are in no log, no output and no error, whatever goes wrong."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import os
import secrets
import socket
import sys
import traceback
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import grpc
import pytest
from pytest_django import Settings

from bots.cli.bot_spec import load_bot
from bots.faulty.raw import RAW_BOTS
from bots.sdk.client import Client
from bots.sdk.login import Login
from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.record.conditions import Budgets
from tests.referee.rpc.hostile import calling
from tests.referee.rpc.test_hostile_tokens import FORGED
from tests.support.referee import (
    SIGNING_KEY,
    WATCH_SECRET,
    bot_token,
    game_spec,
    running_referee,
    sync_request,
)
from tournaments import referee_client

SHORT = Budgets(start_ms=1_000, decision_ms=100, bank_ms=200, thinking_ms=2_000)
BOTS = {"b1": "simple", "b2": "faulty:crash", "b3": "faulty:garbage", "b4": "faulty:flood", "b5": "faulty:leave"}
TOKENS = {bot_id: bot_token(bot_id) for bot_id in [*BOTS, "b6", "b7", "stranger"]}
"""Made once: one made later would be another."""
ROTATED, DELETED = TOKENS["b6"], TOKENS["b7"]


class Vault:
    """What must not be seen, in every form in which it might be written."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}

    def keep(self, name: str, value: bytes | str) -> None:
        raw = value.encode() if isinstance(value, str) else value
        encoded = (base64.b64encode(raw), base64.urlsafe_b64encode(raw).rstrip(b"="))
        written = [raw.hex(), repr(raw)[2:-1], *(form.decode() for form in encoded)]
        self._forms |= dict.fromkeys(written, name)

    def keep_token(self, name: str, token: str) -> None:
        """The signature alone would do to recognise it."""
        self.keep(name, token)
        for number, part in enumerate(token.split(".")):
            if number > 0 and len(part) > 20:
                self._forms[part] = f"part of {name}"

    def seen_in(self, text: str) -> set[str]:
        return {name for form, name in self._forms.items() if form in text}


def test_the_vault_finds_what_it_keeps() -> None:
    vault, seed = Vault(), secrets.token_bytes(32)
    vault.keep("seed", seed)
    vault.keep_token("token", ROTATED)
    for text in (f"GameSpec(seed={seed!r})", seed.hex(), base64.b64encode(seed).decode(), f"Bearer {ROTATED}"):
        assert vault.seen_in(f"... {text} ...")
    assert vault.seen_in(f"signature {ROTATED.rpartition('.')[2]}") == {"part of token"}
    assert vault.seen_in("nothing of the kind") == set()


def spec_of(*bot_ids: str, **changes: object) -> referee_pb2.GameSpec:
    return game_spec(bot_ids, budgets=SHORT, **{"config": game_pb2.GameConfig(turn_cap=2), **changes})


async def misbehave(port: int, errors: list[str]) -> None:
    """Strangers, forgers, bots whose token was taken back, bots that talk rubbish."""
    hello = bot_pb2.BotMessage(hello=bot_pb2.Hello(protocol_version=1, rules_version=1, bot_version="1", max_games=1))
    for token in [*FORGED.values(), ROTATED, DELETED, TOKENS["stranger"], "", "x" * 3_000]:
        async with calling(port, token) as call:
            await call.say(hello)
            errors.append(str(await call.hear("refusal")))
    for frame in (b"\xff" * 100, bytes(300 * 1024)):
        async with calling(port, TOKENS["b1"]) as call:
            await call.say_bytes(frame)
            errors.append(str(await call.answer()))


async def refused_client(port: int, token: str, said: list[str]) -> None:
    """The SDK, with a token that does not count."""
    try:
        await Client(load_bot("simple").bot_class, Login(f"127.0.0.1:{port}", token, "1"), said.append).run()
    except Exception:
        said.append(traceback.format_exc())


@contextlib.asynccontextmanager
async def bots(port: int, said: list[str]) -> AsyncIterator[None]:
    running = []
    for bot_id, name in BOTS.items():
        login = Login(f"127.0.0.1:{port}", TOKENS[bot_id], "1", 20)
        said.append(repr(login))
        raw = RAW_BOTS.get(name.removeprefix("faulty:"))
        player = raw(login, said.append) if raw else Client(load_bot(name).bot_class, login, said.append)
        running.append(asyncio.create_task(player.run()))
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        said += [repr(end) for end in await asyncio.gather(*running, return_exceptions=True)]


async def drive(bots_port: int, control: str, specs: Iterable[referee_pb2.GameSpec], said: list[str]) -> None:
    """A site with its calls, right and wrong; results are waited for."""
    request = sync_request([*BOTS, "b6", "b7"])
    for bot in request.bots:
        bot.min_generation = 2 if bot.bot_id == "b6" else 1
        bot.deleted = bot.bot_id == "b7"
    await asyncio.to_thread(referee_client.sync, control, request)
    broken = referee_pb2.SyncRequest(revision=9, keys=[referee_pb2.PublicKey(kid="k", key=b"short")])
    async with bots(bots_port, said):
        async with asyncio.timeout(30):
            while len((await asyncio.to_thread(referee_client.list_bots, control)).bots) < len(BOTS):
                await asyncio.sleep(0.02)
        await misbehave(bots_port, said)
        for token in (ROTATED, FORGED["alg none"]):
            await refused_client(bots_port, token, said)
        states = await asyncio.to_thread(referee_client.start_games, control, list(specs))
        said += [str(state) for state in states]
        started = {state.attempt_id for state in states if state.status != referee_pb2.GAME_STATUS_REFUSED}
        assert len(started) == 3
        try:
            await asyncio.to_thread(referee_client.sync, control, broken)
        except referee_client.RefereeRejected:
            said.append(traceback.format_exc())
        async with asyncio.timeout(60):
            while started:
                answer = await asyncio.to_thread(referee_client.collect_results, control, wait_ms=200)
                done = [result.attempt_id for result in answer.results]
                said += [str(result.faults) for result in answer.results]
                await asyncio.to_thread(referee_client.acknowledge_results, control, done)
                started -= set(done)


async def wrong_secrets(control: str, said: list[str]) -> None:
    async with grpc.aio.insecure_channel(control) as channel:
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        for secret in (WATCH_SECRET, "guess", "", "x" * 5_000):
            metadata = (("authorization", f"Bearer {secret}"),)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.Sync(referee_pb2.SyncRequest(), metadata=metadata)
            said.append(f"{caught.value!r} {caught.value}")


def specs_and_vault() -> tuple[list[referee_pb2.GameSpec], Vault]:
    """Three games that can be played and some that cannot."""
    specs = [spec_of("b1", "b2"), spec_of("b1", "b3", "b5"), spec_of("b1", "b4")]
    specs += [spec_of("b1", "away"), spec_of("b1", "b1"), spec_of("b1", "b2", attempt_id="?")]
    specs += [spec_of("b1", "b2", config=game_pb2.GameConfig(seats=9))]
    for spec in specs[-2:]:
        spec.seed = secrets.token_bytes(31)
    vault = Vault()
    for number, spec in enumerate(specs):
        vault.keep(f"seed of game {number}", spec.seed)
    vault.keep("the key of the tokens", SIGNING_KEY.private_bytes_raw())
    for name, token in (TOKENS | FORGED).items():
        if len(token) > 20:
            vault.keep_token(f"token of {name}", token)
    return specs, vault


async def test_nothing_secret_is_said_in_one_process(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Referee, bots and site at DEBUG, the event loop telling of every callback with its arguments."""
    run, watch = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    specs, vault = specs_and_vault()
    vault.keep("run secret", run)
    vault.keep("watch secret", watch)
    settings.CONTROL_SECRET_RUN = run
    caplog.set_level(logging.DEBUG)
    loop = asyncio.get_running_loop()
    said: list[str] = []
    async with running_referee(tmp_path, run_secret=run, watch_secret=watch, lag_limit_ms=60_000) as site:
        loop.set_debug(True)
        loop.slow_callback_duration = 0
        control = f"127.0.0.1:{site.referee.control_port}"
        said += [repr(site.referee.config), repr(site.referee.games), repr(site.referee.directory)]
        await drive(site.referee.bots_port, control, specs, said)
        await wrong_secrets(control, said)
        settings.CONTROL_SECRET_RUN = "guess"
        with pytest.raises(referee_client.RefereeRejected) as caught:
            await asyncio.to_thread(referee_client.list_bots, control)
        said += traceback.format_exception(caught.value)
        loop.set_debug(False)
    vault.keep("the key of the records", (tmp_path / "referee.key").read_bytes())
    output = capfd.readouterr()
    logged = "\n".join(f"{record.getMessage()} {record.args!r} {record.exc_text or ''}" for record in caplog.records)
    assert "bot b1 version '1' connected" in logged
    assert "Executing <Handle" in logged
    for place, text in {"logs": logged, "said": "\n".join(said), "stdout": output.out, "stderr": output.err}.items():
        assert vault.seen_in(text) == set(), place


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


async def test_nothing_secret_is_said_by_a_process_of_its_own(tmp_path: Path, settings: Settings) -> None:
    """As an operator runs it, at DEBUG, with grpc telling all it tells by itself."""
    run, watch = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    specs, vault = specs_and_vault()
    vault.keep("run secret", run)
    vault.keep("watch secret", watch)
    settings.CONTROL_SECRET_RUN = run
    bots_port, control = free_port(), f"127.0.0.1:{free_port()}"
    options = [f"--bots=127.0.0.1:{bots_port}", f"--control={control}", f"--data={tmp_path}", "--log-level=DEBUG"]
    environment = {
        **os.environ,
        "CROWNS_CONTROL_SECRET_RUN": run,
        "CROWNS_CONTROL_SECRET_WATCH": watch,
        "PYTHONASYNCIODEBUG": "1",
        "GRPC_VERBOSITY": "DEBUG",
    }
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-X", "dev", "-m", "referee.rpc", *options],
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    reading = asyncio.create_task(process.stdout.read())
    said: list[str] = []
    try:
        async with asyncio.timeout(30):
            while True:
                try:
                    await asyncio.to_thread(referee_client.list_bots, control)
                except referee_client.RefereeUnavailable as error:
                    said.append(str(error))
                    await asyncio.sleep(0.05)
                else:
                    break
        await drive(bots_port, control, specs, said)
        await wrong_secrets(control, said)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        output = (await reading).decode()
    assert process.returncode == 0, output
    vault.keep("the key of the records", (tmp_path / "referee.key").read_bytes())
    assert "bot b1 version '1' connected" in output
    assert vault.seen_in(output) == set()
    assert vault.seen_in("\n".join(said)) == set()
