"""A bracket as plain data: matches, and where each takes its entrants from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby


class Side(StrEnum):
    MAIN = "main"
    """Those who have not lost yet; the last round of single elimination is its final."""
    LOSERS = "losers"
    """Those who have lost once."""
    THIRD_PLACE = "third_place"
    FINAL = "final"
    """The grand final of double elimination: who has not lost meets who has lost once."""
    RESET = "reset"
    """The grand final again, if it was won by one who had lost before."""


@dataclass(frozen=True, slots=True)
class FromSeed:
    """The entrant with this seed, 1 the best."""

    seed: int


@dataclass(frozen=True, slots=True)
class FromMatch:
    """Whoever takes this place in this match."""

    match: int
    place: int
    """1 is the winner."""


Source = FromSeed | FromMatch


@dataclass(frozen=True, slots=True)
class BracketMatch:
    number: int
    """From 1, in the order of play."""
    round: int
    """Tournament round within the stage, from 1: everything its matches need is settled in rounds before."""
    side: Side
    side_round: int
    """From 1 within the side: the third round of the losers' side."""
    sources: tuple[Source, ...]
    go_on: int
    """So many are better off than the others; 1 where first place is all that counts."""


@dataclass(frozen=True, slots=True)
class Bracket:
    entrants: int
    seats: int
    matches: tuple[BracketMatch, ...]
    """By number; the reset of a grand final is the last."""

    @property
    def rounds(self) -> int:
        """Tournament rounds, a reset included."""
        return self.matches[-1].round

    @property
    def reset(self) -> BracketMatch | None:
        return self.matches[-1] if self.matches[-1].side is Side.RESET else None

    def match(self, number: int) -> BracketMatch:
        """Raises ValueError if there is none of this number."""
        if not 1 <= number <= len(self.matches):
            raise ValueError(f"there is no match {number}: 1 to {len(self.matches)}")
        return self.matches[number - 1]

    def words(self, source: Source) -> str:
        """`seed 3`, `winner of match 12`, `loser of match 12`; at tables of three or more `third of match 12`."""
        match source:
            case FromSeed(seed):
                return f"seed {seed}"
            case FromMatch(number, 1):
                return f"winner of match {number}"
            case FromMatch(number, 2) if len(self.match(number).sources) == 2:
                return f"loser of match {number}"
            case FromMatch(number, place):
                return f"{_ORDINALS[place]} of match {number}"


_ORDINALS = ("", "winner", "second", "third", "fourth", "fifth", "sixth", "seventh")
_PLAY_ORDER = (Side.THIRD_PLACE, Side.MAIN, Side.LOSERS, Side.FINAL, Side.RESET)
"""Within a round: the final after the match for third place."""


@dataclass(frozen=True, slots=True)
class _Drafted:
    side: Side
    side_round: int
    sources: tuple[Source, ...]
    go_on: int


class Draft:
    """A bracket being drawn: its matches are numbered as they are made, and anew in order of play at the end."""

    def __init__(self) -> None:
        self._matches: list[_Drafted] = []
        self._expected: dict[Source, int] = {}

    def meet(self, side: Side, side_round: int, sources: Sequence[Source], go_on: int) -> list[Source]:
        """Add a match; where its entrants go, by place."""
        self._matches.append(_Drafted(side, side_round, tuple(sources), go_on))
        places: list[Source] = [FromMatch(len(self._matches), place) for place in range(1, len(sources) + 1)]
        self._expected |= zip(places, sorted(map(self.expected, sources)), strict=True)
        return places

    def expected(self, source: Source) -> int:
        """The seed that comes from there if the better seed always wins."""
        return source.seed if isinstance(source, FromSeed) else self._expected[source]

    def finish(self, unbeaten: Sequence[Source], beaten_once: Sequence[Source]) -> None:
        """The grand final and its reset: who has not lost before, and who came from the losers' side and won."""
        winner, *_ = self.meet(Side.FINAL, 1, [*unbeaten, *beaten_once], 1)
        self.meet(Side.RESET, 1, [*unbeaten, winner], 1)

    def bracket(self, entrants: int, seats: int) -> Bracket:
        rounds = self._rounds()
        in_order = sorted(
            range(len(rounds)), key=lambda index: (rounds[index], _PLAY_ORDER.index(self._matches[index].side), index)
        )
        number = {index + 1: place for place, index in enumerate(in_order, start=1)}
        sides = sorted({(each.side, each.side_round) for each in self._matches})
        matches = []
        for index in in_order:
            each = self._matches[index]
            sources = (FromMatch(number[s.match], s.place) if isinstance(s, FromMatch) else s for s in each.sources)
            # Where nobody was left to meet, a round of the losers' side has dropped out of the count.
            side_round = sum(side is each.side and other <= each.side_round for side, other in sides)
            matches.append(
                BracketMatch(number[index + 1], rounds[index], each.side, side_round, tuple(sources), each.go_on)
            )
        return Bracket(entrants, seats, tuple(matches))

    def _rounds(self) -> list[int]:
        """Of each match the tournament round: as early as can be, but one for all of a side's round."""
        of_side: dict[tuple[Side, int], int] = {}
        for (side, side_round), group in groupby(self._matches, key=lambda each: (each.side, each.side_round)):
            feeding = [self._matches[s.match - 1] for each in group for s in each.sources if isinstance(s, FromMatch)]
            latest = max((of_side[each.side, each.side_round] for each in feeding), default=0)
            of_side[side, side_round] = latest + 1
        return [of_side[each.side, each.side_round] for each in self._matches]
