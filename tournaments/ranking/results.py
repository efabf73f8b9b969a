"""What standings are made of: one `Result` a match, bye or absence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import chain

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game. All tuples run parallel to the `entrants` of its match, in the order given there."""

    places: tuple[int, ...]
    """From 1; ties share the better place (RULES 20). Retired seats are below all others (RULES 21)."""
    scores: tuple[int, ...]
    """Card points, fewer is better."""
    retired: tuple[bool, ...] = ()
    """Empty: nobody retired."""
    seats: tuple[int, ...] = ()
    """Who sat where, from 0; must be known of a game that shares its deal with another table."""
    deal_set: int | None = None
    """Games of one tournament round with one number share a deal. None: a deal of its own, as after a replacement seed."""


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
    NOT_ENTERED = "not entered"
    """A round before a late entry: 0, outside tiebreaks."""


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


def pair_scores(places: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """`[i][j]`: the score of i against j, mean over the games of 1, 1/2, 0 by place; `[i][i]` is 1/2.

    `places[g][i]` is the place of entrant i in game g, from 1. Raises ValueError unless every game places the same two
    entrants or more.
    """
    if not places:
        raise ValueError("no games: a match without a game is a walkover or void")
    for game in places:
        if len(game) != len(places[0]) or len(game) < 2 or min(game) != 1:
            raise ValueError(f"places {tuple(game)}: expected {max(len(places[0]), 2)} places, the best of them 1")
    columns = list(zip(*places, strict=True))
    return tuple(tuple(_score(own, other) for other in columns) for own in columns)


@lru_cache(maxsize=4096)
def _score(own: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
    """There are few different ones, and a fold asks for millions."""
    half_points = sum((b > a) + (b >= a) for a, b in zip(own, other, strict=True))
    return Fraction(half_points, 2 * len(own))


def match_points(places: Sequence[Sequence[int]]) -> tuple[Fraction, ...]:
    """Points of a match in [0, 1], one per entrant: the share of table opponents beaten, ties half, mean over games.

    Takes the places as `pair_scores` does. Whatever the table size, the mean at a table is 1/2.

    >>> [str(points) for points in match_points([[1, 2, 3, 4]])]
    ['1', '2/3', '1/3', '0']
    """
    return tuple((sum(scores) - HALF) / (len(scores) - 1) for scores in pair_scores(places))


def played(
    tournament_round: int,
    entrants: Sequence[int],
    games: Sequence[GameResult],
    points: Sequence[Fraction] | None = None,
) -> Result:
    """A match with games. `points` are those of the match where something else than its places decided them."""
    for row in chain.from_iterable(
        (game.places, game.scores, game.retired or entrants, game.seats or entrants) for game in games
    ):
        if len(row) != len(entrants):
            raise ValueError(f"game row {row} does not run parallel to the entrants {tuple(entrants)}")
    if any(game.deal_set is not None and not game.seats for game in games):
        raise ValueError(f"round {tournament_round}: a game of a deal set without its seats")
    earned = match_points([game.places for game in games]) if points is None else tuple(points)
    return Result(tournament_round, ResultKind.PLAYED, tuple(entrants), earned, tuple(games))


def walkover(tournament_round: int, entrants: Sequence[int], present: int | None) -> Result:
    """A match without a game: 1 for the one present (None: nobody was), 0 for the others."""
    if present is not None and present not in entrants:
        raise ValueError(f"entrant {present} is not at the table {tuple(entrants)}")
    points = tuple(Fraction(entrant == present) for entrant in entrants)
    return Result(tournament_round, ResultKind.WALKOVER, tuple(entrants), points)


def void(tournament_round: int, entrants: Sequence[int]) -> Result:
    """A match that was declared void: the mean for everybody."""
    return Result(tournament_round, ResultKind.VOID, tuple(entrants), (HALF,) * len(entrants))


def bye(tournament_round: int, entrant: int) -> Result:
    """The free point of an odd two-seat Swiss round."""
    return Result(tournament_round, ResultKind.BYE, (entrant,), (Fraction(1),))


def absent(tournament_round: int, entrant: int) -> Result:
    """A round robin gives a withdrawn entrant one for each match it would have had: leaving must not raise its mean."""
    return Result(tournament_round, ResultKind.ABSENT, (entrant,), (Fraction(0),))


def not_entered(tournament_round: int, entrant: int) -> Result:
    """A late entrant has one for each round before it came."""
    return Result(tournament_round, ResultKind.NOT_ENTERED, (entrant,), (Fraction(0),))
