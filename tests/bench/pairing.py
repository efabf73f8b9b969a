"""How long a round of a Swiss at tables of four takes to pair, and how that grows with the field.

    python -m tests.bench.pairing        prints the rows

Paired is the round after four that were played, with results by chance and two bots to an owner. Each figure is CPU time of the
source, which is what a site runs.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import median

from tests.bench.report import Row, single
from tournaments.formats import PastRound, SwissEntrant, pair_swiss, swiss_entrants
from tournaments.ranking import match_points

FIELDS = (100, 1_000, 5_000)
GOALS_S = {1_000: 2.0}
SEATS = 4
ROUNDS_BEFORE = 4
REPEATS = 5


def field_of(size: int) -> tuple[SwissEntrant, ...]:
    """So many entrants after some rounds."""
    dice = random.Random(size)
    field = [(entrant, entrant // 2, entrant + 1) for entrant in range(size)]
    points = dict.fromkeys(range(size), Fraction(0))
    past: list[PastRound] = []
    for number in range(1, ROUNDS_BEFORE + 1):
        pairing = pair_swiss(swiss_entrants(field, points, past), SEATS, lots=bytes([number]))
        for table in pairing.tables:
            places = dice.sample(range(1, table.size + 1), table.size)
            for entrant, earned in zip(table.entrants, match_points([places]), strict=True):
                points[entrant] += earned
        past.append(PastRound(pairing))
    return swiss_entrants(field, points, past)


def seconds(field: Sequence[SwissEntrant]) -> float:
    began = time.process_time()
    pair_swiss(field, SEATS, lots=b"now")
    return time.process_time() - began


def rows() -> Iterator[Row]:
    measured: dict[int, list[float]] = {}
    for size in FIELDS:
        field = field_of(size)
        figures = measured[size] = [seconds(field) for _ in range(REPEATS)]
        yield single(
            f"pairing: a Swiss round of {size:,} at tables of {SEATS}",
            "CPU s",
            iter(figures).__next__,
            goal=GOALS_S.get(size),
            at_most=True,
            repeats=REPEATS,
            note=f"after {ROUNDS_BEFORE} rounds, two bots an owner",
        )
    yield _growth(median(measured[FIELDS[-2]]), median(measured[FIELDS[-1]]))


def _growth(fewer_s: float, more_s: float) -> Row:
    fewer, more = FIELDS[-2:]
    n_log_n = more * math.log(more) / (fewer * math.log(fewer))
    ratio = more_s / fewer_s / n_log_n
    return Row(
        f"pairing: time of {more:,} over that of {fewer:,}, against n log n",
        "times",
        more_s / fewer_s,
        n_log_n,
        ratio,
        goal=1.0,
        holds=ratio <= 1.0,
    )


if __name__ == "__main__":
    for row in rows():
        print(row)
