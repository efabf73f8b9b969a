"""Tournaments: the list, one of them, its rounds, entering and leaving."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.errors import TournamentError
from tournaments.models import (
    Attempt,
    Entrant,
    Match,
    MatchStatus,
    Presence,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors import tournaments as selectors
from tournaments.selectors.lists import entrant_list, match_list, round_list
from tournaments.selectors.plans import game_worst_time_s, tournament_size
from tournaments.selectors.rehearsal import rehearsal
from tournaments.selectors.shards import live_shards
from tournaments.services.registration import entrant_enter, entrant_leave, entrant_of, entrant_withdraw, may_organise
from web.api.lookups import find_own_bot, find_tournament
from web.pages.brackets import shown_bracket
from web.pages.cards import match_cards
from web.pages.finding import account_of, found
from web.pages.forms import EnterForm, OwnBotForm, TournamentFilter, WithdrawForm
from web.pages.paging import paged
from web.pages.progress import shown_progress
from web.pages.strength import shown_strength
from web.pages.tables import stage_tables

SECTION = "tournament_list"
"""Of the main navigation."""
TOURNAMENTS_A_PAGE = 20
MATCHES_A_PAGE = 60
CARDS_SHOWN = 40
"""Matches of the current round on the tournament's own page."""
BEFORE_THE_START = (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION)
PLAYED_IN = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    form = TournamentFilter(request.GET)
    form.is_valid()
    status, name = form.cleaned_data.get("status"), form.cleaned_data.get("q")
    rows = selectors.tournament_list(statuses=_statuses(status) if status else ())
    rows = rows.filter(name__icontains=name) if name else rows
    part = paged(request, rows.prefetch_related("stages"), TOURNAMENTS_A_PAGE)
    return render(request, "pages/tournament_list.html", {"form": form, "part": part, "is_filtered": status or name})


def _statuses(status: str) -> tuple[str, ...]:
    """Whoever looks for what runs wants to see what is halted too."""
    return (status, TournamentStatus.PAUSED) if status == TournamentStatus.RUNNING else (status,)


@require_safe
def tournament(request: HttpRequest, tournament: str) -> HttpResponse:
    return _page(request, found(find_tournament, tournament, request.user))


def _page(request: HttpRequest, row: Tournament, form: EnterForm | None = None) -> HttpResponse:
    is_open = row.status == TournamentStatus.REGISTRATION and not row.entropy
    entrants = list(entrant_list(row))
    own = [entrant for entrant in entrants if entrant.bot.owner_id == request.user.pk]
    if is_open and request.user.is_authenticated:
        form = form or EnterForm(row, account_of(request))
    is_own = request.user.is_authenticated and may_organise(account_of(request), row)
    context = {
        **_live(row),
        "form": form,
        "can_enter": bool(form and form.fields["bot"].queryset.exists()),  # type: ignore[attr-defined]  # a choice of models
        "is_open": is_open,
        "entrants": entrants,
        "own": own,
        "connected": _connected(entrants) if row.status == TournamentStatus.REGISTRATION else set(),
        "sizes": _sizes(row),
        "game_worst_s": game_worst_time_s(row, max((stage.seats for stage in row.stages.all()), default=2)),
        **_published(row),
        "can_withdraw": row.status in PLAYED_IN,
        "secrets_later": selectors.later_secrets(row),
        "may_organise": is_own,
        "rehearsal": rehearsal(row) if is_own and row.status in BEFORE_THE_START else None,
    }
    return render(request, "pages/tournament.html", context)


@require_safe
def live(request: HttpRequest, tournament: str) -> HttpResponse:
    """What changes while it runs, for the page to put in place of what it shows."""
    return render(request, "pages/tournament_live.html", _live(found(find_tournament, tournament, request.user)))


def _live(row: Tournament) -> dict[str, Any]:
    shown = shown_progress(row)
    current = shown.progress.current_round
    matches = _matches_of(row, current) if current else []
    stages = list(row.stages.select_related("tournament").order_by("number"))
    return {
        "section": SECTION,
        "tournament": row,
        "shown": shown,
        "progress": shown.progress,
        "has_stages": len(stages) > 1,
        "bracket": shown_bracket(stages),
        "tables": stage_tables(stages),
        "strength": shown_strength(row),
        "stuck": _stuck(row),
        "rounds": list(round_list(row)),
        "current": current,
        "byes": current.byes.select_related("entrant__bot") if current else (),
        "cards": match_cards(matches[:CARDS_SHOWN]),
        "cards_left": max(0, len(matches) - CARDS_SHOWN),
    }


def _matches_of(row: Tournament, current: TournamentRound) -> list[Match]:
    return list(match_list(row, stage=current.stage.number, tournament_round=current.number))


def _stuck(row: Tournament) -> QuerySet[Match]:
    """Matches that a person must look at; `since`: when the last try at one of their games ended."""
    latest = Attempt.objects.filter(game__match=OuterRef("pk")).values("game__match")
    return match_list(row, status=MatchStatus.NEEDS_ATTENTION).annotate(
        since=Coalesce(Subquery(latest.annotate(at=Max("ended_at")).values("at")), "started_at", "created_at")
    )


def _published(row: Tournament) -> dict[str, str | None]:
    """The secret, once it is out, and a line that anybody with Python can check it by."""
    secret = selectors.published_secret(row)
    code = f"import hashlib; print(hashlib.sha256(bytes.fromhex('{secret}')).hexdigest())"
    return {"secret": secret, "check_line": f'python3 -c "{code}"'}


def _sizes(row: Tournament) -> list[tuple[Any, Any]]:
    """Each stage, with what it amounts to for the field there is; None while that is too small."""
    stages = list(row.stages.order_by("number"))
    size = tournament_size(row, row.entrants.count() if row.started_at else None)
    return list(zip(stages, size.stages if size else [None] * len(stages), strict=True))


def _connected(entrants: list[Entrant]) -> set[int]:
    bots = [entrant.bot_id for entrant in entrants]
    return set(Presence.objects.filter(bot__in=bots, shard__in=live_shards()).values_list("bot", flat=True))


@require_safe
def a_round(request: HttpRequest, tournament: str, stage: int, number: int) -> HttpResponse:
    row = found(find_tournament, tournament, request.user)
    rounds = list(round_list(row))
    at = next((i for i, each in enumerate(rounds) if (each.stage.number, each.number) == (stage, number)), None)
    if at is None:
        raise Http404(f"{row.name!r} has no round {number} in stage {stage}")
    part = paged(request, match_list(row, stage=stage, tournament_round=number), MATCHES_A_PAGE)
    context = {
        "section": SECTION,
        "tournament": row,
        "round": rounds[at],
        "earlier": rounds[at - 1] if at else None,
        "later": rounds[at + 1] if at + 1 < len(rounds) else None,
        "part": part,
        "cards": match_cards(part.page.object_list),
    }
    return render(request, "pages/round.html", context)


@login_required
def enter(request: HttpRequest, tournament: str) -> HttpResponse:
    if request.method != "POST":  # come back from logging in
        return redirect("tournament", tournament)
    row = found(find_tournament, tournament, request.user)
    account = account_of(request)
    form = EnterForm(row, account, request.POST)
    if form.is_valid():
        bot = form.cleaned_data["bot"]
        try:
            entrant_enter(
                tournament=row,
                bot=bot,
                actor=account,
                nonce=form.cleaned_data["nonce"],
                code=form.cleaned_data.get("code", ""),
            )
        except TournamentError as error:
            if error.code in ("entry_closed", "entry_private"):
                messages.error(request, error.message)
                return redirect("tournament", row.public_id)
            form.refused(error)
        else:
            messages.success(request, f"{bot.name} is entered. Have it connected when the first round begins.")
            return redirect("tournament", row.public_id)
    return _page(request, row, form)


@login_required
def leave(request: HttpRequest, tournament: str) -> HttpResponse:
    if request.method != "POST":
        return redirect("tournament", tournament)
    row = found(find_tournament, tournament, request.user)
    form = OwnBotForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["bot"][0]))
        return redirect("tournament", row.public_id)
    bot = found(find_own_bot, form.cleaned_data["bot"], account_of(request))
    try:
        entrant_leave(tournament=row, bot=bot, actor=account_of(request))
    except TournamentError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, f"{bot.name} has left {row.name}.")
    return redirect("tournament", row.public_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, tournament: str, bot: str) -> HttpResponse:
    """Its owner asks; the organiser has a button of his own."""
    row = found(find_tournament, tournament, request.user)
    own = found(find_own_bot, bot, account_of(request))
    form = WithdrawForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        context = {"section": SECTION, "tournament": row, "bot": own, "form": form}
        return render(request, "pages/withdraw.html", context)
    reason = form.cleaned_data["reason"] or "its owner withdrew it"
    try:
        entrant_withdraw(entrant=entrant_of(row, own), actor=account_of(request), reason=reason)
    except TournamentError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, f"{own.name} is withdrawn from {row.name}.")
    return redirect("tournament", row.public_id)
