"""From a waiting match to games that run: reserve the bots, write the attempt with its shard, then call the referee."""

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2 as pb
from referee.record.crash_points import reach
from tournaments import referee_client
from tournaments.models import (
    Attempt,
    AttemptStatus,
    DealMode,
    Entrant,
    EntrantStatus,
    Game,
    Match,
    MatchEntrant,
    MatchStatus,
    RoundStatus,
    Shard,
)
from tournaments.referee_client import RefereeRejected, RefereeUnavailable
from tournaments.selectors.deals import seed_of
from tournaments.selectors.shards import live_shards, lost_shards
from tournaments.services.attempts import (
    MAX_ATTEMPTS,
    attempt_abandon,
    match_played,
    match_stuck,
    record_start,
)
from tournaments.services.hints import SETTLE_ROUND, hint
from tournaments.services.moves import move
from tournaments.services.reservation import (
    Place,
    absent_from,
    best_place,
    busy_bots,
    lock_bots,
    open_attempts,
)

START_AGAIN = timedelta(seconds=4)
"""A start whose answer never came is asked for again."""
LONGEST_WAIT_S = 10.0
_DEAL_MODES = {
    DealMode.INDEPENDENT: game_pb2.DEAL_MODE_INDEPENDENT,
    DealMode.FIELD: game_pb2.DEAL_MODE_FIELD,
    DealMode.ROTATED: game_pb2.DEAL_MODE_ROTATED,
}
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """A match about to be dispatched, locked, with whoever sits at it."""

    match: Match
    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]
    """Those without a result and without an open attempt, in order."""

    def seated(self, game: Game) -> tuple[Entrant, ...]:
        """All, but after a tie only those who play on."""
        seats = {row.entrant_id for row in game.game_seats.all()}
        return tuple(entrant for entrant in self.entrants if entrant.pk in seats)


def match_dispatch(*, match: Match) -> list[Attempt]:
    """Start what can be started of a match; the attempts for which a referee was called. Safe to call at any time."""
    attempts = _reserve(match)
    reach("attempt.written")
    for shard in {attempt.shard_id: attempt.shard for attempt in attempts}.values():
        _start(shard, [attempt for attempt in attempts if attempt.shard_id == shard.pk])
    return attempts


@transaction.atomic
def _reserve(match: Match) -> list[Attempt]:
    """The attempts to start: those written now, and those whose start was never answered."""
    locked = (
        Match.objects.select_for_update(of=("self",))
        .select_related("tournament_round__stage__tournament")
        .get(pk=match.pk)
    )
    if (
        locked.status not in (MatchStatus.WAITING, MatchStatus.PLAYING)
        or locked.tournament_round.status != RoundStatus.OPEN
    ):
        Match.objects.filter(pk=locked.pk).update(next_try_at=None)
        return []
    shards = live_shards()
    _leave_lost_shards(locked)
    unanswered = [each for each in open_attempts(locked) if each.status == AttemptStatus.STARTING]
    table = _table(locked)
    if not table.games:
        _look_again(locked, START_AGAIN if unanswered else None)
    for game in table.games:
        written = _reserve_game(table, game, shards)
        unanswered += written
        if not written:
            break
    return unanswered


def _table(match: Match) -> Table:
    seated = MatchEntrant.objects.filter(match=match).select_related("entrant__bot", "entrant__version")
    unplayed = match.games.filter(result=None).exclude(
        attempts__status__in=(AttemptStatus.STARTING, AttemptStatus.RUNNING)
    )
    games = unplayed.select_related(
        "deal_set__secret", "deal_set__tournament_round__stage__tournament"
    ).prefetch_related("game_seats")
    return Table(match, tuple(row.entrant for row in seated.order_by("position")), tuple(games.order_by("number")))


def _reserve_game(table: Table, game: Game, shards: Sequence[Shard]) -> list[Attempt]:
    """An attempt at the game, or nothing and a match that says why."""
    match, seated = table.match, table.seated(game)
    lock_bots(seated)
    place = best_place(seated, shards)
    if place is None:
        return _wait(match, "no referee answers")
    absent = [entrant for entrant in seated if entrant.pk not in place.present]
    if absent and open_attempts(match):
        return _wait(match, "not all are connected; another game of the match is played first")
    still_awaited = [entrant for entrant in absent if entrant.status == EntrantStatus.ENTERED]
    deadline = absent_from(match, place)
    if still_awaited and timezone.now() < deadline:
        names = ", ".join(str(entrant.version or entrant.bot) for entrant in still_awaited)
        return _wait(match, f"not connected: {names}; waits until {deadline:%H:%M:%S} UTC", until=deadline)
    if len(place.present) < 2 and not _has_begun(table):
        return _score_unplayed(table, place)
    if not place.present:
        return _stop(match, game)
    if busy := busy_bots(match, place, seated):
        return _wait(match, f"busy: {', '.join(busy)}")
    return _write_attempt(match, game, place)


def _write_attempt(match: Match, game: Game, place: Place) -> list[Attempt]:
    tried = game.attempts.filter(started_at__isnull=False)
    if match.retried_at:
        tried = tried.filter(created_at__gt=match.retried_at)
    if tried.count() >= MAX_ATTEMPTS:
        match_stuck(match, f"game {game.number} was begun {MAX_ATTEMPTS} times and never finished")
        return []
    attempt = Attempt.objects.create(
        game=game,
        number=(game.attempts.aggregate(last=Max("number"))["last"] or 0) + 1,
        replacement=game.replacement,
        shard=place.shard,
        no_show_seats=[row.seat for row in game.game_seats.all() if row.entrant_id not in place.present],
    )
    attempt.game = game
    if match.status == MatchStatus.WAITING:
        move(match, MatchStatus.PLAYING, started_at=match.started_at or timezone.now())
    Match.objects.filter(pk=match.pk).update(status_reason="", tries=0, next_try_at=timezone.now() + START_AGAIN)
    return [attempt]


def _has_begun(table: Table) -> bool:
    """Whether a game of the match has a result."""
    return table.match.games.filter(result__isnull=False).exists()


def _score_unplayed(table: Table, place: Place) -> list[Attempt]:
    """Fewer than two came: no game, 1 point for the one present, 0 for the others, unrated."""
    match = table.match
    absent = [entrant for entrant in table.entrants if entrant.pk not in place.present]
    names = ", ".join(entrant.bot.name for entrant in absent)
    move(
        match,
        MatchStatus.SCORED,
        is_unplayed=True,
        status_reason=f"no game: {names} did not come"[:400],
        next_try_at=None,
    )
    MatchEntrant.objects.filter(match=match, entrant__in=absent).update(is_absent=True)
    hint(SETTLE_ROUND, match.tournament_round_id)
    return []


def _stop(match: Match, game: Game) -> list[Attempt]:
    """Everybody left between two games of the match: what remains cannot be played, and a part decides nothing.

    But to a game after a tie nobody needs to come: without it the higher seed goes on.
    """
    if game.number <= match.tournament_round.stage.games_per_match:
        move(match, MatchStatus.VOID, status_reason="all its bots left before the last game", next_try_at=None)
        hint(SETTLE_ROUND, match.tournament_round_id)
        return []
    if match.status == MatchStatus.WAITING:
        move(match, MatchStatus.PLAYING)
    match_played(match)
    return []


def _wait(match: Match, reason: str, *, until: datetime | None = None) -> list[Attempt]:
    """The match shows why; the pace slows down, for what frees a bot sends a hint of its own."""
    pause = timedelta(seconds=min(LONGEST_WAIT_S, 1.5 ** min(match.tries, 10)) * random.uniform(0.8, 1.2))  # noqa: S311 - jitter
    again = timezone.now() + pause
    Match.objects.filter(pk=match.pk).update(
        status_reason=reason[:400], tries=match.tries + 1, next_try_at=min(again, until) if until else again
    )
    return []


def _look_again(match: Match, after: timedelta | None) -> None:
    Match.objects.filter(pk=match.pk).update(next_try_at=timezone.now() + after if after else None)


def _leave_lost_shards(match: Match) -> None:
    """Their attempts are given up for a shard that answers; what they still play will be superseded."""
    lost = {shard.pk for shard in lost_shards()}
    for attempt in open_attempts(match) if lost else ():
        if attempt.shard_id in lost:
            attempt_abandon(match=match, attempt=attempt, reason=f"shard {attempt.shard.name} is silent")


def _start(shard: Shard, attempts: Sequence[Attempt]) -> None:
    try:
        specs = [game_spec(attempt) for attempt in attempts]
        # Meant for the process that was known when the attempts were reserved: a worker that was held up for long does not
        # start a game that has been played since, at a referee that has forgotten it.
        states = referee_client.start_games(shard.control_address, specs, shard.incarnation)
        reach("start.answered")
    except RefereeUnavailable as error:
        logger.warning("start of %d games on %s: %s; will be asked again", len(attempts), shard.name, error)
        return
    except RefereeRejected as error:
        logger.error("start of %d games on %s: %s", len(attempts), shard.name, error)
        states = [
            pb.GameState(
                attempt_id=attempt.attempt_id,
                status=pb.GAME_STATUS_REFUSED,
                refused_reason=pb.REFUSED_REASON_BAD_SPEC,
                message=str(error),
            )
            for attempt in attempts
        ]
    for attempt, state in zip(attempts, states, strict=True):
        record_start(attempt=attempt, state=state)


def game_spec(attempt: Attempt) -> pb.GameSpec:
    """All that a referee must know to play the attempt."""
    game = attempt.game
    tournament = game.deal_set.tournament_round.stage.tournament
    seats = list(game.game_seats.select_related("entrant__bot", "entrant__version").order_by("seat"))
    return pb.GameSpec(
        attempt_id=attempt.attempt_id,
        config=game_pb2.GameConfig(
            seats=len(seats), turn_cap=tournament.turn_cap, deal_mode=_DEAL_MODES[DealMode(game.deal_set.mode)]
        ),
        budgets=game_pb2.Budgets(
            start_ms=tournament.start_ms,
            decision_ms=tournament.decision_ms,
            bank_ms=tournament.bank_ms,
            thinking_ms=tournament.thinking_ms,
        ),
        seats=[
            pb.SeatSpec(
                bot_id=row.entrant.bot.public_id,
                bot_version=row.entrant.version.name if row.entrant.version else "",
                min_generation=row.entrant.bot.token_generation,
                no_show=row.seat in attempt.no_show_seats,
            )
            for row in seats
        ],
        seed=seed_of(attempt),
        page_url=f"{settings.SITE_URL}/games/{game.public_id}",
    )
