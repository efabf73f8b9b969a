"""Messages that died: kept as rows, sent again or dropped, and told apart from those that matter."""

from collections.abc import Callable

import pytest
from celery import current_app
from kombu import Connection
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from tests.support.factories import make_bots, make_running, the_match
from tournaments.errors import TournamentError
from tournaments.models import AuditEntry, DeadLetter, Match, Tournament, TournamentRound
from tournaments.queue.settings import DISPATCH, dead_letter_queue, task_queues
from tournaments.services.dead_letters import (
    dead_letter_drop,
    dead_letter_replay,
    dead_letters_collect,
    why_harmless,
)

pytestmark = pytest.mark.django_db


def die(broker_url: str, body: object, **headers: object) -> None:
    """A worker takes the message and refuses it."""
    with Connection(broker_url) as connection, connection.channel() as channel:
        dead_letter_queue()(channel).declare()
        queue = next(each for each in task_queues() if each.name == DISPATCH)(channel)
        queue.declare()
        connection.Producer(channel).publish(
            body, serializer="json", exchange=queue.exchange, routing_key=queue.routing_key, headers=headers
        )
        message = None
        while message is None:
            message = queue.get(no_ack=False)
        message.reject(requeue=False)


def collected(broker_url: str, count: int) -> None:
    """RabbitMQ moves a dead letter in its own time."""
    found = 0
    while found < count:
        found += dead_letters_collect(broker=Connection(broker_url))


def test_what_nobody_took_in_time_is_no_dead_letter(broker_url: str) -> None:
    """As RabbitMQ hands it on when its time is over."""
    headers = {
        "task": "control.sweep",
        "id": "late",
        "x-first-death-queue": DISPATCH,
        "x-first-death-reason": "expired",
    }
    with Connection(broker_url) as connection, connection.channel() as channel:
        queue = dead_letter_queue()(channel)
        queue.declare()
        connection.Producer(channel).publish(
            [[], {}, {}],
            serializer="json",
            exchange=queue.exchange,
            routing_key=queue.routing_key,
            headers=headers,
        )
    die(broker_url, [[17], {}, {}], task="dispatch.match", id="abc")
    collected(broker_url, 2)
    assert [letter.message_id for letter in DeadLetter.objects.all()] == ["abc"]


def test_what_died_is_kept_once(broker_url: str) -> None:
    die(broker_url, [[17], {}, {}], task="dispatch.match", id="abc")
    die(broker_url, {"id": 7})
    collected(broker_url, 2)
    assert dead_letters_collect(broker=Connection(broker_url)) == 0
    unread, letter = DeadLetter.objects.order_by("-pk")
    assert (letter.message_id, letter.task, letter.args, letter.queue, letter.reason, letter.status) == (
        *("abc", "dispatch.match", [17]),
        *(DISPATCH, "rejected", "waiting"),
    )
    assert str(letter) == "dispatch.match(17)"
    assert (unread.task, unread.args) == ("", ['{"id": 7}'])
    die(broker_url, [[17], {}, {}], task="dispatch.match", id="abc")
    collected(broker_url, 1)
    assert DeadLetter.objects.count() == 2


def test_a_broker_that_is_away_is_asked_again_later() -> None:
    assert dead_letters_collect(broker=Connection("amqp://guest@127.0.0.1:9//", connect_timeout=1)) == 0


def test_sent_again_and_dropped(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    letter = DeadLetter.objects.create(message_id="1", task="control.round", args=[12345])
    with current_app.connection_for_write() as connection, connection.channel() as channel:
        queue = next(each for each in task_queues() if "control" in each.name)(channel)
        queue.declare()
        queue.purge()
        with django_capture_on_commit_callbacks(execute=True):
            dead_letter_replay(letter=letter, actor=None)
        assert queue.get(no_ack=True).payload[0] == [12345]
    letter.refresh_from_db()
    assert (letter.status, letter.ended_at is None) == ("replayed", False)
    for act in (dead_letter_replay, dead_letter_drop):
        with pytest.raises(TournamentError, match=r"control\.round\(12345\) was sent again before"):
            act(letter=letter, actor=None)
    other = DeadLetter.objects.create(message_id="2", task="", args=["junk"])
    with pytest.raises(TournamentError, match="an unreadable message is no task: it can only be dropped"):
        dead_letter_replay(letter=other, actor=None)
    dead_letter_drop(letter=other, actor=None)
    assert list(AuditEntry.objects.values_list("action", flat=True)) == ["dead_letter_drop", "dead_letter_replay"]


HARM: dict[str, tuple[str, Callable[[Tournament], int], str]] = {
    "a match that waits": ("dispatch.match", lambda row: the_match(row).pk, "the sweeper sends it again"),
    "a match that nobody looks at": ("dispatch.match", lambda row: _still(the_match(row)), ""),
    "a match that is over": ("dispatch.match", lambda row: _moved(the_match(row), "scored"), "the match is scored"),
    "a match that is gone": ("dispatch.match", lambda row: 99_999, "there is no such match any more"),
    "an open round": ("control.round", lambda row: _round(row).pk, "the sweeper sends it again"),
    "a closed round": ("control.round", lambda row: _closed(_round(row)), "the round is closed"),
    "a running tournament": ("control.tournament", lambda row: row.pk, "the sweeper sends it again"),
    "a finished tournament": ("control.tournament", lambda row: _moved(row, "finished"), "the tournament is finished"),
    "a referee": ("collect.shard", lambda row: 1, "it is sent again every few seconds"),
    "what nobody knows": ("control.whatever", lambda row: 1, ""),
}


def _still(match: Match) -> int:
    Match.objects.filter(pk=match.pk).update(next_try_at=None)
    return match.pk


def _moved(row: Match | Tournament, status: str) -> int:
    type(row).objects.filter(pk=row.pk).update(status=status)
    return row.pk


def _round(row: Tournament) -> TournamentRound:
    return TournamentRound.objects.get(stage__tournament=row)


def _closed(row: TournamentRound) -> int:
    TournamentRound.objects.filter(pk=row.pk).update(status="closed", closing_no=1)
    return row.pk


@pytest.mark.parametrize(("task", "pk", "why"), HARM.values(), ids=HARM)
def test_harmless_or_not(task: str, pk: Callable[[Tournament], int], why: str) -> None:
    tournament = make_running(make_bots(2))
    assert why_harmless(DeadLetter(task=task, args=[pk(tournament)])) == why


def test_what_is_sent_all_the_time_is_harmless() -> None:
    assert why_harmless(DeadLetter(task="control.sweep")) == "it is sent again every few seconds"
    assert why_harmless(DeadLetter(task="", args=["junk"])) == ""
