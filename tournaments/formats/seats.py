"""Who sits where. Seat 0 deals first (RULES 12), so seats are all there is to balance at a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tournaments.formats.lots import lot

_TRIED = 7
"""Entrants up to which the orders of a table are gone through, subset by subset."""
_Vertex = tuple[int, ...]
"""A table (its index,) or a part of an entrant (id, number of the part)."""


def equitable_seats(tables: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Seat orders for tables of one size, in the order played: everybody sits in every seat equally often, within one.

    It always can be done. Cut each entrant's tables, in order, into parts of as many tables as there are seats. A table
    meets its entrants' parts, a part at most that many tables: a bipartite graph whose edges can be coloured with the
    seats (König), so that a full part has every seat once. Balanced within one after every round of play, too.
    """
    seats = len(tables[0]) if tables else 0
    met: Counter[int] = Counter()
    at: dict[tuple[_Vertex, int], _Vertex] = {}
    for index, entrants in enumerate(tables):
        for entrant in entrants:
            _colour((index,), (entrant, met[entrant] // seats), seats, at)
            met[entrant] += 1
    return [tuple(at[(index,), seat][0] for seat in range(seats)) for index in range(len(tables))]


def _colour(table: _Vertex, part: _Vertex, seats: int, at: dict[tuple[_Vertex, int], _Vertex]) -> None:
    """Give the edge a seat; `at` leads from a vertex by a seat to the vertex at its other end."""
    at_table = [seat for seat in range(seats) if (table, seat) not in at]
    at_part = [seat for seat in range(seats) if (part, seat) not in at]
    wanted = next((seat for seat in at_table if seat in at_part), at_table[0])
    spare = at_part[0]
    # Where no seat is free at both ends, the row of edges that alternate between the two seats changes over.
    chain, seat = [part], wanted
    while (chain[-1], seat) in at:
        chain.append(at[chain[-1], seat])
        seat = spare if seat == wanted else wanted
    links = list(pairwise(chain))
    for position, (one, other) in enumerate(links):
        seat = spare if position % 2 else wanted
        del at[one, seat], at[other, seat]
    for position, (one, other) in enumerate(links):
        seat = wanted if position % 2 else spare
        at[one, seat], at[other, seat] = other, one
    at[table, wanted], at[part, wanted] = part, table


def spread(sittings: Sequence[int]) -> int:
    """The most less the least sittings."""
    return max(sittings) - min(sittings)


def sittings_after(sittings: Sequence[int], seat: int, games: int) -> tuple[int, ...]:
    """Sittings by seat after a match begun in `seat`; from game to game everybody moves one seat on."""
    size = len(sittings)
    laps, rest = divmod(games, size)
    return tuple(count + laps + ((other - seat) % size < rest) for other, count in enumerate(sittings))


def fairest_order(sittings: Mapping[int, Sequence[int]], games: int, lots: bytes) -> tuple[int, ...]:
    """The seat order of one table that leaves the fewest entrants with the largest spread, then those least used.

    `sittings`: entrant -> games sat in each seat of tables of this size. What is equal then is left to `lots`.
    """
    entrants = sorted(sittings)
    cost = [
        [_cost(entrant, sittings[entrant], seat, games, lots) for seat in range(len(entrants))] for entrant in entrants
    ]
    if len(entrants) > _TRIED:
        return tuple(
            entrants[index] for index in cheapest_assignment([[_one_number(*each) for each in row] for row in cost])
        )
    best: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {0: ((0, 0, 0), ())}
    for seat in range(len(entrants)):
        following: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {}
        for seated, ((spreads, squares, chance), order) in best.items():
            for index, entrant in enumerate(entrants):
                if seated >> index & 1:
                    continue
                more = cost[index][seat]
                candidate = ((spreads + more[0], squares + more[1], chance + more[2]), (*order, entrant))
                key = seated | 1 << index
                following[key] = min(following.get(key, candidate), candidate)
        best = following
    return best[(1 << len(entrants)) - 1][1]


def _one_number(spreads: int, squares: int, chance: int) -> int:
    """The three in the order of their importance, for sums over a table: squares stay below 2^64, lots are of 64 bits."""
    return (spreads << 160) + (squares << 80) + chance


def cheapest_assignment(cost: Sequence[Sequence[int]]) -> list[int]:
    """By column the row that it gets, each row once, so that the sum of `cost[row][column]` is least. Square.

    The Hungarian method with potentials, in exact whole numbers: one column after the other finds its shortest way to a free
    row; about n^3 steps.
    """
    n = len(cost)
    of_row, of_column = [0] * n, [0] * (n + 1)
    row_of = [-1] * (n + 1)
    """By column; column n stands for where the row that looks for a place begins."""
    for row in range(n):
        row_of[n] = row
        least: list[int | None] = [None] * n
        before, done, at = [n] * n, [False] * (n + 1), n
        while row_of[at] >= 0:
            done[at] = True
            here, step, nearest = row_of[at], 0, -1
            for column in range(n):
                if done[column]:
                    continue
                reduced = cost[here][column] - of_row[here] - of_column[column]
                known = least[column]
                if known is None or reduced < known:
                    least[column], before[column], known = reduced, at, reduced
                if nearest < 0 or known < step:
                    step, nearest = known, column
            for column in range(n + 1):
                if done[column]:
                    of_row[row_of[column]] += step
                    of_column[column] -= step
                elif column < n and (known := least[column]) is not None:
                    least[column] = known - step
            at = nearest
        while at != n:
            row_of[at], at = row_of[before[at]], before[at]
    return row_of[:n]


def _cost(entrant: int, sittings: Sequence[int], seat: int, games: int, lots: bytes) -> tuple[int, int, int]:
    after = sittings_after(sittings, seat, games)
    # Base 8: one entrant at spread d + 1 outweighs a whole table of seven at spread d; of larger tables their size and one.
    return (max(8, len(after) + 1) ** spread(after), sum(count * count for count in after), lot(lots, entrant, seat))
