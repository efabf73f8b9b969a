"""Standings: points, then an announced order of tiebreaks, each cell with its arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from tournaments.ranking.results import Result, ResultKind
from tournaments.ranking.tiebreaks import (
    Record,
    Table,
    Term,
    Tiebreak,
    TiebreakCell,
    direct,
    first_places,
    mean_margin,
    opponent_points,
    sum_cell,
    table_of,
)

DEFAULT_TIEBREAKS = (Tiebreak.OPPONENT_POINTS, Tiebreak.FIRST_PLACES, Tiebreak.MEAN_MARGIN, Tiebreak.DIRECT)

_ALONE: Mapping[Tiebreak, Callable[[Record, Table], TiebreakCell]] = {
    Tiebreak.OPPONENT_POINTS: opponent_points,
    Tiebreak.FIRST_PLACES: first_places,
    Tiebreak.MEAN_MARGIN: mean_margin,
}
"""The tiebreaks that one entrant's record decides; `DIRECT` takes the group still tied."""

_NO_MATCH = (ResultKind.BYE, ResultKind.NOT_ENTERED)

_NOT_TIED = TiebreakCell(None, "not needed: tied with nobody")


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One entrant's line."""

    entrant: int
    place: int
    is_shared: bool
    points: TiebreakCell
    """The total; with `per_match` the mean over its matches. Its value is never None."""
    matches: int
    """Matches that count: played, walkovers, void and absences; not byes, sitting out or rounds before entering."""
    tiebreaks: tuple[TiebreakCell, ...]
    """In the announced order."""
    is_withdrawn: bool

    @property
    def place_text(self) -> str:
        """`3`, or `=3` when the place is shared."""
        return f"={self.place}" if self.is_shared else str(self.place)


def standings(
    entrants: Iterable[int],
    results: Iterable[Result],
    *,
    tiebreaks: Sequence[Tiebreak] = DEFAULT_TIEBREAKS,
    per_match: bool = False,
    withdrawn: Collection[int] = (),
) -> tuple[StandingsRow, ...]:
    """Rows, best first; equal rows in order of entrant id. Any order of the arguments gives the same rows.

    `per_match` ranks by mean points a match, for round robins in which numbers of matches differ. Withdrawn entrants
    keep their points and place. Raises ValueError for a result of someone who is not an entrant, or two in one round.
    """
    in_order = sorted(results, key=lambda result: (result.tournament_round, result.entrants))
    rounds = len({result.tournament_round for result in in_order})
    table = table_of(_records(entrants, in_order), rounds, per_match)
    points = {entrant: _points(record, per_match) for entrant, record in table.records.items()}
    groups = _split(sorted(table.records), points)
    columns: list[Mapping[int, TiebreakCell]] = []
    for tiebreak in tiebreaks:
        groups, column = _apply(tiebreak, groups, table)
        columns.append(column)

    rows: list[StandingsRow] = []
    for group in groups:
        place = len(rows) + 1
        rows += [
            StandingsRow(
                entrant=entrant,
                place=place,
                is_shared=len(group) > 1,
                points=points[entrant],
                matches=sum(result.kind not in _NO_MATCH for result, _ in table.records[entrant].results),
                tiebreaks=tuple(column[entrant] for column in columns),
                is_withdrawn=entrant in withdrawn,
            )
            for entrant in group
        ]
    return tuple(rows)


def _records(entrants: Iterable[int], results: Iterable[Result]) -> dict[int, Record]:
    found: dict[int, list[tuple[Result, int]]] = {entrant: [] for entrant in entrants}
    for result in results:
        for index, entrant in enumerate(result.entrants):
            if entrant not in found:
                raise ValueError(f"round {result.tournament_round}: {entrant} is not an entrant")
            own = found[entrant]
            if own and own[-1][0].tournament_round == result.tournament_round:
                raise ValueError(f"round {result.tournament_round}: entrant {entrant} has two results")
            own.append((result, index))
    return {entrant: Record(entrant, tuple(own)) for entrant, own in found.items()}


def _points(record: Record, per_match: bool) -> TiebreakCell:
    terms = [
        Term(result.points[index], result.tournament_round, kind=result.kind)
        for result, index in record.results
        if not (per_match and result.kind is ResultKind.BYE)
    ]
    return sum_cell(terms, "no match yet", mean=per_match, empty=Fraction(0))


def _apply(
    tiebreak: Tiebreak, groups: Sequence[Sequence[int]], table: Table
) -> tuple[list[list[int]], Mapping[int, TiebreakCell]]:
    """The groups split further, and everybody's cell."""
    if tiebreak is Tiebreak.DIRECT:
        return _apply_direct(groups, table)
    column = {entrant: _ALONE[tiebreak](record, table) for entrant, record in table.records.items()}
    return [part for group in groups for part in _split(group, column)], column


def _apply_direct(groups: Sequence[Sequence[int]], table: Table) -> tuple[list[list[int]], Mapping[int, TiebreakCell]]:
    """Direct comparison within each tied group, applied again among those it leaves tied."""
    column = dict.fromkeys(table.records, _NOT_TIED)
    done: list[list[int]] = []
    todo = [list(group) for group in reversed(groups)]
    while todo:
        group = todo.pop()
        if len(group) == 1:
            done.append(group)
            continue
        column |= direct(group, table)
        parts = _split(group, column)
        if len(parts) == 1:
            done += parts
        else:
            todo += reversed(parts)
    return done, column


def _split(group: Sequence[int], cells: Mapping[int, TiebreakCell]) -> list[list[int]]:
    """A tied group in parts of equal value, the best first; no value is below every value."""

    def rank(entrant: int) -> tuple[bool, Fraction]:
        value = cells[entrant].value
        return (value is None, -value if value is not None else Fraction(0))

    return [list(part) for _, part in groupby(sorted(group, key=rank), key=rank)]
