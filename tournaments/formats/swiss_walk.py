"""Pairing a field at tables by exchanges, in a stated number of trials.

The folded order is cut into tables. A walk then exchanges entrants: first away from tables at which owners or old opponents
meet, the best exchange first, even if it is no gain, who moved staying put for a while; then between near tables as long
as that gains, two at a time, and where no two gain, three, each moving on to the next one's table. The draws are a fixed
row of numbers, so that the same field walks the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from tournaments.formats.clash_free import clash_free
from tournaments.formats.lots import draws
from tournaments.formats.swiss_field import folded
from tournaments.formats.swiss_weights import Tables, Weights

SMALL = 40
"""Entrants up to which a walk looks for partners at all tables and weighs them all."""
TRIALS = 40_000
"""Exchanges tried on one walk away from clashes, for each window."""
SMALL_TRIALS = 10_000
"""The same in a small field, where several walks are compared."""
ALL_TRIALS = 40_000
"""Exchanges tried on all walks together, after which no further one sets out."""
WINDOWS = (8, 64, 512)
"""How many tables up and down a walk looks for partners, one window after the other until nothing clashes."""
REST_STEPS = 5
"""Exchanges for which who moved stays put, at most."""
POLISH_WINDOW = 8
"""How many tables down it looks for partners after that."""
POLISH_TRIALS = 60_000
"""Exchanges tried for less point spread."""
THREES_WINDOW = 3
"""How many tables down the other two of an exchange of three are looked for."""
THREES_TRIALS = 30_000
"""Exchanges of three tried."""
SMALL_THREES_TRIALS = 10_000
"""The same on each walk of a small field."""


def walked(weights: Weights, sizes: Sequence[int], count: int) -> Iterator[Tables]:
    """Pairings from walks that start at the folded cut, each further one at a cut more disturbed."""
    chance = draws(b"swiss tables")
    trials = 0
    for number in range(count):
        if trials >= ALL_TRIALS:
            return
        walk = Walk(weights, cut(weights, sizes))
        walk.disturb(number, chance)
        for window in (len(sizes),) if walk.is_small else WINDOWS:
            walk.leave_clashes(window, chance)
        if walk.is_small and number == 0 and any(map(weights.clashes, walk.tables)):
            walk.tables = clash_free(weights, sizes) or walk.tables
        walk.polish()
        yield walk.tables
        trials += walk.trials


def cut(weights: Weights, sizes: Sequence[int]) -> Tables:
    """The folded cut. The short tables stand together where that weighs least, as low as they can."""
    short = sum(size < sizes[0] for size in sizes)
    whole = len(sizes) - short
    step = max(1, whole // 32)
    best: tuple[int, int, Tables] | None = None
    for below in range(0, whole + 1 if short else 1, step):
        order = [sizes[0]] * (whole - below) + [sizes[-1]] * short + [sizes[0]] * below
        tables = folded(weights.grains, order)
        weight = sum(weights.rest(table, len(table) < sizes[0]) for table in tables)
        best = min(best, (weight, below, tables)) if best else (weight, below, tables)
    assert best is not None
    return best[2]


class Walk:
    """A cut, exchanged towards less weight."""

    def __init__(self, weights: Weights, tables: Tables) -> None:
        self.weights = weights
        self.tables = tables
        self.largest = max(map(len, tables))
        self.is_small = len(weights.grains) <= SMALL
        self.trials = 0

    def disturb(self, exchanges_a_table: int, chance: Iterator[int]) -> None:
        """Exchange entrants of neighbouring tables by lot."""
        for _ in range(exchanges_a_table * (len(self.tables) - 1)):
            upper = next(chance) % (len(self.tables) - 1)
            one, other = self.tables[upper], self.tables[upper + 1]
            i, j = next(chance) % len(one), next(chance) % len(other)
            one[i], other[j] = other[j], one[i]

    def leave_clashes(self, window: int, chance: Iterator[int]) -> None:
        """Walk until nothing clashes or the trials are used up; end where the least clashed."""
        clashes = [self.weights.clashes(table) for table in self.tables]
        least, best = sum(clashes), [list(table) for table in self.tables]
        resting: dict[int, int] = {}
        step = 0
        last_trial = self.trials + (SMALL_TRIALS if self.is_small else TRIALS)
        while self.trials < last_trial:
            step += 1
            clashing = [table for table, weight in enumerate(clashes) if weight]
            if not clashing:
                break
            table = clashing[next(chance) % len(clashing)]
            still = {place for place, until in resting.items() if until > step}
            exchange = self._best_exchange(table, window, still)
            if exchange is None:
                continue
            i, other, j = exchange
            for place in (self.tables[table][i], self.tables[other][j]):
                resting[place] = step + 2 + next(chance) % REST_STEPS
            self._exchange(table, i, other, j)
            clashes[table] = self.weights.clashes(self.tables[table])
            clashes[other] = self.weights.clashes(self.tables[other])
            if sum(clashes) < least:
                least, best = sum(clashes), [list(row) for row in self.tables]
        self.tables = best

    def _best_exchange(self, table: int, window: int, resting: set[int]) -> tuple[int, int, int] | None:
        """(index at the table, other table, index there): an exchange of someone who clashes.

        In a small field the one that weighs least, in a large one the best of the nearest tables where one gains.
        """
        best: tuple[int, int, tuple[int, int, int]] | None = None
        for distance in range(1, window + 1):
            for other in (table - distance, table + distance):
                if 0 <= other < len(self.tables):
                    judged = self._best_exchange_with(table, other, resting)
                    best = min(best, judged) if best and judged else best or judged
            if best and best[0] < 0 and not self.is_small:
                break
        return best[2] if best else None

    def _best_exchange_with(
        self, table: int, other: int, resting: set[int]
    ) -> tuple[int, int, tuple[int, int, int]] | None:
        """(change of clashes, of the rest, the exchange)."""
        against = self.weights.against
        best: tuple[int, int, tuple[int, int, int]] | None = None
        one, two = self.tables[table], self.tables[other]
        for i, a in enumerate(one):
            before = against(a, one, a)
            if not before or a in resting:
                continue
            for j, b in enumerate(two):
                if b in resting:
                    continue
                self.trials += 1
                change = against(a, two, b) + against(b, one, a) - before - against(b, two, b)
                if best is None or change <= best[0]:
                    judged = (change, self._rest_change(table, i, other, j), (i, other, j))
                    best = min(best, judged) if best else judged
        return best

    def _rest_change(self, table: int, i: int, other: int, j: int) -> int:
        """What an exchange changes beside clashes."""
        a, b = self.tables[table][i], self.tables[other][j]
        if self.weights.grains[a] == self.weights.grains[b] and self.weights.short[a] == self.weights.short[b]:
            return 0
        before = self._rest(table) + self._rest(other)
        self._exchange(table, i, other, j)
        after = self._rest(table) + self._rest(other)
        self._exchange(table, i, other, j)
        return after - before

    def _rest(self, table: int) -> int:
        return self.weights.rest(self.tables[table], len(self.tables[table]) < self.largest)

    def _exchange(self, table: int, i: int, other: int, j: int) -> None:
        one, two = self.tables[table], self.tables[other]
        one[i], two[j] = two[j], one[i]

    def polish(self) -> None:
        """Exchange between near tables while that gains and does not clash more, or until the trials are used up."""
        pairs = POLISH_TRIALS
        threes = SMALL_THREES_TRIALS if self.is_small else THREES_TRIALS
        while True:
            pairs = self._polish_pairs(pairs)
            left = self._polish_threes(threes) if pairs > 0 else None
            if left is None:
                return
            threes = left

    def _polish_pairs(self, trials: int) -> int:
        """Until no two gain; the trials left."""
        gained = True
        while gained and trials > 0:
            gained = False
            for table in range(len(self.tables)):
                for other in range(table + 1, min(table + 1 + POLISH_WINDOW, len(self.tables))):
                    trials -= len(self.tables[table]) * len(self.tables[other])
                    gained |= self._polish_pair(table, other)
        return trials

    def _polish_threes(self, trials: int) -> int | None:
        """Once through all tables; the trials left, None if no three gained."""
        gained = False
        for first in range(len(self.tables)):
            near = range(first + 1, min(first + 1 + THREES_WINDOW, len(self.tables)))
            for one, other in permutations(near, 2):
                if trials <= 0:
                    break
                tried, has_gained = self._polish_three(first, one, other)
                trials -= tried
                gained |= has_gained
        return trials if gained else None

    def _polish_three(self, *tables: int) -> tuple[int, bool]:
        """Make the first exchange that gains: one of each table moves on to the next. How many were tried, and if one did."""
        rows = [self.tables[table] for table in tables]
        before = sum(map(self._rest, tables)) + sum(map(self.weights.clashes, rows))
        tried = 0
        if not before:
            return tried, False
        one, two, three = rows
        for i, j, k in product(range(len(one)), range(len(two)), range(len(three))):
            tried += 1
            one[i], two[j], three[k] = three[k], one[i], two[j]
            after = sum(map(self._rest, tables))
            if after < before and after + sum(map(self.weights.clashes, rows)) < before:
                return tried, True
            one[i], two[j], three[k] = two[j], three[k], one[i]
        return tried, False

    def _polish_pair(self, table: int, other: int) -> bool:
        """Make the first exchange that gains."""
        weights, one, two = self.weights, self.tables[table], self.tables[other]
        for i, j in product(range(len(one)), range(len(two))):
            change = self._rest_change(table, i, other, j)
            if change >= 0:
                continue
            before = weights.clashes(one) + weights.clashes(two)
            self._exchange(table, i, other, j)
            if change + weights.clashes(one) + weights.clashes(two) < before:
                return True
            self._exchange(table, i, other, j)
        return False
