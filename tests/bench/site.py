"""What the site itself costs, on RabbitMQ and PostgreSQL: ratings, the closing of a round, and a worker's CPU for each game.

    python -m tests.bench.site        prints the rows

The games of the last are as short as games get: two seats, one turn a seat in each game round. What a worker takes while nothing
happens is measured before they begin, and left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench import timed_worker
from tests.bench.report import Row, single
from tests.support.services import empty_database, postgres, rabbitmq
from tests.system.arena import SystemArena, site_environment, system_arena
from tests.system.leagues import make_bots, sound_report

IDLE_S = 20.0
BOTS, ROUNDS = 64, 8
STEPS = ("create", "dispatch", "collect", "verify", "record", "close", "hint")
"""As `tests.bench.timed_worker` calls them; what is left is Celery's and the threads of gRPC and of the broker's connection."""
LEAGUE = {"turn_cap": 1, "join_wait_s": 120}
REBUILT_S = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")


def rows() -> Iterator[Row]:
    with postgres(fsync=True) as url:
        yield single(
            "site: closing a round of 1,000 matches at 4 seats", "s", partial(_seconds, url, "close"), repeats=3
        )
        yield single(
            "site: rebuilding the ratings of 100,000 matches at 4 seats",
            "s",
            partial(_seconds, url, "rebuild"),
            goal=REBUILT_S,
            at_most=True,
            repeats=1,
            note="400,000 rows folded and written, none there before",
        )
    yield from _cost_of_games()


def _seconds(url: str, *measurement: str) -> float:
    """What `tests.bench.site_rows` says, in an empty database of this cluster."""
    with empty_database(url) as database_url, tempfile.TemporaryDirectory() as folder:
        environment = site_environment(Path(folder), database_url, "amqp://127.0.0.1:9/none", [])
        for command in (["django", "migrate", "--verbosity=0"], ["tests.bench.site_rows", *measurement]):
            ran = subprocess.run(
                [sys.executable, "-m", *command], env=environment, capture_output=True, text=True, check=False
            )
            if ran.returncode:
                raise RuntimeError(f"{' '.join(command)} failed: {ran.stderr[-2000:]}")
        return float(ran.stdout)


# -- orchestration -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spent:
    """CPU seconds of the worker process."""

    games: int
    total: float
    steps: dict[str, float]
    calls: dict[str, int]

    def of(self, step: str) -> float:
        return self.steps.get(step, 0.0)


def _cost_of_games() -> Iterator[Row]:
    spent = _spent()
    note = f"{spent.games} games, two seats, one turn a seat in each game round; without what an idle site takes"
    yield Row(
        "site: worker CPU for each game", "ms", 1000 * spent.total / spent.games, None, None, None, True, note=note
    )
    rest = spent.total - sum(map(spent.of, STEPS))
    for step, cpu_s in [*((step, spent.of(step)) for step in STEPS), ("messages and threads", rest)]:
        calls = spent.calls.get(step)
        yield Row(
            f"site: of which {step}",
            "ms",
            1000 * cpu_s / spent.games,
            None,
            None,
            None,
            True,
            note=f"{cpu_s / spent.total:.0%}" + (f", {calls / spent.games:.1f} calls a game" if calls else ""),
        )


def _spent() -> Spent:
    with (
        tempfile.TemporaryDirectory() as name,
        postgres(fsync=True) as postgres_url,
        rabbitmq() as rabbitmq_url,
        system_arena(Path(name), postgres_url, rabbitmq_url) as arena,
    ):
        steps_file = Path(name) / "steps.json"
        worker = _timed_worker(arena, steps_file)
        bots = make_bots(arena, "bench", BOTS, BOTS, **{f"n{number}": "simple" for number in range(1, BOTS + 1)})
        arena.start_bots(bots)
        before, began = _cpu_s(worker), time.monotonic()
        time.sleep(IDLE_S)
        idle = (_cpu_s(worker) - before) / (time.monotonic() - began)
        before, began = _cpu_s(worker), time.monotonic()
        tournament = arena.call(
            "start_league",
            stages=[{"format": "swiss", "seats": 2, "rounds": ROUNDS}],
            bots=[bot["bot_id"] for bot in bots],
            fields=LEAGUE,
        )
        if arena.call("wait_ended", tournament=tournament, within_s=500) != "finished":
            raise RuntimeError(arena.logs())
        total = _cpu_s(worker) - before - idle * (time.monotonic() - began)
        games = sound_report(arena, tournament)["games"]
        arena.children["worker"].stop()
        told = json.loads(steps_file.read_text())
        return Spent(games, total, told["cpu_s"], told["calls"])


def _timed_worker(arena: SystemArena, steps_file: Path) -> int:
    """In the place of the site's own; its process id."""
    arena.children["worker"].stop()
    arena.environment[timed_worker.VARIABLE] = str(steps_file)
    argv = ("celery", "-A", "tests.bench.timed_worker", "worker", "-P", "threads", "-c", "4", "-n", "worker@%h")
    child = arena.start("worker", "-m", *argv)
    assert child.popen is not None
    return child.popen.pid


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    for row in rows():
        print(row)
