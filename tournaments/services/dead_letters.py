"""Messages to the workers that died: taken from the broker into rows, for a person to send again or drop.

A row and not a look into the queue: RabbitMQ counts every look as a delivery, and lets a message go after some.
"""

import json
import logging
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.connection import Connection
from kombu.exceptions import OperationalError as BrokerError
from kombu.message import Message

from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    DeadLetter,
    DeadLetterStatus,
    Match,
    MatchStatus,
    RoundStatus,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.queue.settings import QUEUE_OF_PREFIX, dead_letter_queue
from tournaments.services import hints
from tournaments.services.hints import hint
from tournaments.services.notes import audit

AT_ONCE = 100
_SHOWN = 400
_EXPIRED = "expired"
"""Of a message that beat sent and nobody took in time: the next one says the same."""
logger = logging.getLogger(__name__)


def dead_letters_collect(*, broker: Connection | None = None) -> int:
    """Take what died from the broker, the oldest first, at most `AT_ONCE`; how many. Each is let go after its row is written."""
    taken = 0
    connection = broker or current_app.connection_for_read()
    try:
        with connection, connection.channel() as channel:
            queue = dead_letter_queue()(channel)
            while taken < AT_ONCE and (message := queue.get(no_ack=False)) is not None:
                _keep(message)
                message.ack()
                taken += 1
    except (BrokerError, *connection.recoverable_connection_errors) as error:
        logger.info("dead letters were not read: %s", error)
    return taken


def _keep(message: Message) -> None:
    headers = message.headers or {}
    body = message.body if isinstance(message.body, bytes) else str(message.body).encode()
    queue, reason = _death(headers)
    if reason == _EXPIRED:
        return
    letter, is_new = DeadLetter.objects.get_or_create(
        message_id=str(headers.get("id") or sha256(body).hexdigest())[:80],
        defaults={
            "task": str(headers.get("task") or "")[:80],
            "args": _args(body),
            "queue": queue[:80],
            "reason": reason[:_SHOWN],
        },
    )
    if is_new:
        logger.error("dead letter %s from %s: %s", letter, queue, reason)


def _death(headers: Mapping[str, Any]) -> tuple[str, str]:
    """Where it died and of what, as either broker says it."""
    deaths = headers.get("x-death") or [{}]
    last = deaths[0] if isinstance(deaths[0], Mapping) else {}
    queue = headers.get("x-first-death-queue") or last.get("queue") or ""
    reason = headers.get("x-first-death-reason") or last.get("reason") or "unknown"
    return str(queue), str(reason)


def _args(body: bytes) -> list[Any]:
    """A task's arguments; of what cannot be read, its beginning."""
    try:
        args = json.loads(body)[0]
        return list(args)
    except (ValueError, TypeError, LookupError):
        return [body[:_SHOWN].decode(errors="replace")]


def dead_letter_replay(*, letter: DeadLetter, actor: Account | None) -> None:
    """Send the message again. Raises `invalid_transition` if it was replayed or dropped before, `invalid` if it is no task."""
    if letter.task.partition(".")[0] not in QUEUE_OF_PREFIX:
        raise TournamentError("invalid", f"{letter.task or 'an unreadable message'} is no task: it can only be dropped")
    with transaction.atomic():
        _end(letter, DeadLetterStatus.REPLAYED, actor)
        hint(letter.task, *letter.args)


def dead_letter_drop(*, letter: DeadLetter, actor: Account | None) -> None:
    """Forget the message; its row stays. Raises `invalid_transition`."""
    with transaction.atomic():
        _end(letter, DeadLetterStatus.DROPPED, actor)


def _end(letter: DeadLetter, status: DeadLetterStatus, actor: Account | None) -> None:
    waiting = DeadLetter.objects.filter(pk=letter.pk, status=DeadLetterStatus.WAITING)
    if not waiting.update(status=status, ended_at=timezone.now()):
        letter.refresh_from_db()
        raise TournamentError("invalid_transition", f"{letter} was {letter.get_status_display().lower()} before")
    audit(
        action="dead_letter_replay" if status == DeadLetterStatus.REPLAYED else "dead_letter_drop",
        actor=actor,
        subject=f"message {letter}",
        before={"status": DeadLetterStatus.WAITING, "reason": letter.reason},
        after={"status": status},
    )


def why_harmless(letter: DeadLetter) -> str:
    """Why nothing is lost by it: its row has moved on, or the sweeper finds it by itself. Empty if nobody knows."""
    if not letter.args and letter.task:
        return "it is sent again every few seconds"
    pk = letter.args[0] if letter.args and isinstance(letter.args[0], int) else None
    if pk is None:
        return ""
    if letter.task == hints.DISPATCH_MATCH:
        return _of_match(Match.objects.filter(pk=pk).first())
    if letter.task == hints.SETTLE_ROUND:
        return _of_round(TournamentRound.with_rolled_back.filter(pk=pk).first())
    if letter.task == hints.ADVANCE_TOURNAMENT:
        return _of_tournament(Tournament.objects.filter(pk=pk).first())
    if letter.task in (hints.COLLECT_SHARD, hints.WATCH_SHARD, hints.SYNC_SHARD):
        return "it is sent again every few seconds"
    return ""


def _of_match(match: Match | None) -> str:
    if match is None:
        return "there is no such match any more"
    if match.status not in (MatchStatus.WAITING, MatchStatus.PLAYING):
        return f"the match is {match.get_status_display().lower()}"
    return "the sweeper sends it again" if match.next_try_at else ""


def _of_round(tournament_round: TournamentRound | None) -> str:
    if tournament_round is None:
        return "there is no such round any more"
    if tournament_round.rolled_back_at:
        return "the round was rolled back"
    if tournament_round.status != RoundStatus.OPEN:
        return f"the round is {tournament_round.get_status_display().lower()}"
    return "the sweeper sends it again" if tournament_round.next_try_at else ""


def _of_tournament(tournament: Tournament | None) -> str:
    if tournament is None:
        return "there is no such tournament any more"
    if tournament.status not in (TournamentStatus.REGISTRATION, TournamentStatus.RUNNING):
        return f"the tournament is {tournament.get_status_display().lower()}"
    is_swept = tournament.next_try_at is not None or tournament.status == TournamentStatus.RUNNING
    return "the sweeper sends it again" if is_swept else ""
