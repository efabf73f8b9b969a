"""What a Swiss round at tables does not keep, weighed in order of importance.

Pairs of one owner, rematches, entrants at a short table again, point spread: the squared difference between the most and
the fewest points at each table. One of a kind outweighs all that can be had of the kinds after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

Tables = list[list[int]]
"""Places of the field (0 is first), cut into tables."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The field by place, and the weight of each thing not kept: one outweighs all that is less important."""

    grains: Sequence[int]
    owners: Sequence[int]
    met: Sequence[dict[int, int]]
    short: Sequence[int]
    one_short: int
    one_rematch: int
    one_owner: int

    def pair(self, a: int, b: int) -> int:
        """What it weighs that two meet."""
        weight = self.met[a].get(b, 0) * self.one_rematch
        return weight + self.one_owner if self.owners[a] == self.owners[b] else weight

    def against(self, place: int, table: Sequence[int], leaving: int) -> int:
        """What it weighs that one meets everybody at a table but the one who leaves it."""
        met, owner = self.met[place], self.owners[place]
        weight = 0
        for other in table:
            if other != leaving:
                if other in met:
                    weight += met[other] * self.one_rematch
                if self.owners[other] == owner:
                    weight += self.one_owner
        return weight

    def clashes(self, table: Sequence[int]) -> int:
        return sum(self.pair(a, b) for a, b in combinations(table, 2))

    def rest(self, table: Sequence[int], is_short: bool) -> int:
        """What a table weighs beside clashes."""
        grains = [self.grains[place] for place in table]
        spread = (max(grains) - min(grains)) ** 2
        return spread + self.one_short * sum(self.short[place] for place in table) if is_short else spread

    def total(self, tables: Tables) -> int:
        largest = max(map(len, tables))
        return sum(self.clashes(table) + self.rest(table, len(table) < largest) for table in tables)

    def hard(self, weight: int) -> int:
        """Owners and rematches alone."""
        return weight // self.one_rematch

    def after(self, tables: Tables) -> Weights:
        """The field one round later, nobody having won anything: enough to see whether it must meet again."""
        met = [dict(row) for row in self.met]
        for a, b in (pair for table in tables for pair in combinations(table, 2)):
            met[a][b] = met[b][a] = met[a].get(b, 0) + 1
        nothing = [0] * len(met)
        return weights_of(nothing, self.owners, met, nothing)


def weights_of(
    grains: Sequence[int], owners: Sequence[int], met: Sequence[dict[int, int]], short: Sequence[int]
) -> Weights:
    one_short = 1 + len(grains) * (max(grains) - min(grains)) ** 2
    one_rematch = one_short * (1 + sum(short))
    one_owner = one_rematch * (1 + sum(sum(row.values()) for row in met))
    return Weights(grains, owners, met, short, one_short, one_rematch, one_owner)
