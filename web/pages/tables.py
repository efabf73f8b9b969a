"""The standings of a stage, ready to be written down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tournaments.models import DealMode, Entrant, Stage
from tournaments.ranking import ResultKind, StandingsRow, Term, Tiebreak, TiebreakCell
from tournaments.ranking.tiebreaks import decimal_text
from tournaments.selectors.ratings import current_ratings
from tournaments.selectors.standings import Standings, StandingsLine, standings_for
from web.pages.words import TIEBREAKS, figure, margin


@dataclass(frozen=True, slots=True)
class Cell:
    """A tiebreak of one row."""

    heading: str
    cell: TiebreakCell
    text: str
    worked: str
    has_decided: bool
    """Without it this row would share the place of a neighbour."""


@dataclass(frozen=True, slots=True)
class Line:
    entrant: Entrant
    row: StandingsRow
    points_worked: str
    cells: tuple[Cell, ...]
    rating: float | None


@dataclass(frozen=True, slots=True)
class Table:
    stage: Stage
    standings: Standings
    headings: tuple[tuple[str, str], ...]
    """Heading and meaning of each tiebreak that says something, in the order in which they are applied."""
    lines: tuple[Line, ...]

    @property
    def are_deals_shared(self) -> bool:
        return self.stage.deal_mode != DealMode.INDEPENDENT

    @property
    def is_so_far(self) -> bool:
        """Some may have played more than others."""
        return not self.standings.is_final and self.standings.has_open_round


def stage_tables(stages: Sequence[Stage]) -> list[Table]:
    """Of the stages that have begun. An elimination has places and a bracket instead (`web.pages.brackets`)."""
    tables = [standings_for(stage) for stage in stages if not stage.is_elimination]
    return [_table(each) for each in tables if each.rounds_closed or each.has_open_round]


def _table(standings: Standings) -> Table:
    used = [at for at in range(len(standings.tiebreaks)) if _is_used(standings.lines, at)]
    decided = _decided(standings.lines)
    names = {line.entrant.pk: line.entrant.bot.name for line in standings.lines}
    ratings = current_ratings({line.entrant.version_id for line in standings.lines if line.entrant.version_id})
    lines = tuple(
        Line(
            line.entrant,
            line.row,
            _worked(line.row.points, names),
            tuple(
                _cell(standings.tiebreaks[at], line.row.tiebreaks[at], (line.row.entrant, at) in decided, names)
                for at in used
            ),
            ratings.get(line.entrant.version_id or 0),
        )
        for line in standings.lines
    )
    return Table(standings.stage, standings, tuple(TIEBREAKS[standings.tiebreaks[at]] for at in used), lines)


def _is_used(lines: Sequence[StandingsLine], at: int) -> bool:
    """A column of dashes tells nothing."""
    return any(line.row.tiebreaks[at].value is not None for line in lines)


def _cell(tiebreak: Tiebreak, cell: TiebreakCell, has_decided: bool, names: Mapping[int, str]) -> Cell:
    text = margin(cell.value) if tiebreak is Tiebreak.MEAN_MARGIN else figure(cell.value)
    return Cell(TIEBREAKS[tiebreak][0], cell, text, _worked(cell, names), has_decided)


def _worked(cell: TiebreakCell, names: Mapping[int, str]) -> str:
    """The arithmetic with the round and the opponent of each number: (R1 Ann 2.5 + R1 Bea 1) / 2 = 1.75."""
    if cell.value is None or not cell.terms:
        return cell.explanation
    text = " + ".join(_term(term, names) for term in cell.terms)
    text = f"({text}) / {cell.divisor}" if cell.divisor > 1 else text
    return f"{text} = {_number(cell.value)}"


def _term(term: Term, names: Mapping[int, str]) -> str:
    """A name is kept apart from its surroundings, whatever way it is written (U+2068 .. U+2069)."""
    parts = [
        f"R{term.tournament_round}" if term.tournament_round else "",
        f"\u2068{names[term.opponent]}\u2069" if term.opponent else "",
        _number(term.value),
        "" if term.kind is ResultKind.PLAYED else f"({term.kind.value})",
    ]
    return " ".join(part for part in parts if part)


def _number(value: Fraction) -> str:
    return decimal_text(value).replace("-", "−")


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
