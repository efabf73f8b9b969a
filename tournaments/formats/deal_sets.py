"""Which games of a round share a deal (DESIGN 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations

from tournaments.formats.values import Pairing

LEAST_TABLES, MOST_TABLES = 3, 16
"""Of a shared deal."""
EXHAUSTIVE = 10
"""Tables of one size up to which all cuts are looked at."""
CUTS = 24
"""Numbers of sets that are tried for more tables; fewer for thousands."""
CUT_TABLES = 4_000
"""Tables placed in all, about."""
MOVES = 100
"""Tables for which room is made in one cut, at most."""


class DealMode(StrEnum):
    INDEPENDENT = "independent"
    """Every game is a set of its own."""
    FIELD = "field"
    """The tables of a set play one deal, game by game; a table that fits in none plays independent deals."""


@dataclass(frozen=True, slots=True)
class GameRef:
    """A game of a round before rows exist."""

    table: int
    """Index into the round's tables, from 0."""
    game: int
    """Number within the match, from 1."""


@dataclass(frozen=True, slots=True)
class DealSet:
    """Games dealt from one seed."""

    number: int
    """From 1 within the tournament round; enters the seed."""
    games: tuple[GameRef, ...]
    mode: DealMode = DealMode.INDEPENDENT


def deal_sets(
    tables: Sequence[Pairing],
    games: int,
    mode: DealMode = DealMode.INDEPENDENT,
    owners: Mapping[int, int] | None = None,
) -> tuple[DealSet, ...]:
    """Cut the games of a round (`games` a match) into deal sets, numbered by their first table, then game.

    `field`: 3 to 16 tables of one size, at which no owner sits twice (`owners` by entrant; None: a trusted field, in
    which that does not matter). As few tables are left over as can be, if there are up to ten of a size, or as are found
    in a bounded number of steps. Raises ValueError without a game.
    """
    if games < 1:
        raise ValueError(f"games a match is {games}: at least 1")
    alone = [[table] for table in range(len(tables))]
    groups = alone if mode is DealMode.INDEPENDENT else _field_groups(tables, owners)
    numbered = enumerate(((group, game) for group in groups for game in range(1, games + 1)), start=1)
    return tuple(
        DealSet(
            number,
            tuple(GameRef(table, game) for table in group),
            DealMode.FIELD if len(group) > 1 else DealMode.INDEPENDENT,
        )
        for number, (group, game) in numbered
    )


def _field_groups(tables: Sequence[Pairing], owners: Mapping[int, int] | None) -> list[list[int]]:
    """Tables that share their deals, in order; whoever is left over is a group of its own."""
    by_size: dict[int, list[int]] = defaultdict(list)
    seated: dict[int, frozenset[int]] = {}
    groups: list[list[int]] = []
    for number, table in enumerate(tables):
        known = [] if owners is None else [owners[entrant] for entrant in table.entrants]
        seated[number] = frozenset(known)
        if len(seated[number]) == len(known):
            by_size[table.size].append(number)
    for same in by_size.values():
        groups += _best_cut(same, seated) if len(same) <= EXHAUSTIVE else _cut(same, seated)
    left_over = set(range(len(tables))) - {table for group in groups for table in group}
    return sorted([*map(sorted, groups), *([table] for table in left_over)])


def _best_cut(tables: Sequence[int], seated: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """Of all cuts the one with the fewest tables left over, then the fewest sets: the more compare, the finer the points."""
    sets = [
        members
        for size in range(LEAST_TABLES, len(tables) + 1)
        for members in combinations(tables, size)
        if len(frozenset().union(*(seated[table] for table in members))) == sum(len(seated[table]) for table in members)
    ]

    @cache
    def best(free: frozenset[int]) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
        """Tables in sets, sets taken away, the sets."""
        if len(free) < LEAST_TABLES:
            return (0, 0, ())
        first = min(free)
        found: list[tuple[int, int, tuple[tuple[int, ...], ...]]] = []
        for members in sets:
            if members[0] == first and free.issuperset(members):
                count, fewer, others = best(free.difference(members))
                found.append((count + len(members), fewer - 1, (members, *others)))
        return max([*found, best(free - {first})], key=lambda each: each[:2])

    return [list(members) for members in best(frozenset(tables))[2]]


def _cut(tables: Sequence[int], seated: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """A cut into few sets that leaves few tables over."""
    fewest = -(-len(tables) // MOST_TABLES)
    cuts = min(CUTS, max(1, CUT_TABLES // len(tables)))
    hardest = sorted(tables, key=lambda table: (-sum(not seated[table].isdisjoint(seated[o]) for o in tables), table))
    best: list[list[int]] = []
    placed = 0
    for sets in range(fewest, min(len(tables) // LEAST_TABLES, fewest + cuts - 1) + 1):
        for order in (tables, hardest):
            found = _filled(order, sets, seated)
            count = sum(map(len, found))
            if count > placed:
                best, placed = found, count
            if placed == len(tables):
                return best
    return best


def _filled(order: Sequence[int], sets: int, seated: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """At most so many sets: each table in the first that takes it, evenly first, then up to the limit."""
    cut = _Cut([[] for _ in range(sets)], seated)
    quota = -(-len(order) // sets)
    left = [table for table in order if not cut.place(table, quota)]
    left = [table for table in left if not cut.place(table, MOST_TABLES)]
    left = [table for number, table in enumerate(left) if number >= MOVES or not cut.make_room(table)]
    cut.fill_up()
    for group in [group for group in cut.groups if len(group) < LEAST_TABLES]:
        cut.groups.remove(group)
        left += group
    for table in left[:MOVES]:
        _ = cut.place(table, MOST_TABLES) or cut.make_room(table)
    return cut.groups


@dataclass(frozen=True, slots=True)
class _Cut:
    """Sets being filled. Where no table has owners, none clash."""

    groups: list[list[int]]
    seated: Mapping[int, frozenset[int]]

    def place(self, table: int, most: int) -> bool:
        group = next((each for each in self.groups if len(each) < most and not self._clashes(table, each)), None)
        if group is not None:
            group.append(table)
        return group is not None

    def make_room(self, table: int) -> bool:
        """Where a single table stands in the way and fits into another set, it goes there."""
        for group in self.groups:
            clashes = self._clashes(table, group)
            if len(clashes) != 1:
                continue
            for other in self.groups:
                if other is not group and len(other) < MOST_TABLES and not self._clashes(clashes[0], other):
                    group.remove(clashes[0])
                    other.append(clashes[0])
                    group.append(table)
                    return True
        return False

    def fill_up(self) -> None:
        """Sets of one or two get tables from those that can spare them."""
        for group in self.groups:
            for other in self.groups:
                for table in list(other):
                    is_spare = len(other) > LEAST_TABLES and 0 < len(group) < LEAST_TABLES
                    if is_spare and not self._clashes(table, group):
                        other.remove(table)
                        group.append(table)

    def _clashes(self, table: int, group: Sequence[int]) -> list[int]:
        return [each for each in group if not self.seated[table].isdisjoint(self.seated[each])]
