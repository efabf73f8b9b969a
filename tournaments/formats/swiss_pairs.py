"""Swiss at two seats: a matching of least cost.

What a pair costs is a row of levels, the first outweighing all the others, so that one maximum-weight matching settles
them in order: owners apart, no rematch, the bye to the lowest, nobody three seats out of balance, points, seat balance,
the place in the folded order. The last level is a lot for each pair: it leaves one best matching, so that the answer
does not depend on how the solver goes about it.

Fields too large for all pairs at once are matched in slices of the folded order. If a slice could not keep owners apart
or avoid a rematch, all are matched at once, or, in the largest fields, the pairs that clash with a sample of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd, prod

import rustworkx

from tournaments.formats.lots import lot
from tournaments.formats.seats import sittings_after, spread
from tournaments.formats.swiss_field import SwissEntrant, folded

SLICE = 128
"""Entrants matched at once."""
WHOLE = 256
"""Entrants matched at once when a slice could not keep owners apart or avoid a rematch."""

_LOT_PRIME = (1 << 61) - 1
_LOTS = 1 << 24
_FAR = 100
"""Pairs apart in the folded order; all beyond is as far."""
_LARGEST_WEIGHT = 1 << 120
"""The solver counts in 128 bits and doubles."""

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
    prepared = _prepared(field, trusted, lots, games)
    found = _matched(prepared, SLICE)
    if len(field) > SLICE and any(prepared.clash(a, b) for a, b in found):
        found = _matched(prepared, WHOLE) if len(field) <= WHOLE else _mended(found, prepared)
    place = {entrant.id: place for place, entrant in enumerate(field)}
    pairs = [(a, b) for a, b in found if b is not None]
    return Pairs(
        pairs=tuple(sorted(pairs, key=lambda pair: min(place[pair[0].id], place[pair[1].id]))),
        bye=next((a for a, b in found if b is None), None),
        is_best=len(field) <= WHOLE,
    )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What the weights are read from; mappings are by entrant."""

    sequence: tuple[SwissEntrant, ...]
    """The field in folded order, two by two, without `resting`."""
    resting: SwissEntrant | None
    """Odd field: the lowest who may have the bye."""
    spots: Mapping[int, int]
    """Number of the pair in the folded order."""
    bye_ranks: Mapping[int, int]
    """Who may have the bye -> 0 for the lowest, 1 for the next."""
    spreads: Mapping[int, tuple[int, int]]
    """Spread of seats after a match begun in seat 0, in seat 1."""
    lots: Mapping[int, int]
    trusted: bool

    def clash(self, a: SwissEntrant, b: SwissEntrant | None) -> bool:
        """Whether two of one owner, or two who have met, are paired."""
        return b is not None and (b.id in a.met or (a.owner == b.owner and not self.trusted))


def _prepared(field: Sequence[SwissEntrant], trusted: bool, lots: bytes, games: int) -> _Prepared:
    resting = None
    bye_ranks: dict[int, int] = {}
    if len(field) % 2:
        fewest = min(entrant.byes for entrant in field)
        eligible = [entrant for entrant in reversed(field) if entrant.byes == fewest]
        bye_ranks = {entrant.id: rank for rank, entrant in enumerate(eligible)}
        resting = eligible[0]
    paired = [entrant for entrant in field if entrant is not resting]
    tables = folded([entrant.grains for entrant in paired], [2] * (len(paired) // 2))
    spots = {paired[place].id: number for number, table in enumerate(tables) for place in table}
    if resting:
        spots[resting.id] = len(tables)
    return _Prepared(
        sequence=tuple(paired[place] for table in tables for place in table),
        resting=resting,
        spots=spots,
        bye_ranks=bye_ranks,
        spreads={entrant.id: _spreads(entrant, games) for entrant in field},
        lots={entrant.id: lot(lots, entrant.id) for entrant in field},
        trusted=trusted,
    )


def _spreads(entrant: SwissEntrant, games: int) -> tuple[int, int]:
    first, second = (spread(sittings_after(entrant.sat(2), seat, games)) for seat in range(2))
    return first, second


def _matched(prepared: _Prepared, at_once: int) -> list[_Pair]:
    """Everybody in a pair or with the bye, matched in slices of so many entrants."""
    sequence, resting = prepared.sequence, prepared.resting
    if len(sequence) + (resting is not None) <= at_once:
        return _match([*sequence, resting] if resting else sequence, prepared)
    slices = (sequence[start : start + at_once] for start in range(0, len(sequence), at_once))
    pairs = [pair for entrants in slices for pair in _match(entrants, prepared)]
    return [*pairs, (resting, None)] if resting else pairs


def _mended(found: Sequence[_Pair], prepared: _Prepared) -> list[_Pair]:
    """Match pairs that clash anew, together with clean pairs from all over the field, as long as that helps."""
    pairs = list(found)
    while clashing := [index for index, pair in enumerate(pairs) if prepared.clash(*pair)]:
        clean = [index for index, (_, b) in enumerate(pairs) if b is not None and index not in set(clashing)]
        opened = clashing[: WHOLE // 4]
        room = WHOLE // 2 - len(opened)
        opened += clean[:: -(-len(clean) // room)] if clean else []
        entrants = [entrant for index in sorted(opened) for entrant in pairs[index] if entrant is not None]
        mended = _match(entrants, prepared)
        if sum(prepared.clash(*pair) for pair in mended) >= min(len(clashing), WHOLE // 4):
            break
        pairs = [pair for index, pair in enumerate(pairs) if index not in set(opened)] + mended
    return pairs


def _match(entrants: Sequence[SwissEntrant], prepared: _Prepared) -> list[_Pair]:
    """The perfect matching of least weight; with an odd number one entrant has the bye."""
    edges = _edges(entrants, prepared)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (len(entrants) + len(entrants) % 2))
    graph.add_edges_from([(one, other, -weight) for one, other, weight in edges])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    ends = sorted((min(pair), max(pair)) for pair in matching)
    return [(entrants[one], entrants[other] if other < len(entrants) else None) for one, other in ends]


@dataclass(frozen=True, slots=True)
class _Units:
    """The weight of one of each level: no sum over all pairs of a level reaches one of the level above."""

    owner: int
    rematch: int
    bye: int
    three: int
    points: int
    two: int
    fold: int
    lots: int
    """Lots are below this."""


def _units(entrants: Sequence[SwissEntrant], grains: Sequence[int]) -> _Units:
    pairs = (len(entrants) + 1) // 2
    most_met = max(max(entrant.met.values(), default=0) for entrant in entrants)
    bases = [
        1 + pairs * most_met,
        1 + len(entrants) % 2 * len(entrants),
        1 + pairs * 2,
        1 + pairs * (max(grains) - min(grains)) ** 2,
        1 + pairs * 2,
        1 + pairs * _FAR**2,
    ]
    lots = min(_LOTS, _LARGEST_WEIGHT // (prod(bases) * pairs * pairs))
    if not lots:
        raise ValueError(f"points or meetings too large to be weighed against each other: {bases}")
    owner, rematch, bye, three, points, two, fold = (pairs * lots * prod(bases[level:]) for level in range(7))
    return _Units(owner, rematch, bye, three, points, two, fold, lots)


def _edges(entrants: Sequence[SwissEntrant], prepared: _Prepared) -> list[tuple[int, int, int]]:
    """(index, index, weight) of every pair and of every bye; the bye's index is one beyond the entrants."""
    ids = [entrant.id for entrant in entrants]
    grains = _in_lowest_terms([entrant.grains for entrant in entrants])
    spots = [prepared.spots[id_] for id_ in ids]
    lots = [prepared.lots[id_] for id_ in ids]
    units = _units(entrants, grains)
    first, second = (
        [units.three * (spread >= 3) + units.two * (spread >= 2) for spread in spreads]
        for spreads in zip(*(prepared.spreads[id_] for id_ in ids), strict=True)
    )
    edges = []
    for i, a in enumerate(entrants):
        for j in range(i + 1, len(entrants)):
            b = entrants[j]
            weight = (
                units.points * (grains[i] - grains[j]) ** 2
                + units.fold * min(abs(spots[i] - spots[j]), _FAR) ** 2
                + min(first[i] + second[j], second[i] + first[j])
                + lots[i] * lots[j] % _LOT_PRIME % units.lots
            )
            if ids[j] in a.met:
                weight += units.rematch * a.met[ids[j]]
            if a.owner == b.owner and not prepared.trusted:
                weight += units.owner
            edges.append((i, j, weight))
    if len(entrants) % 2:
        edges += [
            (i, len(entrants), units.bye * prepared.bye_ranks[id_] + lots[i] % units.lots)
            for i, id_ in enumerate(ids)
            if id_ in prepared.bye_ranks
        ]
    return edges


def _in_lowest_terms(grains: Sequence[int]) -> list[int]:
    """Points counted from the least, in their greatest common measure."""
    above = [value - min(grains) for value in grains]
    measure = gcd(*above) or 1
    return [value // measure for value in above]
