"""What an owner does with his bots. A token is shown in the answer that made it, and never again."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.errors import TournamentError
from tournaments.models import Bot, TournamentStatus
from tournaments.selectors.bots import bot_entries, bots_of
from tournaments.selectors.lists import bot_matches_for, notices_of
from tournaments.selectors.shards import live_shards, presences
from tournaments.selectors.tournaments import tournaments_open
from tournaments.services.bots import bot_create, bot_delete, bot_rotate_token
from tournaments.services.test_matches import USUAL_SEATS, bot_test_match, house_bots_here
from web.api.lookups import find_own_bot
from web.pages.cards import match_cards
from web.pages.finding import account_of, found
from web.pages.forms import BotForm, TestMatchForm
from web.pages.ratings import latest_of
from web.pages.words import module_name

NOTICES_SHOWN = 8
MATCHES_SHOWN = 5
OPEN_SHOWN = 4
_MADE = "The token is made. It is shown this once."
_MADE_ANEW = "The old token is void: what is connected with it is disconnected within 15 seconds."
_ALIVE = (TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED)


@login_required
@require_safe
def my_bots(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    entered = Count("entries", filter=Q(entries__tournament__status__in=_ALIVE))
    bots = list(bots_of(account).annotate(entry_count=entered))
    live, ratings = {shard.pk for shard in live_shards()}, latest_of(bots)
    context = {
        "lines": [
            {
                "bot": bot,
                "connections": [each for each in bot.presences.all() if each.shard_id in live],
                "rating": ratings.get(bot.pk),
                "entry_count": bot.entry_count,
            }
            for bot in bots
        ],
        "limit": settings.MAX_BOTS_PER_OWNER,
        "notices": notices_of(account)[:NOTICES_SHOWN],
        "open": tournaments_open()[:OPEN_SHOWN],
    }
    return render(request, "pages/my_bots.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    form = BotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            bot = bot_create(owner=account, **form.cleaned_data)
        except TournamentError as error:
            form.refused(error)
        else:
            messages.success(request, f"{bot.name} is made.")
            return _with_token(request, bot)
    return render(request, "pages/new_bot.html", {"section": "my_bots", "form": form})


@login_required
@require_safe
def my_bot(request: HttpRequest, bot: str) -> HttpResponse:
    return _page(request, _own(request, bot))


@login_required
@never_cache
def token(request: HttpRequest, bot: str) -> HttpResponse:
    """A new one; all older ones are void from then on."""
    if request.method != "POST":
        return redirect("my_bot", bot)
    row = _own(request, bot)
    try:
        return _with_token(request, row)
    except TournamentError as error:
        messages.error(request, error.message)
        return redirect("my_bots")


def _with_token(request: HttpRequest, bot: Bot) -> HttpResponse:
    made = bot_rotate_token(bot=bot, actor=account_of(request))
    bot.refresh_from_db()
    messages.success(request, _MADE if bot.token_generation == 1 else _MADE_ANEW)
    return _page(request, bot, token=made)


@login_required
def test_match(request: HttpRequest, bot: str) -> HttpResponse:
    if request.method != "POST":
        return redirect("my_bot", bot)
    row = _own(request, bot)
    form = TestMatchForm(house_bots_here(), request.POST)
    if form.is_valid():
        try:
            match = bot_test_match(bot=row, actor=account_of(request), opponents=form.cleaned_data["opponents"])
        except TournamentError as error:
            form.refuse(error, "opponents")
        else:
            messages.success(request, "The test match has begun.")
            return redirect("match", match.public_id)
    return _page(request, row, form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, bot: str) -> HttpResponse:
    row = _own(request, bot)
    if request.method != "POST":
        return render(request, "pages/delete_bot.html", {"section": "my_bots", "bot": row, "entries": bot_entries(row)})
    try:
        bot_delete(bot=row, actor=account_of(request))
    except TournamentError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, f"{row.name} is deleted. Its results stay.")
    return redirect("my_bots")


def _own(request: HttpRequest, bot: str) -> Bot:
    return found(find_own_bot, bot, account_of(request))


def _page(request: HttpRequest, bot: Bot, *, token: str = "", form: TestMatchForm | None = None) -> HttpResponse:
    house_bots = house_bots_here()
    usual = [each.public_id for each in house_bots[: USUAL_SEATS - 1]]
    file = module_name(bot.name)
    server = settings.SHARDS[0].bots
    context = {
        "section": "my_bots",
        "bot": bot,
        "token": token,
        "file": file,
        "server": server,
        "connect": f"CROWNS_TOKEN={token} crowns connect {file}.py --server {server}",
        "connect_without": f"crowns connect {file}.py --server {server}",
        "connect_windows": f"$env:CROWNS_TOKEN='{token}'; crowns connect {file}.py --server {server}",
        "connections": list(presences(bot)),
        "entries": bot_entries(bot),
        "form": form or TestMatchForm(house_bots, initial={"opponents": usual}),
        "has_house_bots": bool(house_bots),
        "cards": match_cards(bot_matches_for(bot, request.user)[:MATCHES_SHOWN]),
        "token_days": settings.TOKEN_DAYS,
    }
    return render(request, "pages/my_bot.html", context)
