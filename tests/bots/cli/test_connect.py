"""`crowns connect`: bots as processes of their own, and what is said when something is missing."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import textwrap
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.cli import main
from fivecrowns.bot.v1 import bot_pb2
from referee.record.verify import verify_record
from tests.bots.arena import connected
from tests.bots.sdk.scripted_service import Conversation, serving
from tests.support.referee import bot_token, game_spec, running_referee

CONNECT = [sys.executable, "-m", "bots.cli", "connect"]
BOT = "from bots.sdk import Bot\nclass Mine(Bot):\n    version = 'blue'\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("CROWNS_TOKEN", raising=False)
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


def crowns(*arguments: str, token: str = "") -> Result:
    return CliRunner(env={"CROWNS_TOKEN": token}).invoke(main, ["connect", *arguments], prog_name="crowns")


@asynccontextmanager
async def process(argv: Sequence[str], **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process for the time of the block; it must not outlive it."""
    started = await asyncio.create_subprocess_exec(
        *argv,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


async def output(started: asyncio.subprocess.Process) -> tuple[str, str]:
    async with asyncio.timeout(60):
        out, error = await started.communicate()
    return out.decode(), error.decode()


# -- as processes ------------------------------------------------------------------------------------------------------


async def test_two_processes_play_a_game(tmp_path: Path) -> None:
    """Tokens from the variable and from a file; SIGTERM and Ctrl-C end them in good order, with the stream open."""
    token_file = tmp_path / "b2.token"
    token_file.write_text(bot_token("b2") + "\n")
    async with running_referee(tmp_path / "referee") as site:
        await site.sync(["b1", "b2"])
        server = f"--server=127.0.0.1:{site.referee.bots_port}"
        async with (
            process([*CONNECT, "mine.py", server], CROWNS_TOKEN=bot_token("b1")) as first,
            process([*CONNECT, "greedy", server, f"--token-file={token_file}", "--version=7"]) as second,
        ):
            await connected(site, ["b1", "b2"])
            spec = game_spec(["b1", "b2"])
            await site.start(spec)
            result = await site.result(spec.attempt_id)
            first.send_signal(signal.SIGTERM)
            second.send_signal(signal.SIGINT)
            (out, error), (other_out, other_error) = await output(first), await output(second)
    assert verify_record(result.record, spec.seed).replays
    assert list(result.faults) == []
    assert (error, other_error) == ("", "")
    assert (first.returncode, second.returncode) == (0, 0)
    assert out.splitlines()[0] == "connected as b1, version blue, 1 game at a time"
    assert out.splitlines()[-1] == "stopped"
    assert "connected as b2, version 7, 1 game at a time" in other_out


async def test_bot_that_never_returns_does_not_keep_the_process(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(
        BOT.replace("Mine", "Stuck") + "    def game_start(self, start):\n        while True: pass\n"
    )
    async with running_referee(tmp_path / "referee") as site:
        await site.sync(["b1", "b2"])
        server = f"--server=127.0.0.1:{site.referee.bots_port}"
        async with (
            process([*CONNECT, "stuck.py", server], CROWNS_TOKEN=bot_token("b1")) as stuck,
            process([*CONNECT, "greedy", server], CROWNS_TOKEN=bot_token("b2")),
        ):
            await connected(site, ["b1", "b2"])
            await site.start(game_spec(["b1", "b2"]))
            assert stuck.stdout is not None
            async with asyncio.timeout(60):
                while not (await stuck.stdout.readline()).startswith(b"game "):
                    pass
            stuck.send_signal(signal.SIGTERM)
            await output(stuck)
    assert stuck.returncode == 0


async def test_refused_bot_ends_with_one_line() -> None:
    async def refuse(talk: Conversation) -> None:
        await talk.hear()
        refusal = bot_pb2.Refusal(reason=bot_pb2.REFUSAL_REASON_BAD_TOKEN, message="the token is not one of ours")
        await talk.say(bot_pb2.RefereeMessage(refusal=refusal))

    async with serving(refuse) as address, process([*CONNECT, "mine.py", "--server", address, "--token", "t"]) as ended:
        out, error = await output(ended)
    assert (ended.returncode, out) == (1, "")
    assert error == (
        "Error: refused, BAD_TOKEN: the token is not one of ours "
        "(copy the whole token from the bot's page, or make a new one there)\n"
    )


async def test_script_without_the_command_line(tmp_path: Path) -> None:
    async def script(talk: Conversation) -> None:
        await talk.greet()
        await talk.goodbye("superseded")

    async with serving(script) as address:
        (tmp_path / "alone.py").write_text(
            textwrap.dedent(f"""
                from bots.sdk import Bot, run

                class Alone(Bot):
                    pass

                run(Alone, "{address}")
            """)
        )
        async with process([sys.executable, "alone.py"], CROWNS_TOKEN="t") as ended:
            out, error = await output(ended)
    assert (ended.returncode, error) == (0, "")
    assert out == "connected as Test Bot, version 1, 1 game at a time\nsuperseded\n"


# -- what is missing ---------------------------------------------------------------------------------------------------

HERE = ["--server", "127.0.0.1:9"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["mine.py"], 2, "Missing option '--server'"),
        (["mine.py", *HERE], 2, "no token: put the one from the bot's page into the variable CROWNS_TOKEN, or name a file"),
        (["mine.py", *HERE, "--token", "t", "--token-file", "t"], 2, "--token and --token-file are both given: leave one out."),
        (["mine.py", *HERE, "--token-file", "away"], 1, "away cannot be read: No such file or directory."),
        (["mine.py", *HERE, "--token-file", "empty"], 1, "empty is empty: put the bot's token there."),
        (["mine.py", *HERE, "--token-file", "binary"], 1, "binary holds no token: it is not text."),
        (["mine.py", *HERE, "--token", "two words"], 2, "the token is not one word of letters and digits"),
        (["mine.py", "--server", "arena.example", "--token", "t"], 2, "server 'arena.example' is no address: write HOST:PORT"),
        (["mine.py", *HERE, "--token", "t", "--version", "v" * 41], 2, "must have 1 to 40 characters"),
        (["mine.py", *HERE, "--token", "t", "--max-games", "0"], 2, "0 is not in the range x>=1"),
        (["away.py", *HERE, "--token", "t"], 2, "away.py does not exist"),
        (["mine.py:Other", *HERE, "--token", "t"], 2, "mine.py has no class 'Other': it defines Mine."),
        (["broken.py", *HERE, "--token", "t"], 1, "broken.py, line 1: "),
    ],
)  # fmt: skip # one case a line
def test_bad_arguments(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "broken.py").write_text("class:")
    (folder / "empty").write_text("\n")
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    result = crowns(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_help_teaches() -> None:
    text = crowns("--help").stdout
    for words in ("CROWNS_TOKEN=... crowns connect mybot.py --server", "--max-games", "a lost connection is dialled"):
        assert words in text


def test_nothing_listens() -> None:
    """Said once, with the reason; then it goes on trying until it is stopped."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]

    async def until_said() -> tuple[str, int | None]:
        argv = [*CONNECT, "mine.py", "--server", f"127.0.0.1:{port}", "--token", "t"]
        async with asyncio.timeout(60), process(argv) as waiting:
            assert waiting.stdout is not None
            line = (await waiting.stdout.readline()).decode()
            waiting.send_signal(signal.SIGTERM)
            await output(waiting)
        return line, waiting.returncode

    line, code = asyncio.run(until_said())
    assert line.startswith(f"cannot reach 127.0.0.1:{port} (")
    assert line.endswith("): connecting again until it is there\n")
    assert code == 0
