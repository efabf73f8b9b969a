"""Queues, bindings and messages in one SQLite file, shared by all processes of one machine.

The file is a broker's memory, not a record: whoever starts the site may throw it away (`discard`), for a message is
only a hint and the sweeper finds every due row by itself. So it is never synced to disk; it does survive `kill -9`
of any process.

A message is taken by one statement that deletes and returns it, so no two consumers can take it. Idle polling is a
plain read and takes no write lock.

One connection a `QueueFile`, under a lock, and closed before a fork: the child of a forking process inherits SQLite's
belief that it holds the file's locks while the kernel gives it none, and would go on writing into a log that the
others have deleted.
"""

import os
import sqlite3
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

BUSY_TIMEOUT_S = 30.0
SCHEMA_VERSION = 1
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

REJECT_PUBLISH = "reject-publish"
"""A full queue refuses the new message."""
DROP_HEAD = "drop-head"
"""A full queue forgets its oldest message."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS queue (
  name TEXT PRIMARY KEY,
  max_length INTEGER NOT NULL,
  overflow TEXT NOT NULL,
  delivery_limit INTEGER,
  dead_letter_exchange TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS binding (
  exchange TEXT NOT NULL,
  queue TEXT NOT NULL,
  routing_key TEXT NOT NULL,
  pattern TEXT NOT NULL,
  PRIMARY KEY (exchange, queue, routing_key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY, queue TEXT NOT NULL, payload TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS message_queue ON message (queue);
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""

_PUT_BELOW_LIMIT = """
INSERT INTO message (queue, payload) SELECT ?1, ?2
WHERE (SELECT count(*) FROM (SELECT 1 FROM message WHERE queue = ?1 LIMIT ?3)) < ?3
RETURNING id
"""
_FORGET_OLDEST = """
DELETE FROM message WHERE queue = ?1
AND id <= (SELECT id FROM message WHERE queue = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
"""
_PEEK = "SELECT 1 FROM message WHERE queue = ? LIMIT 1"
_TAKE = """
DELETE FROM message WHERE id = (SELECT id FROM message WHERE queue = ? ORDER BY id LIMIT 1) RETURNING payload
"""


class QueueFileError(Exception):
    """The queue file cannot be used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class QueueOptions:
    """What a queue was declared with; the same words as RabbitMQ's `x-` arguments."""

    max_length: int = 10_000
    overflow: str = DROP_HEAD
    delivery_limit: int | None = None
    """How often a message may come back before it goes to the dead letters; None: for ever."""
    dead_letter_exchange: str | None = None

    @classmethod
    def from_arguments(cls, arguments: dict[str, Any] | None) -> Self:
        given = arguments or {}
        return cls(
            max_length=given.get("x-max-length", cls().max_length),
            overflow=given.get("x-overflow", DROP_HEAD),
            delivery_limit=given.get("x-delivery-limit"),
            dead_letter_exchange=given.get("x-dead-letter-exchange"),
        )


class QueueFile:
    """The file at `path`, opened at the first use. Safe to use from any thread, and on both sides of a fork."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        with _files_lock:
            _files.add(self)

    def put(self, queue: str, payload: str) -> bool:
        """Append a message; False if the queue is full and refuses it."""
        options = self.options(queue)
        if options.overflow == REJECT_PUBLISH:
            return bool(self._run(_PUT_BELOW_LIMIT, queue, payload, options.max_length))
        self.put_back(queue, payload)
        self._run(_FORGET_OLDEST, queue, options.max_length)
        return True

    def put_back(self, queue: str, payload: str) -> None:
        """Append whatever the length: a message that was taken must be able to return."""
        self._run("INSERT INTO message (queue, payload) VALUES (?, ?)", queue, payload)

    def take(self, queue: str) -> str | None:
        """Remove and return the oldest message; None if there is none."""
        if not self._run(_PEEK, queue):
            return None
        taken = self._run(_TAKE, queue)
        return taken[0][0] if taken else None

    def size(self, queue: str) -> int:
        return int(self._run("SELECT count(*) FROM message WHERE queue = ?", queue)[0][0])

    def purge(self, queue: str) -> int:
        """Forget the queue's messages; how many there were."""
        return len(self._run("DELETE FROM message WHERE queue = ? RETURNING id", queue))

    def declare(self, queue: str, options: QueueOptions) -> None:
        """Make the queue known, or change its options."""
        self._run(
            "INSERT OR REPLACE INTO queue VALUES (?, ?, ?, ?, ?)",
            queue,
            options.max_length,
            options.overflow,
            options.delivery_limit,
            options.dead_letter_exchange,
        )

    def is_declared(self, queue: str) -> bool:
        return bool(self._run("SELECT 1 FROM queue WHERE name = ?", queue))

    def options(self, queue: str) -> QueueOptions:
        found = self._run(
            "SELECT max_length, overflow, delivery_limit, dead_letter_exchange FROM queue WHERE name = ?", queue
        )
        return QueueOptions(*found[0]) if found else QueueOptions()

    def delete(self, queue: str) -> None:
        """Forget the queue, its bindings and its messages."""
        self._run("DELETE FROM binding WHERE queue = ?", queue)
        self._run("DELETE FROM queue WHERE name = ?", queue)
        self._run("DELETE FROM message WHERE queue = ?", queue)

    def bind(self, exchange: str, queue: str, routing_key: str, pattern: str) -> None:
        self._run("INSERT OR REPLACE INTO binding VALUES (?, ?, ?, ?)", exchange, queue, routing_key, pattern)

    def unbind(self, exchange: str, queue: str, routing_key: str) -> None:
        self._run(
            "DELETE FROM binding WHERE exchange = ? AND queue = ? AND routing_key = ?", exchange, queue, routing_key
        )

    def bindings(self, exchange: str) -> list[tuple[str, str, str]]:
        """(routing key, pattern, queue) of every binding of the exchange."""
        return self._run("SELECT routing_key, pattern, queue FROM binding WHERE exchange = ?", exchange)

    def open(self) -> None:
        """Make sure that the file is there and usable."""
        self._run("SELECT 1")

    def close(self) -> None:
        with self._lock:
            self._drop_connection()

    def _run(self, sql: str, *values: Any) -> list[Any]:
        """All rows of one statement; reading them all ends its transaction."""
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = _connect(self.path)
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                    raise  # locked, disk full: passes, so kombu tries again
                raise QueueFileError(
                    f"queue file {self.path} is unreadable ({error}): stop all processes and delete it"
                ) from error

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def discard(path: Path) -> None:
    """Throw the queue file away; nobody may have it open."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    if not path.parent.is_dir():
        raise QueueFileError(f"folder {path.parent} of the queue file does not exist: create it or correct the path")
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        _enter_wal(connection)
        connection.execute("PRAGMA synchronous = OFF")
        _ensure_schema(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _enter_wal(connection: sqlite3.Connection) -> None:
    """SQLite does not wait its busy timeout when several processes switch the mode at once."""
    give_up_at = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return
        except sqlite3.OperationalError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.01)


def _ensure_schema(connection: sqlite3.Connection, path: Path) -> None:
    version = _user_version(connection)
    if version == 0:
        connection.executescript(_SCHEMA)
        version = _user_version(connection)
    if version != SCHEMA_VERSION:
        raise QueueFileError(
            f"queue file {path} has version {version}, this program reads {SCHEMA_VERSION}: "
            "stop all processes and delete it"
        )


def _user_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


_files: weakref.WeakSet[QueueFile] = weakref.WeakSet()
_files_lock = threading.Lock()
_held_over_fork: list[QueueFile] = []


def _close_before_fork() -> None:
    _files_lock.acquire()
    for file in list(_files):
        file._lock.acquire()
        _held_over_fork.append(file)
        file._drop_connection()


def _release_after_fork() -> None:
    while _held_over_fork:
        _held_over_fork.pop()._lock.release()
    _files_lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_close_before_fork, after_in_parent=_release_after_fork, after_in_child=_release_after_fork
    )
