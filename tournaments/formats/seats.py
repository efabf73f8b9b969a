"""Who sits where. Seat 0 deals first (RULES 12), so seats are all there is to balance at a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tournaments.formats.lots import lot

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


def _cost(entrant: int, sittings: Sequence[int], seat: int, games: int, lots: bytes) -> tuple[int, int, int]:
    after = sittings_after(sittings, seat, games)
    # Base 8: one entrant at spread d + 1 outweighs a whole table of seven at spread d.
    return (8 ** spread(after), sum(count * count for count in after), lot(lots, entrant, seat))
