"""A match against house bots, for an author who wants to see his bot play: a small hidden tournament on the common path."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Bot,
    Match,
    MatchEntrant,
    RoundStatus,
    StageFormat,
    Tournament,
    TournamentKind,
    TournamentStatus,
)
from tournaments.selectors.shards import live_shards, presences
from tournaments.services.registration import StagePlan, entrant_enter, tournament_create, tournament_open_registration
from tournaments.services.running import tournament_start

JOIN_WAIT_S = 60
USUAL_SEATS = 4
MAX_OPPONENTS = 6
"""A test match is played with one game of cards, which every bot knows (RULES 4)."""
_OPEN = (TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED)


def bot_test_match(*, bot: Bot, actor: Account, opponents: Sequence[Bot] | None = None) -> Match:
    """Start a test match, unrated, against these house bots or up to three that are connected.

    Raises `not_your_bot`, `bot_deleted`, `bot_not_connected`, `too_many_test_matches`, `no_house_bots`, `not_a_house_bot`.
    """
    _check(bot, actor)
    chosen = list(opponents) if opponents else house_bots_here()[: USUAL_SEATS - 1]
    if not chosen:
        raise TournamentError("no_house_bots", "no house bot is connected now: try again in a minute")
    for other in chosen:
        if not other.is_house or other.pk == bot.pk:
            raise TournamentError("not_a_house_bot", f"{other.name!r} is no house bot", bot=other.public_id)
    tournament = _hidden_tournament([bot, *chosen], actor)
    tournament_start(tournament=tournament, actor=actor)
    return Match.objects.get(tournament_round__stage__tournament=tournament)


@transaction.atomic
def _hidden_tournament(table: Sequence[Bot], actor: Account) -> Tournament:
    tournament = tournament_create(
        organiser=actor,
        name=f"Test match of {table[0].name}",
        kind=TournamentKind.TEST,
        stages=[StagePlan(format=StageFormat.ROUND_ROBIN, seats=len(table))],
        is_rated=False,
        is_trusted=True,
        is_listed=False,
        join_wait_s=JOIN_WAIT_S,
    )
    tournament_open_registration(tournament=tournament, actor=actor)
    for each in table:
        entrant_enter(tournament=tournament, bot=each, actor=actor)
    return tournament


def house_bots_here() -> list[Bot]:
    """Connected house bots; those whose round in a tournament is open come last, for a test match would wait for them."""
    engaged = MatchEntrant.objects.filter(
        tournament_round__status=RoundStatus.OPEN, entrant__bot__is_house=True
    ).exclude(entrant__tournament__kind=TournamentKind.TEST)
    here = (
        Bot.objects.filter(is_house=True, deleted_at=None, presences__shard__in=live_shards()).distinct().order_by("pk")
    )
    busy = set(engaged.values_list("entrant__bot", flat=True))
    return sorted(here, key=lambda bot: bot.pk in busy)


def _check(bot: Bot, actor: Account) -> None:
    if bot.owner_id != actor.pk and not actor.is_superuser:
        raise TournamentError("not_your_bot", f"{bot.name!r} is not a bot of yours", bot=bot.public_id)
    if bot.deleted_at:
        raise TournamentError("bot_deleted", f"the bot {bot.name!r} was deleted", bot=bot.public_id)
    if not presences(bot).exists():
        raise TournamentError(
            "bot_not_connected",
            f"{bot.name!r} is not connected: start it with `crowns connect` first",
            bot=bot.public_id,
        )
    limit = settings.MAX_TEST_MATCHES_PER_OWNER
    going_on = Tournament.objects.filter(organiser=actor, kind=TournamentKind.TEST, status__in=_OPEN).count()
    if going_on >= limit:
        raise TournamentError(
            "too_many_test_matches", f"{going_on} of your test matches are going on: wait for one to end", limit=limit
        )
