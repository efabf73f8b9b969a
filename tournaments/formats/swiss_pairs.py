"""Swiss at two seats: a matching of least cost.

What a pair costs is a row of levels, the first outweighing all the others, so that one maximum-weight matching settles
them in order: owners apart, no rematch, the bye to the lowest, nobody three seats out of balance, points, seat balance,
the place in the folded order. The last level is a lot for each pair: it leaves one best matching, so that the answer
does not depend on how the solver goes about it.

Fields too large for all pairs at once are matched in slices of the folded order. Only if a slice could not keep owners
apart or avoid a rematch are larger slices tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import rustworkx

from tournaments.formats.lots import lot
from tournaments.formats.seats import sittings_after, spread
from tournaments.formats.swiss_field import SwissEntrant, folded

SLICES = (128, 1024)
"""Entrants matched at once: at first, and when something could not be kept."""

_HARD = 2
"""The levels that larger slices may mend: owners and rematches."""
_LOT_PRIME = (1 << 61) - 1
_LOT_MASK = (1 << 28) - 1
_LARGEST_WEIGHT = 1 << 120
"""The solver counts in 128 bits and doubles."""

_Costs = tuple[int, ...]
_Pair = tuple[SwissEntrant, SwissEntrant | None]
"""None: the bye."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs, in no seat order yet, best first."""

    pairs: tuple[tuple[SwissEntrant, SwissEntrant], ...]
    bye: SwissEntrant | None
    is_best: bool
    """All pairs were weighed against each other: what was not kept cannot be."""


def match_pairs(field: Sequence[SwissEntrant], *, trusted: bool, lots: bytes, games: int) -> Pairs:
    """Pair a field given in order of points, then seed."""
    weighing = _weighing(field, trusted, lots, games)
    found = _matched(weighing, SLICES[0])
    if len(field) > SLICES[0] and any(any(weighing.costs(a, b)[:_HARD]) for a, b in found):
        found = _matched(weighing, SLICES[1])
    place = {entrant.id: place for place, entrant in enumerate(field)}
    pairs = [(a, b) for a, b in found if b is not None]
    return Pairs(
        pairs=tuple(sorted(pairs, key=lambda pair: min(place[pair[0].id], place[pair[1].id]))),
        bye=next((a for a, b in found if b is None), None),
        is_best=len(field) <= SLICES[1],
    )


@dataclass(frozen=True, slots=True)
class _Weighing:
    """What the costs are read from."""

    sequence: tuple[SwissEntrant, ...]
    """The field in folded order, two by two, without `resting`."""
    resting: SwissEntrant | None
    """Odd field: the lowest who may have the bye."""
    spots: Mapping[int, int]
    """Entrant -> number of its pair in the folded order."""
    grains: Mapping[int, int]
    bye_ranks: Mapping[int, int]
    """Who may have the bye -> 0 for the lowest, 1 for the next."""
    spreads: Mapping[int, tuple[int, int]]
    """Entrant -> its spread of seats after a match begun in seat 0, in seat 1."""
    trusted: bool
    lots: Mapping[int, int]

    def costs(self, a: SwissEntrant, b: SwissEntrant | None) -> _Costs:
        """The levels of a pair, or of a bye for a, most important first."""
        if b is None:
            return (0, 0, self.bye_ranks[a.id], 0, 0, 0, 0)
        three, two = self._imbalance(a.id, b.id)
        return (
            int(a.owner == b.owner and not self.trusted),
            a.met.get(b.id, 0),
            0,
            three,
            (self.grains[a.id] - self.grains[b.id]) ** 2,
            two,
            (self.spots[a.id] - self.spots[b.id]) ** 2,
        )

    def _imbalance(self, a: int, b: int) -> tuple[int, int]:
        """How many of two would have a spread of three or more, of two or more, seated as well as can be."""
        (a_first, a_second), (b_first, b_second) = self.spreads[a], self.spreads[b]
        return min(
            ((one >= 3) + (other >= 3), (one >= 2) + (other >= 2))
            for one, other in ((a_first, b_second), (a_second, b_first))
        )

    def lot(self, a: SwissEntrant, b: SwissEntrant | None) -> int:
        return self.lots[a.id] * (self.lots[b.id] if b else 1) % _LOT_PRIME & _LOT_MASK


def _weighing(field: Sequence[SwissEntrant], trusted: bool, lots: bytes, games: int) -> _Weighing:
    resting = None
    bye_ranks: dict[int, int] = {}
    if len(field) % 2:
        fewest = min(entrant.byes for entrant in field)
        eligible = [entrant for entrant in reversed(field) if entrant.byes == fewest]
        bye_ranks = {entrant.id: rank for rank, entrant in enumerate(eligible)}
        resting = eligible[0]
    paired = [entrant for entrant in field if entrant is not resting]
    grains = {entrant.id: entrant.grains for entrant in field}
    tables = folded([grains[entrant.id] for entrant in paired], [2] * (len(paired) // 2))
    spots = {paired[place].id: number for number, table in enumerate(tables) for place in table}
    if resting:
        spots[resting.id] = len(tables)
    return _Weighing(
        sequence=tuple(paired[place] for table in tables for place in table),
        resting=resting,
        spots=spots,
        grains=grains,
        bye_ranks=bye_ranks,
        spreads={entrant.id: _spreads(entrant, games) for entrant in field},
        trusted=trusted,
        lots={entrant.id: lot(lots, entrant.id) for entrant in field},
    )


def _spreads(entrant: SwissEntrant, games: int) -> tuple[int, int]:
    first, second = (spread(sittings_after(entrant.sat(2), seat, games)) for seat in range(2))
    return first, second


def _matched(weighing: _Weighing, at_once: int) -> list[_Pair]:
    """Everybody in a pair or with the bye, matched in slices of so many entrants."""
    sequence, resting = weighing.sequence, weighing.resting
    if len(sequence) + (resting is not None) <= at_once:
        return _match([*sequence, resting] if resting else sequence, weighing)
    slices = (sequence[start : start + at_once] for start in range(0, len(sequence), at_once))
    pairs = [pair for entrants in slices for pair in _match(entrants, weighing)]
    return [*pairs, (resting, None)] if resting else pairs


def _match(entrants: Sequence[SwissEntrant], weighing: _Weighing) -> list[_Pair]:
    """The perfect matching of least cost; with an odd number one entrant has the bye."""
    candidates: list[_Pair] = list(combinations(entrants, 2))
    if len(entrants) % 2:
        candidates += [(entrant, None) for entrant in entrants if entrant.id in weighing.bye_ranks]
    costs = [(*weighing.costs(a, b), weighing.lot(a, b)) for a, b in candidates]
    weights = _packed(costs, pairs=(len(entrants) + 1) // 2)
    node = {entrant.id: index for index, entrant in enumerate(entrants)}
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (len(entrants) + len(entrants) % 2))
    graph.add_edges_from(
        [
            (node[a.id], node[b.id] if b else len(entrants), -weight)
            for (a, b), weight in zip(candidates, weights, strict=True)
        ]
    )
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    ends = sorted((min(pair), max(pair)) for pair in matching)
    return [(entrants[one], entrants[other] if other < len(entrants) else None) for one, other in ends]


def _packed(costs: Sequence[_Costs], pairs: int) -> list[int]:
    """Each row of levels as one number, so that no sum over so many pairs of one level reaches the level above."""
    bases = [1 + pairs * max(level) for level in zip(*costs, strict=True)]
    if prod(bases) > _LARGEST_WEIGHT:
        raise ValueError(f"points, meetings or sittings too large to be weighed against each other: {bases}")
    weights = []
    for row in costs:
        weight = 0
        for base, cost in zip(bases, row, strict=True):
            weight = weight * base + cost
        weights.append(weight)
    return weights
