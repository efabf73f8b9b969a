"""How far a tournament is, as a bar."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from tournaments.models import Tournament, TournamentStatus
from tournaments.selectors.tournaments import Progress, tournament_progress
from web.charts import progress_bar

LIVE = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)


@dataclass(frozen=True, slots=True)
class ShownProgress:
    tournament: Tournament
    progress: Progress
    bar: SafeString
    """Empty while there is no plan to measure by."""

    @property
    def is_live(self) -> bool:
        return self.tournament.status in LIVE


def shown_progress(tournament: Tournament) -> ShownProgress:
    progress = tournament_progress(tournament)
    return ShownProgress(tournament, progress, _bar(tournament, progress))


def _bar(tournament: Tournament, progress: Progress) -> SafeString:
    if not tournament.started_at or progress.games_planned is None:
        return SafeString("")
    done, running, stuck = progress.games_finished, progress.games_running, progress.needs_attention
    total = max(progress.games_planned, done + running + stuck)
    label = f"Games of {tournament.name}"
    return progress_bar([("done", done), ("active", running), ("attention", stuck)], total=total, label=label)
