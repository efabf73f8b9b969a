"""Bots for everybody to look at: the list, the leaderboard, one of them."""

from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.models import Bot, BotVersion, GameSeat, MatchStatus, RatingRow
from tournaments.selectors import lists
from tournaments.selectors.bots import bot_entries
from tournaments.selectors.ratings import current_ratings, rating_history
from tournaments.selectors.ratings import leaderboard as leaderboard_rows
from tournaments.selectors.shards import presences
from web.api.lookups import find_bot
from web.charts import RatingPoint, rating_chart
from web.pages.cards import match_cards
from web.pages.finding import found
from web.pages.paging import paged
from web.pages.ratings import latest_of

PROVISIONAL_UNDER = 10
"""Rated matches; before, a rating says little."""
BOTS_A_PAGE = 50
MATCHES_A_PAGE = 20
FAULTS_SHOWN = 10
RIVALS_SHOWN = 10
POINTS_IN_CHART = 300


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    context = {"part": paged(request, leaderboard_rows(), BOTS_A_PAGE), "provisional_under": PROVISIONAL_UNDER}
    return render(request, "pages/leaderboard.html", context)


@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    """Every bot, rated or not."""
    asked = request.GET.get("q", "").strip()[:120]
    rows = lists.bot_list()
    if asked:
        rows = rows.filter(Q(name__icontains=asked) | Q(owner__username__icontains=asked))
    part = paged(request, rows, BOTS_A_PAGE)
    ratings = latest_of(part.page.object_list)
    lines = [(bot, ratings.get(bot.pk)) for bot in part.page.object_list]
    return render(
        request, "pages/bot_list.html", {"section": "leaderboard", "part": part, "lines": lines, "asked": asked}
    )


@require_safe
def bot(request: HttpRequest, bot: str) -> HttpResponse:
    row = found(find_bot, bot)
    history = list(rating_history(row))
    version = _version(history, request.GET.get("version", ""))
    latest = next((each for each in reversed(history) if each.version == version), None)
    played = _played(row, request)
    part = paged(request, lists.bot_matches_for(row, request.user), MATCHES_A_PAGE)
    faults = lists.bot_faults_for(row, request.user)
    context = {
        "section": "leaderboard",
        "bot": row,
        "is_own": request.user.pk == row.owner_id,
        "connections": [] if row.deleted_at else list(presences(row)),
        "version": version,
        "latest": latest,
        "is_provisional": latest is not None and latest.number < PROVISIONAL_UNDER,
        "provisional_under": PROVISIONAL_UNDER,
        "chart": _chart(row, version, history),
        "versions": _versions(row),
        "entries": [entry for entry in bot_entries(row) if entry.entrant.tournament.is_listed],
        "part": part,
        "lines": _match_lines(row, part.page.object_list),
        "games": played.count(),
        "wins": played.filter(place=1).count(),
        "rivals": _rivals(played),
        "fault_count": faults.count(),
        "faults": faults[:FAULTS_SHOWN],
    }
    return render(request, "pages/bot.html", context)


def _version(history: list[RatingRow], asked: str) -> BotVersion | None:
    """The rated version that is asked for, else the one that played last."""
    rated = {row.version.name: row.version for row in history}
    return rated.get(asked) or (history[-1].version if history else None)


def _chart(row: Bot, version: BotVersion | None, history: list[RatingRow]) -> Any:
    points = [_point(each) for each in history if each.version == version and each.match.tournament_round.closed_at]
    title = f"Rating of {row.name} {version.name}" if version else f"Rating of {row.name}"
    return rating_chart(points[-POINTS_IN_CHART:], title=title)


def _point(row: RatingRow) -> RatingPoint:
    tournament_round = row.match.tournament_round
    assert tournament_round.closed_at is not None
    label = f"{tournament_round.stage.tournament.name}, round {tournament_round.number}"
    return RatingPoint(
        tournament_round.closed_at, row.rating_after, label, reverse("match", args=[row.match.public_id])
    )


def _versions(row: Bot) -> list[tuple[BotVersion, float | None]]:
    versions = list(lists.version_list(row))
    ratings = current_ratings({version.pk for version in versions})
    return [(version, ratings.get(version.pk)) for version in versions]


def _match_lines(row: Bot, matches: Any) -> list[dict[str, Any]]:
    cards = match_cards(matches)
    changes = {
        each.match_id: each
        for each in RatingRow.objects.filter(match__in=[card.match.pk for card in cards], entrant__bot=row)
    }
    return [
        {
            "card": card,
            "own": next(each for each in card.seated if each.entrant.bot_id == row.pk),
            "others": [each for each in card.seated if each.entrant.bot_id != row.pk],
            "change": changes.get(card.match.pk),
            "seats": _seats(card.games, row),
        }
        for card in cards
    ]


def _seats(games: Any, row: Bot) -> list[tuple[Any, int]]:
    """Each game with a result, and the seat of the bot in it."""
    return [
        (game, seat.seat)
        for game in games
        for seat in game.game_seats.all()
        if seat.entrant.bot_id == row.pk and game.result_id
    ]


def _played(row: Bot, request: HttpRequest) -> QuerySet[GameSeat]:
    """Its seats in games that count; those of hidden tournaments for its owner alone."""
    seats = GameSeat.objects.filter(
        entrant__bot=row, game__result__isnull=False, game__match__status=MatchStatus.SCORED
    )
    if request.user.pk == row.owner_id or request.user.is_superuser:
        return seats
    return seats.filter(entrant__tournament__is_listed=True)


def _rivals(played: QuerySet[GameSeat]) -> list[dict[str, Any]]:
    """How it fared against those it met most often, game by game: above, level, below by place."""
    own = played.filter(game=OuterRef("game")).values("place")[:1]
    met = (
        GameSeat.objects.filter(game__in=played.values("game"))
        .exclude(pk__in=played.values("pk"))
        .annotate(own_place=Subquery(own))
        .values("entrant__bot")
        .annotate(
            games=Count("pk"),
            above=Count("pk", filter=Q(own_place__lt=F("place"))),
            level=Count("pk", filter=Q(own_place=F("place"))),
            below=Count("pk", filter=Q(own_place__gt=F("place"))),
        )
        .order_by("-games", "entrant__bot")[:RIVALS_SHOWN]
    )
    bots = Bot.objects.select_related("owner").in_bulk([line["entrant__bot"] for line in met])
    return [{**line, "bot": bots[line["entrant__bot"]]} for line in met]
