"""Rows as lists page through them: each in a total order, with all that a line shows, in a number of queries that does not grow."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.models import (
    Account,
    Attempt,
    Bot,
    BotVersion,
    Bye,
    Entrant,
    GameFault,
    Match,
    MatchStatus,
    Notice,
    Tournament,
    TournamentRound,
)
from tournaments.models.status import SETTLED_MATCH
from tournaments.selectors.bots import bot_faults, bot_matches
from tournaments.selectors.tournaments import matches_with_games, running_attempts


def round_list(tournament: Tournament) -> QuerySet[TournamentRound]:
    """In order, each with its byes, `match_count` and `settled_count`."""
    current = ~Q(matches__status=MatchStatus.SUPERSEDED)
    return (
        TournamentRound.objects.filter(stage__tournament=tournament)
        .select_related("stage")
        .annotate(
            match_count=Count("matches", filter=current),
            settled_count=Count("matches", filter=Q(matches__status__in=SETTLED_MATCH)),
        )
        .prefetch_related(Prefetch("byes", Bye.objects.select_related("entrant__bot").order_by("pk")))
        .order_by("stage__number", "number")
    )


def match_list(
    tournament: Tournament,
    *,
    stage: int | None = None,
    tournament_round: int | None = None,
    status: str | None = None,
) -> QuerySet[Match]:
    """Its current matches in the order of rounds and tables; superseded ones only where they are asked for."""
    rows = matches_with_games().filter(tournament_round__stage__tournament=tournament)
    rows = rows.filter(status=status) if status else rows.exclude(status=MatchStatus.SUPERSEDED)
    if stage is not None:
        rows = rows.filter(tournament_round__stage__number=stage)
    if tournament_round is not None:
        rows = rows.filter(tournament_round__number=tournament_round)
    return rows.order_by("tournament_round__stage__number", "tournament_round__number", "number", "replacement")


def entrant_list(tournament: Tournament) -> QuerySet[Entrant]:
    """By seed number once there are some, before that as they entered."""
    return tournament.entrants.select_related("bot__owner", "version", "tournament").order_by("seed_number", "pk")


def bot_list(owner: str | None = None) -> QuerySet[Bot]:
    """Bots that are not deleted, the oldest first."""
    rows = Bot.objects.filter(deleted_at=None)
    rows = rows if owner is None else rows.filter(owner__username=owner)
    return rows.select_related("owner").order_by("pk")


def version_list(bot: Bot) -> QuerySet[BotVersion]:
    """The newest first."""
    return bot.versions.select_related("parent").order_by("-pk")


def bot_matches_for(bot: Bot, viewer: Account | AnonymousUser) -> QuerySet[Match]:
    """Its matches, the latest first; those of hidden tournaments for its owner and the operator alone."""
    rows = bot_matches(bot)
    return rows if _sees_hidden(bot, viewer) else rows.filter(tournament_round__stage__tournament__is_listed=True)


def bot_faults_for(bot: Bot, viewer: Account | AnonymousUser) -> QuerySet[GameFault]:
    """Its faults, the latest first; those of hidden tournaments for its owner and the operator alone."""
    rows = bot_faults(bot).order_by("-attempt__ended_at", "-attempt", "number")
    if _sees_hidden(bot, viewer):
        return rows
    return rows.filter(attempt__game__match__tournament_round__stage__tournament__is_listed=True)


def running_list(tournament: Tournament | None = None) -> QuerySet[Attempt]:
    """Games being played, the longest running first: of one tournament, or of all that are listed."""
    rows = running_attempts(tournament)
    if tournament is None:
        rows = rows.filter(game__match__tournament_round__stage__tournament__is_listed=True)
    return rows.order_by("pk")


def organised_by(account: Account) -> QuerySet[Tournament]:
    """Drafts and test matches too, the latest first, with `entrant_count`."""
    rows = account.organised_tournaments.select_related("organiser")
    return rows.annotate(entrant_count=Count("entrants")).order_by("-pk")


def notices_of(account: Account) -> QuerySet[Notice]:
    """The latest first."""
    return account.notices.select_related("tournament").order_by("-created_at", "-pk")


def _sees_hidden(bot: Bot, viewer: Account | AnonymousUser) -> bool:
    return viewer.pk is not None and (viewer.pk == bot.owner_id or viewer.is_superuser)
