"""Leagues whose processes die: in every window between two steps, or for good."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from referee.record.crash_points import REFEREE, SITE
from tests.support.services import empty_database
from tests.support.waiting import wait_until
from tests.system.arena import Child, SystemArena, system_arena
from tests.system.leagues import ARENAS, QUICK, make_bots, sound_report

BOTS = 12
GAMES = BOTS * (BOTS - 1) // 2


def start_round_robin(arena: SystemArena, prefix: str) -> str:
    bots = make_bots(arena, prefix, owners=4, bots=BOTS)
    arena.start_bots(bots)
    tournament: str = arena.call(
        "start_league",
        stages=[{"format": "round_robin", "seats": 2}],
        bots=[bot["bot_id"] for bot in bots],
        # However often a referee is gone, nobody is absent because of it.
        fields=QUICK | {"turn_cap": 40, "join_wait_s": 60},
    )
    return tournament


def die_at_each(points: Sequence[str], start: Callable[[str], Child], old: Child) -> Child:
    """The process is started anew for each point, and waited for until it has killed itself there; the last one lives."""
    old.kill()
    for point in points:
        child = start(point)
        wait_until(child.has_ended, f"the process dies at {point}", within_s=60)
        assert child.popen is not None
        assert child.popen.returncode == -9, f"{point} was not what ended it"
    return start("")


@pytest.mark.parametrize("kind", ARENAS)
def test_workers_and_referees_that_die_in_every_window(kind: str, request: pytest.FixtureRequest) -> None:
    arena: SystemArena = request.getfixturevalue(kind)
    tournament = start_round_robin(arena, "windows")
    worker = arena.children["worker"]
    die_at_each(SITE, lambda point: arena.start_worker(crash_at=point), worker)
    referee = arena.children["referee"]
    die_at_each(REFEREE, lambda point: arena.start_referee(crash_at=point), referee)
    assert arena.call("wait_ended", tournament=tournament, within_s=500) == "finished", arena.logs()
    report = sound_report(arena, tournament)
    assert report["meetings"] == {"1": GAMES}
    assert report["faults"] == {}


@pytest.fixture
def two_shards(tmp_path: Path, postgres_url: str, rabbitmq_url: str) -> Iterator[SystemArena]:
    with (
        empty_database(postgres_url) as database_url,
        system_arena(tmp_path, database_url, rabbitmq_url, ("east", "west")) as arena,
    ):
        yield arena


def test_matches_spread_over_shards_and_leave_one_that_is_gone(two_shards: SystemArena) -> None:
    """When it is back, it drops what was given to the other: nothing is counted twice."""
    arena = two_shards
    tournament = start_round_robin(arena, "shards")
    assert arena.call("wait_results", tournament=tournament, results=6, within_s=60) >= 6, arena.logs()
    arena.children["east"].kill()
    assert arena.call("wait_results", tournament=tournament, results=30, within_s=120) >= 30, arena.logs()
    arena.start_referee("east")
    assert arena.call("wait_ended", tournament=tournament, within_s=500) == "finished", arena.logs()
    report = sound_report(arena, tournament)
    assert report["meetings"] == {"1": GAMES}
    assert report["faults"] == {}
    assert set(report["shards"]) == {"east", "west"}
    assert min(report["shards"].values()) >= 3, report["shards"]
