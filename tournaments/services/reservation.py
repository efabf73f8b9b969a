"""Which bots a game may have now, and where it can be played. Runs inside the transaction that will write the attempt."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from tournaments.models import (
    Attempt,
    Bot,
    Entrant,
    EntrantStatus,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    Presence,
    RoundStatus,
    Shard,
    TournamentKind,
    TournamentStatus,
)
from tournaments.models.status import OPEN_ATTEMPT

_GIVES_WAY = (TournamentKind.TEST, TournamentKind.LADDER, TournamentKind.COMPARE)
"""Their matches never take a bot whose round in another tournament is open."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the entrants of a match can play now."""

    shard: Shard
    present: Mapping[int, Presence]
    """Entrant -> its connection to this shard."""


def lock_bots(entrants: Iterable[Entrant]) -> None:
    """In id order, so that no two reservations wait for each other; rows that only name a bot may be written meanwhile."""
    ids = sorted(entrant.bot_id for entrant in entrants)
    list(Bot.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))


def best_place(entrants: Sequence[Entrant], shards: Sequence[Shard]) -> Place | None:
    """The shard that has most of the entrants connected; of equals the one with fewest open games."""
    presences = list(
        Presence.objects.filter(shard__in=shards, bot__in=[entrant.bot_id for entrant in entrants]).select_related(
            "version", "bot"
        )
    )
    places = [Place(shard, _present(entrants, shard, presences)) for shard in shards]
    load = {shard.pk: shard.attempts.filter(status__in=OPEN_ATTEMPT).count() for shard in shards}
    return min(places, key=lambda place: (-len(place.present), load[place.shard.pk], place.shard.name), default=None)


def _present(entrants: Sequence[Entrant], shard: Shard, presences: Iterable[Presence]) -> dict[int, Presence]:
    """Whoever is connected with the version that is wanted, and plays tables of this size."""
    found: dict[int, Presence] = {}
    here = [presence for presence in presences if presence.shard_id == shard.pk]
    for entrant in entrants:
        for presence in here:
            is_wanted = presence.bot_id == entrant.bot_id and entrant.version_id in (None, presence.version_id)
            plays_size = not presence.seats or len(entrants) in presence.seats
            if entrant.status == EntrantStatus.ENTERED and is_wanted and plays_size:
                found[entrant.pk] = presence
    return found


def absent_from(match: Match, place: Place) -> datetime:
    """The moment from which a bot not connected is a no-show: never before a restarted referee gave it time to return."""
    wait = timedelta(seconds=match.tournament_round.stage.tournament.join_wait_s)
    moments = [match.join_until, place.shard.incarnation_since and place.shard.incarnation_since + wait]
    return max(moment for moment in moments if moment)


def busy_bots(match: Match, place: Place, entrants: Sequence[Entrant]) -> list[str]:
    """Names of connected bots that have no game to spare for this match, with what keeps them."""
    here = [entrant for entrant in entrants if entrant.pk in place.present]
    bot_ids = [entrant.bot_id for entrant in here]
    playing = open_games(bot_ids)
    promised = _promised_to_older(match, bot_ids)
    engaged = _in_open_rounds(match, bot_ids)
    found = []
    for entrant in here:
        capacity = _capacity(place.present[entrant.pk])
        if entrant.bot_id in engaged:
            found.append(f"{entrant.bot.name} (its round in {engaged[entrant.bot_id]} is open)")
        elif playing.get(entrant.bot_id, 0) + promised.get(entrant.bot_id, 0) >= capacity:
            found.append(f"{entrant.bot.name} ({playing.get(entrant.bot_id, 0)} of {capacity} games)")
    return found


def _capacity(presence: Presence) -> int:
    limit = presence.bot.max_games
    return min(presence.max_games, limit) if limit else presence.max_games


def open_games(bot_ids: Collection[int]) -> dict[int, int]:
    """Bot -> its open attempts over all shards; a seat that the referee plays takes no place."""
    seats = GameSeat.objects.filter(entrant__bot__in=bot_ids, game__attempts__status__in=OPEN_ATTEMPT)
    counts: dict[int, int] = {}
    for bot_id, seat, no_shows in seats.values_list("entrant__bot", "seat", "game__attempts__no_show_seats"):
        if seat not in no_shows:
            counts[bot_id] = counts.get(bot_id, 0) + 1
    return counts


def _promised_to_older(match: Match, bot_ids: Collection[int]) -> dict[int, int]:
    """Bot -> older matches that still wait for it. A league match does not wait for one that gives way to it."""
    older = MatchEntrant.objects.filter(
        Q(match__status=MatchStatus.WAITING) | Q(match__status=MatchStatus.PLAYING, match__next_try_at__isnull=False),
        match__lt=match.pk,
        entrant__bot__in=bot_ids,
        entrant__status=EntrantStatus.ENTERED,
        tournament_round__status=RoundStatus.OPEN,
    )
    if match.tournament_round.stage.tournament.kind not in _GIVES_WAY:
        older = older.exclude(entrant__tournament__kind__in=_GIVES_WAY)
    counts: dict[int, int] = {}
    for bot_id in older.values_list("entrant__bot", flat=True):
        counts[bot_id] = counts.get(bot_id, 0) + 1
    return counts


def _in_open_rounds(match: Match, bot_ids: Collection[int]) -> dict[int, str]:
    """Bot -> the tournament whose open round keeps it, for a match that gives way."""
    if match.tournament_round.stage.tournament.kind not in _GIVES_WAY:
        return {}
    rows = MatchEntrant.objects.filter(
        entrant__bot__in=bot_ids,
        entrant__status=EntrantStatus.ENTERED,
        tournament_round__status=RoundStatus.OPEN,
        entrant__tournament__status__in=(TournamentStatus.RUNNING, TournamentStatus.PAUSED),
    ).exclude(entrant__tournament__kind__in=_GIVES_WAY)
    return dict(rows.values_list("entrant__bot", "entrant__tournament__name"))


def open_attempts(match: Match) -> list[Attempt]:
    return list(
        Attempt.objects.filter(game__match=match, status__in=OPEN_ATTEMPT)
        .select_related("shard", "game")
        .order_by("pk")
    )
