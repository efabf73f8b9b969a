"""Round robin: every pair meets, equally often where a design exists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats.designs import Rounds, design_rounds, design_size
from tournaments.formats.even_meetings import even_rounds, rounds_planned
from tournaments.formats.seats import equitable_seats, spread
from tournaments.formats.values import MOST_SEATS, NotEnoughEntrants, Pairing, RoundPairing

SEARCH_STEPS = 60_000
"""Steps of the search for even meetings where no design is known; a few tenths of a second."""


@dataclass(frozen=True, slots=True)
class RoundRobinSize:
    """What a round robin will take, before it is planned."""

    rounds: int
    tables: int
    """Of each round."""
    table_seats: int
    is_design: bool
    """Every pair will meet equally often."""

    @property
    def matches(self) -> int:
        return self.rounds * self.tables


@dataclass(frozen=True, slots=True)
class RoundRobinPlan:
    """All rounds of a round robin, and the numbers an organiser looks at before choosing it."""

    seats: int
    rounds: tuple[RoundPairing, ...]
    matches: int
    """Over all rounds."""
    least_meetings: int
    """How often the pair that meets least meets."""
    most_meetings: int
    seat_spread: int
    """The largest difference, over entrants, between the seat sat in most and the seat sat in least: 0 or 1."""
    is_design: bool
    """True: by construction every pair meets equally often. False: as even as the search got."""


def round_robin_plan(
    entrants: Sequence[int], seats: int = 2, *, laps: int = 1, steps: int = SEARCH_STEPS
) -> RoundRobinPlan:
    """Every round of a round robin at tables of `seats` (2 to 14).

    The order of `entrants` is the drawing of lots: the same order gives the same plan. `laps` plays everything that
    often, with the seats swapped on. Raises `NotEnoughEntrants` below two entrants (two seats) or three (tables); with
    fewer entrants than seats all meet at one table. Raises ValueError for a double entrant, seats or laps out of range.
    """
    _check(len(entrants), seats, laps)
    if len(set(entrants)) != len(entrants):
        raise ValueError(f"entrant {Counter(entrants).most_common(1)[0][0]} is given twice")
    rounds, is_design = _rounds(len(entrants), seats, laps, steps)
    return _plan(entrants, seats, rounds, is_design)


def round_robin_size(n: int, seats: int = 2, *, laps: int = 1) -> RoundRobinSize:
    """The rounds and matches of `round_robin_plan`, at once: no table is filled. Raises as that does."""
    _check(n, seats, laps)
    if n <= seats:
        return RoundRobinSize(laps, 1, n, is_design=True)
    once = n - 1 + n % 2 if seats == 2 else design_size(n, seats)
    rounds = rounds_planned(n, seats) if once is None else once
    return RoundRobinSize(laps * rounds, n // seats, seats, is_design=once is not None)


def _check(n: int, seats: int, laps: int) -> None:
    if not 2 <= seats <= MOST_SEATS:
        raise ValueError(f"tables of {seats} seats: 2 to {MOST_SEATS}")
    if laps < 1:
        raise ValueError(f"laps is {laps}: at least 1")
    if n < min(seats, 3):
        raise NotEnoughEntrants(n, min(seats, 3))


def _rounds(n: int, seats: int, laps: int, steps: int) -> tuple[Rounds, bool]:
    """Rounds of tables in seat order, and whether a construction made them even."""
    if seats == 2:
        once = list(berger_rounds(n))
        turned = [[table[::-1] for table in tables] for tables in once]
        return [tables for lap in range(laps) for tables in (turned if lap % 2 else once)], True
    designed = [[tuple(range(n))]] if n <= seats else design_rounds(n, seats)
    rounds = laps * (even_rounds(n, seats, steps) if designed is None else designed)
    seated = iter(equitable_seats([table for tables in rounds for table in tables]))
    return [[next(seated) for _ in tables] for tables in rounds], designed is not None


def berger_rounds(n: int) -> Iterator[list[tuple[int, ...]]]:
    """The rounds of the Berger tables for entrants 0 .. n - 1, the one in seat 0 first (FIDE Handbook C.05, annex 1)."""
    last = n - 1 + n % 2
    for number in range(last):
        # The last one stays and changes seats; the others move round it by half the field.
        circle = [(place + number * (last + 1) // 2) % last for place in range(last)]
        first = (last, circle[0]) if number % 2 else (circle[0], last)
        others: list[tuple[int, ...]] = [(circle[place], circle[-place]) for place in range(1, (last + 1) // 2)]
        # With an odd field there is no last one: who would meet it sits out.
        yield others if n % 2 else [first, *others]


def _plan(entrants: Sequence[int], seats: int, rounds: Rounds, is_design: bool) -> RoundRobinPlan:
    n = len(entrants)
    tables = [table for round_tables in rounds for table in round_tables]
    meetings = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    met = [meetings[pair] for pair in combinations(range(n), 2)]
    sittings = [[0] * len(tables[0]) for _ in entrants]
    for table in tables:
        for seat, entrant in enumerate(table):
            sittings[entrant][seat] += 1
    return RoundRobinPlan(
        seats=seats,
        rounds=tuple(_round_pairing(entrants, round_tables) for round_tables in rounds),
        matches=len(tables),
        least_meetings=min(met),
        most_meetings=max(met),
        seat_spread=max(map(spread, sittings)),
        is_design=is_design,
    )


def _round_pairing(entrants: Sequence[int], tables: Sequence[Sequence[int]]) -> RoundPairing:
    named = [Pairing(tuple(entrants[index] for index in table)) for table in tables]
    seated = {entrant for table in named for entrant in table.entrants}
    return RoundPairing(tuple(named), sitting_out=tuple(sorted(set(entrants) - seated)))
