"""A match: who sat where, every game round by round, faults with their figures, every try."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.models import Attempt, DealMode, Game, Match, MatchStatus, RatingRow
from tournaments.models.status import SETTLED_MATCH
from tournaments.selectors.games import ShownGame, game_detail
from tournaments.selectors.shared_deals import SharedDeal, shared_deals
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
    deal: SharedDeal | None
    """Where the stage shares deals."""


@require_safe
def match(request: HttpRequest, match: str) -> HttpResponse:
    row = found(find_match, match)
    context = _live(request, row) | {
        "replaces": row.replaces,
        "replaced_by": Match.objects.filter(replaces=row).first(),
        "passed_on": row.passed_on.order_by("number"),
        "is_corrected": row.match_entrants.filter(corrected_place__isnull=False).exists(),
    }
    return render(request, "pages/match.html", context)


@require_safe
def live(request: HttpRequest, match: str) -> HttpResponse:
    return render(request, "pages/match_live.html", _live(request, found(find_match, match)))


def _live(request: HttpRequest, row: Match) -> dict[str, Any]:
    card = match_cards([row])[0]
    stage = row.tournament_round.stage
    part = paged(request, card.games, GAMES_A_PAGE)
    changes = {each.entrant_id: each for each in RatingRow.objects.filter(match=row)}
    games = [game for game in _whole(part.page.object_list) if not _is_dropped(row, game)]
    deals = shared_deals(games) if stage.deal_mode != DealMode.INDEPENDENT else {}
    return {
        "section": SECTION,
        "match": row,
        "round": row.tournament_round,
        "tournament": stage.tournament,
        "card": card,
        "are_seats_compared": any(deal.seats for deal in deals.values()),
        "seated": [(each, changes.get(each.entrant.pk)) for each in card.seated],
        "has_ratings": bool(changes),
        "has_result": any(each.total is not None or each.points is not None for each in card.seated),
        "since": _stuck_since(row),
        "part": part,
        "lines": [_line(request, game, deals.get(game.pk)) for game in games],
    }


def _is_dropped(row: Match, game: Game) -> bool:
    """A game that will never be played, for its match is settled without it."""
    return game.result_id is None and not game.replacement and row.status in (*SETTLED_MATCH, MatchStatus.SUPERSEDED)


def _stuck_since(row: Match) -> datetime | None:
    """When the last try at one of its games ended, where a person must look at it."""
    if row.status != MatchStatus.NEEDS_ATTENTION:
        return None
    last = Attempt.objects.filter(game__match=row).aggregate(at=Max("ended_at"))["at"]
    return last or row.started_at or row.created_at


def _whole(games: Any) -> list[Game]:
    """With what the detail of a game asks for. The seats are there already."""
    known = {game.pk: game for game in games}
    rows = Game.objects.filter(pk__in=known).select_related("deal_set", "result").in_bulk()
    for pk, game in known.items():
        game.deal_set, game.result = rows[pk].deal_set, rows[pk].result
    return list(known.values())


def _line(request: HttpRequest, game: Game, deal: SharedDeal | None) -> GameLine:
    shown = game_detail(game, request.user)
    return GameLine(shown, game_sheet(game, game.game_seats.all(), shown.attempts), deal)
