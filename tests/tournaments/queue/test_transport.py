"""What the site relies on from a broker, asked of RabbitMQ and of the embedded transport alike."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Exchange, Message, Queue
from kombu.pools import Producer
from kombu.utils.uuid import uuid

from tournaments.queue import DEAD, PUBLISH_ERRORS, QueueFileError, celery_settings, embedded_url, is_embedded
from tournaments.queue.queue_file import QueueFile
from tournaments.queue.settings import DELIVERY_LIMIT, TASK_QUEUE_ARGUMENTS, dead_letter_queue, task_queues


def connect(url: str) -> Connection:
    return Connection(url, transport_options=celery_settings(url).get("broker_transport_options", {}))


@pytest.fixture
def connection(broker_url: str) -> Iterator[Connection]:
    with connect(broker_url) as connection:
        yield connection


@pytest.fixture
def queue(connection: Connection) -> Queue:
    """One of the site's queues, with the dead letters declared as a worker does."""
    dead_letter_queue()(connection.default_channel).declare()
    queue = task_queues()[0](connection.default_channel)
    queue.declare()
    return queue


def publish(queue: Queue, body: Any) -> None:
    Producer(queue.channel).publish(body, exchange=queue.exchange, routing_key=queue.routing_key, declare=[queue])


def publish_often(queue: Queue, times: int) -> None:
    for _ in range(times):
        publish(queue, "hint")


def get(queue: Queue, within_s: float = 10) -> Message:
    """The next message of the queue, by a consumer as a worker has one."""
    found: list[Message] = []
    with Consumer(queue.channel, [queue], on_message=found.append, prefetch_count=1):
        while not found:
            queue.channel.connection.client.drain_events(timeout=within_s)
    return found[0]


def in_new_channel(name: str, connection: Connection) -> Queue:
    return Queue(name, no_declare=True)(connection.channel())


def test_messages_arrive_in_order(connection: Connection, queue: Queue) -> None:
    for number in range(50):
        publish(queue, {"number": number})
    numbers: list[int] = []

    def on_message(message: Message) -> None:
        numbers.append(message.decode()["number"])
        message.ack()

    with Consumer(queue.channel, [queue], on_message=on_message):
        while len(numbers) < 50:
            connection.drain_events(timeout=10)
    assert numbers == list(range(50))


def test_an_acknowledged_message_is_gone(broker_url: str, connection: Connection, queue: Queue) -> None:
    publish(queue, "once")
    get(queue).ack()
    connection.release()
    with connect(broker_url) as other, pytest.raises(socket.timeout):
        get(in_new_channel(queue.name, other), within_s=0.5)


def test_a_closed_connection_gives_back_what_it_had_taken(
    broker_url: str, connection: Connection, queue: Queue
) -> None:
    publish(queue, "again")
    assert not get(queue).delivery_info.get("redelivered")
    connection.release()
    with connect(broker_url) as other:
        message = get(in_new_channel(queue.name, other))
        assert message.decode() == "again"
        assert message.delivery_info["redelivered"]
        assert message.headers["x-delivery-count"] == 1


def test_a_refused_message_goes_to_the_dead_letters(connection: Connection, queue: Queue) -> None:
    publish(queue, {"id": 7})
    get(queue).reject()
    dead = get(in_new_channel(DEAD, connection))
    assert dead.decode() == {"id": 7}
    assert dead.headers["x-first-death-queue"] == queue.name
    assert dead.headers["x-first-death-reason"] == "rejected"


def test_a_message_that_always_comes_back_ends_in_the_dead_letters(connection: Connection, queue: Queue) -> None:
    publish(queue, "poison")
    for _ in range(DELIVERY_LIMIT + 1):
        get(queue).requeue()
    dead = get(in_new_channel(DEAD, connection))
    assert dead.decode() == "poison"
    assert dead.headers["x-first-death-reason"] == "delivery_limit"


def test_a_full_queue_says_so(connection: Connection, queue: Queue) -> None:
    """RabbitMQ's limit is soft: it lets a few more in."""
    small = Queue(uuid(), queue.exchange, uuid(), queue_arguments=TASK_QUEUE_ARGUMENTS | {"x-max-length": 2})
    small = small(connection.default_channel)
    publish_often(small, 2)
    with pytest.raises(PUBLISH_ERRORS):
        publish_often(small, 20)
    small.delete()


def test_a_broadcast_reaches_every_queue_of_every_connection(broker_url: str, connection: Connection) -> None:
    exchange = Exchange(uuid(), type="fanout", durable=False, auto_delete=True)
    with connect(broker_url) as other:
        ears = [Queue(uuid(), exchange, exclusive=True, auto_delete=True)(end.channel()) for end in (connection, other)]
        for ear in ears:
            ear.declare()
        Producer(connection.channel()).publish("hear ye", exchange=exchange)
        assert [get(ear).decode() for ear in ears] == ["hear ye"] * 2


def test_an_exclusive_queue_ends_with_its_connection(broker_url: str, connection: Connection) -> None:
    name = uuid()
    with connect(broker_url) as other:
        Queue(name, exclusive=True)(other.channel()).declare()
    with pytest.raises(connection.channel_errors, match="NOT_FOUND"):
        connection.channel().queue_declare(name, passive=True)


class TestEmbedded:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "queue.db"

    @pytest.fixture
    def broker_url(self, path: Path) -> str:
        return embedded_url(path)

    @pytest.mark.parametrize(
        "raw",
        ["", "no JSON", "[]", '"text"', '{"body": "e30="}', '{"body": "%%%", "properties": {"delivery_tag": "1"}}'],
        ids=["empty", "not JSON", "a list", "a word", "no properties", "body not base64"],
    )
    def test_an_unreadable_message_goes_to_the_dead_letters_and_the_next_is_read(
        self, connection: Connection, queue: Queue, path: Path, raw: str
    ) -> None:
        QueueFile(path).put(queue.name, raw)
        publish(queue, "next")
        assert get(queue).decode() == "next"
        dead = get(in_new_channel(DEAD, connection))
        assert dead.body in (raw, raw.encode())
        assert dead.headers["x-first-death-reason"] == "unreadable"

    def test_what_was_sent_to_a_killed_process_is_not_read_by_its_successor(
        self, connection: Connection, path: Path
    ) -> None:
        """`shutdown` is such a broadcast."""
        QueueFile(path).put("worker.pidbox", "shutdown")
        Queue("worker.pidbox", exclusive=True)(connection.channel()).declare()
        assert QueueFile(path).size("worker.pidbox") == 0

    def test_every_process_sees_a_binding(self, broker_url: str, queue: Queue) -> None:
        """A publisher that declared only the exchange still reaches the queue."""
        with connect(broker_url) as other:
            Producer(other.channel()).publish("hint", exchange=queue.exchange, routing_key=queue.routing_key)
        assert get(queue).decode() == "hint"

    def test_a_passive_declaration_changes_nothing(self, connection: Connection, queue: Queue, path: Path) -> None:
        before = QueueFile(path).options(queue.name)
        publish(queue, "hint")
        assert connection.channel().queue_declare(queue.name, passive=True).message_count == 1
        assert QueueFile(path).options(queue.name) == before

    def test_unbinding_stops_the_messages(self, connection: Connection, queue: Queue, path: Path) -> None:
        queue.unbind_from(queue.exchange, queue.routing_key)
        Producer(connection.channel()).publish("hint", exchange=queue.exchange, routing_key=queue.routing_key)
        assert QueueFile(path).size(queue.name) == 0

    def test_a_lock_that_outlasts_the_patience_is_an_error_that_kombu_retries(
        self, monkeypatch: pytest.MonkeyPatch, connection: Connection, queue: Queue, path: Path
    ) -> None:
        monkeypatch.setattr("tournaments.queue.queue_file.BUSY_TIMEOUT_S", 0.1)
        with closing(sqlite3.connect(path, isolation_level=None)) as holder, connect(embedded_url(path)) as other:
            other.connect()
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(other.connection_errors, match="database is locked"):
                publish(queue(other.channel()), "hint")

    @pytest.mark.parametrize("url", ["crowns+sqlite:///queue.db", "crowns+sqlite://", "crowns+other:////queue.db"])
    def test_a_url_without_an_absolute_path_is_refused(self, url: str) -> None:
        with pytest.raises(ValueError, match=r"want crowns\+sqlite:////absolute/path"):
            Connection(url).connect()

    def test_a_missing_folder_is_named(self, path: Path) -> None:
        with pytest.raises(QueueFileError, match=r"missing of the queue file does not exist"):
            Connection(embedded_url(path.parent / "missing" / "queue.db")).connect()

    def test_the_url_is_shown_as_it_was_given(self, broker_url: str) -> None:
        assert Connection(broker_url).as_uri() == broker_url
        assert is_embedded(broker_url)
        assert not is_embedded("amqp://localhost//")

    def test_a_path_that_kombu_would_split_is_refused(self, path: Path) -> None:
        with pytest.raises(ValueError, match="kombu splits URLs at ';'"):
            embedded_url(path.with_name("a;b.db"))

    def test_a_path_may_have_spaces_and_signs(self, tmp_path: Path) -> None:
        folder = tmp_path / "my data+100% é"
        folder.mkdir()
        with connect(embedded_url(folder / "queue.db")) as connection:
            connection.connect()
        assert (folder / "queue.db").exists()
