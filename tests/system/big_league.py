"""A Swiss on shared deals between many bots of as many owners; on request everything that it runs on is killed meanwhile."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psycopg

from tests.support.services import Server, postgres_server, rabbitmq_server
from tests.system.arena import SystemArena, system_arena
from tests.system.leagues import make_bots, sound_report

SEATS = 4
JOIN_WAIT_S = 300
"""However often the referee is gone and however busy the machine, nobody is absent because of it; the budgets are the default."""
OUTAGE_S = 3.0
"""At most, before what was killed is started again."""
LONGEST_S = 3600.0


class Victim(Protocol):
    def kill(self) -> None: ...

    def start(self) -> None: ...


@dataclass(frozen=True)
class BigLeague:
    bots: int
    """A multiple of four, each of an owner of its own."""
    rounds: int
    bot_processes: int
    turn_cap: int = 5

    @property
    def tables(self) -> int:
        return self.bots // SEATS

    @property
    def games(self) -> int:
        return self.rounds * self.tables


@dataclass(frozen=True)
class KillableSite:
    arena: SystemArena
    broker: Server
    database: Server

    def victims(self) -> dict[str, Victim]:
        workers = {name: child for name, child in self.arena.children.items() if name.startswith("worker")}
        return {
            **workers,
            "referee": self.arena.children["referee"],
            "RabbitMQ": self.broker,
            "PostgreSQL": self.database,
        }

    def results(self) -> int:
        """Games with a result, of all leagues so far; asked from here, for a process of its own would be late."""
        with psycopg.connect(self.database.url) as connection:
            row = connection.execute("SELECT count(result_id) FROM tournaments_game").fetchone()
        assert row is not None
        return int(row[0])


@contextmanager
def killable_site(folder: Path, workers: int = 1) -> Iterator[KillableSite]:
    """On a RabbitMQ node and a PostgreSQL cluster of its own."""
    with (
        rabbitmq_server() as broker,
        postgres_server() as database,
        system_arena(folder, database.url, broker.url) as arena,
    ):
        for number in range(2, workers + 1):
            arena.start_worker(f"worker{number}")
        yield KillableSite(arena, broker, database)


def play(
    site: KillableSite, league: BigLeague, prefix: str, ordeal: Callable[[str], object] = lambda tournament: None
) -> dict[str, Any]:
    """The league from start to end, and all that must hold of it. `ordeal` is called with the tournament once it runs."""
    arena = site.arena
    behaviours = {f"n{number}": "simple" for number in range(1, league.bots + 1)}
    bots = make_bots(arena, prefix, owners=league.bots, bots=league.bots, **behaviours)
    arena.start_bots(bots, processes=league.bot_processes)
    tournament = arena.call(
        "start_league",
        stages=[{"format": "swiss", "seats": SEATS, "rounds": league.rounds, "deal_mode": "field"}],
        bots=[bot["bot_id"] for bot in bots],
        fields={"turn_cap": league.turn_cap, "join_wait_s": JOIN_WAIT_S},
    )
    ordeal(tournament)
    status = arena.call("wait_ended", tournament=tournament, within_s=500)
    assert status == "finished", f"{status}\n{arena.logs()}"
    report = sound_report(arena, tournament)
    assert_fair(report, league)
    return report


def assert_fair(report: dict[str, Any], league: BigLeague) -> None:
    """Every game has been played once, by all, on shared deals, and nobody met anybody again."""
    assert report["games"] == league.games
    assert report["attempts"]["finished"] == league.games
    assert report["faults"] == {}
    assert report["rating_rows"] == SEATS * league.games
    assert report["meetings"] == {"1": 6 * league.games}, "rematches"
    assert report["same_owner_tables"] == 0
    shared = [(tournament_round, tables) for tournament_round, mode, tables in report["deal_sets"] if mode == "field"]
    assert shared == [tuple(each[::2]) for each in report["deal_sets"]], "tables left over"
    assert all(3 <= tables <= 16 for _, tables in shared)
    for number in range(1, league.rounds + 1):
        assert sum(tables for tournament_round, tables in shared if tournament_round == number) == league.tables


def kill_at_random(
    site: KillableSite, tournament: str, dice: random.Random, pause_s: tuple[float, float]
) -> Counter[str]:
    """Until the tournament has ended: how often each was killed. Nothing dies twice before everything has died once."""
    kills: Counter[str] = Counter()
    give_up_at = time.monotonic() + LONGEST_S
    waiting: list[str] = []
    while site.arena.call("wait_ended", tournament=tournament, within_s=dice.uniform(*pause_s)) == "running":
        assert time.monotonic() < give_up_at, f"not ended after {LONGEST_S:g} s and {kills}\n{site.arena.logs()}"
        victims = site.victims()
        waiting = waiting or dice.sample(sorted(victims), len(victims))
        name = waiting.pop()
        victims[name].kill()
        time.sleep(dice.uniform(0, OUTAGE_S))
        victims[name].start()
        kills[name] += 1
    return kills
