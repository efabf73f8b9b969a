"""What standings are made of: one `Result` a match, bye or absence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game. All tuples run parallel to the `entrants` of its match, in the order given there."""

    places: tuple[int, ...]
    """From 1; ties share the better place (RULES 20). Retired seats are below all others (RULES 21)."""
    scores: tuple[int, ...]
    """Card points, fewer is better."""
    retired: tuple[bool, ...] = ()
    """Empty: nobody retired."""


class ResultKind(StrEnum):
    PLAYED = "played"
    WALKOVER = "walkover"
    """No game: at most one was present and got 1, the others 0. Unrated, outside tiebreaks."""
    VOID = "void"
    """The mean, 1/2, for everybody at the table; outside tiebreaks."""
    BYE = "bye"
    """One entrant, one point, outside tiebreaks."""
    ABSENT = "absent"
    """One entrant that was due to play and was not there: 0, outside tiebreaks."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one match (or a round without one) gave its entrants. Made by the functions below."""

    tournament_round: int
    """Number within the tournament; orders the arithmetic that standings show."""
    kind: ResultKind
    entrants: tuple[int, ...]
    points: tuple[Fraction, ...]
    """Parallel to `entrants`."""
    games: tuple[GameResult, ...] = ()


def match_points(places: Sequence[Sequence[int]]) -> tuple[Fraction, ...]:
    """Points of a match in [0, 1], one per entrant: the share of table opponents beaten, ties half, mean over games.

    `places[g][i]` is the place of entrant i in game g, from 1. Whatever the table size, the mean at a table is 1/2.

    >>> [str(points) for points in match_points([[1, 2, 3, 4]])]
    ['1', '2/3', '1/3', '0']
    """
    raise NotImplementedError


def played(
    tournament_round: int,
    entrants: Sequence[int],
    games: Sequence[GameResult],
    points: Sequence[Fraction] | None = None,
) -> Result:
    """A match with games. `points` are those of the match where something else than its places decided them."""
    raise NotImplementedError


def walkover(tournament_round: int, entrants: Sequence[int], present: int | None) -> Result:
    """A match without a game: 1 for the one present (None: nobody was), 0 for the others."""
    raise NotImplementedError


def void(tournament_round: int, entrants: Sequence[int]) -> Result:
    raise NotImplementedError


def bye(tournament_round: int, entrant: int) -> Result:
    raise NotImplementedError


def absent(tournament_round: int, entrant: int) -> Result:
    """A round robin gives a withdrawn entrant one for each match it would have had: leaving must not raise its mean."""
    raise NotImplementedError
