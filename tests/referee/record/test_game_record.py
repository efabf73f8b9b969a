"""The file of a game: its form, byte by byte."""

from __future__ import annotations

import struct
from hashlib import sha256

import pytest

from fivecrowns.game.v1 import game_pb2, record_pb2
from referee.record.entries import ActionEntry, RetirementEntry
from referee.record.game_record import MAX_ENTRY_BYTES, RecordError, read_record, with_seed
from tests.referee.record.forge import PUBLIC_KEY, SEED, small_record, whole_record, written

RECORD = small_record()
PREAMBLE = b"5CGR\x00\x01"


def chunks(data: bytes) -> list[bytes]:
    """The entries as they lie in the file, each with its length before it; read with nothing but the description."""
    assert data.startswith(PREAMBLE)
    found, at = [], len(PREAMBLE)
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        found.append(data[at:end])
        at = end
    return found


def joined(*parts: bytes) -> bytes:
    return PREAMBLE + b"".join(parts)


def framed(entry: record_pb2.RecordEntry) -> bytes:
    payload = entry.SerializeToString(deterministic=True)
    return struct.pack(">I", len(payload)) + payload


def test_a_file_is_magic_version_and_entries() -> None:
    messages = [record_pb2.RecordEntry.FromString(chunk[4:]) for chunk in chunks(RECORD)]
    kinds = [message.WhichOneof("entry") for message in messages]
    assert kinds == ["header", *["action"] * (len(kinds) - 4), "retirement", "footer", "seal"]
    assert messages[0].header.attempt_id == "attempt-1"
    assert [seat.bot for seat in messages[0].header.seats] == ["bot0", "bot1"]
    assert messages[0].header.commitment == sha256(SEED).digest()


def test_the_head_digest_is_over_all_bytes_before_the_seal() -> None:
    *before, seal = chunks(RECORD)
    digest = sha256(joined(*before)).digest()
    assert record_pb2.RecordEntry.FromString(seal[4:]).seal.head_digest == digest
    record = read_record(RECORD)
    assert record.digest == record.seal.head_digest == digest
    assert (record.seal.public_key, len(record.seal.signature), record.seal.seed) == (PUBLIC_KEY, 64, b"")


@pytest.mark.parametrize("data", [small_record(), small_record(signed=False), whole_record()])
def test_what_is_read_writes_the_same_bytes(data: bytes) -> None:
    record = read_record(data)
    again = written(record, signer=lambda _: (record.seal.signature, record.seal.public_key), seed=b"")
    assert (again if record.seal.signature else written(record, seed=b"")) == data


def test_a_record_shows_its_faults() -> None:
    record = read_record(whole_record())
    assert [fault.type.value for fault in record.faults] == ["MOVE_TIMEOUT", "ILLEGAL", "RESIGN"]
    assert [fault.retires for fault in record.faults] == [False, False, True]
    assert sum(isinstance(entry, RetirementEntry) for entry in record.entries) == 1
    assert sum(isinstance(entry, ActionEntry) and entry.fault is not None for entry in record.entries) == 2


def test_a_whole_game_is_about_a_kilobyte_a_hundred_actions() -> None:
    record = whole_record()
    assert len(record) < 20 * len(read_record(record).entries) + 1_500


def test_the_seed_is_added_without_touching_the_rest() -> None:
    shown = with_seed(RECORD, SEED)
    assert chunks(shown)[:-1] == chunks(RECORD)[:-1]
    before, after = read_record(RECORD).seal, read_record(shown).seal
    assert (after.head_digest, after.signature, after.public_key) == (
        before.head_digest,
        before.signature,
        before.public_key,
    )
    assert (before.seed, after.seed) == (b"", SEED)
    assert with_seed(shown, SEED) == shown


@pytest.mark.parametrize("seed", [b"", b"short", bytes(32)], ids=["none", "short", "of another game"])
def test_only_the_seed_of_the_game_is_added(seed: bytes) -> None:
    with pytest.raises(RecordError, match="seed"):
        with_seed(RECORD, seed)


def test_a_record_torn_anywhere_is_refused() -> None:
    for length in range(len(RECORD)):
        with pytest.raises(RecordError, match=r"."):
            read_record(RECORD[:length])


@pytest.mark.parametrize(
    "more", [b"\x00", b"\x00\x00\x00\x00", b"more", chunks(RECORD)[-1]], ids=["a byte", "an entry", "text", "a seal"]
)
def test_nothing_may_follow_the_seal(more: bytes) -> None:
    with pytest.raises(RecordError, match=f"{len(more)} bytes after the seal"):
        read_record(RECORD + more)


def order_of(*numbers: int) -> bytes:
    return joined(*(chunks(RECORD)[number] for number in numbers))


COUNT = len(chunks(RECORD))
FIRST, LAST = list(range(COUNT - 2)), [COUNT - 2, COUNT - 1]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        pytest.param(b"", "5CGR", id="nothing"),
        pytest.param(b"PK\x03\x04" + RECORD[4:], "5CGR", id="another magic"),
        pytest.param(b"5CGR\x00\x02" + RECORD[6:], "version 2", id="a version from the future"),
        pytest.param(b"5CGR\x00\x00" + RECORD[6:], "version 0", id="version 0"),
        pytest.param(PREAMBLE, "0 entries", id="no entries"),
        pytest.param(order_of(0, COUNT - 1), "2 entries", id="no footer"),
        pytest.param(order_of(*FIRST, COUNT - 2), "footer", id="no seal"),
        pytest.param(order_of(*FIRST[1:], *LAST), "header", id="no header"),
        pytest.param(order_of(0, *FIRST, *LAST), "header", id="two headers"),
        pytest.param(order_of(*FIRST, COUNT - 2, *LAST), "footer", id="two footers"),
        pytest.param(order_of(*FIRST, *reversed(LAST)), "after the seal", id="footer after the seal"),
        pytest.param(order_of(1, 0, *FIRST[2:], *LAST), "header", id="an action before the header"),
        pytest.param(order_of(*FIRST[:-1], COUNT - 2, FIRST[-1], COUNT - 1), "footer", id="an action after the footer"),
        pytest.param(joined(*chunks(RECORD)[:-1], b"\x00\x00\x00\x00"), "None", id="an empty entry for a seal"),
        pytest.param(joined(b"\xff\xff\xff\xff"), "4294967295", id="an entry longer than the file"),
        pytest.param(
            joined((MAX_ENTRY_BYTES + 1).to_bytes(4, "big"), bytes(MAX_ENTRY_BYTES + 1)), "65537", id="a huge entry"
        ),
        pytest.param(joined(b"\x00\x00\x00\x02\x08"), "torn", id="a torn entry"),
        pytest.param(joined(b"\x00\x00"), "torn", id="a torn length"),
        pytest.param(joined(b"\x00\x00\x00\x01\xff"), "entry 0 cannot be read", id="no protobuf"),
    ],
)
def test_what_is_no_record_is_refused(data: bytes, names: str) -> None:
    with pytest.raises(RecordError, match=names):
        read_record(data)


UNKNOWN_FIELD = b"\x98\x06\x01"
"""Field 99, a varint."""
NON_MINIMAL_SEAT = b"\x12\x02\x08\x00"
"""An action with its seat 0 written out, which proto3 leaves out."""


@pytest.mark.parametrize("number", range(COUNT))
def test_unknown_bytes_in_an_entry_are_refused(number: int) -> None:
    """Or the same game could have many files."""
    parts = chunks(RECORD)
    payload = parts[number][4:] + UNKNOWN_FIELD
    parts[number] = len(payload).to_bytes(4, "big") + payload
    with pytest.raises(RecordError, match=f"entry {number}"):
        read_record(joined(*parts))


def test_unknown_bytes_deep_in_an_entry_are_refused() -> None:
    parts = chunks(RECORD)
    entry = record_pb2.RecordEntry.FromString(parts[1][4:])
    inner = entry.action.action.SerializeToString() + UNKNOWN_FIELD
    entry.action.action.CopyFrom(game_pb2.Action.FromString(inner))
    with pytest.raises(RecordError, match="entry 1"):
        read_record(joined(parts[0], framed(entry), *parts[2:]))


def test_another_encoding_of_the_same_entry_is_refused() -> None:
    parts = chunks(RECORD)
    parts[1] = len(NON_MINIMAL_SEAT).to_bytes(4, "big") + NON_MINIMAL_SEAT
    with pytest.raises(RecordError, match="entry 1"):
        read_record(joined(*parts))


@pytest.mark.parametrize(
    ("field", "value", "names"),
    [("cause", 9, "cause 9"), ("cause", 0, "cause 0"), ("seat", 1, None)],
    ids=["an unknown cause", "no cause", "a seat: that is for the replay"],
)
def test_entries_with_values_that_do_not_exist(field: str, value: int, names: str | None) -> None:
    parts = chunks(RECORD)
    entry = record_pb2.RecordEntry.FromString(parts[1][4:])
    setattr(entry.action, field, value)
    data = joined(parts[0], framed(entry), *parts[2:])
    if names is None:
        read_record(data)
        return
    with pytest.raises(RecordError, match=names):
        read_record(data)


def test_reading_changes_nothing() -> None:
    data = bytearray(RECORD)
    assert read_record(bytes(data)) == read_record(RECORD)
    assert bytes(data) == RECORD
