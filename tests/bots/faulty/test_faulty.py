"""What the real referee makes of each faulty bot, with two healthy bots at the same table."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from fivecrowns.referee.v1 import referee_pb2
from referee.record.conditions import Budgets
from referee.record.verify import verify_record
from tests.bots.arena import bots_at
from tests.support.referee import fault_names, game_spec, running_referee

SHORT = Budgets(start_ms=1_000, decision_ms=250, bank_ms=500, thinking_ms=4_000)


@pytest.mark.parametrize(
    ("bot", "faults"),
    [
        ("crash", {"BOT_ERROR": 5}),
        ("illegal", {"ILLEGAL": 5}),
        ("garbage", {"MALFORMED": 5}),
        ("stall", {"MOVE_TIMEOUT": 5}),
        ("resign", {"RESIGN": 1}),
        ("leave", {"DISCONNECT": 1}),
        ("unready", {"START_TIMEOUT": 1}),
    ],
)
async def test_faults(tmp_path: Path, bot: str, faults: dict[str, int]) -> None:
    bots = {"b1": f"faulty:{bot}", "b2": "simple", "b3": "simple"}
    spec = game_spec(list(bots), budgets=SHORT)
    async with running_referee(tmp_path) as site, bots_at(site, bots):
        await site.start(spec)
        result = await site.result(spec.attempt_id)
    assert result.status == referee_pb2.GAME_STATUS_FINISHED
    assert Counter(fault_names(result)) == faults
    assert all(fault.seat == 0 for fault in result.faults)
    assert result.scores.places[0] == 3
    assert verify_record(result.record, spec.seed).replays


async def test_drop_comes_back_and_pays_only_from_its_bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.faulty.raw.AGAIN_AFTER_S", 0.05)
    bots = {"b1": "faulty:drop", "b2": "simple", "b3": "simple"}
    spec = game_spec(list(bots))
    said: list[str] = []
    async with running_referee(tmp_path) as site, bots_at(site, bots, said=said):
        await site.start(spec)
        result = await site.result(spec.attempt_id)
    assert "drop drops its connection" in said
    assert list(result.faults) == []
    assert len(result.scores.rounds) == 11


async def test_slow_spends_its_bank_first(tmp_path: Path) -> None:
    bots = {"b1": "faulty:slow", "b2": "simple"}
    budgets = Budgets(decision_ms=100, bank_ms=200, thinking_ms=5_000)
    async with running_referee(tmp_path) as site, bots_at(site, bots):
        spec = game_spec(list(bots), budgets=budgets)
        await site.start(spec)
        result = await site.result(spec.attempt_id)
    assert set(fault_names(result)) <= {"MOVE_TIMEOUT", "THINKING_USED_UP"}
    assert result.faults[-1].retires
    assert result.faults[0].used_ms >= 100


async def test_silent_gets_no_game(tmp_path: Path) -> None:
    bots = {"b1": "faulty:silent", "b2": "simple"}
    async with running_referee(tmp_path) as site, bots_at(site, bots):
        (state,) = await site.start(game_spec(list(bots)))
    assert state.status == referee_pb2.GAME_STATUS_REFUSED
    assert state.refused_reason == referee_pb2.REFUSED_REASON_BOT_NOT_CONNECTED
    assert list(state.bot_ids) == ["b1"]


async def test_flood_harms_nobody_else_and_is_sent_away(tmp_path: Path) -> None:
    bots = {"b1": "faulty:flood", "b2": "simple", "b3": "simple"}
    spec = game_spec(list(bots), budgets=SHORT)
    said: list[str] = []
    async with running_referee(tmp_path) as site, bots_at(site, bots, said=said):
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        async with asyncio.timeout(30):
            while not any("GOODBYE_REASON_PROTOCOL_ERROR" in line for line in said):
                await asyncio.sleep(0.02)
    # It plays as long as its stream is left to it.
    assert set(fault_names(result)) <= {"DISCONNECT"}
    assert all(fault.seat == 0 for fault in result.faults)
    assert verify_record(result.record, spec.seed).replays
