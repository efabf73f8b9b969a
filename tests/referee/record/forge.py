"""Records to read, and records that were tampered with by somebody who knows the format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.play.session import Session
from referee.record.entries import Entry, Footer, GameRecord, Header
from referee.record.game_record import RecordWriter, Sign
from tests.support.scripted import (
    Player,
    Table,
    chaotic,
    collector,
    game_spec,
    playing,
    resigns,
    stalls,
    stumbling,
    thrower,
    throws_what_it_does_not_hold,
)

SEED = bytes(range(100, 132))
_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC_KEY = _KEY.public_key().public_bytes_raw()


def sign(digest: bytes) -> tuple[bytes, bytes]:
    return _KEY.sign(digest), PUBLIC_KEY


def record_of(*players: Player, signed: bool = True, turn_cap: int = 1, **changes: object) -> bytes:
    """A game between these players, sealed without its seed."""
    spec = game_spec(len(players), seed=SEED, turn_cap=turn_cap, **changes)
    result = Table(Session(spec, sign if signed else None), players).run()
    assert result is not None
    return result.record


def small_record(signed: bool = True) -> bytes:
    """One turn, a fault and a retirement that ends the game."""
    slips = {1: throws_what_it_does_not_hold, 3: resigns}
    return record_of(playing(thrower), stumbling(thrower, slips), signed=signed)


def whole_record(signed: bool = True) -> bytes:
    """Eleven rounds of four seats, with hands gone out, faults and a retirement."""
    stumbles = stumbling(collector, {2: stalls, 5: throws_what_it_does_not_hold, 12: resigns})
    return record_of(playing(collector), stumbles, playing(chaotic(2)), playing(thrower), signed=signed, turn_cap=6)


def written(
    record: GameRecord,
    *,
    header: Header | None = None,
    entries: Sequence[Entry] | None = None,
    footer: Footer | None = None,
    signer: Sign | None = None,
    seed: bytes = SEED,
) -> bytes:
    """The record with these parts exchanged; its chain is right again."""
    writer = RecordWriter(header or record.header)
    for entry in record.entries if entries is None else entries:
        writer.add(entry)
    return writer.finish(footer or record.footer, signer, seed)[0]


def with_entry(record: GameRecord, number: int, **changes: object) -> tuple[Entry, ...]:
    """The entries with fields of one of them exchanged."""
    changed = replace(record.entries[number], **changes)
    return (*record.entries[:number], changed, *record.entries[number + 1 :])
