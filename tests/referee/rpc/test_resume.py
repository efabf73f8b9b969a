"""A referee process that is killed, and the next one: nothing is lost, nothing is played twice, nobody innocent pays."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from fivecrowns.referee.v1 import referee_pb2
from referee.record import codec
from referee.record.conditions import Budgets
from referee.record.crash_points import REFEREE
from referee.record.journal import read_journal
from referee.record.messages import DecisionRequest
from tests.referee.rpc.chaos import Plan, assert_sound, play_with_kills, restarts
from tests.support.referee import RawBot, game_spec, safe_default
from tests.support.referee_process import RefereeProcess, SiteByHand, referee_process, table_of_bots

TIGHT = Budgets(start_ms=4_000, decision_ms=3_000, bank_ms=0, thinking_ms=60_000)
"""A process that is away for some seconds would cost everybody the game if any clock ran; a busy machine does not."""


def order(site: SiteByHand, tables: Iterable[list[str]], *, turn_cap: int = 5) -> None:
    site.order(tables, turn_cap=turn_cap, budgets=TIGHT)


def counts(name: str) -> tuple[int, ...]:
    """The first times, and some in the middle of play."""
    return (1, 2, 30, 151) if name.startswith("journal") else (1, 2, 60) if name.startswith("frame") else (1, 2)


@pytest.mark.parametrize("group", sorted({name.partition(".")[0] for name in REFEREE}))
async def test_at_every_crash_point(tmp_path: Path, group: str) -> None:
    """One arena for all points of a group: each time the process is killed there, started again, and the games end once."""
    points = [f"{name}:{count}" for name in REFEREE if name.partition(".")[0] == group for count in counts(name)]
    async with table_of_bots(tmp_path) as (referee, site):
        for number, crash_at in enumerate(points, start=1):
            await referee.kill()
            await referee.start(crash_at)
            first = referee.process
            order(site, [["b0", "b1"], ["b2", "b3"], ["b0", "b1", "b2", "b3"]], turn_cap=3)
            keeper = asyncio.create_task(restarts(referee))
            await site.drive(within_s=60)
            keeper.cancel()
            assert first is not None
            assert first.returncode == -9, f"{crash_at} was never reached"
            assert len(site.results) == 3 * number
        assert_sound(site)


async def test_games_go_on_at_the_decision_where_they_were(tmp_path: Path) -> None:
    """The bot is asked the same decision with the same cards, and has all its time again."""
    asked: list[DecisionRequest] = []

    def answers_forty(bot: RawBot, request: DecisionRequest) -> object:
        asked.append(request)
        return safe_default(bot, request) if request.decision_id < 40 else None

    spec = game_spec(["b1", "b2"], budgets=Budgets(bank_ms=20_000))
    async with referee_process(tmp_path, ["b1", "b2"]) as referee:
        bots = [RawBot(referee.bots_port, name, answers_forty) for name in ("b1", "b2")]  # type: ignore[arg-type]
        async with bots[0].connected(), bots[1].connected():
            await referee.wait_connected(["b1", "b2"])
            await referee.start_games([spec])
            async with asyncio.timeout(20):
                while not asked or asked[-1].decision_id < 40:
                    await asyncio.sleep(0.02)
            await asyncio.sleep(1)  # of the open decision, that nobody pays
            await referee.kill()
        await referee.start()
        state = (await referee.states([spec.attempt_id]))[spec.attempt_id]
        assert (state.status, state.is_paused) == (referee_pb2.GAME_STATUS_RUNNING, True)
        again = [RawBot(referee.bots_port, name) for name in ("b1", "b2")]
        async with again[0].connected(), again[1].connected():
            await referee.wait_connected(["b1", "b2"])
            assert all(bot.messages("game_start") == [] for bot in again), "games wait for the site's word"
            answer = await referee.reconcile([spec.attempt_id])
            assert (answer.resumed, answer.dropped) == (1, 0)
            site = SiteByHand(referee, {spec.attempt_id: spec})
            await site.drive(within_s=30)
        requests = [message for bot in again for message in bot.received if message.WhichOneof("message") == "decision"]
        first = min(
            (codec.referee_message_of(message) for message in requests),
            key=lambda request: request.decision_id,  # type: ignore[union-attr]
        )
        assert isinstance(first, DecisionRequest)
        before = asked[-1]
        assert (first.decision_id, first.view.hand, first.view.discard_pile, first.deadline_ms, first.bank_ms) == (
            before.decision_id,
            before.view.hand,
            before.view.discard_pile,
            before.deadline_ms,
            before.bank_ms,
        )
    assert_sound(site)


async def test_what_the_site_no_longer_wants_is_dropped_and_its_bots_are_told(tmp_path: Path) -> None:
    bots = ["b1", "b2"]
    kept, dropped = game_spec(bots), game_spec(bots)
    async with referee_process(tmp_path, bots) as referee:
        silent = [RawBot(referee.bots_port, name, lambda _bot, _request: None) for name in bots]
        async with silent[0].connected(), silent[1].connected():
            await referee.wait_connected(bots)
            await referee.start_games([kept, dropped])
            async with asyncio.timeout(20):
                while not all(len(bot.messages("round_start")) == 2 for bot in silent):
                    await asyncio.sleep(0.02)
            await referee.kill()
        await referee.start()
        here, late = [RawBot(referee.bots_port, name) for name in bots]
        async with here.connected():
            await referee.wait_connected(["b1"])
            answer = await referee.reconcile([kept.attempt_id, "another-attempt"])
            assert (answer.resumed, answer.dropped) == (1, 1)
            states = await referee.states([kept.attempt_id, dropped.attempt_id])
            assert states[dropped.attempt_id].status == referee_pb2.GAME_STATUS_CANCELLED
            async with late.connected():
                site = SiteByHand(referee, {kept.attempt_id: kept})
                await site.drive(within_s=30)
                for bot in (here, late):
                    ends = {end.game_id: end.reason for end in bot.messages("game_end")}  # type: ignore[attr-defined]
                    assert ends[dropped.attempt_id] == 3, "GAME_END_REASON_CANCELLED"
                    starts = {start.game_id for start in bot.messages("game_start")}  # type: ignore[attr-defined]
                    assert starts == {kept.attempt_id}
    assert_sound(site)


async def test_a_damaged_game_alone_has_to_be_played_again(tmp_path: Path) -> None:
    async with table_of_bots(tmp_path) as (referee, site):
        order(site, [["b0", "b1"], ["b2", "b3"], ["b0", "b2"], ["b1", "b3"]], turn_cap=40)
        await referee.start_games(site.specs.values())
        hurt = next(iter(site.specs))
        async with asyncio.timeout(20):
            while (await referee.states([hurt]))[hurt].turn < 3:
                await asyncio.sleep(0.02)
        await referee.kill()
        (path,) = (tmp_path / "data" / "journal").iterdir()
        data = bytearray(path.read_bytes())
        frames = [frame for frame in read_journal(bytes(data)).frames if frame.numbered.attempt_id == hurt]
        data[frames[3].end - 2] ^= 0x40
        path.write_bytes(data)
        await referee.start()
        states = await referee.states(site.specs)
        going_on = [
            attempt_id for attempt_id, state in states.items() if state.status == referee_pb2.GAME_STATUS_RUNNING
        ]
        assert going_on == [attempt_id for attempt_id in site.specs if attempt_id != hurt]
        assert states[hurt].status == referee_pb2.GAME_STATUS_UNKNOWN
        assert f"game {hurt} cannot go on, it has to be played again: entry 3" in referee.log()
        # The site would give it a new attempt; here the same one is simply ordered again.
        await site.drive(within_s=60)
    assert len(site.results) == 4
    assert_sound(site)


@pytest.mark.parametrize("drain_s", [0, 60], ids=["at once", "when games are over"])
async def test_a_referee_that_is_asked_to_end_loses_nothing(tmp_path: Path, drain_s: int) -> None:
    async with table_of_bots(tmp_path, 4, f"--drain={drain_s}") as (referee, site):
        order(site, [["b0", "b1"], ["b2", "b3"]], turn_cap=20)
        await referee.start_games(site.specs.values())
        ended = asyncio.create_task(referee.terminate())
        if drain_s:
            async with asyncio.timeout(20):
                while not await is_draining(referee):
                    await asyncio.sleep(0.02)
            (state,) = await referee.start_games([game_spec(["b0", "b1"])])
            assert state.refused_reason == referee_pb2.REFUSED_REASON_DRAINING
        assert await ended == 0
        results = list((tmp_path / "data" / "results").glob("*.result"))
        assert len(results) == (2 if drain_s else 0)
        await referee.start()
        await site.drive(within_s=30)
    assert_sound(site)


async def is_draining(referee: RefereeProcess) -> bool:
    (state,) = await referee.start_games([game_spec(["nobody", "no one"])])
    return state.refused_reason == referee_pb2.REFUSED_REASON_DRAINING


async def test_a_start_meant_for_the_process_before_starts_nothing(tmp_path: Path) -> None:
    """A worker that was held up for so long that its game has been played and forgotten since."""
    async with table_of_bots(tmp_path, 2) as (referee, site):
        order(site, [["b0", "b1"]])
        before = (await referee.bots()).incarnation
        await site.drive(within_s=30)
        await referee.kill()
        await referee.start()
        await referee.wait_connected(referee.bot_ids)
        (state,) = await referee.start_games(site.specs.values(), before)
        assert (state.status, state.refused_reason) == (
            referee_pb2.GAME_STATUS_REFUSED,
            referee_pb2.REFUSED_REASON_OTHER_INCARNATION,
        )
        now = (await referee.bots()).incarnation
        (state,) = await referee.start_games([game_spec(["b0", "b1"])], now)
        assert state.status in (referee_pb2.GAME_STATUS_STARTING, referee_pb2.GAME_STATUS_RUNNING)


async def test_forty_games_and_random_kills(tmp_path: Path) -> None:
    """The referee is killed five times, bots too; `make soak` does it for longer."""
    site = await play_with_kills(tmp_path, Plan(games=40, referee_kills=5, bot_kills=5), random.Random(11))
    assert len(site.results) == 40
    assert_sound(site)
