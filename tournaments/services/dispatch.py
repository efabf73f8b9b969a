"""From waiting matches to games that run: reserve the bots, write the attempts with their shard, then call the referee.

Matches of a round that are due are dispatched together: what must be asked of the database is the same for one as for many.
"""

import logging
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Prefetch, Q, Value, When
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
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.referee_client import RefereeRejected, RefereeUnavailable
from tournaments.selectors.deals import seed_of
from tournaments.selectors.shards import live_shards, lost_shards
from tournaments.services.attempts import (
    MAX_ATTEMPTS,
    attempt_abandon,
    match_played,
    match_stuck,
    record_starts,
)
from tournaments.services.hints import SETTLE_ROUND, hint
from tournaments.services.moves import move
from tournaments.services.reservation import (
    Place,
    Situation,
    absent_from,
    best_place,
    busy_bots,
    lock_bots,
    situation_of,
)

TOGETHER = 15
"""Other matches of its round that are dispatched with one: a start of so many games is answered well within the call's time."""
START_AGAIN = timedelta(seconds=4)
"""A start whose answer never came is asked for again after this."""
LONGEST_WAIT_S = 10.0
_TO_DISPATCH = (MatchStatus.WAITING, MatchStatus.PLAYING)
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
    """Those without a result, in order, with their attempts."""
    written: list[Attempt] = field(default_factory=list)
    """Attempts of this dispatch."""

    @property
    def open_attempts(self) -> list[Attempt]:
        before = [attempt for game in self.games for attempt in game.attempts.all() if attempt.status in OPEN_ATTEMPT]
        return before + self.written

    @property
    def to_start(self) -> list[Game]:
        begun = {attempt.game_id for attempt in self.open_attempts}
        return [game for game in self.games if game.pk not in begun]

    def seated(self, game: Game) -> tuple[Entrant, ...]:
        """All, but after a tie only those who play on."""
        seats = {row.entrant_id for row in game.game_seats.all()}
        return tuple(entrant for entrant in self.entrants if entrant.pk in seats)


def match_dispatch(*, match: Match, others: int = 0) -> list[Attempt]:
    """Start what can be started of a match, and of so many others of its round that are due, the oldest first.

    The attempts for which a referee was called. Safe to call at any time; a match that somebody else holds is left to him.
    """
    attempts = _reserved(match, others)
    reach("attempt.written")
    for shard in {attempt.shard_id: attempt.shard for attempt in attempts}.values():
        _start(shard, [attempt for attempt in attempts if attempt.shard_id == shard.pk])
    return attempts


def _reserved(match: Match, others: int) -> list[Attempt]:
    """The attempts to start: those written now, and those whose start was never answered."""
    try:
        return _reserve(match, others)
    except Exception:
        if not others:
            raise
        # One of them may be broken: it must not hold up the rest, each of which comes to be dispatched by its own hint.
        logger.exception("%d matches could not be dispatched together, so %s is alone", others + 1, match.public_id)
        return _reserve(match, 0)


@transaction.atomic
def _reserve(match: Match, others: int) -> list[Attempt]:
    matches = _locked(match, others)
    if match not in matches:
        _look_no_more_at_settled(match)
    if not matches:
        return []
    _leave_lost_shards(matches)
    tables = _tables(matches)
    attempts = [attempt for table in tables for attempt in _unanswered(table)]
    waiting = [table for table in tables if table.to_start]
    if waiting:
        bots = lock_bots(entrant for table in waiting for entrant in table.entrants)
        situation = situation_of(matches[0].tournament_round.stage.tournament, bots, live_shards())
        for table in waiting:
            attempts += _reserve_table(table, situation)
    return attempts


def _locked(match: Match, others: int) -> list[Match]:
    """The match, and others of its round that are due. What somebody else holds is skipped: the sweeper finds what is left."""
    due = Q(tournament_round=match.tournament_round_id, next_try_at__lte=timezone.now())
    is_other = Case(When(pk=match.pk, then=Value(0)), default=Value(1))
    found = (
        Match.objects.select_for_update(of=("self",), skip_locked=True)
        .select_related("tournament_round__stage__tournament")
        .filter(Q(pk=match.pk) | due if others else Q(pk=match.pk))
        .filter(status__in=_TO_DISPATCH, tournament_round__status=RoundStatus.OPEN)
        .order_by(is_other, "pk")
    )
    return sorted(found[: 1 + others], key=lambda each: each.pk)


def _look_no_more_at_settled(match: Match) -> None:
    settled = ~Q(status__in=_TO_DISPATCH) | ~Q(tournament_round__status=RoundStatus.OPEN)
    ids = Match.objects.filter(settled, pk=match.pk, next_try_at__isnull=False).values_list("pk", flat=True)
    Match.objects.filter(pk__in=list(ids)).update(next_try_at=None)


def _leave_lost_shards(matches: Sequence[Match]) -> None:
    """Their attempts are given up for a shard that answers; what they still play will be superseded."""
    lost = lost_shards()
    if not lost:
        return
    by_id = {match.pk: match for match in matches}
    stranded = Attempt.objects.filter(game__match__in=by_id, shard__in=lost, status__in=OPEN_ATTEMPT)
    for attempt in stranded.select_related("shard", "game").order_by("pk"):
        match = by_id[attempt.game.match_id]
        attempt_abandon(match=match, attempt=attempt, reason=f"shard {attempt.shard.name} is silent")


def _tables(matches: Sequence[Match]) -> list[Table]:
    """Read together, and tied to each other: what belongs to a match is read once."""
    seated: dict[int, dict[int, Entrant]] = {match.pk: {} for match in matches}
    rows = MatchEntrant.objects.filter(match__in=matches).select_related("entrant__bot", "entrant__version")
    for row in rows.order_by("position"):
        seated[row.match_id][row.entrant_id] = row.entrant
    games: dict[int, list[Game]] = {match.pk: [] for match in matches}
    unplayed = Game.objects.filter(match__in=matches, result=None).select_related("deal_set__secret")
    attempts = Prefetch("attempts", Attempt.objects.select_related("shard").order_by("pk"))
    for game in unplayed.prefetch_related("game_seats", attempts).order_by("number"):
        games[game.match_id].append(game)
    tables = [Table(match, tuple(seated[match.pk].values()), tuple(games[match.pk])) for match in matches]
    for table in tables:
        for game in table.games:
            game.match = table.match
            game.deal_set.tournament_round = table.match.tournament_round
            for seat in game.game_seats.all():
                seat.entrant = seated[table.match.pk][seat.entrant_id]
    return tables


def _unanswered(table: Table) -> list[Attempt]:
    """Attempts whose start is to be asked for again; one that was written just now is being started by somebody."""
    now = timezone.now()
    starting = [attempt for attempt in table.open_attempts if attempt.status == AttemptStatus.STARTING]
    if not table.to_start:
        Match.objects.filter(pk=table.match.pk).update(next_try_at=now + START_AGAIN if starting else None)
    return [attempt for attempt in starting if attempt.created_at <= now - START_AGAIN]


def _reserve_table(table: Table, situation: Situation) -> list[Attempt]:
    for game in table.to_start:
        written = _reserve_game(table, game, situation)
        table.written.extend(written)
        if not written:
            return table.written
    situation.waits_no_more(table.match)
    return table.written


def _reserve_game(table: Table, game: Game, situation: Situation) -> list[Attempt]:
    """An attempt at the game, or nothing and a match that says why."""
    match, seated = table.match, table.seated(game)
    place = best_place(seated, situation)
    if place is None:
        return _wait(match, "no referee answers")
    absent = [entrant for entrant in seated if entrant.pk not in place.present]
    if absent and table.open_attempts:
        return _wait(match, "not all are connected; another game of the match is played first")
    still_awaited = [entrant for entrant in absent if entrant.status == EntrantStatus.ENTERED]
    deadline = absent_from(match, place)
    if still_awaited and timezone.now() < deadline:
        names = ", ".join(str(entrant.version or entrant.bot) for entrant in still_awaited)
        return _wait(match, f"not connected: {names}; waits until {deadline:%H:%M:%S} UTC", until=deadline)
    if len(place.present) < 2 and not _has_begun(match):
        situation.waits_no_more(match)
        return _score_unplayed(table, place)
    if not place.present:
        situation.waits_no_more(match)
        return _stop(match, game)
    if busy := busy_bots(match, place, seated, situation):
        return _wait(match, f"busy: {', '.join(busy)}")
    if _was_tried_enough(match, game):
        match_stuck(match, f"game {game.number} was begun {MAX_ATTEMPTS} times and never finished")
        situation.waits_no_more(match)
        return []
    situation.reserve(place, seated)
    return [_write_attempt(match, game, place)]


def _was_tried_enough(match: Match, game: Game) -> bool:
    begun = [attempt for attempt in game.attempts.all() if attempt.started_at]
    since = match.retried_at
    return len([attempt for attempt in begun if since is None or attempt.created_at > since]) >= MAX_ATTEMPTS


def _write_attempt(match: Match, game: Game, place: Place) -> Attempt:
    attempt = Attempt.objects.create(
        game=game,
        number=max((earlier.number for earlier in game.attempts.all()), default=0) + 1,
        replacement=game.replacement,
        shard=place.shard,
        no_show_seats=[row.seat for row in game.game_seats.all() if row.entrant_id not in place.present],
    )
    now = timezone.now()
    fields = {"status_reason": "", "tries": 0, "next_try_at": now + START_AGAIN}
    if match.status == MatchStatus.WAITING:
        move(match, MatchStatus.PLAYING, started_at=match.started_at or now, **fields)
    else:
        Match.objects.filter(pk=match.pk).update(**fields)
    return attempt


def _has_begun(match: Match) -> bool:
    """Whether a game of it has a result."""
    return match.games.filter(result__isnull=False).exists()


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
        if len(attempts) > 1:
            _start_one_by_one(shard, attempts)
            return
        states = [_bad_spec(attempt, error) for attempt in attempts]
    record_starts(attempts=attempts, states=states)


def _start_one_by_one(shard: Shard, attempts: Iterable[Attempt]) -> None:
    """One of them made the referee reject the call."""
    for attempt in attempts:
        _start(shard, [attempt])


def _bad_spec(attempt: Attempt, error: RefereeRejected) -> pb.GameState:
    return pb.GameState(
        attempt_id=attempt.attempt_id,
        status=pb.GAME_STATUS_REFUSED,
        refused_reason=pb.REFUSED_REASON_BAD_SPEC,
        message=str(error),
    )


def game_spec(attempt: Attempt) -> pb.GameSpec:
    """All that a referee must know to play the attempt."""
    game = attempt.game
    tournament = game.deal_set.tournament_round.stage.tournament
    seats = sorted(game.game_seats.all(), key=lambda row: row.seat)
    return pb.GameSpec(
        attempt_id=attempt.attempt_id,
        config=game_pb2.GameConfig(
            seats=len(seats),
            turn_cap=tournament.turn_cap,
            deal_mode=_DEAL_MODES[DealMode(game.deal_set.mode)],
            playoff=tournament.has_playoff,
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
