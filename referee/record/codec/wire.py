"""Protobuf's wire format, as far as the one message needs it that a referee sends all the time.

To fill a DecisionRequest field by field and to serialize it costs more than everything else the referee does with a decision, so
its bytes are put together here. They are the bytes that protobuf would write: tests compare them.
"""

from __future__ import annotations

from collections.abc import Sequence

_LENGTH_DELIMITED = 2


def varint(value: int) -> bytes:
    """A number of 0 or more, seven bits a byte, lowest first."""
    if value < len(_VARINTS):
        return _VARINTS[value]
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_VARINTS: list[bytes] = []
_VARINTS.extend([varint(value) for value in range(1 << 14)])


def number_key(field: int) -> bytes:
    """What stands before a number."""
    return varint(field << 3)


def block_key(field: int) -> bytes:
    """What stands before a text, a message, or numbers in a row."""
    return varint(field << 3 | _LENGTH_DELIMITED)


def number(key: bytes, value: int) -> bytes:
    """A field that holds a number; 0 is left out."""
    return key + varint(value) if value else b""


def text(key: bytes, value: str) -> bytes:
    """A field that holds text; left out if there is none."""
    return block(key, value.encode()) if value else b""


def block(key: bytes, content: bytes) -> bytes:
    """A field that holds bytes, even none."""
    return key + varint(len(content)) + content


def numbers(key: bytes, values: Sequence[int]) -> bytes:
    """A repeated field of numbers, packed; left out if there are none."""
    if not values:
        return b""
    if max(values) <= 0x7F:
        return block(key, bytes(values))
    return block(key, b"".join(map(varint, values)))
