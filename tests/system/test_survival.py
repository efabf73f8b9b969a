"""A league whose processes die in every window between two steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from referee.record.crash_points import REFEREE, SITE
from tests.support.waiting import wait_until
from tests.system.arena import Child, SystemArena
from tests.system.leagues import ARENAS, ROBIN_GAMES, sound_report, start_round_robin


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
    assert report["meetings"] == {"1": ROBIN_GAMES}
    assert report["faults"] == {}
