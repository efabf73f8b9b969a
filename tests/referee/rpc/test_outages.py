"""Streams that are lost: who pays, and what counts as a failure on the referee's side (DESIGN 5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.referee.v1 import referee_pb2
from referee.record.conditions import Budgets
from referee.record.messages import DecisionReply, DecisionRequest
from referee.rpc.outages import Outages
from tests.support.referee import RawBot, Site, bot_token, fault_names, game_spec, running_referee, safe_default

QUICK = Budgets(start_ms=2_000, decision_ms=300, bank_ms=400, thinking_ms=20_000)


# -- the evidence, as a rule -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost", "paused"),
    [
        pytest.param([("anna", "1"), ("ben", "1"), ("carl", "1")], "", id="three owners at one table"),
        pytest.param([("anna", "1"), ("ben", "2")], "", id="two owners at two tables"),
        pytest.param([("anna", "1"), ("ben", "1"), ("anna", "2")], "", id="two owners, three streams"),
        pytest.param([("anna", "1"), ("ben", "1"), ("carl", "2")], "12", id="three owners at two tables"),
        pytest.param(
            [("anna", "12"), ("ben", "1"), ("carl", "1")], "", id="one table explains it, whatever else they play"
        ),
        pytest.param([("anna", "12"), ("ben", "1"), ("carl", "2")], "12", id="no table explains it"),
        pytest.param([("anna", "1"), ("ben", "2"), ("carl", "")], "", id="who plays nothing says nothing"),
    ],
)
def test_evidence(lost: Sequence[tuple[str, str]], paused: str) -> None:
    outages = Outages()
    found = [outages.note(owner, tables, now=100 + number) for number, (owner, tables) in enumerate(lost)]
    assert found[-1] == frozenset(paused)
    assert not any(found[:-1])


def test_evidence_is_what_came_within_ten_seconds() -> None:
    outages = Outages()
    outages.note("anna", "1", now=0)
    outages.note("ben", "1", now=9)
    assert outages.note("carl", "2", now=10.1) == frozenset()
    assert outages.note("anna", "3", now=10.2) == frozenset("123")


# -- over real connections ---------------------------------------------------------------------------------------------


@dataclass
class LosableBot(RawBot):
    """Its stream can be lost, as a cable is pulled, and made again. It answers only while it may."""

    may_answer: bool = True
    is_mute: bool = False
    """As behind a line that is cut: nothing comes from it, pongs neither."""
    _playing: asyncio.Task[None] | None = field(default=None)

    async def come(self) -> None:
        self._welcomed.clear()
        self._playing = asyncio.create_task(self.play())
        async with asyncio.timeout(10):
            await self._welcomed.wait()

    def _hear(self, message: bot_pb2.RefereeMessage) -> list[bot_pb2.BotMessage]:
        answers = super()._hear(message)
        return [] if self.is_mute else answers

    async def lose(self) -> None:
        assert self._playing is not None
        self._playing.cancel()
        await asyncio.gather(self._playing, return_exceptions=True)


def while_allowed(bot: RawBot, request: DecisionRequest) -> DecisionReply | None:
    assert isinstance(bot, LosableBot)
    return safe_default(bot, request) if bot.may_answer else None


@asynccontextmanager
async def two_tables(
    folder: Path, *, budgets: Budgets = QUICK, **config: object
) -> AsyncIterator[tuple[Site, dict[str, LosableBot], list[str]]]:
    """anna and ben at one table, carl and dora at another, of four owners; every bot waits with its answers."""
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(folder, **config))
        bots = {
            name: LosableBot(
                site.referee.bots_port, name, while_allowed, token=bot_token(name, owner=name), may_answer=False
            )
            for name in ("anna", "ben", "carl", "dora")
        }
        await site.sync(list(bots))
        for bot in bots.values():
            await bot.come()
            stack.push_async_callback(bot.lose)
        specs = [game_spec(["anna", "ben"], budgets=budgets), game_spec(["carl", "dora"], budgets=budgets)]
        await site.start(*specs)
        async with asyncio.timeout(10):
            while any(state.status != referee_pb2.GAME_STATUS_RUNNING for state in await states(site, specs)):
                await asyncio.sleep(0.01)
        yield site, bots, [spec.attempt_id for spec in specs]


async def states(site: Site, specs: Sequence[referee_pb2.GameSpec | str]) -> list[referee_pb2.GameState]:
    ids = [spec if isinstance(spec, str) else spec.attempt_id for spec in specs]
    answer = await site.stub.GetGames(referee_pb2.GetGamesRequest(attempt_ids=ids), metadata=site.metadata)
    return list(answer.games)


async def until(site: Site, attempt_ids: list[str], paused: Sequence[bool]) -> None:
    async with asyncio.timeout(10):
        while [state.is_paused for state in await states(site, attempt_ids)] != list(paused):
            await asyncio.sleep(0.01)


def answer_again(bots: dict[str, LosableBot]) -> None:
    for bot in bots.values():
        bot.may_answer = True


async def test_streams_of_three_owners_at_two_tables_pause_both_and_cost_nobody(tmp_path: Path) -> None:
    async with two_tables(tmp_path) as (site, bots, attempt_ids):
        for name in ("anna", "ben", "carl"):
            await bots[name].lose()
        await until(site, attempt_ids, [True, True])
        await asyncio.sleep(3 * (QUICK.decision_ms + QUICK.bank_ms) / 1000)  # longer than anybody has
        answer_again(bots)
        for name in ("anna", "ben", "carl"):
            await bots[name].come()
        results = [await site.result(attempt_id) for attempt_id in attempt_ids]
    assert [fault_names(result) for result in results] == [[], []]


async def test_nobody_waits_for_a_bot_that_is_retired(tmp_path: Path) -> None:
    """It has left for good; the game would stand still until it is void."""

    slow = Budgets(start_ms=10_000, decision_ms=20_000, bank_ms=10_000, thinking_ms=60_000)

    def resign(_bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
        return bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id=request.game_id))

    async with two_tables(tmp_path, budgets=slow) as (site, bots, attempt_ids):
        eve = LosableBot(site.referee.bots_port, "eve", resign, token=bot_token("eve", owner="eve"))
        await site.sync([*bots, "eve"], revision=2)
        await eve.come()
        spec = game_spec(["anna", "eve", "ben"], budgets=slow)  # seat 1 is asked first
        await site.start(spec)
        async with asyncio.timeout(10):
            while not any(message.game_id == spec.attempt_id for message in bots["ben"].messages("decision")):
                await asyncio.sleep(0.01)
        await eve.lose()
        for name in ("anna", "ben", "carl"):
            await bots[name].lose()
        await until(site, [*attempt_ids, spec.attempt_id], [True, True, True])
        for name in ("anna", "ben", "carl"):
            await bots[name].come()
        await until(site, [*attempt_ids, spec.attempt_id], [False, False, False])


async def test_streams_that_fall_silent_together_are_lost_too(tmp_path: Path) -> None:
    slow = Budgets(start_ms=10_000, decision_ms=10_000, bank_ms=10_000, thinking_ms=60_000)
    quick_pings = {"ping_interval_s": 0.3, "silence_limit_s": 1.0}
    async with two_tables(tmp_path, budgets=slow, **quick_pings) as (site, bots, attempt_ids):
        for name in ("anna", "ben", "carl"):
            bots[name].is_mute = True
        await until(site, attempt_ids, [True, True])
        answer_again(bots)
        for name in ("anna", "ben", "carl"):
            bots[name].is_mute = False
            await bots[name].lose()
            await bots[name].come()
        results = [await site.result(attempt_id) for attempt_id in attempt_ids]
    assert [fault_names(result) for result in results] == [[], []]


async def test_a_pause_that_lasts_too_long_voids_the_game_and_is_nobodys_fault(tmp_path: Path) -> None:
    async with two_tables(tmp_path, longest_pause_s=1.0) as (site, bots, attempt_ids):
        for name in ("anna", "ben", "carl"):
            await bots[name].lose()
        await until(site, attempt_ids, [True, True])
        answer_again(bots)
        async with asyncio.timeout(10):
            while {state.status for state in await states(site, attempt_ids)} != {referee_pb2.GAME_STATUS_INFRA}:
                await asyncio.sleep(0.05)
        first, second = await states(site, attempt_ids)
        assert first.message == "paused for 1 s after streams were lost on the referee's side"
        assert first.hands_sent
        (ended,) = bots["dora"].messages("game_end")
        assert ended.reason == bot_pb2.GAME_END_REASON_CANCELLED  # type: ignore[attr-defined]
        assert second.status == referee_pb2.GAME_STATUS_INFRA
        (again,) = await site.start(game_spec(["dora", "absent"], budgets=QUICK))
        assert again.status != referee_pb2.GAME_STATUS_REFUSED, "dora is free again"


async def test_two_owners_at_one_table_who_cut_together_are_disconnected_every_time(tmp_path: Path) -> None:
    """Ten times, and never a void."""
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        names = ("anna", "ben", "carl")
        bots = {
            name: LosableBot(site.referee.bots_port, name, while_allowed, token=bot_token(name, owner=name))
            for name in names
        }
        await site.sync(names)
        for bot in bots.values():
            await bot.come()
            stack.push_async_callback(bot.lose)
        quick = Budgets(start_ms=2_000, decision_ms=50, bank_ms=50, thinking_ms=20_000)
        for _ in range(10):
            bots["anna"].may_answer = bots["ben"].may_answer = False
            spec = game_spec(names, budgets=quick)
            await site.start(spec)
            async with asyncio.timeout(10):
                while (await states(site, [spec]))[0].status != referee_pb2.GAME_STATUS_RUNNING:
                    await asyncio.sleep(0.005)
            await asyncio.gather(bots["anna"].lose(), bots["ben"].lose())
            result = await site.result(spec.attempt_id)
            assert result.status == referee_pb2.GAME_STATUS_FINISHED
            assert sorted(fault_names(result)) == ["DISCONNECT", "DISCONNECT"]
            assert {fault.seat for fault in result.faults} == {0, 1}
            await bots["anna"].come()
            await bots["ben"].come()


@pytest.mark.parametrize("is_clean", [True, False], ids=["closed in good order", "lost"])
async def test_only_a_stream_that_neither_side_ended_is_lost(tmp_path: Path, is_clean: bool) -> None:
    async with two_tables(tmp_path) as (site, bots, _):
        lost: list[bool] = []
        plain = site.referee.games.detach

        def note(connection: object, *, was_lost: bool = False) -> None:
            lost.append(was_lost)
            plain(connection, was_lost=was_lost)  # type: ignore[arg-type]

        site.referee.games.detach = note  # type: ignore[method-assign]
        metadata = (("authorization", f"Bearer {bot_token('dora', owner='dora')}"),)
        await bots["dora"].lose()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{site.referee.bots_port}") as channel:
            call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=metadata)
            await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=bots["dora"].hello)]))
            await call.read()
            if is_clean:
                await call.done_writing()
            else:
                call.cancel()
            async with asyncio.timeout(10):
                while len(lost) < 2:
                    await asyncio.sleep(0.01)
    assert lost[:2] == [True, not is_clean]
