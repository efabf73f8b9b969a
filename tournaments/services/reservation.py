"""Which bots games may have now, and where they can be played. Runs inside the transaction that will write the attempts."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

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
    Tournament,
    TournamentKind,
    TournamentStatus,
)
from tournaments.models.status import OPEN_ATTEMPT

_GIVES_WAY = (TournamentKind.TEST, TournamentKind.LADDER)
"""Their matches never take a bot whose round in another tournament is open."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the entrants of a match can play now."""

    shard: Shard
    present: Mapping[int, Presence]
    """Entrant -> its connection to this shard."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What shards and bots are doing: read once under the locks of the bots, and kept true as games are reserved."""

    shards: Sequence[Shard]
    presences: Mapping[int, Sequence[Presence]]
    """Bot -> its connections to these shards."""
    load: Counter[int]
    """Shard -> open attempts; of a single one nobody asks."""
    playing: Counter[int]
    """Bot -> its open attempts over all shards; a seat that the referee plays takes no place."""
    awaited: Mapping[int, set[int]]
    """Bot -> matches that still wait for it."""
    engaged: Mapping[int, str]
    """Bot -> the tournament whose open round keeps it, where the match gives way."""

    def reserve(self, place: Place, entrants: Iterable[Entrant]) -> None:
        self.load[place.shard.pk] += 1
        self.playing.update(entrant.bot_id for entrant in entrants if entrant.pk in place.present)

    def waits_no_more(self, match: Match) -> None:
        for waiting in self.awaited.values():
            waiting.discard(match.pk)


def lock_bots(entrants: Iterable[Entrant]) -> set[int]:
    """In id order, so that no two reservations wait for each other; rows that only name a bot may be written meanwhile."""
    ids = {entrant.bot_id for entrant in entrants}
    list(Bot.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
    return ids


def situation_of(tournament: Tournament, bot_ids: Collection[int], shards: Sequence[Shard]) -> Situation:
    """As the rows have it, for matches of this tournament. The caller holds the bots."""
    presences: dict[int, list[Presence]] = {}
    for presence in Presence.objects.filter(shard__in=shards, bot__in=bot_ids).select_related("version", "bot"):
        presences.setdefault(presence.bot_id, []).append(presence)
    gives_way = tournament.kind in _GIVES_WAY
    return Situation(
        shards=shards,
        presences=presences,
        load=_load(shards),
        playing=_playing(bot_ids),
        awaited=_awaited(bot_ids, gives_way=gives_way),
        engaged=_in_open_rounds(bot_ids) if gives_way else {},
    )


def best_place(entrants: Sequence[Entrant], situation: Situation) -> Place | None:
    """The shard that has most of the entrants connected; of equals the one with fewest open games."""
    places = [Place(shard, _present(entrants, shard, situation)) for shard in situation.shards]
    load = situation.load
    return min(places, key=lambda place: (-len(place.present), load[place.shard.pk], place.shard.name), default=None)


def _present(entrants: Sequence[Entrant], shard: Shard, situation: Situation) -> dict[int, Presence]:
    """Whoever is connected with the version that is wanted, and plays tables of this size."""
    found: dict[int, Presence] = {}
    for entrant in entrants:
        for presence in situation.presences.get(entrant.bot_id, ()):
            is_wanted = presence.shard_id == shard.pk and entrant.version_id in (None, presence.version_id)
            plays_size = not presence.seats or len(entrants) in presence.seats
            if entrant.status == EntrantStatus.ENTERED and is_wanted and plays_size:
                found[entrant.pk] = presence
    return found


def absent_from(match: Match, place: Place) -> datetime:
    """The moment from which a bot not connected is a no-show: never before a restarted referee gave it time to return."""
    wait = timedelta(seconds=match.tournament_round.stage.tournament.join_wait_s)
    moments = [match.join_until, place.shard.incarnation_since and place.shard.incarnation_since + wait]
    return max(moment for moment in moments if moment)


def busy_bots(match: Match, place: Place, entrants: Sequence[Entrant], situation: Situation) -> list[str]:
    """Names of connected bots that have no game to spare for this match, with what keeps them."""
    found = []
    for entrant in entrants:
        if entrant.pk not in place.present:
            continue
        bot, capacity = entrant.bot_id, _capacity(place.present[entrant.pk])
        promised = sum(other < match.pk for other in situation.awaited.get(bot, ()))
        if bot in situation.engaged:
            found.append(f"{entrant.bot.name} (its round in {situation.engaged[bot]} is open)")
        elif situation.playing[bot] + promised >= capacity:
            found.append(f"{entrant.bot.name} ({situation.playing[bot]} of {capacity} games)")
    return found


def _capacity(presence: Presence) -> int:
    limit = presence.bot.max_games
    return min(presence.max_games, limit) if limit else presence.max_games


def _load(shards: Sequence[Shard]) -> Counter[int]:
    if len(shards) < 2:
        return Counter()
    open_here = Attempt.objects.filter(shard__in=shards, status__in=OPEN_ATTEMPT).order_by()
    return Counter(dict(open_here.values_list("shard").annotate(Count("pk"))))


def _playing(bot_ids: Collection[int]) -> Counter[int]:
    seats = GameSeat.objects.filter(entrant__bot__in=bot_ids, game__attempts__status__in=OPEN_ATTEMPT)
    rows = seats.values_list("entrant__bot", "seat", "game__attempts__no_show_seats")
    return Counter(bot_id for bot_id, seat, no_shows in rows if seat not in no_shows)


def _awaited(bot_ids: Collection[int], *, gives_way: bool) -> dict[int, set[int]]:
    """A league match does not wait for one that gives way to it."""
    rows = MatchEntrant.objects.filter(
        Q(match__status=MatchStatus.WAITING) | Q(match__status=MatchStatus.PLAYING, match__next_try_at__isnull=False),
        entrant__bot__in=bot_ids,
        entrant__status=EntrantStatus.ENTERED,
        tournament_round__status=RoundStatus.OPEN,
    )
    if not gives_way:
        rows = rows.exclude(entrant__tournament__kind__in=_GIVES_WAY)
    found: dict[int, set[int]] = {}
    for bot_id, match_id in rows.values_list("entrant__bot", "match"):
        found.setdefault(bot_id, set()).add(match_id)
    return found


def _in_open_rounds(bot_ids: Collection[int]) -> dict[int, str]:
    rows = MatchEntrant.objects.filter(
        entrant__bot__in=bot_ids,
        entrant__status=EntrantStatus.ENTERED,
        tournament_round__status=RoundStatus.OPEN,
        entrant__tournament__status__in=(TournamentStatus.RUNNING, TournamentStatus.PAUSED),
    ).exclude(entrant__tournament__kind__in=_GIVES_WAY)
    return dict(rows.values_list("entrant__bot", "entrant__tournament__name"))
