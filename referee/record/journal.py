"""The bytes of a journal: what a referee process writes before it takes effect, and what the next process reads.

    magic b"5CGJ" | version u16 | frame*
    frame = mark b"\\xf5CJ\\n" | length u32 | CRC-32 of the payload u32 | payload        all big-endian

A payload is one `JournalEntry` message of some game. Frames of all games lie in one file, in the order they were written; the
number in each entry is its place within its own game, so that what is missing shows. A frame may stand there twice.

The mark lets a reader find the next frame after a damaged one. Damage at the very end is a write that was cut off: it never took
effect, and is left out. Damage before that is reported: a game that misses an entry, and a game that has no entry after the damage
(its last one may be what is lost), are not to be resumed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from google.protobuf.message import DecodeError

from fivecrowns.referee.v1 import journal_pb2
from referee.record import codec
from referee.record.journal_entries import Began, Ended, JournalEntry, Moment, Numbered, Opened

MAGIC = b"5CGJ"
FORMAT_VERSION = 1
PREAMBLE = MAGIC + struct.pack(">H", FORMAT_VERSION)
MAX_PAYLOAD_BYTES = 1 << 18
_MARK: Final = b"\xf5CJ\n"
_HEAD: Final = struct.Struct(">4sII")


class JournalError(ValueError):
    """The bytes are no journal this version reads; the message says why."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An entry and where it ends."""

    numbered: Numbered
    end: int


@dataclass(frozen=True, slots=True)
class JournalFile:
    """What was read of one file."""

    frames: tuple[Frame, ...]
    damaged: tuple[int, ...]
    """Where damage begins that sound frames follow, in bytes from the start."""
    torn_bytes: int
    """Cut off at the end."""


@dataclass(slots=True)
class JournalledGame:
    """What is known of one game. `problem` is empty if it can go on."""

    opened: Opened | None = None
    entries: list[Began | Moment] = field(default_factory=list)
    is_ended: bool = False
    problem: str = ""


def journal_frame(numbered: Numbered) -> bytes:
    payload = codec.journal_bytes(numbered)
    return _HEAD.pack(_MARK, len(payload), crc32(payload)) + payload


def read_journal(data: bytes) -> JournalFile:
    """All sound frames of a file. Raises JournalError if it is not a journal at all."""
    if len(data) < len(PREAMBLE):
        return JournalFile((), (), len(data))
    if data[: len(MAGIC)] != MAGIC:
        raise JournalError("not a journal: it does not begin with 5CGJ")
    if data[: len(PREAMBLE)] != PREAMBLE:
        raise JournalError(
            f"journal version {int.from_bytes(data[4:6], 'big')} is not read here, only {FORMAT_VERSION}"
        )
    frames: list[Frame] = []
    damaged: list[int] = []
    at = len(PREAMBLE)
    while at < len(data):
        frame = _frame_at(data, at)
        if frame is None:
            found = _next_frame(data, at + 1)
            if found is None:
                return JournalFile(tuple(frames), tuple(damaged), len(data) - at)
            damaged.append(at)
            at, frame = found
        frames.append(frame)
        at = frame.end
    return JournalFile(tuple(frames), tuple(damaged), 0)


def games_of(files: Iterable[JournalFile]) -> dict[str, JournalledGame]:
    """The games in these files, oldest file first; those that cannot go on say why."""
    by_game: dict[str, dict[int, JournalEntry]] = {}
    suspects: set[str] = set()
    for file in files:
        damage = list(file.damaged)
        for frame in file.frames:
            while damage and frame.end > damage[0]:
                suspects |= by_game.keys()
                damage.pop(0)
            numbered = frame.numbered
            by_game.setdefault(numbered.attempt_id, {})[numbered.number] = numbered.entry
            suspects.discard(numbered.attempt_id)
    return {attempt_id: _game(entries, attempt_id in suspects) for attempt_id, entries in by_game.items()}


def _game(entries: dict[int, JournalEntry], is_suspect: bool) -> JournalledGame:
    if any(isinstance(entry, Ended) for entry in entries.values()):
        return JournalledGame(is_ended=True)
    missing = sorted(set(range(max(entries) + 1)) - entries.keys())
    if missing:
        return JournalledGame(problem=f"entry {missing[0]} of {max(entries) + 1} is damaged")
    if is_suspect:
        return JournalledGame(problem=f"what followed entry {max(entries)} may be damaged")
    ordered: Sequence[JournalEntry] = [entries[number] for number in sorted(entries)]
    opened, *rest = ordered
    if not isinstance(opened, Opened):
        return JournalledGame(problem=f"it begins with {type(opened).__name__}")
    return JournalledGame(opened, [entry for entry in rest if isinstance(entry, Began | Moment)])


def _frame_at(data: bytes, at: int) -> Frame | None:
    """The sound frame that begins here, if there is one."""
    if len(data) - at < _HEAD.size:
        return None
    mark, length, checksum = _HEAD.unpack_from(data, at)
    end = at + _HEAD.size + length
    if mark != _MARK or length > MAX_PAYLOAD_BYTES or end > len(data):
        return None
    payload = data[at + _HEAD.size : end]
    if crc32(payload) != checksum:
        return None
    try:
        return Frame(codec.journal_entry_of(journal_pb2.JournalEntry.FromString(payload)), end)
    except (DecodeError, ValueError):
        return None


def _next_frame(data: bytes, at: int) -> tuple[int, Frame] | None:
    while (at := data.find(_MARK, at)) != -1:
        frame = _frame_at(data, at)
        if frame is not None:
            return at, frame
        at += 1
    return None
