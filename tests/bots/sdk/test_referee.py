"""SDK bots at the real referee."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fivecrowns.referee.v1 import referee_pb2
from referee.record.game_record import read_record
from referee.record.verify import verify_record
from tests.bots.arena import bots_at, run_bot
from tests.support.referee import game_spec, running_referee


async def test_whole_games(tmp_path: Path) -> None:
    """Twelve games at once between three bots; every record replays and nobody is at fault."""
    bots = {"b1": "random", "b2": "greedy", "b3": "simple"}
    specs = [game_spec(list(bots)) for _ in range(12)]
    async with running_referee(tmp_path) as site, bots_at(site, bots):
        states = await site.start(*specs)
        assert {state.status for state in states} <= {referee_pb2.GAME_STATUS_STARTING, referee_pb2.GAME_STATUS_RUNNING}
        results = [await site.result(spec.attempt_id) for spec in specs]
    for spec, result in zip(specs, results, strict=True):
        assert result.status == referee_pb2.GAME_STATUS_FINISHED
        assert list(result.faults) == []
        assert verify_record(result.record, spec.seed).replays
        assert len(read_record(result.record).footer.scores.rounds) == 11


async def test_what_a_bot_hears_of_its_game(tmp_path: Path) -> None:
    said: list[str] = []
    bots = {"b1": "greedy", "b2": "simple"}
    spec = game_spec(list(bots), page_url="http://site/games/1/")
    async with running_referee(tmp_path) as site, bots_at(site, bots, said=said):
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        async with asyncio.timeout(30):
            while sum(" points" in line for line in said) < 2:
                await asyncio.sleep(0.02)
    assert f"game {spec.attempt_id}: seat 0 of 2 http://site/games/1/" in said
    for seat in (0, 1):
        place, total = result.scores.places[seat], result.scores.totals[seat]
        assert f"game {spec.attempt_id}: place {place} of 2 with {total} points" in said


async def test_a_second_connection_ends_the_first(tmp_path: Path) -> None:
    async with running_referee(tmp_path) as site, bots_at(site, {"b2": "simple"}):
        await site.sync(["b1", "b2"], revision=2)
        first = asyncio.create_task(run_bot(site.referee.bots_port, "greedy", "b1", said := []))
        async with asyncio.timeout(30):
            while not said:
                await asyncio.sleep(0.02)
            second = asyncio.create_task(run_bot(site.referee.bots_port, "greedy", "b1", []))
            last_word = await first
        assert "connect" in last_word
        assert not second.done()
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
