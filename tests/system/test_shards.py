"""Two referees, of which one is gone for a while. The broker is shared with no other arena: this one has a module of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.services import empty_database
from tests.system.arena import SystemArena, system_arena
from tests.system.leagues import ROBIN_GAMES, sound_report, start_round_robin


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
    assert report["meetings"] == {"1": ROBIN_GAMES}
    assert report["faults"] == {}
    assert set(report["shards"]) == {"east", "west"}
    assert min(report["shards"].values()) >= 3, report["shards"]
