"""Bots: who is connected, what they played, how they fared."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Bot,
    Entrant,
    GameFault,
    Match,
    MatchStatus,
    RoundStatus,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.tournaments import matches_with_games
from tournaments.tokens import TokenError, token_claims


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One tournament a bot is entered in."""

    entrant: Entrant
    next_round: TournamentRound | None
    """The open round, in which its match waits or is played."""


def bots_of(owner: Account) -> QuerySet[Bot]:
    """The owner's bots that are not deleted."""
    return owner.bots.filter(deleted_at=None).prefetch_related("presences__version", "presences__shard").order_by("pk")


def bot_matches(bot: Bot) -> QuerySet[Match]:
    """Every match of the bot that was not superseded, the latest first; of hidden tournaments too."""
    matches = matches_with_games().filter(match_entrants__entrant__bot=bot, match_entrants__is_current=True)
    return matches.exclude(status=MatchStatus.SUPERSEDED).order_by("-pk")


def bot_results(bot: Bot) -> QuerySet[Match]:
    """Its scored and void matches, the latest first."""
    return bot_matches(bot).filter(status__in=(MatchStatus.SCORED, MatchStatus.VOID))


def bot_faults(bot: Bot) -> QuerySet[GameFault]:
    """Faults in games that count, the latest first, each with its game; what may be shown of one says `shown_faults`."""
    return (
        GameFault.objects.filter(
            attempt__result_of__isnull=False,
            attempt__game__game_seats__entrant__bot=bot,
            attempt__game__game_seats__seat=F("seat"),
        )
        .select_related("attempt__game__match__tournament_round__stage__tournament", "attempt__game__deal_set")
        .order_by("-attempt__ended_at", "number")
    )


def bot_entries(bot: Bot) -> list[BotEntry]:
    """What it is entered in and has not ended, the latest first."""
    alive = (TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    entrants = bot.entries.filter(tournament__status__in=alive).select_related("tournament", "version").order_by("-pk")
    return [BotEntry(entrant, _open_round(entrant)) for entrant in entrants]


def _open_round(entrant: Entrant) -> TournamentRound | None:
    return (
        TournamentRound.objects.filter(stage__tournament=entrant.tournament_id, status=RoundStatus.OPEN)
        .select_related("stage")
        .first()
    )


def bot_of_token(token: str) -> Bot:
    """The bot that a token speaks for. Raises `bad_token`, with what to do."""
    try:
        claims = token_claims(token)
    except TokenError as error:
        raise TournamentError("bad_token", str(error)) from error
    bot = Bot.objects.filter(public_id=claims.bot_id, deleted_at=None).select_related("owner").first()
    if bot is None:
        raise TournamentError("bad_token", "this bot does not exist any more: make a new one on the site")
    if claims.generation < bot.token_generation:
        raise TournamentError("bad_token", "this token was replaced by a newer one: copy the new one from the site")
    return bot
