"""Swiss at tables of three seats or more.

Up to `EXHAUSTIVE` entrants every pairing is looked at, beyond them walks are compared; what each pairing does not keep is
weighed. While rounds are to come, a small field also looks one round ahead: of pairings that clash as little, one that
leaves a next round without a clash is preferred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.formats.clash_free import clash_free
from tournaments.formats.swiss_field import SwissEntrant, table_sizes
from tournaments.formats.swiss_walk import SMALL, cut, walked
from tournaments.formats.swiss_weights import Tables, Weights, weights_of

EXHAUSTIVE = 12
"""Entrants up to which all pairings are looked at (15 400 for four tables of three)."""
COMPARED = 6
"""Pairings compared in a small field."""
OUTLOOK = 60
"""Pairings looked at, at most, until `COMPARED` of them leave a next round without a clash."""


def seat_tables(
    field: Sequence[SwissEntrant], seats: int, *, trusted: bool, rounds_after: int
) -> tuple[list[tuple[SwissEntrant, ...]], bool]:
    """Tables of a field given in order of points, then seed, the best first; and whether all pairings were looked at."""
    place = {entrant.id: index for index, entrant in enumerate(field)}
    weights = weights_of(
        grains=[entrant.grains for entrant in field],
        owners=range(len(field)) if trusted else [entrant.owner for entrant in field],
        met=[{place[other]: n for other, n in entrant.met.items() if other in place} for entrant in field],
        short=[entrant.short_tables for entrant in field],
    )
    tables = _best(weights, table_sizes(len(field), seats), looks_ahead=rounds_after > 0)
    in_order = sorted(sorted(table) for table in tables)
    return [tuple(field[index] for index in table) for table in in_order], len(field) <= EXHAUSTIVE


def _best(weights: Weights, sizes: Sequence[int], looks_ahead: bool) -> Tables:
    if len(sizes) == 1:
        return [list(range(len(weights.grains)))]
    if len(weights.grains) > SMALL:
        return next(walked(weights, sizes, 1))
    count = OUTLOOK if looks_ahead else COMPARED
    exhaustive = len(weights.grains) <= EXHAUSTIVE
    pairings = iter(_best_of_all(weights, sizes, count)) if exhaustive else walked(weights, sizes, count)
    return _with_best_outlook(weights, sizes, pairings) if looks_ahead else min(pairings, key=weights.total)


def _with_best_outlook(weights: Weights, sizes: Sequence[int], pairings: Iterator[Tables]) -> Tables:
    """The pairing with the fewest clashes now, then with a next round without one, then of least weight."""
    judged: list[tuple[int, bool, int, Tables]] = []
    good = 0
    for tables in pairings:
        weight = weights.total(tables)
        is_dead_end = clash_free(weights.after(tables), sizes) is None
        judged.append((weights.hard(weight), is_dead_end, weight, tables))
        good += not (is_dead_end or weights.hard(weight))
        if good == COMPARED or (len(judged) == COMPARED and min(judged)[0]):
            break
    return min(judged)[3]


def _best_of_all(weights: Weights, sizes: Sequence[int], count: int) -> list[Tables]:
    """The `count` lightest of all pairings, lightest first; among equals the folded cut comes first."""
    largest = max(sizes)
    folded_cut = cut(weights, sizes)
    found: list[tuple[int, int, Tables]] = [(weights.total(folded_cut), 0, folded_cut)]

    def extend(free: tuple[int, ...], left: tuple[int, ...], weight: int, tables: Tables) -> None:
        if len(found) == count and weight >= found[-1][0]:
            return
        if not free:
            found.append((weight, len(found), tables))
            found.sort()
            del found[count:]
            return
        for size in sorted(set(left), reverse=True):
            remaining = list(left)
            remaining.remove(size)
            for others in combinations(free[1:], size - 1):
                table = [free[0], *others]
                more = weights.clashes(table) + weights.rest(table, size < largest)
                rest = tuple(place for place in free[1:] if place not in others)
                extend(rest, tuple(remaining), weight + more, [*tables, table])

    extend(tuple(range(len(weights.grains))), tuple(sizes), 0, [])
    return [tables for _, _, tables in found]
