"""The first page: what this is, what runs, what one can enter, what came of the last ones."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.selectors.lists import running_list
from tournaments.selectors.ratings import leaderboard
from tournaments.selectors.standings import StandingsLine, standings_for
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


def _podium(row: Tournament) -> list[StandingsLine]:
    """The first three of its last stage; nobody where nothing was played."""
    stage = row.stages.select_related("tournament").order_by("-number").first()
    standings = standings_for(stage) if stage else None
    return list(standings.lines[:PODIUM]) if standings and standings.rounds_closed else []
