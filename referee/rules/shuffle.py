"""The shuffle: one primitive for deal and reshuffle, a pure function of the seed and a label.

The key stream of (seed, label) is block 0, block 1, ... with block i = SHA-256(seed | label | i as 4 bytes big-endian).
Card id c has the key in bytes 8c .. 8c + 7 of the stream, read big-endian; cards are ordered by ascending key, ties by id.
The label names the purpose, the game round and the number of the reshuffle, so nothing a bot does changes a later deal.
The vectors in tests/data/shuffle_vectors.json let any language check itself.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from hashlib import sha256

from referee.rules.cards import CardId

SHUFFLE_VERSION = 1
SEED_BYTES = 32
_KEYS_PER_BLOCK = 4


def deal_label(game_round: int) -> bytes:
    """The label of a round's deal: `deal|7|0`."""
    return b"deal|%d|0" % game_round


def reshuffle_label(game_round: int, number: int) -> bytes:
    """The label of a round's reshuffle number 1, 2, ...: `reshuffle|7|1`."""
    return b"reshuffle|%d|%d" % (game_round, number)


def shuffle_keys(seed: bytes, label: bytes, count: int) -> tuple[int, ...]:
    """The 64-bit keys of card ids 0 .. count - 1. Raises ValueError unless the seed has 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    blocks = -(-count // _KEYS_PER_BLOCK)
    prefix = sha256(seed + label)
    stream = bytearray()
    for index in range(blocks):
        block = prefix.copy()
        block.update(index.to_bytes(4, "big"))
        stream += block.digest()
    return struct.unpack(f">{blocks * _KEYS_PER_BLOCK}Q", stream)[:count]


def shuffled(card_ids: Iterable[CardId], seed: bytes, label: bytes) -> tuple[CardId, ...]:
    """The cards in shuffled order, lowest key first. Which other cards take part does not change the order of two cards."""
    ids = sorted(card_ids)
    if not ids:
        return ()
    keys = shuffle_keys(seed, label, ids[-1] + 1)
    return tuple(sorted(ids, key=keys.__getitem__))


def commitment(seed: bytes) -> bytes:
    """What is shown before the first card: SHA-256 of the seed."""
    return sha256(seed).digest()
