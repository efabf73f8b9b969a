"""Leagues whose processes die in every window between two steps, or fall asleep: only a bot's own sleep costs it anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from referee.record.crash_points import REFEREE, SITE
from tests.support.waiting import wait_until
from tests.system.arena import Child, SystemArena
from tests.system.leagues import ARENAS, QUICK, ROBIN_GAMES, make_bots, sound_report, start_round_robin

ROUNDS = 3
TABLES = 2
SLEEPY_BOT = """
import os
import signal

from bots.reference import SimpleBot


class SleepyBot(SimpleBot):
    is_rested = False

    def discard(self, view):
        if view.game_round == 2 and not self.is_rested:
            self.is_rested = True
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().discard(view)
"""


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


@pytest.mark.parametrize("kind", ARENAS)
def test_a_bot_that_falls_asleep_in_every_round(kind: str, request: pytest.FixtureRequest) -> None:
    arena: SystemArena = request.getfixturevalue(kind)
    (arena.folder / "sleepy.py").write_text(SLEEPY_BOT)
    sleepy, *others = make_bots(arena, "sleepy", owners=8, bots=8, n1="absent")
    arena.start_bots(others)
    address = f"127.0.0.1:{arena.shards['referee'].bots}"
    command = ("connect", f"{arena.folder / 'sleepy.py'}:SleepyBot", "--server", address, "--token", sleepy["token"])
    laptop = arena.start("bots laptop", "-m", "bots.cli", *command)
    assert arena.call("wait_connected", bots=[sleepy["bot_id"]], within_s=60) == 1, arena.logs()
    tournament = arena.call(
        "start_league",
        stages=[{"format": "swiss", "seats": 4, "rounds": ROUNDS}],
        bots=[bot["bot_id"] for bot in (sleepy, *others)],
        # Longer than it is asleep: it is woken when its round is over, while the next waits for it to be ready.
        fields=QUICK | {"start_ms": 30_000, "join_wait_s": 30},
    )
    for number in range(1, ROUNDS + 1):
        wait_until(laptop.is_frozen, f"it falls asleep in round {number}", within_s=60)
        results = TABLES * number
        found = arena.call("wait_results", tournament=tournament, results=results, within_s=60)
        assert found >= results, f"the round did not end while it slept\n{arena.logs()}"
        laptop.wake()
    assert arena.call("wait_ended", tournament=tournament, within_s=60) == "finished", arena.logs()
    report = sound_report(arena, tournament)
    assert report["no_shows"] == 0, "it was back in time for every round"
    assert set(report["faults"]) == {"sleepy 1"}
    assert report["retired"] == {"sleepy 1": ROUNDS}
    assert set(report["faults"]["sleepy 1"]) == {"No answer in time"}
    assert report["seconds"] <= report["worst_time_s"]
