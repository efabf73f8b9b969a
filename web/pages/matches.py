"""A match: who sat where, every game round by round, faults with their figures, every try."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.models import Game, Match, RatingRow
from tournaments.selectors.games import ShownGame, game_detail
from web.api.lookups import find_match
from web.pages.cards import match_cards
from web.pages.finding import found
from web.pages.paging import paged
from web.pages.sheets import Sheet, game_sheet
from web.pages.tournaments import SECTION

GAMES_A_PAGE = 10


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game with its score sheet."""

    shown: ShownGame
    sheet: Sheet


@require_safe
def match(request: HttpRequest, match: str) -> HttpResponse:
    row = found(find_match, match)
    context = _live(request, row) | {
        "replaces": row.replaces,
        "replaced_by": Match.objects.filter(replaces=row).first(),
    }
    return render(request, "pages/match.html", context)


@require_safe
def live(request: HttpRequest, match: str) -> HttpResponse:
    return render(request, "pages/match_live.html", _live(request, found(find_match, match)))


def _live(request: HttpRequest, row: Match) -> dict[str, Any]:
    card = match_cards([row])[0]
    part = paged(request, card.games, GAMES_A_PAGE)
    changes = {each.entrant_id: each for each in RatingRow.objects.filter(match=row)}
    return {
        "section": SECTION,
        "match": row,
        "round": row.tournament_round,
        "tournament": row.tournament_round.stage.tournament,
        "card": card,
        "seated": [(each, changes.get(each.entrant.pk)) for each in card.seated],
        "has_ratings": bool(changes),
        "part": part,
        "lines": [_line(request, game) for game in _whole(part.page.object_list)],
    }


def _whole(games: Any) -> list[Game]:
    """With what the detail of a game asks for. The seats are there already."""
    known = {game.pk: game for game in games}
    rows = Game.objects.filter(pk__in=known).select_related("deal_set", "result").in_bulk()
    for pk, game in known.items():
        game.deal_set, game.result = rows[pk].deal_set, rows[pk].result
    return list(known.values())


def _line(request: HttpRequest, game: Game) -> GameLine:
    shown = game_detail(game, request.user)
    return GameLine(shown, game_sheet(game, game.game_seats.all(), shown.attempts))
