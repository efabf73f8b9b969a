"""The long version of what `make test` shows shortly: `python -m tests.soak [MINUTES]`, 10 by default.

Round after round of games whose referee and bots are killed at random, each round from another seed, printed so that it can be
played again: `python -m tests.soak 0 SEED` plays that one alone.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tests.referee.rpc.chaos import Plan, assert_sound, play_with_kills

PLAN = Plan(games=40, referee_kills=5, bot_kills=5, turn_cap=12, within_s=300)


def play(seed: int) -> int:
    """One round; how many games it had. Raises AssertionError for whatever is not as it must be."""
    with tempfile.TemporaryDirectory() as folder:
        site = asyncio.run(play_with_kills(Path(folder), PLAN, random.Random(seed)))
    assert len(site.results) == PLAN.games
    assert_sound(site)
    return len(site.results)


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
    sys.exit(main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3])))
