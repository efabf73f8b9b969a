"""Rounds of tables where no design is known: meetings as even as a search gets in a stated number of steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import gcd

from tournaments.formats.designs import Rounds
from tournaments.formats.lots import draws

_FIRST_THRESHOLD = 2
"""How much worse a step may make the sum of squared meetings at first; it falls to 0 on the way."""


def even_rounds(n: int, seats: int, steps: int) -> Rounds:
    """Rounds of n // seats tables at which all sit out equally often and meet as evenly as the search gets."""
    return searched(n, seats, rounds_planned(n, seats), steps).tables()


def rounds_planned(n: int, seats: int) -> int:
    """As few rounds as let pairs meet once on average, or more where with those a pair would never meet.

    In fields that are not too large half as many again were tried, then twice as many (n at most); where that did not
    help either, the few rounds stand.
    """
    return _MORE_ROUNDS.get(seats, {}).get(n) or rounds_needed(n, seats)


def rounds_needed(n: int, seats: int) -> int:
    """The fewest rounds in which all sit out equally often and pairs can meet once on average."""
    least = -(-n * (n - 1) // (n // seats * seats * (seats - 1)))
    unit = _unit(n, seats)
    return -(-least // unit) * unit


def _unit(n: int, seats: int) -> int:
    """The fewest rounds in which all sit out equally often."""
    return n // gcd(n, n // seats * seats)


def searched(n: int, seats: int, rounds: int, steps: int) -> Search:
    """The search in so many rounds, when it has taken its steps."""
    chance = draws(b"even meetings")
    search = Search(n, seats, [_start(n, seats, number, chance) for number in range(rounds)])
    search.improve(steps, chance)
    return search


def _start(n: int, seats: int, number: int, chance: Iterator[int]) -> list[int]:
    """A round in a drawn order, table by table; those who sit out come last, everybody in turn."""
    out = n % seats
    resting = [(number * out + index) % n for index in range(out)]
    return sorted(set(range(n)).difference(resting), key=lambda _: next(chance)) + resting


class Search:
    """Threshold accepting on the sum of squared meetings.

    A step exchanges two entrants at different tables of a round, or one with one who sits out; then the two change
    places in another round as well, so that everybody sits out as often as before.
    """

    def __init__(self, n: int, seats: int, rounds: list[list[int]]) -> None:
        self.seats = seats
        self.seated = n // seats * seats
        self.rounds = rounds
        self.best = [list(order) for order in rounds]
        self.changed: set[int] = set()
        """Rounds that are no longer as in the best seen."""
        self.meetings = [[0] * n for _ in range(n)]
        for table in (table for tables in self.tables() for table in tables):
            for a, b in combinations(table, 2):
                self._count(a, b, 1)
        pairs = n * (n - 1) // 2
        each, more = divmod(len(rounds) * self.seated * (seats - 1) // 2, pairs)
        self.least_cost = pairs * each * each + more * (2 * each + 1)

    def tables(self) -> Rounds:
        starts = range(0, self.seated, self.seats)
        return [[tuple(order[start : start + self.seats]) for start in starts] for order in self.best]

    def least_meetings(self) -> int:
        met = Counter(pair for tables in self.tables() for table in tables for pair in combinations(sorted(table), 2))
        return min(met[pair] for pair in combinations(range(len(self.meetings)), 2))

    def improve(self, steps: int, chance: Iterator[int]) -> None:
        """Step until the meetings are as even as can be or the steps are used up; keep the best seen."""
        cost = lowest = sum(times * times for row in self.meetings for times in row) // 2
        for step in range(steps):
            if lowest == self.least_cost:
                return
            cost += self._step(chance, _FIRST_THRESHOLD * (steps - step) // steps)
            if cost < lowest:
                lowest = cost
                for number in self.changed:
                    self.best[number] = list(self.rounds[number])
                self.changed.clear()

    def _step(self, chance: Iterator[int], threshold: int) -> int:
        """Try one exchange; what it changed."""
        number = next(chance) % len(self.rounds)
        order = self.rounds[number]
        one, other = next(chance) % self.seated, next(chance) % len(order)
        if one // self.seats == other // self.seats:
            return 0
        if other >= self.seated:
            return self._step_with_resting(number, one, other, next(chance) % len(self.rounds), threshold)
        change = self._change(order, one, other)
        if change > threshold:
            return 0
        self._exchange(order, one, other)
        self.changed.add(number)
        return change

    def _step_with_resting(self, number: int, one: int, other: int, number_back: int, threshold: int) -> int:
        order, back = self.rounds[number], self.rounds[number_back]
        resting, playing = back.index(order[one]), back.index(order[other])
        if resting < self.seated or playing >= self.seated:
            return 0
        change = self._change(order, one, other)
        self._exchange(order, one, other)
        change += self._change(back, playing, resting)
        if change > threshold:
            self._exchange(order, one, other)
            return 0
        self._exchange(back, playing, resting)
        self.changed |= {number, number_back}
        return change

    def _change(self, order: Sequence[int], one: int, other: int) -> int:
        """What exchanging two places of a round changes of the sum of squared meetings."""
        row, column = self.meetings[order[one]], self.meetings[order[other]]
        left, right = self._tablemates(order, one), self._tablemates(order, other)
        worse = sum(column[mate] - row[mate] for mate in left) + sum(row[mate] - column[mate] for mate in right)
        return 2 * (worse + len(left) + len(right))

    def _exchange(self, order: list[int], one: int, other: int) -> None:
        for leaving, joining in ((one, other), (other, one)):
            for mate in self._tablemates(order, leaving):
                self._count(order[leaving], mate, -1)
                self._count(order[joining], mate, 1)
        order[one], order[other] = order[other], order[one]

    def _tablemates(self, order: Sequence[int], place: int) -> list[int]:
        if place >= self.seated:
            return []
        first = place - place % self.seats
        return [order[mate] for mate in range(first, first + self.seats) if mate != place]

    def _count(self, a: int, b: int, times: int) -> None:
        self.meetings[a][b] += times
        self.meetings[b][a] += times


_MORE_ROUNDS = {
    3: {36: 27, 42: 32, 45: 33, 48: 36, 51: 38, 54: 41, 57: 42, 60: 45},
    4: {10: 10, 38: 38, 40: 26, 42: 42, 44: 23, 46: 46, 48: 24, 50: 50, 51: 51, 52: 34, 54: 54, 56: 38, 58: 58},
    5: {12: 12, 14: 14, 18: 12, 24: 18, 33: 22, 34: 34, 40: 20, 44: 33, 45: 22, 48: 32, 50: 26, 52: 52, 54: 54, 55: 28},
    6: {14: 14, 15: 10, 21: 14, 27: 18, 28: 14, 33: 22, 35: 21, 39: 26, 42: 18, 45: 30, 51: 34, 52: 26, 57: 38},
    7: {24: 16, 27: 18, 32: 16, 45: 30, 46: 46, 48: 24, 60: 30},
}
"""Seats -> entrants -> rounds, for tables of up to seven and up to 60 entrants: in so many rounds every pair meets, in the fewest
one does not, as far as
`SEARCH_STEPS` got. The tests search some of them again."""
