"""The long version of what `make test` shows shortly: `python -m tests.soak [MINUTES]`, 10 by default.

Round after round of games whose referee and bots are killed at random, each round from another seed, printed so that it can be
played again: `python -m tests.soak 0 SEED` plays that one alone.

`python -m tests.soak league [SEED]` plays a league of 200 bots of 200 owners on RabbitMQ and PostgreSQL, first undisturbed, then
while workers, referee, broker and database are killed at random moments. It says what it saw, and takes about ten minutes.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tests.referee.rpc.chaos import Plan, assert_sound, play_with_kills
from tests.system.big_league import BigLeague, KillableSite, kill_at_random, killable_site
from tests.system.big_league import play as play_league

PLAN = Plan(games=40, referee_kills=5, bot_kills=5, turn_cap=12, within_s=300)
LEAGUE = BigLeague(bots=200, rounds=7, bot_processes=4)
WORKERS = 2
PAUSE_S = (2.0, 12.0)
"""Between two kills, at random."""


def play(seed: int) -> int:
    """One round; how many games it had. Raises AssertionError for whatever is not as it must be."""
    with tempfile.TemporaryDirectory() as folder:
        site = asyncio.run(play_with_kills(Path(folder), PLAN, random.Random(seed)))
    assert len(site.results) == PLAN.games
    assert_sound(site)
    return len(site.results)


def leagues(seed: int | None = None) -> int:
    """The league without and with kills. Raises AssertionError for whatever is not as it must be."""
    first = random.SystemRandom().randrange(10**6) if seed is None else seed
    print(
        f"{LEAGUE.bots} bots of {LEAGUE.bots} owners, Swiss, 4 seats, {LEAGUE.rounds} rounds, shared deals; seed {first}"
    )
    with tempfile.TemporaryDirectory() as folder, killable_site(Path(folder), WORKERS) as site:
        _tell("undisturbed", play_league(site, LEAGUE, "calm"))
        kills: Counter[str] = Counter()
        report = play_league(site, LEAGUE, "shaken", partial(_shake, site, random.Random(first), kills))
        killed = ", ".join(f"{name} {count}" for name, count in sorted(kills.items()))
        _tell(f"with {kills.total()} kills ({killed})", report)
    return 0


def _shake(site: KillableSite, dice: random.Random, kills: Counter[str], tournament: str) -> None:
    kills.update(kill_at_random(site, tournament, dice, PAUSE_S))


def _tell(how: str, report: dict[str, Any]) -> None:
    sizes = Counter(tables for _, _, tables in report["deal_sets"])
    deals = ", ".join(f"{count} of {tables} tables" for tables, count in sorted(sizes.items()))
    attempts = ", ".join(f"{count} {status}" for status, count in sorted(report["attempts"].items()))
    print(
        f"{how}: {report['seconds']:.0f} s, {report['games']} games, attempts: {attempts}; no rematch, no fault; "
        f"deal sets: {deals}, no table left over; {report['rating_rows']} rating rows; check_league: clean",
        flush=True,
    )
    for reason, times in sorted(report["given_up"].items()):
        print(f"  {times} attempts given up: {reason}", flush=True)


def main(minutes: float = 10.0, seed: int | None = None) -> int:
    began, seconds = time.monotonic(), 60 * minutes
    first = random.SystemRandom().randrange(10**6) if seed is None else seed
    games = rounds = 0
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task("", total=max(seconds, 1))
        while not rounds or time.monotonic() - began < seconds:
            progress.update(task, description=f"seed {first + rounds}: {games} games so far")
            try:
                games += play(first + rounds)
            except Exception:
                progress.stop()
                print(f"seed {first + rounds} failed after {games} games: python -m tests.soak 0 {first + rounds}")
                raise
            rounds += 1
            progress.update(task, completed=time.monotonic() - began)
    print(
        f"{games} games in {rounds} rounds, {rounds * PLAN.referee_kills} kills of the referee and "
        f"{rounds * PLAN.bot_kills} of bots: each ended once, all records verify, no faults"
    )
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["league"]:
        sys.exit(leagues(*map(int, sys.argv[2:3])))
    sys.exit(main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3])))
