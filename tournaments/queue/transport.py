"""The embedded broker: a kombu transport over a `QueueFile`, for one machine without a message server.

It keeps the promises of RabbitMQ's quorum queues that the site uses, from the same declarations: length limit and
overflow, delivery limit, dead letters, exclusive queues. It does not keep one: what a consumer had taken when it was
killed is lost. The sweeper sends such hints again.
"""

import logging
import math
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

from amqp.protocol import queue_declare_ok_t
from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.json import dumps, loads

from tournaments.queue.queue_file import QueueFile, QueueFileError, QueueOptions

ALIAS = "crowns"
SCHEME = f"{ALIAS}+sqlite"

logger = logging.getLogger(__name__)


class QueueFull(OperationalError):
    """The queue refused a message: it holds as many as it may."""


def register() -> None:
    """Make kombu know the URL scheme; call it before the Celery application connects."""
    TRANSPORT_ALIASES[ALIAS] = f"{__name__}:Transport"


def embedded_url(path: Path) -> str:
    """The broker URL of the queue file at `path`."""
    absolute = path.absolute().as_posix()
    if ";" in absolute:
        raise ValueError(f"queue file {path}: kombu splits URLs at ';', choose a folder without one")
    return f"{SCHEME}:///{absolute}"


def is_embedded(broker_url: str) -> bool:
    return broker_url.startswith(f"{SCHEME}:")


def _path_of(hostname: str) -> Path:
    """The path in a URL, of which kombu hands on what follows the first `+`: four slashes on Unix, three before `C:`."""
    prefix = "sqlite:///"
    path = Path(hostname.removeprefix(prefix))
    if not hostname.startswith(prefix) or not path.is_absolute():
        raise ValueError(f"broker URL {ALIAS}+{hostname}: want {SCHEME}:////absolute/path/of/queue.db")
    return path


class Channel(virtual.Channel):
    """One channel; `connection` is its `Transport`."""

    supports_fanout = True

    @property
    def file(self) -> QueueFile:
        return self.connection.file

    def queue_declare(self, queue: str | None = None, passive: bool = False, **kwargs: Any) -> Any:
        if passive and queue and self._has_queue(queue):
            return queue_declare_ok_t(queue, self._size(queue), 0)
        return super().queue_declare(queue, passive, **kwargs)

    def queue_delete(self, queue: str, if_unused: bool = False, if_empty: bool = False, **kwargs: Any) -> None:
        if if_empty and self._size(queue):
            return
        self.file.delete(queue)
        self.state.queue_bindings_delete(queue)

    def queue_unbind(
        self, queue: str, exchange: str | None = None, routing_key: str = "", arguments: Any = None, **kwargs: Any
    ) -> None:
        self.state.binding_delete(queue, exchange, routing_key)
        self.file.unbind(exchange or "", queue, routing_key)

    def get_table(self, exchange: str) -> list[tuple[str, str, str]]:
        return self.file.bindings(exchange)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if not requeue:
            self._bury(self._payload_of(self.qos.get(delivery_tag)), "rejected")
        super().basic_reject(delivery_tag, requeue)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        self.file.bind(exchange, queue, routing_key or "", pattern or "")

    def _new_queue(
        self, queue: str, exclusive: bool = False, arguments: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        self.file.declare(queue, QueueOptions.from_arguments(arguments))
        if exclusive:
            self.connection.own(queue)

    def _has_queue(self, queue: str, **kwargs: Any) -> bool:
        return self.file.is_declared(queue)

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        if not self.file.put(queue, dumps(message)):
            raise QueueFull(f"queue {queue} is full; its messages wait for a worker")

    def _put_fanout(self, exchange: str, message: dict[str, Any], routing_key: str, **kwargs: Any) -> None:
        for _, _, queue in self.file.bindings(exchange):
            self._put(queue, message)

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        raw = self.file.take(queue)
        if raw is None:
            raise Empty
        try:
            payload: dict[str, Any] = loads(raw)
            self.Message(payload, channel=self)
            payload["properties"]["delivery_info"]["queue"] = queue
        except Exception:  # whatever is wrong with it, one message must not end the worker
            self._bury_unreadable(queue, raw)
            raise Empty from None
        return payload

    def _size(self, queue: str) -> int:
        return self.file.size(queue)

    def _purge(self, queue: str) -> int:
        return self.file.purge(queue)

    def _restore(self, message: virtual.Message) -> None:
        """Put a message that was taken but not acknowledged back into the queue it came from."""
        payload = self._payload_of(message)
        queue = payload["properties"]["delivery_info"]["queue"]
        returned = payload["headers"]["x-delivery-count"] = payload["headers"].get("x-delivery-count", 0) + 1
        limit = self.file.options(queue).delivery_limit
        if limit is not None and returned > limit:
            self._bury(payload, "delivery_limit")
            return
        payload["properties"]["delivery_info"]["redelivered"] = True
        self.file.put_back(queue, dumps(payload))

    @staticmethod
    def _payload_of(message: virtual.Message) -> dict[str, Any]:
        payload: dict[str, Any] = message.serializable()
        return payload

    def _bury(self, payload: dict[str, Any], reason: str) -> None:
        """Send a message to the dead letters of its queue; a dead-letter exchange is a fanout."""
        queue = payload["properties"]["delivery_info"]["queue"]
        exchange = self.file.options(queue).dead_letter_exchange
        if exchange is None:
            return
        payload["headers"] |= {"x-first-death-queue": queue, "x-first-death-reason": reason}
        logger.error("message of queue %s goes to the dead letters: %s", queue, reason)
        self._put_fanout(exchange, payload, queue)

    def _bury_unreadable(self, queue: str, raw: str) -> None:
        payload = self.prepare_message(raw, content_type="text/plain", content_encoding="utf-8")
        self._inplace_augment_message(payload, "", queue)
        payload["properties"]["delivery_info"]["queue"] = queue
        self._bury(payload, "unreadable")


class Transport(virtual.Transport):
    """One connection to the queue file; `client` is the kombu `Connection` whose URL names it."""

    Channel = Channel
    can_parse_url = True
    polling_interval = 0.05

    driver_type = "sqlite"
    driver_name = "sqlite3"

    is_stopping: Callable[[], bool] = staticmethod(lambda: False)
    """Asked between two looks into the file: a worker on its way out does not wait for another message."""

    connection_errors = (  # type: ignore[assignment] # kombu states how many it has itself
        *virtual.Transport.connection_errors,
        sqlite3.OperationalError,
    )

    implements = virtual.Transport.implements.extend(exchange_type=frozenset(["direct", "topic", "fanout"]))

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.file = QueueFile(_path_of(client.hostname))
        self._owned: set[str] = set()

    def driver_version(self) -> str:
        return sqlite3.sqlite_version

    def establish_connection(self) -> Any:
        self.file.open()
        return super().establish_connection()

    def drain_events(  # type: ignore[override] # kombu's two base classes disagree
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Deliver the next message; `TimeoutError` if there is none within `timeout` seconds."""
        give_up_at = time.monotonic() + (math.inf if timeout is None else timeout)
        while True:
            try:
                self.cycle.get(self._deliver, timeout=timeout)  # type: ignore[union-attr] # the constructor sets it
                return
            except Empty:
                if time.monotonic() >= give_up_at or self.is_stopping():
                    raise TimeoutError from None
                time.sleep(self.polling_interval)

    def close_connection(self, connection: Any) -> None:
        super().close_connection(connection)
        for queue in self._owned:
            self.file.delete(queue)
        self._owned.clear()
        self.file.close()

    def own(self, queue: str) -> None:
        """An exclusive queue lives and dies with one connection: whatever it holds was meant for a dead one."""
        if queue not in self._owned:
            self._owned.add(queue)
            self.file.purge(queue)


__all__ = ["SCHEME", "QueueFileError", "QueueFull", "Transport", "embedded_url", "is_embedded", "register"]
