"""Finished games come home: verified by replay, stored once, then acknowledged."""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from fivecrowns.referee.v1 import referee_pb2 as pb
from referee.record.conditions import Fault, GameScores
from referee.record.crash_points import reach
from referee.record.entries import GameRecord as PlayedGame
from referee.record.verify import verify_record
from tournaments import referee_client
from tournaments.models import (
    Attempt,
    AttemptStatus,
    CollectorLease,
    Game,
    GameFault,
    GameRecord,
    GameSeat,
    Match,
    MatchStatus,
    Shard,
)
from tournaments.models.status import OPEN_ATTEMPT, FaultType
from tournaments.referee_client import RefereeUnavailable
from tournaments.selectors.deals import seed_of
from tournaments.services.attempts import attempt_end, locked_match, match_played, match_stuck
from tournaments.services.hints import COLLECT_SHARD, DISPATCH_MATCH, hint, hint_each
from tournaments.services.moves import move
from tournaments.services.rounds import matches_waiting_for
from tournaments.services.ties import tie_game_add

LEASE = timedelta(seconds=10)
"""Longer than a poll and the work on what it brings; a collector that died is followed after it."""
HINTS_A_RESULT = 8
logger = logging.getLogger(__name__)


class Recorded(Enum):
    """What became of a result."""

    STORED = "stored"
    DUPLICATE = "stored before"
    SUPERSEDED = "its attempt was no longer wanted"
    REFUSED = "it does not verify"
    UNKNOWN = "no such attempt"


@dataclass(frozen=True, slots=True)
class Checked:
    """A result, read and verified; `problems` empty if it can be believed."""

    data: bytes
    played: PlayedGame | None
    problems: tuple[str, ...]
    message: str
    """What the referee said about it."""

    @property
    def digest(self) -> str:
        return self.played.digest.hex() if self.played else ""


def results_collect(*, shard: Shard, wait_ms: int = referee_client.COLLECT_WAIT_MS) -> int | None:
    """One poll; how many results it brought, None if another collector is at work or the referee away.

    Results are acknowledged after all of them are committed: a crash in between brings them once more.
    """
    holder = uuid.uuid4().hex
    if not _take_lease(shard, holder):
        return None
    try:
        response = referee_client.collect_results(shard.control_address, wait_ms=wait_ms)
        if response.results:
            reach("result.collected")
        done = []
        for result in response.results:
            done += [result.attempt_id] if _record(result) else []
            CollectorLease.objects.filter(shard=shard, holder=holder).update(expires_at=timezone.now() + LEASE)
        if done:
            reach("acknowledge.before")
            referee_client.acknowledge_results(shard.control_address, done)
            reach("acknowledge.after")
    except RefereeUnavailable as error:
        logger.info("shard %s: %s", shard.name, error)
        return None
    finally:
        CollectorLease.objects.filter(shard=shard, holder=holder).update(holder="", expires_at=None)
    if len(done) == len(response.results):
        # The next poll follows at once, unless something here would only fail again as fast.
        hint(COLLECT_SHARD, shard.pk)
    return len(done)


def _record(result: pb.GameResult) -> bool:
    """Whether it is settled; one that fails stays with the referee and does not hold up the others."""
    try:
        outcome = result_record(result=result)
    except Exception:
        logger.exception("result of attempt %s was not stored", result.attempt_id)
        return False
    if outcome not in (Recorded.STORED, Recorded.DUPLICATE):
        logger.warning("result of attempt %s: %s", result.attempt_id, outcome.value)
    return True


def _take_lease(shard: Shard, holder: str) -> bool:
    CollectorLease.objects.get_or_create(shard=shard)
    now = timezone.now()
    free = CollectorLease.objects.filter(Q(expires_at=None) | Q(expires_at__lt=now), shard=shard)
    return bool(free.update(holder=holder, expires_at=now + LEASE))


def result_record(*, result: pb.GameResult) -> Recorded:
    """Store what came of an attempt. The same result again changes nothing and answers `DUPLICATE`."""
    attempt = (
        Attempt.objects.filter(attempt_id=result.attempt_id)
        .select_related("game__deal_set__secret", "game__deal_set__tournament_round__stage__tournament")
        .first()
    )
    if attempt is None:
        return Recorded.UNKNOWN
    checked = _checked(attempt, result)
    with transaction.atomic():
        match = locked_match(attempt)
        attempt.refresh_from_db(fields=["status"])
        stored = GameRecord.objects.filter(attempt=attempt).first()
        if stored:
            return _again(attempt, stored, checked)
        if attempt.status not in OPEN_ATTEMPT:
            return _keep_superseded(attempt, checked)
        if checked.problems or checked.played is None:
            return _refuse(match, attempt, checked)
        _store(match, attempt, checked.data, checked.played)
        reach("result.committing")
    reach("result.committed")
    return Recorded.STORED


def _checked(attempt: Attempt, result: pb.GameResult) -> Checked:
    """Replays the game: the slow part, before any transaction."""
    if result.status != pb.GAME_STATUS_FINISHED:
        return Checked(b"", None, ("the referee called the game off",), result.message)
    verdict = verify_record(result.record, seed_of(attempt))
    problems = list(verdict.problems)
    if verdict.record:
        problems += _strange(attempt, verdict.record)
    return Checked(result.record, verdict.record, tuple(problems), result.message)


def _strange(attempt: Attempt, played: PlayedGame) -> list[str]:
    """A record that is sound in itself, but not of the game that was asked for."""
    tournament = attempt.game.deal_set.tournament_round.stage.tournament
    header = played.header
    expected = {
        "attempt": (attempt.attempt_id, header.attempt_id),
        "seats": (attempt.game.game_seats.count(), header.config.seats),
        "turn cap": (tournament.turn_cap, header.config.turn_cap),
        "playoff": (tournament.has_playoff, getattr(header.config, "playoff", False)),
        "deal mode": (attempt.game.deal_set.mode, header.deal_mode.value),
    }
    return [f"{name} is {found}, asked was {asked}" for name, (asked, found) in expected.items() if asked != found]


def _again(attempt: Attempt, stored: GameRecord, checked: Checked) -> Recorded:
    if stored.digest != checked.digest:
        logger.error(
            "attempt %s came again with another record: %s is kept, %s ignored",
            attempt.attempt_id,
            stored.digest,
            checked.digest,
        )
    return Recorded.SUPERSEDED if stored.is_superseded else Recorded.DUPLICATE


def _keep_superseded(attempt: Attempt, checked: Checked) -> Recorded:
    if checked.data:
        GameRecord.objects.create(attempt=attempt, data=checked.data, digest=checked.digest, is_superseded=True)
    return Recorded.SUPERSEDED


def _refuse(match: Match, attempt: Attempt, checked: Checked) -> Recorded:
    """Something is broken on our side: nobody pays, the record is kept to be looked at, a person decides."""
    if checked.data:
        GameRecord.objects.create(attempt=attempt, data=checked.data, digest=checked.digest, is_superseded=True)
    reason = f"{'; '.join(checked.problems)} {checked.message}".strip()
    attempt_end(attempt, AttemptStatus.VOID, reason)
    if match.status in (MatchStatus.WAITING, MatchStatus.PLAYING):
        match_stuck(match, f"game {attempt.game.number}: {reason}")
    return Recorded.REFUSED


def _store(match: Match, attempt: Attempt, data: bytes, played: PlayedGame) -> None:
    now = timezone.now()
    if attempt.status == AttemptStatus.STARTING:
        move(attempt, AttemptStatus.RUNNING, started_at=now)
    scores = played.footer.scores
    last = scores.rounds[-1].game_round if scores.rounds else 0
    move(attempt, AttemptStatus.FINISHED, ended_at=now, game_round=last, totals=list(scores.totals), heard_at=now)
    GameRecord.objects.create(attempt=attempt, data=data, digest=played.digest.hex())
    _store_faults(attempt, played.faults)
    _store_scores(attempt, scores)
    Game.objects.filter(pk=attempt.game_id, result=None).update(
        result=attempt, digest=played.digest.hex(), finished_at=now, game_rounds=_game_rounds(scores)
    )
    if match.games.filter(result=None).exists() or _plays_on(match):
        Match.objects.filter(pk=match.pk).update(next_try_at=now)
        hint(DISPATCH_MATCH, match.pk)
    else:
        match_played(match)
    freed = list(attempt.game.game_seats.values_list("entrant__bot", flat=True))
    waiting = matches_waiting_for(freed).exclude(pk=match.pk).values_list("pk", flat=True)
    hint_each(DISPATCH_MATCH, waiting[:HINTS_A_RESULT])


def _plays_on(match: Match) -> bool:
    """A tie would decide who goes on: there is one more game, also of a match that a person was to look at."""
    if match.status not in (MatchStatus.PLAYING, MatchStatus.NEEDS_ATTENTION) or tie_game_add(match) is None:
        return False
    if match.status == MatchStatus.NEEDS_ATTENTION:
        move(match, MatchStatus.WAITING, status_reason="")
    return True


def _store_scores(attempt: Attempt, scores: GameScores) -> None:
    seats = list(attempt.game.game_seats.order_by("seat"))
    for row in seats:
        row.score, row.place = scores.totals[row.seat], scores.places[row.seat]
        row.retired_in_round = scores.retired_in_round[row.seat] or None
    GameSeat.objects.bulk_update(seats, ["score", "place", "retired_in_round"])


def _game_rounds(scores: GameScores) -> list[dict[str, object]]:
    return [
        {"game_round": each.game_round, "scores": list(each.scores), "went_out_seat": each.went_out}
        | ({"players": list(each.players)} if each.players else {})  # of a playoff (RULES 20)
        for each in scores.rounds
    ]


def _store_faults(attempt: Attempt, faults: Sequence[Fault]) -> None:
    GameFault.objects.bulk_create(
        GameFault(
            attempt=attempt,
            number=number,
            type=FaultType[fault.type.value],
            seat=fault.seat,
            game_round=fault.game_round,
            turn=fault.turn,
            decision_id=fault.decision_id,
            budget_ms=fault.budget_ms,
            used_ms=fault.used_ms,
            last_latencies_ms=list(fault.last_latencies_ms),
            detail=fault.detail,
            reply=fault.reply,
            retires=fault.retires,
        )
        for number, fault in enumerate(faults, start=1)
    )
