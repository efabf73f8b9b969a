"""Strengths as a worker left them (`tournaments.services.strength`), with names."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.models import Entrant, StrengthReport, Tournament


@dataclass(frozen=True, slots=True)
class NextBelow:
    """How an entrant stands to the one below."""

    entrant: Entrant
    above: float
    """How likely it is the stronger of the two."""
    is_separated: bool
    more_sets: int | None
    """About how many more deal sets would tell them apart; None if they are, or if nothing can be said."""


@dataclass(frozen=True, slots=True)
class StrengthLine:
    entrant: Entrant
    value: float
    interval: tuple[float, float] | None
    """95 %; None for a single deal set."""
    deal_sets: int
    could_be: tuple[int, int] | None
    """Best and worst rank that chance leaves open; None with too few deal sets."""
    next_below: NextBelow | None
    is_clear_of_above: bool
    """Separated from the line above; False for the first."""


@dataclass(frozen=True, slots=True)
class StrengthTable:
    """A field by one measure, the best first."""

    measure: str
    """`margin` or `bradley_terry`."""
    verdict: str
    """`clear`, `tie` or `too few`."""
    leaders: tuple[Entrant, ...]
    lines: tuple[StrengthLine, ...]


@dataclass(frozen=True, slots=True)
class TournamentStrength:
    games: int
    computed_at: datetime
    tables: tuple[StrengthTable, ...]
    """The margin, then the fit where one was made."""

    @property
    def is_enough(self) -> bool:
        """Whether anything can be said of anybody."""
        return any(line.could_be for table in self.tables for line in table.lines)

    @property
    def most_deal_sets(self) -> int:
        return max((line.deal_sets for table in self.tables for line in table.lines), default=0)


def tournament_strength(tournament: Tournament) -> TournamentStrength | None:
    """None until it was computed: a tournament that is not over has none."""
    report = StrengthReport.objects.filter(tournament=tournament).first()
    if report is None:
        return None
    entrants = {row.pk: row for row in tournament.entrants.select_related("bot__owner", "version")}
    tables = tuple(_table(told, entrants) for told in report.measures)
    return TournamentStrength(report.games, report.computed_at, tables)


def _table(told: Mapping[str, Any], entrants: Mapping[int, Entrant]) -> StrengthTable:
    lines = told["lines"]
    below = [*lines[1:], None]
    above = [None, *lines[:-1]]
    return StrengthTable(
        measure=told["measure"],
        verdict=told["lead"]["verdict"],
        leaders=tuple(entrants[pk] for pk in told["lead"]["entrants"]),
        lines=tuple(
            _line(line, after, bool(before and before["next"]["is_separated"]), entrants)
            for before, line, after in zip(above, lines, below, strict=True)
        ),
    )


def _line(
    told: Mapping[str, Any], below: Mapping[str, Any] | None, is_clear: bool, entrants: Mapping[int, Entrant]
) -> StrengthLine:
    next_below = NextBelow(entrants[below["entrant"]], **told["next"]) if below else None
    return StrengthLine(
        entrant=entrants[told["entrant"]],
        value=told["value"],
        interval=(told["low"], told["high"]) if told["low"] is not None else None,
        deal_sets=told["deal_sets"],
        could_be=tuple(told["could_be"]) if told["could_be"] else None,
        next_below=next_below,
        is_clear_of_above=is_clear,
    )
