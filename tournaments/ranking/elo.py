"""Elo for tables of any size, as a pure fold over closed rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

START = 1500.0
SCALE = 400.0
K = 20.0


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match: unrated, void and superseded ones, byes and walkovers are not handed in."""

    match: int
    closing_no: int
    """Given when its tournament round closed: all matches of one closing use the ratings from before it."""
    entrants: tuple[int, ...]
    """Whatever carries a rating (a bot version), in any order."""
    places: tuple[tuple[int, ...], ...]
    """One tuple a game, parallel to `entrants`, from 1, ties share the better place."""


@dataclass(frozen=True, slots=True)
class OpponentTerm:
    """One opponent's part in a rating change."""

    entrant: int
    rating: float
    """Before the match."""
    score: Fraction
    """Against this opponent: mean over the games of 1, 1/2, 0 by place."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One entrant's change by one match, with every input: `elo_delta(before, k, opponents)` gives `delta` again."""

    match: int
    closing_no: int
    entrant: int
    before: float
    k: float
    opponents: tuple[OpponentTerm, ...]
    """In order of entrant."""
    delta: float
    after: float
    number: int
    """How many rated matches the entrant has now, this one included."""


@dataclass(frozen=True, slots=True)
class Rated:
    """Where one entrant stands."""

    rating: float
    matches: int


@dataclass(frozen=True, slots=True)
class Folded:
    rows: tuple[RatingRow, ...]
    """In order of closing_no, match, entrant."""
    ratings: Mapping[int, Rated]
    """Everybody's rating after the last row."""


def expected_score(own: float, other: float) -> float:
    """1 / (1 + 10^((other - own) / 400))."""
    raise NotImplementedError


def elo_delta(before: float, k: float, opponents: Sequence[OpponentTerm]) -> float:
    """k / (n - 1) * sum of (score - expected score) over the n - 1 opponents at the table."""
    raise NotImplementedError


def pair_scores(places: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """`[i][j]`: the score of i against j, mean over the games of 1, 1/2, 0 by place; `[i][i]` is 1/2."""
    raise NotImplementedError


def match_elo(
    match: RatedMatch, before: Mapping[int, Rated], k: Callable[[int], float] | float = K
) -> tuple[RatingRow, ...]:
    """The rows of one match from the ratings before it. `k`: a number, or a function of the matches rated so far."""
    raise NotImplementedError


def fold_ratings(
    matches: Iterable[RatedMatch],
    *,
    before: Mapping[int, Rated] | None = None,
    start: float = START,
    k: Callable[[int], float] | float = K,
) -> Folded:
    """Fold closed rounds, in order of closing_no whatever the order given, into rating rows.

    All at once, or closing by closing with `before` = the ratings so far, gives the same rows, bit by bit.
    Who is not in `before` starts at `start`. Raises ValueError when an entrant plays twice in one closing.
    """
    raise NotImplementedError
