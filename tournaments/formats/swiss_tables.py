"""Swiss at tables of three seats or more.

A pairing is weighed by what it does not keep, in order of importance: pairs of one owner, rematches, entrants at a short
table again, point spread (the squared difference between the most and the fewest points at each table). Up to
`EXHAUSTIVE` entrants every pairing is looked at. Beyond, the folded order is cut into tables, and a walk of stated
length exchanges entrants: first away from tables at which owners or old opponents meet, best exchange first, even if it
is no gain, who moved staying put for a while; then between neighbouring tables as long as it gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from tournaments.formats.lots import draws
from tournaments.formats.swiss_field import SwissEntrant, folded, table_sizes

EXHAUSTIVE = 12
"""Entrants up to which all pairings are looked at (15 400 for four tables of three)."""
SMALL = 40
"""Entrants up to which several walks are compared, clash-free tables are searched for in all ways, and a pairing is
judged by the next round it leaves, too."""
WALKS = 6
"""Walks compared in a small field."""
OUTLOOK_WALKS = 60
"""Walks at most, until `WALKS` pairings leave a next round without a clash."""
SEARCH_NODES = 2_000
"""Tables looked at when clash-free ones are searched for in all ways."""
WALK_TRIALS = 40_000
"""Exchanges tried on one walk away from clashes."""
ALL_TRIALS = 100_000
"""Exchanges tried on all walks together, after which no further one sets out."""
WINDOWS = (8, 40)
"""How many tables up and down a walk looks for partners, one walk after the other until nothing clashes."""
REST_STEPS = 5
"""Exchanges for which who moved stays put, at most."""
POLISH_TRIALS = 60_000
"""Exchanges tried for less point spread."""

_Tables = list[list[int]]
"""Places of the field (0 is first), cut into tables."""


@dataclass(frozen=True, slots=True)
class _Weights:
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

    def total(self, tables: _Tables) -> int:
        largest = max(map(len, tables))
        return sum(self.clashes(table) + self.rest(table, len(table) < largest) for table in tables)

    def hard(self, weight: int) -> int:
        """Owners and rematches alone."""
        return weight // self.one_rematch

    def after(self, tables: _Tables) -> _Weights:
        """The field one round later, nobody having won anything: enough to see whether it must meet again."""
        met = [dict(row) for row in self.met]
        for a, b in (pair for table in tables for pair in combinations(table, 2)):
            met[a][b] = met[b][a] = met[a].get(b, 0) + 1
        nothing = [0] * len(met)
        return _weights(nothing, self.owners, met, nothing)


def _weights(
    grains: Sequence[int], owners: Sequence[int], met: Sequence[dict[int, int]], short: Sequence[int]
) -> _Weights:
    one_short = 1 + len(grains) * (max(grains) - min(grains)) ** 2
    one_rematch = one_short * (1 + sum(short))
    one_owner = one_rematch * (1 + sum(sum(row.values()) for row in met))
    return _Weights(grains, owners, met, short, one_short, one_rematch, one_owner)


def seat_tables(
    field: Sequence[SwissEntrant], seats: int, *, trusted: bool, rounds_after: int
) -> tuple[list[tuple[SwissEntrant, ...]], bool]:
    """Tables of a field given in order of points, then seed, the best first; and whether all pairings were looked at."""
    place = {entrant.id: index for index, entrant in enumerate(field)}
    weights = _weights(
        grains=[entrant.grains for entrant in field],
        owners=range(len(field)) if trusted else [entrant.owner for entrant in field],
        met=[{place[other]: n for other, n in entrant.met.items() if other in place} for entrant in field],
        short=[entrant.short_tables for entrant in field],
    )
    tables = _best(weights, table_sizes(len(field), seats), looks_ahead=rounds_after > 0)
    in_order = sorted(sorted(table) for table in tables)
    return [tuple(field[index] for index in table) for table in in_order], len(field) <= EXHAUSTIVE


def _best(weights: _Weights, sizes: Sequence[int], looks_ahead: bool) -> _Tables:
    if len(weights.grains) > SMALL:
        return next(_walked(weights, sizes, 1))
    exhaustive = len(weights.grains) <= EXHAUSTIVE
    pairings = iter(_best_of_all(weights, sizes, WALKS)) if exhaustive else _walked(weights, sizes, OUTLOOK_WALKS)
    if looks_ahead:
        return _with_best_outlook(weights, sizes, pairings)
    return next(pairings) if exhaustive else min(islice(pairings, WALKS), key=weights.total)


def _with_best_outlook(weights: _Weights, sizes: Sequence[int], pairings: Iterator[_Tables]) -> _Tables:
    """The pairing with the fewest clashes now, then with a next round without one, then of least weight."""
    judged: list[tuple[int, bool, int, _Tables]] = []
    good = 0
    for tables in pairings:
        weight = weights.total(tables)
        is_dead_end = _clash_free(weights.after(tables), sizes) is None
        judged.append((weights.hard(weight), is_dead_end, weight, tables))
        good += not (is_dead_end or weights.hard(weight))
        if good == WALKS or (len(judged) == WALKS and min(judged)[0]):
            break
    return min(judged)[3]


def _clash_free(weights: _Weights, sizes: Sequence[int]) -> _Tables | None:
    """Tables at which nothing clashes, points apart; None: there are none, or none among the nodes looked at."""
    everybody = range(len(weights.grains))
    friends = [sum(1 << b for b in everybody if b != a and not weights.pair(a, b)) for a in everybody]
    nodes = 0

    def extend(free: int, left: tuple[int, ...]) -> _Tables | None:
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

    def seat(table: list[int], fitting: int, size: int, free: int, left: tuple[int, ...]) -> _Tables | None:
        """Fill a table from those who fit everybody at it, then the others."""
        nonlocal nodes
        nodes += 1
        if len(table) == size:
            tables = extend(free, left)
            return None if tables is None else [table, *tables]
        for place in _bits(fitting):
            if fitting.bit_count() < size - len(table) or nodes > SEARCH_NODES:
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


def _best_of_all(weights: _Weights, sizes: Sequence[int], count: int) -> list[_Tables]:
    """The `count` lightest of all pairings, lightest first; among equals the folded cut comes first."""
    largest = max(sizes)
    cut = _cut(weights, sizes)
    found: list[tuple[int, int, _Tables]] = [(weights.total(cut), 0, cut)]

    def extend(free: tuple[int, ...], left: tuple[int, ...], weight: int, tables: _Tables) -> None:
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


def _cut(weights: _Weights, sizes: Sequence[int]) -> _Tables:
    """The folded cut. The short tables stand together, as low as they can with those who sat at short tables least."""
    short = sum(size < sizes[0] for size in sizes)
    whole = len(sizes) - short
    step = max(1, whole // 32)
    best: tuple[int, int, _Tables] | None = None
    for below in range(0, whole + 1 if short else 1, step):
        order = [sizes[0]] * (whole - below) + [sizes[-1]] * short + [sizes[0]] * below
        tables = folded(weights.grains, order)
        again = sum(weights.short[place] for table in tables if len(table) < sizes[0] for place in table)
        best = min(best, (again, below, tables)) if best else (again, below, tables)
        if again == 0:
            break
    assert best is not None
    return best[2]


def _walked(weights: _Weights, sizes: Sequence[int], count: int) -> Iterator[_Tables]:
    """Pairings from walks that start at the folded cut, each further one at a cut more disturbed."""
    chance = draws(b"swiss tables")
    trials = 0
    for number in range(count):
        if trials >= ALL_TRIALS:
            return
        walk = _Walk(weights, _cut(weights, sizes))
        walk.disturb(number, chance)
        trials += sum(walk.leave_clashes(window, chance) for window in WINDOWS)
        if number == 0 and len(weights.grains) <= SMALL and any(map(weights.clashes, walk.tables)):
            walk.tables = _clash_free(weights, sizes) or walk.tables
        walk.polish()
        yield walk.tables


class _Walk:
    """A cut, exchanged towards less weight."""

    def __init__(self, weights: _Weights, tables: _Tables) -> None:
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

    def leave_clashes(self, window: int, chance: Iterator[int]) -> int:
        """Walk until nothing clashes or the trials are used up; end where the least clashed. Returns the trials."""
        clashes = [self.weights.clashes(table) for table in self.tables]
        least, best = sum(clashes), [list(table) for table in self.tables]
        resting: dict[int, int] = {}
        step, first = 0, self.trials
        while self.trials - first < WALK_TRIALS:
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
        return self.trials - first

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
        """Exchange between near tables while that gains and does not clash, or until the trials are used up."""
        trials = 0
        gained = True
        while gained and trials < POLISH_TRIALS:
            gained = False
            for table in range(len(self.tables)):
                for other in range(table + 1, min(table + 1 + WINDOWS[0], len(self.tables))):
                    trials += len(self.tables[table]) * len(self.tables[other])
                    gained |= self._polish_pair(table, other)

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
