"""Drawing lots without chance of its own: the caller brings the bytes, equal bytes give equal lots."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256


def lot(lots: bytes, *numbers: int) -> int:
    """A number of 64 bits for these numbers."""
    text = ",".join(map(str, numbers)).encode()
    return int.from_bytes(sha256(len(lots).to_bytes(8, "big") + lots + text).digest()[:8], "big")


def draws(lots: bytes) -> Iterator[int]:
    """An endless row of numbers of 32 bits (xorshift from the first lot): enough for a search, not for a deal."""
    state = lot(lots) or 1
    while True:
        state ^= (state << 13) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 7
        state ^= (state << 17) & 0xFFFFFFFFFFFFFFFF
        yield state >> 32
