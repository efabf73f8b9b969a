"""The journal on disk: what games are doing, written before it takes effect, for the process that comes after a crash.

One file grows at a time, for all games. A `flush` hands the kernel what was written since the last one, before anybody is told what
follows from it: that survives `kill -9`. A thread syncs every 50 ms, which bounds what a power cut takes. When the file is large,
the games still under way are copied to a new one and the old one goes.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from referee.record.crash_points import reach
from referee.record.journal import (
    PREAMBLE,
    JournalError,
    JournalFile,
    JournalledGame,
    games_of,
    journal_frame,
    read_journal,
)
from referee.record.journal_entries import Ended, JournalEntry, Numbered

log = logging.getLogger(__name__)

_SUFFIX = ".journal"
_sync = getattr(os, "fdatasync", os.fsync)
"""macOS has only the one that does more."""


@dataclass(slots=True)
class _Live:
    """A game under way: its next entry's number, and its frames so far."""

    next_number: int = 0
    frames: bytearray = field(default_factory=bytearray)


class JournalStore:
    """`load` once, `begin`, then `write`, `flush` and `end` from the event loop."""

    def __init__(self, folder: Path, sync_interval_s: float = 0.05, file_bytes: int = 16 * 1024 * 1024) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._sync_interval_s = sync_interval_s
        self._file_bytes = file_bytes
        self._live: dict[str, _Live] = {}
        self._path = folder / f"{0:08}{_SUFFIX}"
        self._file = -1
        self._size = 0
        self._copied = 0
        """Bytes that games under way brought along when the file began."""
        self._unwritten = bytearray()
        self._unwritten_games: set[str] = set()
        self._is_dirty = False
        self._syncing = threading.Lock()
        self._closing = threading.Event()
        self._syncer = threading.Thread(target=self._sync_on, name="journal", daemon=True)
        self.problem = ""
        """Why nothing can be written; empty if all is well."""

    def load(self) -> dict[str, JournalledGame]:
        """What earlier processes left, damage reported."""
        files = [self._read(path) for path in self._paths()]
        games = games_of(file for file in files if file is not None)
        for attempt_id, game in games.items():
            if game.problem:
                log.error("game %s cannot go on, it has to be played again: %s", attempt_id, game.problem)
        return {attempt_id: game for attempt_id, game in games.items() if not game.is_ended}

    def begin(self, going_on: Iterable[tuple[str, JournalledGame]]) -> None:
        """Starts a file with the games that go on, and removes the older ones."""
        for attempt_id, game in going_on:
            assert game.opened is not None
            live = self._live.setdefault(attempt_id, _Live())
            for entry in (game.opened, *game.entries):
                live.frames += journal_frame(Numbered(attempt_id, live.next_number, entry))
                live.next_number += 1
        self._next_file()
        self._syncer.start()

    def write(self, attempt_id: str, entry: JournalEntry) -> None:
        """In the kernel's hands after the next `flush`, which comes before anything that follows from it is told."""
        live = self._live.setdefault(attempt_id, _Live())
        frame = journal_frame(Numbered(attempt_id, live.next_number, entry))
        live.next_number += 1
        live.frames += frame
        self._unwritten += frame
        self._unwritten_games.add(attempt_id)

    def flush(self) -> frozenset[str]:
        """Hands the kernel what was written; the games whose entries it did not take."""
        if not self._unwritten:
            return frozenset()
        data, games = self._unwritten, frozenset(self._unwritten_games)
        self._unwritten, self._unwritten_games = bytearray(), set()
        reach("journal.before")
        try:
            self._append(data)
        except OSError:
            log.exception("%s", self.problem)
            return games
        reach("journal.written")
        return frozenset()

    def end(self, attempt_id: str) -> None:
        """The game needs no journal any more. A disk that is full does not matter here: ended games are found by their results."""
        live = self._live.pop(attempt_id, None)
        if live is None:
            return
        self._unwritten += journal_frame(Numbered(attempt_id, live.next_number, Ended()))
        if self._size > max(self._file_bytes, 2 * self._copied):
            with contextlib.suppress(OSError):
                self._next_file()

    def close(self) -> None:
        """Syncs what is there. The files stay for the next process."""
        self.flush()
        self._closing.set()
        if self._syncer.is_alive():
            self._syncer.join()
        if self._file != -1:
            _sync(self._file)
            os.close(self._file)
            self._file = -1

    # -- inside --------------------------------------------------------------------------------------------------------

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob(f"*{_SUFFIX}"))

    def _read(self, path: Path) -> JournalFile | None:
        try:
            file = read_journal(path.read_bytes())
        except JournalError as error:
            log.error("%s is left aside: %s", path.name, error)
            path.replace(path.with_suffix(".unreadable"))
            return None
        if file.torn_bytes:
            log.warning("%s: the last %d bytes were cut off while they were written", path.name, file.torn_bytes)
        for at in file.damaged:
            log.error("%s: damaged at byte %d", path.name, at)
        return file

    def _append(self, data: bytes | bytearray) -> None:
        try:
            written = os.write(self._file, data)
            if written < len(data):
                # The disk is full: half a frame must not stand before whole ones.
                os.ftruncate(self._file, self._size)
                raise OSError(f"only {written} of {len(data)} bytes could be written")
        except OSError as error:
            self.problem = f"the journal cannot be written: {error}"
            raise
        self.problem = ""
        self._size += len(data)
        self._is_dirty = True

    def _next_file(self) -> None:
        """The new file is whole and synced before the older ones go."""
        older = self._paths()
        number = int(older[-1].stem) + 1 if older else 1
        path = self._folder / f"{number:08}{_SUFFIX}"
        data = PREAMBLE + b"".join(live.frames for live in self._live.values())
        beside = path.with_suffix(".writing")
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        try:
            written = os.write(file, data)
            if written < len(data):
                raise OSError(f"only {written} of {len(data)} bytes could be written")
            _sync(file)
            beside.rename(path)
        except OSError:
            os.close(file)
            beside.unlink(missing_ok=True)
            raise
        with self._syncing:
            before, self._file = self._file, file
        self._path, self._size, self._copied = path, len(data), len(data)
        if before != -1:
            os.close(before)
        for old in older:
            old.unlink(missing_ok=True)

    def _sync_on(self) -> None:
        while not self._closing.wait(self._sync_interval_s):
            if not self._is_dirty:
                continue
            with self._syncing:
                self._is_dirty = False
                try:
                    _sync(self._file)
                except OSError as error:
                    self.problem = f"the journal cannot be synced: {error}"
                    log.error("%s", self.problem)
