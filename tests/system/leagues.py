"""Leagues of a system test, and what must hold in every one of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.system.arena import SystemArena

ROBIN_BOTS = 12
ROBIN_GAMES = ROBIN_BOTS * (ROBIN_BOTS - 1) // 2
ARENAS = ["arena", pytest.param("embedded_arena", marks=pytest.mark.embedded)]
"""Fixtures: RabbitMQ and PostgreSQL, and the embedded default."""
QUICK = {"decision_ms": 500, "bank_ms": 500, "start_ms": 2_000, "thinking_ms": 20_000, "join_wait_s": 3, "turn_cap": 12}


def play(arena: SystemArena, bots: list[dict[str, str]], stage: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A tournament of these bots from start to end, checked for what must hold in every one."""
    tournament = arena.call("start_league", stages=[stage], bots=[bot["bot_id"] for bot in bots], fields=QUICK | fields)
    status = arena.call("wait_ended", tournament=tournament, within_s=500)
    assert status == "finished", arena.logs()
    return sound_report(arena, tournament)


def sound_report(arena: SystemArena, tournament: str) -> dict[str, Any]:
    """What there is to say of an ended tournament, in a database that is sound; all its games have a result."""
    arena.manage("check_league", "--json")
    report: dict[str, Any] = arena.call("report", tournament=tournament)
    assert report["games_with_result"] == report["games"]
    return report


def make_bots(arena: SystemArena, prefix: str, owners: int, bots: int, **behaviours: str) -> list[dict[str, str]]:
    """Bots PREFIX 1, PREFIX 2, ...; `behaviours` names those that are not greedy, as in n1="stall"."""
    numbered = {name.removeprefix("n"): behaviour for name, behaviour in behaviours.items()}
    entries: list[dict[str, str]] = arena.call(
        "make_bots", prefix=prefix, owners=owners, bots=bots, behaviours=numbered
    )
    return entries


def start_round_robin(arena: SystemArena, prefix: str) -> str:
    bots = make_bots(arena, prefix, owners=4, bots=ROBIN_BOTS)
    arena.start_bots(bots)
    tournament: str = arena.call(
        "start_league",
        stages=[{"format": "round_robin", "seats": 2}],
        bots=[bot["bot_id"] for bot in bots],
        # However often a referee is gone, nobody is absent because of it.
        fields=QUICK | {"turn_cap": 40, "join_wait_s": 60},
    )
    return tournament
