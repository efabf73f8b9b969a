"""Hypothesis strategies for tournaments: fields with a past that can have happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from tournaments.formats import PastRound, RoundPairing, SwissEntrant, pair_swiss, swiss_entrants
from tournaments.ranking import match_points


@dataclass(frozen=True)
class Swiss:
    """A Swiss in the middle: rounds paired by the product, results drawn."""

    seats: int
    trusted: bool
    active: tuple[tuple[int, int, int], ...]
    """(id, owner, seed) of those still in."""
    past: tuple[PastRound, ...]
    points: dict[int, Fraction]

    @property
    def entrants(self) -> tuple[SwissEntrant, ...]:
        return swiss_entrants(self.active, self.points, self.past)


def places(size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Places at a table of this size, ties included."""
    levels = st.lists(st.integers(1, size), min_size=size, max_size=size)
    return levels.map(lambda drawn: tuple(1 + sum(other < own for other in drawn) for own in drawn))


@st.composite
def swisses(
    draw: st.DrawFn,
    *,
    seats: st.SearchStrategy[int] | None = None,
    least: int = 3,
    most: int = 14,
    rounds: int = 4,
) -> Swiss:
    """A field of `least` to `most` entrants after up to `rounds` rounds, some of them withdrawn on the way."""
    size = draw(seats if seats is not None else st.integers(2, 7))
    trusted = draw(st.booleans())
    count = draw(st.integers(max(least, 3), most))
    owners = draw(st.lists(st.integers(1, max(2, count // 2)), min_size=count, max_size=count))
    seeds = draw(st.permutations(range(1, count + 1)))
    active = [(100 + index, owner, seed) for index, (owner, seed) in enumerate(zip(owners, seeds, strict=True))]
    past: list[PastRound] = []
    points: dict[int, Fraction] = {}
    for _ in range(draw(st.integers(0, rounds))):
        pairing = pair_swiss(swiss_entrants(active, points, past), size, trusted=trusted)
        add_points(points, pairing, [draw(places(table.size)) for table in pairing.tables])
        past.append(PastRound(pairing))
        if len(active) > 3 and draw(st.integers(0, 3)) == 0:
            active.remove(draw(st.sampled_from(active)))
    return Swiss(size, trusted, tuple(active), tuple(past), points)


def add_points(points: dict[int, Fraction], pairing: RoundPairing, drawn: Sequence[Sequence[int]]) -> None:
    """The points of a round in which table i ended in the places `drawn[i]`; a bye is one point."""
    for table, table_places in zip(pairing.tables, drawn, strict=True):
        for entrant, earned in zip(table.entrants, match_points([table_places]), strict=True):
            points[entrant] = points.get(entrant, Fraction(0)) + earned
    for bye in pairing.byes:
        points[bye.entrant] = points.get(bye.entrant, Fraction(0)) + 1
