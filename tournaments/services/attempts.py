"""What may become of an attempt once it is written, other than a result."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone

from fivecrowns.referee.v1 import referee_pb2 as pb
from tournaments import referee_client
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Attempt,
    AttemptStatus,
    Game,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    Presence,
    Tournament,
)
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.services.hints import DISPATCH_MATCH, SETTLE_ROUND, hint
from tournaments.services.moves import move, try_move
from tournaments.services.notes import audit, notify

MAX_ATTEMPTS = 3
"""Attempts at one game that began to run, before a person must look."""
CALLED_OFF_AGAIN = timedelta(minutes=10)
REFUSED_PAUSE = timedelta(seconds=1)
_GOING_ON = (pb.GAME_STATUS_STARTING, pb.GAME_STATUS_RUNNING, pb.GAME_STATUS_FINISHED)
_BOT_IS_ELSEWHERE = (pb.REFUSED_REASON_BOT_NOT_CONNECTED, pb.REFUSED_REASON_WRONG_VERSION)
logger = logging.getLogger(__name__)


def record_starts(*, attempts: Sequence[Attempt], states: Sequence[pb.GameState]) -> None:
    """What the referee answered to the start of each."""
    running = []
    for attempt, state in zip(attempts, states, strict=True):
        if state.attempt_id != attempt.attempt_id:
            logger.error("a referee answered for %s when asked for %s", state.attempt_id, attempt.attempt_id)
        elif state.status in _GOING_ON:
            running.append(attempt)
        elif state.status == pb.GAME_STATUS_REFUSED:
            attempt_refused(attempt=attempt, state=state)
        else:
            record_state(attempt=attempt, state=state)
    attempts_started(attempts=running)


@transaction.atomic
def attempts_started(*, attempts: Sequence[Attempt]) -> None:
    """They run; if a match of theirs has no other game to start, the sweeper need not look at it."""
    matches = Match.objects.filter(pk__in={attempt.game.match_id for attempt in attempts}).order_by("pk")
    list(matches.select_for_update().values_list("pk"))
    starting = Attempt.objects.filter(pk__in=[attempt.pk for attempt in attempts], status=AttemptStatus.STARTING)
    starting.update(status=AttemptStatus.RUNNING, started_at=timezone.now())
    to_start = Game.objects.filter(match=OuterRef("pk"), result=None).exclude(attempts__status__in=OPEN_ATTEMPT)
    matches.order_by().filter(~Exists(to_start)).update(next_try_at=None)


@transaction.atomic
def attempt_refused(*, attempt: Attempt, state: pb.GameState) -> None:
    """Nothing was sent to any bot: the same deal may be tried again."""
    match = locked_match(attempt)
    moved = Attempt.objects.filter(pk=attempt.pk, status=AttemptStatus.STARTING).update(
        status=AttemptStatus.ABANDONED, status_reason=state.message[:400], ended_at=timezone.now()
    )
    if not moved:
        return
    if state.refused_reason in _BOT_IS_ELSEWHERE:
        Presence.objects.filter(shard=attempt.shard_id, bot__public_id__in=list(state.bot_ids)).delete()
    if state.refused_reason == pb.REFUSED_REASON_BAD_SPEC:
        match_stuck(match, f"the referee cannot play it: {state.message}")
        return
    _back_to_waiting(match, state.message)
    Match.objects.filter(pk=match.pk).update(next_try_at=timezone.now() + REFUSED_PAUSE)


@transaction.atomic
def record_state(*, attempt: Attempt, state: pb.GameState) -> None:
    """What a referee says of an attempt that should be running there."""
    match = locked_match(attempt)
    attempt.refresh_from_db(fields=["status"])
    if attempt.status not in OPEN_ATTEMPT:
        return
    if state.status == pb.GAME_STATUS_ABORTED:
        attempt_end(attempt, AttemptStatus.VOID, state.message)
        match_stuck(match, f"the referee gave up on game {attempt.game.number}: {state.message}")
    elif state.status == pb.GAME_STATUS_INFRA:
        attempt_abandon(
            match=match,
            attempt=attempt,
            reason=state.message,
            status=AttemptStatus.VOID,
            hands_seen=state.hands_sent,
        )
    elif state.status in (pb.GAME_STATUS_UNKNOWN, pb.GAME_STATUS_CANCELLED):
        reason = "the referee lost it" if state.status == pb.GAME_STATUS_UNKNOWN else "it was called off"
        attempt_abandon(match=match, attempt=attempt, reason=reason)


def attempt_abandon(
    *,
    match: Match,
    attempt: Attempt,
    reason: str,
    status: AttemptStatus = AttemptStatus.ABANDONED,
    hands_seen: bool = True,
) -> None:
    """Give an open attempt up and let the game be played again. The caller holds the match."""
    attempt_end(attempt, status, reason, hands_seen=hands_seen)
    wait = timedelta(seconds=match.tournament_round.stage.tournament.join_wait_s)
    _back_to_waiting(match, f"game {attempt.game.number} is played again: {reason}")
    Match.objects.filter(pk=match.pk).update(join_until=timezone.now() + wait, next_try_at=timezone.now())
    hint(DISPATCH_MATCH, match.pk)


def attempt_end(attempt: Attempt, status: str, reason: str, *, hands_seen: bool = True) -> None:
    """If hands may have been seen, the next attempt is dealt from a seed that no game of the set has used."""
    if not try_move(attempt, status, status_reason=reason[:400], ended_at=timezone.now()) or not hands_seen:
        return
    game = attempt.game
    used = Game.objects.filter(deal_set=game.deal_set_id).aggregate(last=Max("replacement"))["last"]
    Game.objects.filter(pk=game.pk).update(replacement=used + 1)


def _back_to_waiting(match: Match, reason: str) -> None:
    if match.status == MatchStatus.PLAYING and not _open_attempts_of(match):
        move(match, MatchStatus.WAITING, status_reason=reason[:400])


def match_played(match: Match) -> None:
    """No game is left to play. The caller holds the match."""
    if match.status in (MatchStatus.PLAYING, MatchStatus.NEEDS_ATTENTION):
        move(match, MatchStatus.PLAYED, played_at=timezone.now(), status_reason="", next_try_at=None)
    for row in MatchEntrant.objects.filter(match=match):
        missed = _games_missed(match, row.entrant_id)
        MatchEntrant.objects.filter(pk=row.pk).update(is_absent=missed)
    hint(SETTLE_ROUND, match.tournament_round_id)


def _games_missed(match: Match, entrant_id: int) -> bool:
    """Whether the referee played every game of the match in its stead."""
    seats = GameSeat.objects.filter(game__match=match, game__result__isnull=False, entrant=entrant_id)
    return all(seat in no_shows for seat, no_shows in seats.values_list("seat", "game__result__no_show_seats"))


def match_stuck(match: Match, reason: str) -> None:
    """A person must look: the organiser finds it on the tournament's page. The caller holds the match."""
    move(match, MatchStatus.NEEDS_ATTENTION, status_reason=reason[:400], next_try_at=None)
    tournament = match.tournament_round.stage.tournament
    logger.error("match %s needs attention: %s", match.public_id, reason)
    notify(
        tournament.organiser,
        code="match_needs_attention",
        text=f"{match} needs attention: {reason}",
        tournament=tournament,
    )


@transaction.atomic
def match_retry(*, match: Match, actor: Account) -> None:
    """Send a match that needs attention back to play, with as many attempts as at first."""
    locked = Match.objects.select_for_update().get(pk=match.pk)
    if locked.status != MatchStatus.NEEDS_ATTENTION:
        raise TournamentError(
            "invalid_transition", f"{locked} is {locked.status}: only one that needs attention is retried"
        )
    tournament = locked.tournament_round.stage.tournament
    now = timezone.now()
    audit(
        action="match_retry",
        actor=actor,
        subject=f"match {locked.public_id}",
        tournament=tournament,
        before={"reason": locked.status_reason},
    )
    move(
        locked,
        MatchStatus.WAITING,
        status_reason="",
        retried_at=now,
        tries=0,
        next_try_at=now,
        join_until=now + timedelta(seconds=tournament.join_wait_s),
    )
    hint(DISPATCH_MATCH, locked.pk)


def games_call_off(*, tournament: Tournament) -> None:
    """Tell the referees of games that became void lately. If this is lost they play on, and their results change nothing."""
    recent = timezone.now() - CALLED_OFF_AGAIN
    void = Attempt.objects.filter(
        game__match__tournament_round__stage__tournament=tournament,
        status=AttemptStatus.VOID,
        ended_at__gt=recent,
        record__isnull=True,
    ).select_related("shard")
    by_shard: dict[str, list[str]] = {}
    for attempt in void:
        by_shard.setdefault(attempt.shard.control_address, []).append(attempt.attempt_id)
    for address, attempt_ids in by_shard.items():
        referee_client.cancel_games(address, attempt_ids, "void")


def locked_match(attempt: Attempt) -> Match:
    """The match of the attempt, with all that is asked of it later. Inside a transaction."""
    return (
        Match.objects.select_for_update(of=("self",))
        .select_related("tournament_round__stage__tournament__organiser")
        .get(pk=attempt.game.match_id)
    )


def _open_attempts_of(match: Match) -> bool:
    return Attempt.objects.filter(game__match=match, status__in=OPEN_ATTEMPT).exists()
