"""The field of a Swiss round: who is active, and what the rounds before did to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, groupby

from tournaments.formats.seats import sittings_after
from tournaments.formats.values import RoundPairing

GRAIN = 60
"""Point differences are weighed in sixtieths: exact for the points of one game at 2 to 7 seats, near enough at more."""


@dataclass(frozen=True, slots=True)
class SwissEntrant:
    """What pairing must know of one active entrant."""

    id: int
    owner: int
    seed: int
    """Pairing number, 1 first; unique among the entrants. Equal points are ordered by it."""
    points: Fraction = Fraction(0)
    met: Mapping[int, int] = field(default_factory=dict)
    """Opponent id -> how often they sat at one table."""
    byes: int = 0
    """Points had without a game: byes, and walkovers won at two seats."""
    short_tables: int = 0
    """Rounds at a table smaller than the largest of that round."""
    sittings: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Table size -> games sat in seat 0, 1, ... at tables of that size."""

    @property
    def grains(self) -> int:
        """The points as pairing weighs them."""
        return round(self.points * GRAIN)

    def sat(self, size: int) -> tuple[int, ...]:
        """Games sat in each seat of tables of this size."""
        return self.sittings.get(size, (0,) * size)


@dataclass(frozen=True, slots=True)
class PastRound:
    """A closed round as it counts for pairing: whoever calls leaves out tables that were void or had no game."""

    pairing: RoundPairing
    games: int = 1
    """Games a match; each moves everybody one seat on (`Pairing.seat_order`)."""
    walkovers: tuple[int, ...] = ()
    """Two seats: entrants whose opponent did not appear. Nobody was met, and they are not next for a bye."""


def swiss_entrants(
    active: Iterable[tuple[int, int, int]], points: Mapping[int, Fraction], past: Sequence[PastRound]
) -> tuple[SwissEntrant, ...]:
    """The active entrants, given as (id, owner, seed), with what the past rounds did to them; no points are 0."""
    met: dict[int, Counter[int]] = {}
    short: Counter[int] = Counter()
    free: Counter[int] = Counter()
    sittings: dict[int, dict[int, tuple[int, ...]]] = {}
    for round_ in past:
        free.update([bye.entrant for bye in round_.pairing.byes])
        free.update(round_.walkovers)
        largest = max((table.size for table in round_.pairing.tables), default=0)
        for table in round_.pairing.tables:
            for seat, entrant in enumerate(table.entrants):
                met.setdefault(entrant, Counter()).update(other for other in table.entrants if other != entrant)
                by_size = sittings.setdefault(entrant, {})
                by_size[table.size] = sittings_after(by_size.get(table.size, (0,) * table.size), seat, round_.games)
                short[entrant] += table.size < largest
    return tuple(
        SwissEntrant(
            id=id_,
            owner=owner,
            seed=seed,
            points=points.get(id_, Fraction(0)),
            met=met.get(id_, {}),
            byes=free[id_],
            short_tables=short[id_],
            sittings=sittings.get(id_, {}),
        )
        for id_, owner, seed in active
    )


def in_order(entrants: Iterable[SwissEntrant]) -> list[SwissEntrant]:
    """By points, then seed: the order that pairing starts from, whatever the order given.

    Raises ValueError for a double id or seed.
    """
    field_ = sorted(entrants, key=lambda entrant: (-entrant.points, entrant.seed))
    for what, values in (("id", [each.id for each in field_]), ("seed", [each.seed for each in field_])):
        value, times = Counter(values).most_common(1)[0] if values else (0, 1)
        if times > 1:
            raise ValueError(f"{what} {value} is given to {times} entrants: every entrant once, every seed once")
    return field_


def folded(grains: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Cut places 0, 1, ... (in order of points, `grains`) into tables of these sizes, best table first.

    Whole tables of one points group are dealt out by columns: with two seats its top half meets its bottom half, with
    four each table gets one of each quarter. The rest of a group fills up with the best of the next.
    """
    tables: list[list[int]] = []
    begun: list[int] = []
    for _, group in groupby(range(len(grains)), key=grains.__getitem__):
        rest = list(group)
        if begun:
            needed = sizes[len(tables)] - len(begun)
            begun, rest = begun + rest[:needed], rest[needed:]
            if len(begun) < sizes[len(tables)]:
                continue
            tables.append(begun)
        whole = [total for total in accumulate(sizes[len(tables) :]) if total <= len(rest)]
        tables += _dealt(rest, sizes[len(tables) : len(tables) + len(whole)])
        begun = rest[whole[-1] :] if whole else rest
    return tables


def _dealt(places: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Places dealt to tables, one to each, until all are full."""
    deck = iter(places)
    tables: list[list[int]] = [[] for _ in sizes]
    for column in range(max(sizes, default=0)):
        for table, size in zip(tables, sizes, strict=True):
            if column < size:
                table.append(next(deck))
    return tables


def table_sizes(n: int, seats: int) -> list[int]:
    """Sizes of the tables of a Swiss round of three seats or more, the largest first; they differ by at most one.

    As few tables as there must be, fewer while one would have under three: 4 entrants at tables of 3 are one of 4.
    """
    tables = -(-n // seats)
    while tables > 1 and n // tables < 3:
        tables -= 1
    size, larger = divmod(n, tables)
    return [size + 1] * larger + [size] * (tables - larger)
