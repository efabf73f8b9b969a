"""The first page: what this is, what runs, what one can enter, what came of the last ones."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.models import Entrant, Tournament
from tournaments.selectors.brackets import stage_bracket
from tournaments.selectors.lists import running_list
from tournaments.selectors.places import bracket_places
from tournaments.selectors.ratings import leaderboard
from tournaments.selectors.standings import standings_for
from tournaments.selectors.tournaments import tournaments_open, tournaments_recent, tournaments_running
from web.pages.progress import shown_progress

RUNNING_SHOWN = 4
OPEN_SHOWN = 6
RECENT_SHOWN = 4
LEADERS_SHOWN = 5
GAMES_SHOWN = 6
PODIUM = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context = {
        **_live(),
        "open": tournaments_open().prefetch_related("stages")[:OPEN_SHOWN],
        "recent": [(row, _podium(row)) for row in tournaments_recent().prefetch_related("stages")[:RECENT_SHOWN]],
        "leaders": leaderboard()[:LEADERS_SHOWN],
    }
    return render(request, "pages/home.html", context)


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/home_live.html", _live())


def _live() -> dict[str, Any]:
    running = tournaments_running().prefetch_related("stages")
    games = running_list()
    return {
        "running": [shown_progress(row) for row in running[:RUNNING_SHOWN]],
        "running_left": max(0, running.count() - RUNNING_SHOWN),
        "games": games[:GAMES_SHOWN],
        "games_left": max(0, games.count() - GAMES_SHOWN),
    }


@dataclass(frozen=True, slots=True)
class PodiumLine:
    place_text: str
    entrant: Entrant
    points: Fraction | None
    """None after an elimination: places are not made of points there."""


def _podium(row: Tournament) -> list[PodiumLine]:
    """The first three of its last stage; nobody where nothing was played."""
    stage = row.stages.select_related("tournament").order_by("-number").first()
    if stage is None:
        return []
    if found := stage_bracket(stage):
        decided = (line for line in bracket_places(found) if line.placing)
        return [PodiumLine(line.place_text, line.entrant, None) for line in decided if line.seed][:PODIUM]
    standings = standings_for(stage)
    lines = standings.lines[:PODIUM] if standings.rounds_closed else ()
    return [PodiumLine(line.row.place_text, line.entrant, line.row.points.value) for line in lines]
