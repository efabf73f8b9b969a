"""Who of those waiting on a ladder plays whom: longest waiting first, with the nearest ratings (DESIGN 2, CASES A39)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BAND = 100.0
"""Rating points: how far off an opponent of somebody who has only just come may be."""
BAND_PER_S = 5.0
"""By so many rating points a second of waiting does that band widen."""


@dataclass(frozen=True, slots=True)
class Waiting:
    entrant: int
    rating: float
    waited_s: float
    owner: int
    last_opponents: frozenset[int] = frozenset()


def ladder_tables(waiting: Sequence[Waiting], seats: int, *, is_trusted: bool = False) -> list[tuple[int, ...]]:
    """Tables of `seats` entrants, nobody twice; the same whatever the order of `waiting`.

    Whoever waits longest sits whenever enough others of other owners are there: neither band nor rematch keeps it out.
    """
    left = sorted(waiting, key=lambda one: (-one.waited_s, one.entrant))
    tables: list[tuple[int, ...]] = []
    is_longest = True
    while len(left) >= seats:
        first = left.pop(0)
        table = _table(first, left, seats, is_trusted, in_band=not is_longest)
        is_longest = False
        if not table:
            continue
        tables.append(tuple(one.entrant for one in table))
        left = [one for one in left if one not in table]
    return tables


def _table(first: Waiting, others: Sequence[Waiting], seats: int, is_trusted: bool, *, in_band: bool) -> list[Waiting]:
    """Empty where too few may sit down with `first`."""
    band = BAND + BAND_PER_S * first.waited_s

    def rank(other: Waiting) -> tuple[bool, bool, float, float, int]:
        gap = abs(other.rating - first.rating)
        return (gap > band, other.entrant in first.last_opponents, gap, -other.waited_s, other.entrant)

    table = [first]
    for other in sorted(others, key=rank):
        if len(table) == seats or (in_band and abs(other.rating - first.rating) > band):
            break
        if is_trusted or all(other.owner != one.owner for one in table):
            table.append(other)
    return table if len(table) == seats else []
