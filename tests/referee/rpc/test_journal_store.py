"""The journal on disk: growing, moving to a new file, running out of space."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path

import pytest

from referee.record.journal import JournalledGame, read_journal
from referee.record.journal_entries import Began, Moment
from referee.rpc import journal_store
from referee.rpc.journal_store import JournalStore
from tests.referee.record.test_journal import moment, opened
from tests.support.waiting import wait_until


def fresh(folder: Path, **settings: float) -> JournalStore:
    store = JournalStore(folder, **settings)  # type: ignore[arg-type]
    store.begin(store.load().items())
    return store


def left(folder: Path) -> dict[str, JournalledGame]:
    return JournalStore(folder).load()


def play(store: JournalStore, attempt_id: str, moments: int) -> list[Began | Moment]:
    entries: list[Began | Moment] = [Began(), *(moment(number) for number in range(moments))]
    store.write(attempt_id, opened(1))
    for entry in entries:
        store.write(attempt_id, entry)
    assert store.flush() == frozenset()
    return entries


def test_what_is_flushed_is_there_without_any_closing(tmp_path: Path) -> None:
    store = fresh(tmp_path)
    entries = play(store, "attempt-a", 5)
    assert left(tmp_path)["attempt-a"] == JournalledGame(opened(1), entries)
    store.close()


def test_a_game_goes_on_in_the_next_process(tmp_path: Path) -> None:
    first = fresh(tmp_path)
    entries = play(first, "attempt-a", 3)
    second = fresh(tmp_path)
    second.write("attempt-a", moment(9))
    second.flush()
    third = fresh(tmp_path)
    third.write("attempt-a", moment(10))
    third.flush()
    assert left(tmp_path)["attempt-a"].entries == [*entries, moment(9), moment(10)]
    assert len(list(tmp_path.iterdir())) == 1
    for store in (first, second, third):
        store.close()


def test_an_ended_game_is_gone(tmp_path: Path) -> None:
    store = fresh(tmp_path)
    play(store, "attempt-a", 3)
    play(store, "attempt-b", 3)
    store.end("attempt-a")
    store.flush()
    assert list(left(tmp_path)) == ["attempt-b"]
    store.close()


def test_the_files_stay_small_however_much_is_played(tmp_path: Path) -> None:
    store = fresh(tmp_path, file_bytes=20_000)
    kept = play(store, "attempt-kept", 5)
    sizes = []
    for number in range(200):
        play(store, f"attempt-{number}", 20)
        store.end(f"attempt-{number}")
        sizes.append(sum(path.stat().st_size for path in tmp_path.iterdir()))
    store.flush()
    assert max(sizes) < 25_000
    assert len(list(tmp_path.iterdir())) == 1
    assert left(tmp_path) == {"attempt-kept": JournalledGame(opened(1), kept)}
    store.close()


def test_what_is_written_is_synced_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    plain = journal_store._sync
    monkeypatch.setattr(journal_store, "_sync", lambda file: (synced.append(file), plain(file)))
    store = fresh(tmp_path, sync_interval_s=0.01)
    before = len(synced)
    store.write("attempt-a", opened(1))
    store.flush()
    wait_until(lambda: len(synced) > before, "the journal is synced", within_s=10)
    store.close()


def test_a_full_disk_ends_the_games_that_wrote_and_leaves_no_half_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh(tmp_path)
    entries = play(store, "attempt-a", 3)
    plain = os.write

    def half(file: int, data: bytes) -> int:
        return plain(file, data[: len(data) // 2])

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    for write in (half, full):
        monkeypatch.setattr(os, "write", write)
        attempt_id = f"attempt-{write.__name__}"
        store.write(attempt_id, opened(2))
        assert store.flush() == {attempt_id}
        assert "the journal cannot be written" in store.problem
        store.end(attempt_id)
    monkeypatch.setattr(os, "write", plain)
    store.write("attempt-a", moment(8))
    assert store.flush() == frozenset()
    assert store.problem == ""
    assert left(tmp_path) == {"attempt-a": JournalledGame(opened(1), [*entries, moment(8)])}
    store.close()


def test_damage_is_reported_and_a_foreign_file_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = fresh(tmp_path)
    play(store, "attempt-a", 3)
    play(store, "attempt-b", 3)
    store.close()
    (path,) = tmp_path.iterdir()
    data = bytearray(path.read_bytes())
    data[read_journal(bytes(data)).frames[2].end - 1] ^= 1
    path.write_bytes(data)
    (tmp_path / "00000000.journal").write_bytes(b"something else")
    with caplog.at_level(logging.WARNING):
        found = left(tmp_path)
    assert (bool(found["attempt-a"].problem), found["attempt-b"].problem) == (True, "")
    assert "game attempt-a cannot go on, it has to be played again: entry 2 of 5 is damaged" in caplog.text
    assert "damaged at byte" in caplog.text
    assert (tmp_path / "00000000.unreadable").read_bytes() == b"something else"


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """Seeds lie in there."""
    store = fresh(tmp_path / "journal")
    assert (tmp_path / "journal").stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "journal").iterdir())
    store.close()
