"""Two bots, or two versions of one, play until it is clear whether the second is stronger: a hidden tournament."""

from __future__ import annotations

from django.db import transaction

from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    BotVersion,
    Comparison,
    Entrant,
    EntryMode,
    StageFormat,
    Tournament,
    TournamentKind,
    TournamentStatus,
)
from tournaments.selectors.shards import live_shards
from tournaments.services.notes import audit
from tournaments.services.registration import StagePlan, tournament_create, tournament_open_registration
from tournaments.services.running import tournament_start

GAMES_A_ROUND = 10
"""Played one after the other or several at once, as the bots can; the evidence is weighed when all are final. An even number:
each of the two deals first equally often."""
USUAL_GAP = 10.0
"""Points a game. Deals are independent here, so what takes 40 games on one's own machine takes some hundreds."""
USUAL_MOST_GAMES = 600
FEWEST_GAMES, MOST_GAMES = 20, 2000
JOIN_WAIT_S = 60
AT_ONCE = 2
"""Comparisons of one account that go on."""
_OPEN = (TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED)


def comparison_start(
    *,
    actor: Account,
    a: BotVersion,
    b: BotVersion,
    least_gap: float = USUAL_GAP,
    most_games: int = USUAL_MOST_GAMES,
) -> Comparison:
    """Is B stronger than A? Unrated, and shown in no list. One of the two must be the actor's own; the other too, or a house bot.

    Raises `same_version`, `not_your_bot`, `bot_deleted`, `bot_not_connected`, `too_many_comparisons`, `invalid`.
    """
    _check(actor, a, b)
    if not FEWEST_GAMES <= most_games <= MOST_GAMES:
        raise TournamentError("invalid", f"{most_games} games at the most: give {FEWEST_GAMES} to {MOST_GAMES}")
    comparison = _hidden_tournament(actor, a, b, least_gap, most_games)
    tournament_start(tournament=comparison.tournament, actor=actor)
    comparison.tournament.refresh_from_db()
    return comparison


@transaction.atomic
def _hidden_tournament(actor: Account, a: BotVersion, b: BotVersion, least_gap: float, most_games: int) -> Comparison:
    rounds = -(-most_games // GAMES_A_ROUND)
    tournament = tournament_create(
        organiser=actor,
        name=f"Comparison: {b} against {a}"[:120],
        kind=TournamentKind.COMPARE,
        stages=[StagePlan(format=StageFormat.ROUND_ROBIN, seats=2, laps=rounds, games_per_match=GAMES_A_ROUND)],
        is_rated=False,
        is_trusted=True,
        is_listed=False,
        entry_mode=EntryMode.PRIVATE,
        join_wait_s=JOIN_WAIT_S,
    )
    tournament_open_registration(tournament=tournament, actor=actor)
    entrants = [
        Entrant.objects.create(tournament=tournament, bot=version.bot, version=version, is_compared=True)
        for version in (a, b)
    ]
    comparison = Comparison(
        tournament=tournament,
        a=entrants[0],
        b=entrants[1],
        least_gap=least_gap,
        most_games=rounds * GAMES_A_ROUND,
    )
    if not 1 <= least_gap <= 100:
        raise TournamentError("invalid", f"a least gap of {least_gap:g} points a game: give 1 to 100")
    comparison.save()
    audit(
        action="comparison_start",
        actor=actor,
        subject=f"tournament {tournament.public_id}",
        tournament=tournament,
        after={"a": str(a), "b": str(b), "least_gap": least_gap, "most_games": comparison.most_games},
    )
    return comparison


def _check(actor: Account, a: BotVersion, b: BotVersion) -> None:
    if a.pk == b.pk:
        raise TournamentError("same_version", f"A and B are both {a}: choose two bots, or two versions of one")
    for version in (a, b):
        _check_version(actor, version)
    if not actor.is_superuser and a.bot.owner_id != actor.pk and b.bot.owner_id != actor.pk:
        raise TournamentError("not_your_bot", "neither of the two is a bot of yours", bot=a.bot.public_id)
    going_on = Tournament.objects.filter(organiser=actor, kind=TournamentKind.COMPARE, status__in=_OPEN).count()
    if going_on >= AT_ONCE:
        raise TournamentError(
            "too_many_comparisons", f"{going_on} of your comparisons are going on: wait for one to end", limit=AT_ONCE
        )


def _check_version(actor: Account, version: BotVersion) -> None:
    bot = version.bot
    if bot.owner_id != actor.pk and not bot.is_house and not actor.is_superuser:
        raise TournamentError("not_your_bot", f"{bot.name!r} is neither yours nor a house bot", bot=bot.public_id)
    if bot.deleted_at:
        raise TournamentError("bot_deleted", f"the bot {bot.name!r} was deleted", bot=bot.public_id)
    if not version.presences.filter(shard__in=live_shards()).exists():
        raise TournamentError(
            "bot_not_connected", f"{version} is not connected: start it with `crowns connect` first", bot=bot.public_id
        )
