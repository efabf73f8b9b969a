"""Standings with names."""

from dataclasses import dataclass

from tournaments import ranking
from tournaments.models import Entrant, EntrantStatus, RoundStatus, Stage, StageFormat, Tournament, TournamentStatus
from tournaments.selectors.results import stage_results


@dataclass(frozen=True, slots=True)
class StandingsLine:
    entrant: Entrant
    row: ranking.StandingsRow


@dataclass(frozen=True, slots=True)
class Standings:
    stage: Stage
    lines: tuple[StandingsLine, ...]
    """The best first."""
    tiebreaks: tuple[ranking.Tiebreak, ...]
    """In the order of each row's cells."""
    per_match: bool
    """Ordered by mean points a match: a round robin, in which numbers of matches may differ."""
    is_final: bool
    rounds_closed: int
    has_open_round: bool
    """Some may have played more than others: "so far"."""


def standings_for(stage: Stage) -> Standings:
    """The table of a stage, computed from its results each time, with the tiebreaks that the tournament announced."""
    tiebreaks = stage.tournament.tiebreak_order
    entrants = {entrant.pk: entrant for entrant in stage.tournament.entrants.select_related("bot__owner", "version")}
    per_match = stage.format == StageFormat.ROUND_ROBIN
    rows = ranking.standings(
        entrants,
        stage_results(stage),
        tiebreaks=tiebreaks,
        per_match=per_match,
        withdrawn=[pk for pk, entrant in entrants.items() if entrant.status == EntrantStatus.WITHDRAWN],
    )
    statuses = list(stage.tournament_rounds.values_list("status", flat=True))
    return Standings(
        stage=stage,
        lines=tuple(StandingsLine(entrants[row.entrant], row) for row in rows),
        tiebreaks=tiebreaks,
        per_match=per_match,
        is_final=stage.tournament.status == TournamentStatus.FINISHED,
        rounds_closed=statuses.count(RoundStatus.CLOSED),
        has_open_round=RoundStatus.OPEN in statuses,
    )


def tournament_standings(tournament: Tournament) -> list[Standings]:
    """Of every stage, in order."""
    return [standings_for(stage) for stage in tournament.stages.select_related("tournament").order_by("number")]
