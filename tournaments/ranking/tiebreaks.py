"""Tiebreaks. Each gives a cell: a value, more is better, and the arithmetic that explains it.

| tiebreak | of one entrant alone | what it leaves out |
|---|---|---|
| opponent points | yes | byes, walkovers, void matches: nobody was met |
| first places | yes | matches without a game |
| mean margin | yes | the scores of retired seats in the others' margins |
| direct | no: within a group still tied | void matches; a walkover counts as the result it was |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from tournaments.ranking.results import HALF, GameResult, Result, ResultKind, pair_scores


class Tiebreak(StrEnum):
    """What may follow the points, in whatever order was announced."""

    OPPONENT_POINTS = "opponent_points"
    """Mean of the opponents' points from matches; a round an opponent did not play counts 1/2, its byes too."""
    FIRST_PLACES = "first_places"
    """Games won; a shared first place counts its share."""
    MEAN_MARGIN = "mean_margin"
    """Mean over games of (mean of the table opponents' scores less one's own), in card points."""
    DIRECT = "direct"
    """Points against those still tied, where all of them have met."""


@dataclass(frozen=True, slots=True)
class TiebreakCell:
    """One number of a row and how it came about."""

    value: Fraction | None
    """None: not possible or not needed; the explanation says which."""
    explanation: str
    """Plain text: `(2/3 + 1 + 1/3) / 3`."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entrant's results in order of round, each with the entrant's index in it."""

    entrant: int
    results: tuple[tuple[Result, int], ...]

    def of_kind(self, kind: ResultKind) -> Iterator[tuple[Result, int]]:
        return (pair for pair in self.results if pair[0].kind is kind)


@dataclass(frozen=True, slots=True)
class Table:
    """All records, and what the means refer to."""

    records: Mapping[int, Record]
    as_opponent: Mapping[int, Fraction]
    """What each counts for those who met it."""
    per_match: bool


def table_of(records: Mapping[int, Record], rounds: int, per_match: bool) -> Table:
    """The records of a stage after so many rounds."""
    as_opponent = {entrant: _points_as_opponent(record, rounds, per_match) for entrant, record in records.items()}
    return Table(records, as_opponent, per_match)


def fraction_text(value: Fraction) -> str:
    """A number as people write it.

    >>> fraction_text(Fraction(5, 2)), fraction_text(Fraction(-1, 3)), fraction_text(Fraction(4))
    ('2 1/2', '-1/3', '4')
    """
    whole, rest = divmod(abs(value), 1)
    parts = [str(whole)] if whole or not rest else []
    parts += [str(rest)] if rest else []
    return ("-" if value < 0 else "") + " ".join(parts)


def sum_text(terms: Sequence[Fraction]) -> str:
    """The terms as a sum: `2/3 - 1 + 1/3`."""
    first, *others = terms
    return fraction_text(first) + "".join(f" {'-' if term < 0 else '+'} {fraction_text(abs(term))}" for term in others)


def mean_cell(terms: Sequence[Fraction], nothing: str) -> TiebreakCell:
    """The mean with its arithmetic; `nothing` explains an empty one."""
    if not terms:
        return TiebreakCell(None, nothing)
    text = sum_text(terms)
    return TiebreakCell(sum(terms, Fraction(0)) / len(terms), f"({text}) / {len(terms)}" if len(terms) > 1 else text)


def opponent_points(record: Record, table: Table) -> TiebreakCell:
    """Mean of the opponents' points, one term for each opponent at each table."""
    terms = [
        table.as_opponent[other]
        for result, _ in record.of_kind(ResultKind.PLAYED)
        for other in result.entrants
        if other != record.entrant
    ]
    return mean_cell(terms, "no opponent met")


def _points_as_opponent(record: Record, rounds: int, per_match: bool) -> Fraction:
    earned = [result.points[index] for result, index in record.of_kind(ResultKind.PLAYED)]
    if per_match:
        return sum(earned, Fraction(0)) / max(len(earned), 1)
    return sum(earned, Fraction(0)) + HALF * (rounds - len(earned))


def first_places(record: Record, table: Table) -> TiebreakCell:
    """Games won, a shared win by its share; a mean where numbers of matches differ."""
    shares = [
        Fraction(game.places[index] == 1, game.places.count(1))
        for result, index in record.of_kind(ResultKind.PLAYED)
        for game in result.games
    ]
    if table.per_match:
        return mean_cell(shares, "no game played")
    won = [share for share in shares if share]
    return TiebreakCell(sum(won, Fraction(0)), sum_text(won) if won else "no game won")


def mean_margin(record: Record, table: Table) -> TiebreakCell:
    """Mean over games of the margin."""
    terms = [
        margin
        for result, index in record.of_kind(ResultKind.PLAYED)
        for game in result.games
        if (margin := margins(game)[index]) is not None
    ]
    return mean_cell(terms, "no game with a margin")


def margins(game: GameResult) -> tuple[Fraction | None, ...]:
    """Mean of the opponents' scores less one's own, by seat.

    A retired seat is played on by the referee (RULES 21): its score says nothing about the others, so their margins
    leave it out (None if nobody is left to compare with), and its own is the worst of the table.
    """
    retired = game.retired or (False,) * len(game.scores)
    everybody = [_margin(game.scores, seat, set()) for seat in range(len(game.scores))]
    worst = min(margin for margin in everybody if margin is not None)
    gone = {seat for seat, is_retired in enumerate(retired) if is_retired}
    return tuple(worst if is_retired else _margin(game.scores, seat, gone) for seat, is_retired in enumerate(retired))


def _margin(scores: Sequence[int], seat: int, left_out: set[int]) -> Fraction | None:
    others = [score for other, score in enumerate(scores) if other != seat and other not in left_out]
    return Fraction(sum(others), len(others)) - scores[seat] if others else None


def direct(group: Sequence[int], table: Table) -> dict[int, TiebreakCell]:
    """Points of each of a tied group against the rest of it: per opponent the mean over their meetings."""
    meetings: dict[tuple[int, int], list[Fraction]] = {}
    for entrant in group:
        for result, index in table.records[entrant].results:
            for other, score in _scores_against(result, index):
                meetings.setdefault((entrant, other), []).append(score)
    if any(pair not in meetings for pair in combinations(group, 2)):
        return dict.fromkeys(group, TiebreakCell(None, "not possible: not all of those tied have met"))
    return {
        entrant: _direct_cell([meetings[entrant, other] for other in group if other != entrant]) for entrant in group
    }


def _scores_against(result: Result, index: int) -> Iterator[tuple[int, Fraction]]:
    if result.kind is ResultKind.PLAYED:
        scores = pair_scores([game.places for game in result.games])[index]
    elif result.kind is ResultKind.WALKOVER:
        scores = (result.points[index],) * len(result.entrants)
    else:
        return
    yield from (
        (other, score) for at, (other, score) in enumerate(zip(result.entrants, scores, strict=True)) if at != index
    )


def _direct_cell(meetings: Sequence[Sequence[Fraction]]) -> TiebreakCell:
    terms = [sum(scores, Fraction(0)) / len(scores) for scores in meetings]
    return TiebreakCell(sum(terms, Fraction(0)), f"{sum_text(terms)} against those tied")
