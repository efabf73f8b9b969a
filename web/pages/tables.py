"""The standings of a stage, ready to be written down."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournaments.models import Entrant, Stage
from tournaments.ranking import StandingsRow, TiebreakCell
from tournaments.selectors.ratings import current_ratings
from tournaments.selectors.standings import Standings, StandingsLine, standings_for
from web.pages.words import TIEBREAKS


@dataclass(frozen=True, slots=True)
class Cell:
    """A tiebreak of one row. The value of a margin is written with its sign."""

    heading: str
    cell: TiebreakCell
    is_signed: bool
    has_decided: bool
    """Without it this row would share the place of a neighbour."""


@dataclass(frozen=True, slots=True)
class Line:
    entrant: Entrant
    row: StandingsRow
    cells: tuple[Cell, ...]
    rating: float | None


@dataclass(frozen=True, slots=True)
class Table:
    stage: Stage
    standings: Standings
    headings: tuple[tuple[str, str], ...]
    """Heading and meaning of each tiebreak, in the order in which they are applied."""
    lines: tuple[Line, ...]

    @property
    def is_so_far(self) -> bool:
        """Some may have played more than others."""
        return not self.standings.is_final and self.standings.has_open_round


def stage_tables(stages: Sequence[Stage]) -> list[Table]:
    """Of the stages that have begun."""
    tables = [standings_for(stage) for stage in stages]
    return [_table(each) for each in tables if each.rounds_closed or each.has_open_round]


def _table(standings: Standings) -> Table:
    headings = tuple(TIEBREAKS[tiebreak] for tiebreak in standings.tiebreaks)
    decided = _decided(standings.lines)
    ratings = current_ratings({line.entrant.version_id for line in standings.lines if line.entrant.version_id})
    lines = tuple(
        Line(
            line.entrant,
            line.row,
            tuple(
                Cell(heading, cell, heading == "Margin", (line.row.entrant, column) in decided)
                for column, ((heading, _), cell) in enumerate(zip(headings, line.row.tiebreaks, strict=True))
            ),
            ratings.get(line.entrant.version_id or 0),
        )
        for line in standings.lines
    )
    return Table(standings.stage, standings, headings, lines)


def _decided(lines: Sequence[StandingsLine]) -> set[tuple[int, int]]:
    """(entrant, column) of each tiebreak that put one of two neighbours with equal points above the other."""
    found = set()
    for upper, lower in pairwise(line.row for line in lines):
        if upper.points.value != lower.points.value:
            continue
        pairs = enumerate(zip(upper.tiebreaks, lower.tiebreaks, strict=True))
        column = next((at for at, (above, below) in pairs if above.value != below.value), None)
        if column is not None:
            found |= {(upper.entrant, column), (lower.entrant, column)}
    return found
