"""Rows for tests of the site: made by the services themselves wherever they have one."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from tournaments.models import (
    Account,
    Bot,
    BotVersion,
    CollectorLease,
    Match,
    Presence,
    Shard,
    StageFormat,
    Tournament,
)
from tournaments.services.bots import bot_create
from tournaments.services.registration import StagePlan, entrant_enter, tournament_create, tournament_open_registration
from tournaments.services.running import tournament_start

_numbers = count(1)


def make_owner(name: str = "", **fields: Any) -> Account:
    return Account.objects.create_user(name or f"owner{next(_numbers)}", **fields)


def make_organiser(name: str = "organiser1") -> Account:
    found = Account.objects.filter(username=name).first()
    return found or Account.objects.create_user(name, is_staff=True)


def make_bot(name: str = "", owner: Account | None = None, **fields: Any) -> Bot:
    """A bot of an owner of its own, unless one is given."""
    return bot_create(owner=owner or make_owner(), name=name or f"bot {next(_numbers)}", **fields)


def make_bots(number: int) -> list[Bot]:
    return [make_bot() for _ in range(number)]


def make_tournament(
    bots: Sequence[Bot] = (), *, organiser: Account | None = None, stages: Sequence[StagePlan] = (), **fields: Any
) -> Tournament:
    """Open for registration, with these bots entered. By default a two-seat round robin."""
    organiser = organiser or make_organiser()
    tournament = tournament_create(
        organiser=organiser,
        name=fields.pop("name", f"League {next(_numbers)}"),
        stages=stages or [StagePlan(format=StageFormat.ROUND_ROBIN, seats=2)],
        **fields,
    )
    tournament = tournament_open_registration(tournament=tournament, actor=organiser)
    for bot in bots:
        entrant_enter(tournament=tournament, bot=bot, actor=organiser)
    return tournament


def make_running(bots: Sequence[Bot], **fields: Any) -> Tournament:
    """Started, its first round open."""
    tournament = make_tournament(bots, **fields)
    tournament_start(tournament=tournament, actor=tournament.organiser)
    tournament.refresh_from_db()
    return tournament


def make_shard(name: str = "main", address: str = "127.0.0.1:9", **fields: Any) -> Shard:
    """A referee that answered just now, and has for long."""
    now = timezone.now()
    shard = Shard.objects.create(
        name=name,
        control_address=address,
        bot_address="127.0.0.1:8",
        incarnation="first",
        incarnation_since=now - timedelta(hours=1),
        last_seen_at=now,
        **fields,
    )
    CollectorLease.objects.create(shard=shard)
    return shard


def connect(shard: Shard, *bots: Bot, version: str = "1", max_games: int = 1) -> None:
    """As the site hears of it."""
    now = timezone.now()
    for bot in bots:
        known, _ = BotVersion.objects.get_or_create(bot=bot, name=version)
        BotVersion.objects.filter(pk=known.pk).update(last_connected_at=now)
        Presence.objects.create(bot=bot, version=known, shard=shard, max_games=max_games, connected_at=now)


def the_match(tournament: Tournament, number: int = 1, tournament_round: int = 1) -> Match:
    return Match.objects.get(
        tournament_round__stage__tournament=tournament, tournament_round__number=tournament_round, number=number
    )


def join_wait_over(match: Match) -> None:
    """Whoever has not come by now is a no-show."""
    Match.objects.filter(pk=match.pk).update(join_until=timezone.now() - timedelta(seconds=1))
