"""What a deal shared by several tables says: margins, and the points of a match (DESIGN 7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tournaments.ranking.results import GameResult, match_points

LEAST_TABLES = 3
"""A deal set of fewer tables decides no points: the share at the table does."""

Points = tuple[Fraction, ...]


def margins(game: GameResult) -> tuple[Fraction | None, ...]:
    """Of a game with a deal of its own: mean of the table opponents' scores less one's own, by entrant.

    A retired seat is played on by the referee (RULES 21): its score says nothing about the others, so their margins
    leave it out (None if nobody is left to compare with), and its own is the worst of the table.
    """
    return set_margins([game])[0]


def set_margins(games: Sequence[GameResult]) -> tuple[tuple[Fraction | None, ...], ...]:
    """`margins` for the games of one deal set, in which a retired seat has the worst margin of the whole set."""
    worst = min(_margin(game.scores, at, set()) or Fraction(0) for game in games for at in range(len(game.scores)))
    return tuple(_margins(game, worst) for game in games)


def _margins(game: GameResult, worst: Fraction) -> tuple[Fraction | None, ...]:
    gone = {at for at, is_retired in enumerate(game.retired) if is_retired}
    return tuple(worst if at in gone else _margin(game.scores, at, gone) for at in range(len(game.scores)))


def _margin(scores: Sequence[int], at: int, left_out: set[int]) -> Fraction | None:
    others = [score for other, score in enumerate(scores) if other != at and other not in left_out]
    return Fraction(sum(others), len(others)) - scores[at] if others else None


def round_points(matches: Sequence[Sequence[GameResult]]) -> tuple[Points, ...]:
    """Points of the final matches of one tournament round, each parallel to the entrants of its match.

    In a deal set of at least three tables: the share of the other holders of the same seat with a smaller margin, ties
    half. Elsewhere, and at a table where a seat retired: the share of the table opponents beaten by place. A match is
    the mean over its games; games of one match that share a deal are one result, their totals. Raises ValueError for
    tables of a set that differ in size, or whose seats are not known.
    """
    counted = [_counted(games) for games in matches]
    by_game = [[match_points([game.places]) for game in games] for games in counted]
    for members in _sets(counted):
        games = [counted[match][number] for match, number in members]
        for (match, number), points in zip(members, _seat_points(games), strict=True):
            by_game[match][number] = points
    return tuple(_mean(games) for games in by_game)


def _counted(games: Sequence[GameResult]) -> list[GameResult]:
    """The games of a match, those of one rotated deal put together."""
    by_set: dict[int, list[GameResult]] = defaultdict(list)
    for number, game in enumerate(games):
        by_set[-1 - number if game.deal_set is None else game.deal_set].append(game)
    return [each for same in by_set.values() for each in (_rotated(same) if len(same) > 1 else same)]


def _rotated(games: Sequence[GameResult]) -> list[GameResult]:
    """One game of the totals; the single ones if a seat retired, whose score says nothing. No other table has the deal."""
    if any(any(game.retired) for game in games):
        return [replace(game, deal_set=None) for game in games]
    totals = tuple(map(sum, zip(*(game.scores for game in games), strict=True)))
    return [GameResult(tuple(1 + sum(other < own for other in totals) for own in totals), totals)]


def _sets(matches: Sequence[Sequence[GameResult]]) -> list[list[tuple[int, int]]]:
    """(match, game) of the tables of each deal set that decides points."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match, games in enumerate(matches):
        for number, game in enumerate(games):
            if game.deal_set is not None and not any(game.retired):
                found[game.deal_set].append((match, number))
    return [members for members in found.values() if len(members) >= LEAST_TABLES]


def _seat_points(games: Sequence[GameResult]) -> list[Points]:
    """By game, parallel to its entrants: who held the same seat is compared by margin."""
    everybody = range(len(games[0].scores))
    if any(sorted(game.seats) != list(everybody) for game in games):
        raise ValueError(
            f"deal set {games[0].deal_set}: seats {[game.seats for game in games]}, not those of one table"
        )
    by_seat: list[list[Fraction]] = [[] for _ in everybody]
    for game in games:
        for seat, margin in zip(game.seats, margins(game), strict=True):
            by_seat[seat].append(margin or Fraction(0))
    return [tuple(_share(by_seat[seat], number) for seat in game.seats) for number, game in enumerate(games)]


def _share(values: Sequence[Fraction], at: int) -> Fraction:
    halves = sum((value < values[at]) + (value <= values[at]) for value in values) - 1
    return Fraction(halves, 2 * (len(values) - 1))


def _mean(games: Sequence[Points]) -> Points:
    return tuple(sum(column, Fraction(0)) / len(games) for column in zip(*games, strict=True))
