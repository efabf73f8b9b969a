"""Tables at which nobody meets one of the same owner or an old opponent: a search through all ways, cut short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournaments.formats.swiss_weights import Tables, Weights

NODES = 2_000
"""Partly filled tables looked at before the search gives up."""


def clash_free(weights: Weights, sizes: Sequence[int]) -> Tables | None:
    """Tables at which nothing clashes, points apart; None: there are none, or none among the nodes looked at."""
    everybody = range(len(weights.grains))
    friends = [sum(1 << b for b in everybody if b != a and not weights.pair(a, b)) for a in everybody]
    nodes = 0

    def extend(free: int, left: tuple[int, ...]) -> Tables | None:
        """Seat those still free at tables of the sizes left, the one with the fewest partners first."""
        if not free:
            return []
        first = min(_bits(free), key=lambda place: ((friends[place] & free).bit_count(), place))
        for size in sorted(set(left), reverse=True):
            remaining = list(left)
            remaining.remove(size)
            tables = seat([first], friends[first] & free, size, free & ~(1 << first), tuple(remaining))
            if tables is not None:
                return tables
        return None

    def seat(table: list[int], fitting: int, size: int, free: int, left: tuple[int, ...]) -> Tables | None:
        """Fill a table from those who fit everybody at it, then the others."""
        nonlocal nodes
        nodes += 1
        if len(table) == size:
            tables = extend(free, left)
            return None if tables is None else [table, *tables]
        for place in _bits(fitting):
            if fitting.bit_count() < size - len(table) or nodes > NODES:
                return None
            fitting &= ~(1 << place)
            tables = seat([*table, place], fitting & friends[place], size, free & ~(1 << place), left)
            if tables is not None:
                return tables
        return None

    return extend((1 << len(friends)) - 1, tuple(sizes))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
