"""One game: its replay where it may be seen, and what is public before."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from tournaments.models import DealSetStatus, Game
from tournaments.selectors.deals import seed_of
from tournaments.selectors.games import record_bytes, shown_faults
from tournaments.selectors.visibility import Sight, Visibility, visibility
from tournaments.services.notes import audit
from web.api.lookups import find_game
from web.pages.finding import account_of, found
from web.pages.replays import replay_of, viewer_of
from web.pages.sheets import game_sheet
from web.pages.tournaments import SECTION


@gzip_page
@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    row = found(find_game, game)
    seen = _look(request, row)
    seats = list(row.game_seats.select_related("entrant__bot__owner", "entrant__version").order_by("seat"))
    viewer = viewer_of(seen, request.GET.get("view", "")) if row.result else None
    replay = replay_of(row, seats, viewer) if viewer is not None else None
    attempts = list(row.attempts.order_by("number"))
    context = {
        **_place(row),
        "game": row,
        "attempts": attempts,
        "faults": shown_faults(row, seen),
        "seats": seats,
        "own": [seat for seat in seats if seat.seat in seen.own_seats],
        "viewer": viewer,
        "replay": replay.data if replay else None,
        "story": replay.story if replay else None,
        "is_final": row.deal_set.status == DealSetStatus.FINAL,
        "seed": seed_of(row.result).hex() if row.result and seen.has_seed else "",
        "may_have_record": bool(row.result) and seen.sight is Sight.EVERYTHING,
        "may_look": request.user.is_superuser and seen.sight is not Sight.EVERYTHING,
        "is_looking": seen.must_audit,
        "sheet": game_sheet(row, seats, attempts),
    }
    return render(request, "pages/game.html", context)


def _look(request: HttpRequest, row: Game) -> Visibility:
    """What the asker may see. An operator who asks for more, by `?as_operator=1`, is written down."""
    seen = visibility(request.user, row, as_operator=request.GET.get("as_operator") == "1")
    if seen.must_audit:
        audit(
            action="operator_look",
            actor=account_of(request),
            subject=f"game {row.public_id}",
            tournament=row.match.tournament_round.stage.tournament,
        )
    return seen


def _place(row: Game) -> dict[str, Any]:
    tournament_round = row.match.tournament_round
    return {
        "section": SECTION,
        "match": row.match,
        "round": tournament_round,
        "tournament": tournament_round.stage.tournament,
        "game_count": row.match.games.count(),
    }


@require_safe
def record(request: HttpRequest, game: str) -> HttpResponse:
    """The record file, for `crowns verify`."""
    row = found(find_game, game)
    as_operator = request.GET.get("as_operator") == "1"
    if as_operator:
        _look(request, row)
    data = record_bytes(row, request.user, as_operator=as_operator)
    if data is None:
        raise Http404(f"the record of game {row.public_id} is shown once all games of its deal are over")
    name = f'attachment; filename="{row.public_id}.5cgr"'
    return HttpResponse(data, content_type="application/octet-stream", headers={"Content-Disposition": name})
