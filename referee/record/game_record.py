"""The file of one game: magic, format version, then protobuf entries, each with its length before it.

    magic b"5CGR" | version u16 | (length u32 | entry)*     all big-endian

Header first, one entry per action or retirement, then the footer. The SHA-256 over all bytes from the magic to the end of
the footer is the head digest. One seal follows, outside the digest, and ends the file: digest, the referee's signature over
it, its public key, and the seed once it may be shown.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from google.protobuf.message import DecodeError

from fivecrowns.game.v1 import record_pb2
from referee.record import codec
from referee.record.entries import Entry, Footer, GameRecord, Header, Seal
from referee.rules.shuffle import commitment

MAGIC = b"5CGR"
FORMAT_VERSION = 1
MAX_ENTRY_BYTES = 1 << 16
_PREAMBLE = MAGIC + struct.pack(">H", FORMAT_VERSION)


class RecordError(ValueError):
    """The bytes are no record this version reads; the message says where."""


Sign = Callable[[bytes], tuple[bytes, bytes]]
"""Digest -> (signature, public key)."""


@dataclass(slots=True)
class RecordWriter:
    """Collects the bytes of a record entry by entry."""

    header: Header
    _data: bytearray = field(default_factory=lambda: bytearray(_PREAMBLE))

    def __post_init__(self) -> None:
        self._append(_payload(codec.header_entry(self.header)))

    def add(self, entry: Entry) -> bytes:
        """The bytes that were added."""
        return self._append(codec.record_entry_bytes(entry))

    def add_written(self, data: bytes) -> None:
        """Bytes that another writer's `add` answered."""
        self._data += data

    def finish(self, footer: Footer, sign: Sign | None = None, seed: bytes = b"") -> tuple[bytes, bytes]:
        """Closes the record; answers its bytes and the head digest."""
        self._append(_payload(codec.footer_entry(footer)))
        digest = sha256(self._data).digest()
        signature, public_key = sign(digest) if sign else (b"", b"")
        self._append(_payload(codec.seal_entry(Seal(digest, signature, public_key, seed))))
        return bytes(self._data), digest

    def _append(self, payload: bytes) -> bytes:
        framed = _framed(payload)
        self._data += framed
        return framed


def read_record(data: bytes) -> GameRecord:
    """The record in these bytes. Raises RecordError; checks the form, not the game (see `referee.record.verify`)."""
    if data[: len(MAGIC)] != MAGIC:
        raise RecordError("not a game record: it does not begin with 5CGR")
    if data[: len(_PREAMBLE)] != _PREAMBLE:
        raise RecordError(f"format version {int.from_bytes(data[4:6], 'big')} is not read here, only {FORMAT_VERSION}")
    messages, ends = _entries(data)
    if len(messages) < 3:
        raise RecordError(f"only {len(messages)} entries: a record has a header, a footer and a seal")
    kinds = [message.WhichOneof("entry") for message in messages]
    expected = ["header", *("action" if kind == "action" else "retirement" for kind in kinds[1:-2]), "footer", "seal"]
    for number, (kind, wanted) in enumerate(zip(kinds, expected, strict=True)):
        if kind != wanted:
            raise RecordError(f"entry {number} is {kind}, expected {wanted}")
    header, *middle, footer, seal = messages
    try:
        return GameRecord(
            header=codec.header_of(header.header),
            entries=tuple(map(codec.entry_of, middle)),
            footer=codec.footer_of(footer.footer),
            seal=codec.seal_of(seal.seal),
            digest=sha256(data[: ends[-2]]).digest(),
        )
    except ValueError as error:
        raise RecordError(str(error)) from error


def entries_in(data: bytes) -> tuple[Entry, ...]:
    """The entries in a stretch of a record, as `RecordWriter.add` answered it. Raises RecordError."""
    messages, _ = _entries(data, 0)
    try:
        return tuple(map(codec.entry_of, messages))
    except ValueError as error:
        raise RecordError(str(error)) from error


def with_seed(data: bytes, seed: bytes) -> bytes:
    """The same record with the seed in its seal, once it may be shown. The digest and the signature stay.

    Raises RecordError for a seed that is not the one of the game."""
    record = read_record(data)
    if commitment(seed) != record.header.commitment:
        raise RecordError("the seed does not match the commitment of this record")
    _, ends = _entries(data)
    seal = Seal(record.seal.head_digest, record.seal.signature, record.seal.public_key, seed)
    return data[: ends[-2]] + _framed(_payload(codec.seal_entry(seal)))


def _payload(entry: record_pb2.RecordEntry) -> bytes:
    return entry.SerializeToString(deterministic=True)


def _framed(payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + payload


def _entries(data: bytes, at: int = len(_PREAMBLE)) -> tuple[list[record_pb2.RecordEntry], list[int]]:
    """The entries from there on and where each ends.

    Every entry must be written as we write it: no unknown fields, no other encoding."""
    messages: list[record_pb2.RecordEntry] = []
    ends: list[int] = []
    while at < len(data):
        if len(data) - at < 4:
            raise RecordError(f"torn at byte {at}: no length of entry {len(messages)}")
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 4 + length
        if length > MAX_ENTRY_BYTES or end > len(data):
            raise RecordError(f"torn at byte {at}: entry {len(messages)} claims {length} bytes")
        messages.append(_entry(data[at + 4 : end], len(messages)))
        ends.append(end)
        at = end
        if messages[-1].HasField("seal") and at != len(data):
            raise RecordError(f"{len(data) - at} bytes after the seal")
    return messages, ends


def _entry(payload: bytes, number: int) -> record_pb2.RecordEntry:
    try:
        message = record_pb2.RecordEntry.FromString(payload)
    except DecodeError as error:
        raise RecordError(f"entry {number} cannot be read") from error
    known = record_pb2.RecordEntry.FromString(payload)
    known.DiscardUnknownFields()
    if _payload(known) != payload:
        raise RecordError(f"entry {number} is not written as this version writes it")
    return message
