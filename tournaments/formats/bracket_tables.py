"""Brackets at tables of three seats or more: of each table the best few go on.

A round seats those who stand in the order of the seeds expected there: the first row one to each table, the second row
back again, and so on (1 8 9 16 | 2 7 10 15 | 3 6 11 14 | 4 5 12 13). Within a row they change tables as long as that makes
it less likely that two meet again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from tournaments.formats.brackets import Draft, FromMatch, FromSeed, Side, Source

PASSES = 4
"""How often the rows of a round are gone through, the last one first: the best stay where they are if they can."""
WINDOW = 32
"""How many tables up and down one looks for a partner to change with."""

_SURE = 1 << 20
"""Chance 1, in whole numbers."""
_SLIGHT = _SURE // 64
"""Chances below this are not counted."""


def draft_tables(n: int, seats: int, go_on: int, *, double: bool) -> Draft:
    """The bracket of n entrants (at least 3) at tables of `seats`, of which the best `go_on` go on."""
    tables = _Tables(seats, go_on)
    standing: list[Source] = [FromSeed(seed) for seed in range(1, n + 1)]
    number = 0
    beaten: list[list[Source]] = []
    while len(standing) > final_seats(seats, go_on):
        number += 1
        standing, out = tables.play(Side.MAIN, number, standing, round_tables(len(standing), seats, go_on))
        beaten.append(out)
    on = min(go_on, len(standing) // 2) if double else 1
    places = tables.draft.meet(Side.MAIN, number + 1, standing, on)
    if double:
        tables.draft.finish(places[:on], tables.losers_side([*beaten, places[on:]]))
    return tables.draft


def final_seats(seats: int, go_on: int) -> int:
    """The most at a final table: one more than elsewhere where two go on of three."""
    return max(seats, 2 * go_on)


def round_tables(n: int, seats: int, go_on: int) -> list[int]:
    """Sizes of the tables of a main round of n entrants, the smallest first; whoever has no seat has a bye.

    With byes a first round leaves just as many as fit the tables of the next; where it takes as many tables as can feed
    the next, nobody has a bye.
    """
    fitting = [final_seats(seats, go_on)]
    while fitting[-1] < n:
        fitting.append(seats * (fitting[-1] // go_on))
    out = n - fitting[-2]
    tables = -(-out // (seats - go_on))
    return _even(n if tables == fitting[-2] // go_on else out + go_on * tables, tables)


def losers_tables(n: int, seats: int, go_on: int, left: int) -> list[int]:
    """Sizes of the tables of a round that puts out as many of n as can be, but leaves at least so many (`go_on` or more)."""
    for out in range(n - left, 0, -1):
        tables = -(-out // (seats - go_on))
        if out + go_on * tables <= n:
            return _even(out + go_on * tables, tables)
    raise ValueError(f"{n} cannot be played down to {left} where {go_on} go on")


def _even(n: int, tables: int) -> list[int]:
    size, larger = divmod(n, tables)
    return [size] * (tables - larger) + [size + 1] * larger


class _Tables:
    """A draft at tables, and how likely it is that who comes from somewhere has sat in which matches."""

    def __init__(self, seats: int, go_on: int) -> None:
        self.draft = Draft()
        self.seats = seats
        self.go_on = go_on
        self._sat: dict[Source, dict[int, int]] = {}

    def play(
        self, side: Side, number: int, standing: Sequence[Source], sizes: Sequence[int]
    ) -> tuple[list[Source], list[Source]]:
        """One round; who goes on (byes with them) and who does not, each in the order expected."""
        byes = len(standing) - sum(sizes)
        going: list[Source] = list(standing[:byes])
        out: list[Source] = []
        for table in self._dealt(standing[byes:], sizes):
            places = self.draft.meet(side, number, table, self.go_on)
            sat = self._sat_after(table, places[0])
            self._sat |= dict.fromkeys(places, sat)
            going += places[: self.go_on]
            out += places[self.go_on :]
        return sorted(going, key=self.draft.expected), sorted(out, key=self.draft.expected)

    def losers_side(self, beaten: Sequence[Sequence[Source]]) -> list[Source]:
        """Play down those who fall out in each round of the main side, to as many as fall out in the next."""
        final = final_seats(self.seats, self.go_on) - self.go_on
        left = [max(len(entering), self.go_on) for entering in beaten[1:]] + [final]
        standing: list[Source] = []
        number = 0
        for entering, target in zip(beaten, left, strict=True):
            standing = sorted([*standing, *entering], key=self.draft.expected)
            while len(standing) > target:
                number += 1
                sizes = losers_tables(len(standing), self.seats, self.go_on, target)
                standing, _ = self.play(Side.LOSERS, number, standing, sizes)
        return standing

    def _sat_after(self, table: Sequence[Source], winner: Source) -> dict[int, int]:
        """Anyone who comes from this table: surely here, and with equal chances where each of the table sat before."""
        assert isinstance(winner, FromMatch)
        chances: dict[int, int] = {}
        for source in table:
            for match, chance in self._sat.get(source, {}).items():
                chances[match] = chances.get(match, 0) + chance
        likely = {match: chance // len(table) for match, chance in chances.items() if chance >= len(table) * _SLIGHT}
        return likely | {winner.match: _SURE}

    def _dealt(self, standing: Sequence[Source], sizes: Sequence[int]) -> list[list[Source]]:
        """Tables filled row by row; then, the last row first, exchanged while one gains, at most `PASSES` times each."""
        tables: list[list[Source]] = [[] for _ in sizes]
        rows: list[list[int]] = []
        deck = iter(standing)
        for row in range(max(sizes)):
            rows.append([table for table, size in enumerate(sizes) if size > row][:: -1 if row % 2 else 1])
            for table in rows[-1]:
                tables[table].append(next(deck))
        for _ in range(PASSES):
            if not sum(self._move_apart(row, rows[row], tables) for row in reversed(range(len(rows)))):
                break
        self._part_the_sure(tables)
        return tables

    def _move_apart(self, row: int, order: Sequence[int], tables: list[list[Source]]) -> bool:
        """Exchange entrants of a row, the nearest first among equals, as long as second meetings get less likely."""
        sat = self._sat_at(tables, row)
        met = {table: self._met(tables[table][row], sat) for table in order}
        gained = False
        for place, one in enumerate(order):
            if one not in met[one]:
                continue
            best = (0, 0, one)
            for index in range(max(0, place - WINDOW), min(len(order), place + WINDOW + 1)):
                other = order[index]
                before = met[one][one] + met[other].get(other, 0)
                after = met[one].get(other, 0) + met[other].get(one, 0)
                best = min(best, (after - before, abs(index - place), other))
            change, _, other = best
            if change < 0:
                tables[one][row], tables[other][row] = tables[other][row], tables[one][row]
                met[one], met[other] = met[other], met[one]
                gained = True
        return gained

    def _part_the_sure(self, tables: list[list[Source]]) -> None:
        """Exchange with anyone, the nearest rows first, one who would surely meet again, where that gains."""
        for one, row in product(range(len(tables)), range(max(map(len, tables)))):
            others = (*tables[one][:row], *tables[one][row + 1 :])
            if len(others) == len(tables[one]):
                continue
            if sum(self._both(tables[one][row], other) for other in others) < _SURE * _SURE:
                continue
            changes = (
                (self._change(tables, (one, row), (other, seat)), abs(row - seat), other, seat)
                for other, table in enumerate(tables)
                for seat in range(len(table))
                if other != one
            )
            change, _, other, seat = min(changes, default=(0, 0, one, row))
            if change < 0:
                tables[one][row], tables[other][seat] = tables[other][seat], tables[one][row]

    def _change(self, tables: Sequence[Sequence[Source]], one: tuple[int, int], other: tuple[int, int]) -> int:
        """How much likelier second meetings get if two at different tables, by (table, row), change places."""
        a, b = (tables[table][row] for table, row in (one, other))
        with_a, with_b = ([s for i, s in enumerate(tables[table]) if i != row] for table, row in (one, other))
        return sum(self._both(b, s) - self._both(a, s) for s in with_a) + sum(
            self._both(a, s) - self._both(b, s) for s in with_b
        )

    def _both(self, a: Source, b: Source) -> int:
        """How likely it is that the two who come from there have met."""
        other = self._sat.get(b, {})
        return sum(chance * other[match] for match, chance in self._sat.get(a, {}).items() if match in other)

    def _sat_at(self, tables: Sequence[Sequence[Source]], row: int) -> dict[int, dict[int, int]]:
        """Match -> table -> the chances that those at it, the row left aside, have sat in the match."""
        sat: dict[int, dict[int, int]] = {}
        for number, table in enumerate(tables):
            for source in (*table[:row], *table[row + 1 :]):
                for match, chance in self._sat.get(source, {}).items():
                    at = sat.setdefault(match, {})
                    at[number] = at.get(number, 0) + chance
        return sat

    def _met(self, source: Source, sat: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
        """Table -> how likely it is that who comes from there has met others at it."""
        met: dict[int, int] = {}
        for match, chance in self._sat.get(source, {}).items():
            for table, other in sat.get(match, {}).items():
                met[table] = met.get(table, 0) + chance * other
        return met
