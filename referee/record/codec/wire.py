"""Protobuf's wire format, as far as those messages need it that a referee writes with every decision.

To fill such a message field by field and to serialize it costs more than everything else the referee does with a decision, so their
bytes are put together by hand. They are the bytes that protobuf would write: tests compare them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

_FIXED64 = 1
_LENGTH_DELIMITED = 2
_DOUBLE: Final = struct.Struct("<d")


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


_VARINTS: Final[list[bytes]] = []
_VARINTS.extend([varint(value) for value in range(1 << 14)])


def number_key(field: int) -> bytes:
    """What stands before a number."""
    return varint(field << 3)


def double_key(field: int) -> bytes:
    return varint(field << 3 | _FIXED64)


def double(key: bytes, value: float) -> bytes:
    """A field that holds a number with a fraction, 0 or more; 0 is left out."""
    return key + _DOUBLE.pack(value) if value else b""


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
