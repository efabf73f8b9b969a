"""HTTP/2 by hand, for clients that a library would keep from misbehaving."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from fivecrowns.bot.v1 import bot_pb2

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PLAY = "/fivecrowns.bot.v1.BotService/Play"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
ACK = END_STREAM = 1
END_HEADERS = 4
_MAX_FRAME = 16_384
_INITIAL_WINDOW_SIZE = 4


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(**values: int) -> bytes:
    """Only `window`: how much the server may send on a stream before it is told to go on."""
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", _INITIAL_WINDOW_SIZE, value) for value in values.values()))


def window_update(stream: int, size: int) -> bytes:
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", size))


def call_headers(path: str, token: str = "", extra: Sequence[tuple[str, str]] = ()) -> bytes:
    """A header block of literals, nothing indexed and nothing compressed."""
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "referee"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        *([("authorization", f"Bearer {token}")] if token else []),
        *extra,
    ]
    return b"".join(b"\x00" + _text(name) + _text(value) for name, value in fields)


def _text(text: str) -> bytes:
    """Length as an integer with a prefix of seven bits, then the bytes."""
    data = text.encode()
    if len(data) < 127:
        return bytes([len(data)]) + data
    rest, length = len(data) - 127, b"\x7f"
    while rest >= 128:
        length += bytes([rest % 128 + 128])
        rest //= 128
    return length + bytes([rest]) + data


def message(body: bytes) -> bytes:
    """With the length that gRPC puts before it."""
    return struct.pack(">BI", 0, len(body)) + body


@dataclass
class Http2:
    """A client that does only what it is told; it answers no ping and opens no window by itself."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    _unread: dict[int, bytes] = field(default_factory=dict)

    def send(self, *frames: bytes) -> None:
        self.writer.write(b"".join(frames))

    def open_play(self, stream: int, token: str = "") -> None:
        self.send(frame(HEADERS, END_HEADERS, stream, call_headers(PLAY, token)))

    def say(self, stream: int, *messages: bot_pb2.BotMessage) -> None:
        body = message(bot_pb2.PlayRequest(messages=messages).SerializeToString())
        for at in range(0, len(body), _MAX_FRAME):
            self.send(frame(DATA, 0, stream, body[at : at + _MAX_FRAME]))

    async def read_frame(self) -> tuple[int, int, int, bytes]:
        """(kind, flags, stream, payload). Raises IncompleteReadError at the end of the connection."""
        head = await self.reader.readexactly(9)
        length = int.from_bytes(head[:3])
        kind, flags, stream = struct.unpack(">BBI", head[3:])
        payload = await self.reader.readexactly(length)
        if kind == SETTINGS and not flags & ACK:
            self.send(frame(SETTINGS, ACK, 0))
        return kind, flags, stream, payload

    async def hear(self, stream: int) -> list[bot_pb2.RefereeMessage]:
        """The next frame of messages on this stream. Raises EOFError if the stream ends instead."""
        while True:
            waiting = self._unread.get(stream, b"")
            if len(waiting) >= 5 and len(waiting) >= (size := 5 + int.from_bytes(waiting[1:5])):
                self._unread[stream] = waiting[size:]
                return list(bot_pb2.PlayResponse.FromString(waiting[5:size]).messages)
            kind, flags, of, payload = await self.read_frame()
            if of == stream and kind == DATA:
                self._unread[stream] = waiting + payload
            elif of == stream and (kind == RST_STREAM or (kind == HEADERS and flags & END_STREAM)):
                raise EOFError

    async def hear_out(self, stream: int) -> list[bot_pb2.RefereeMessage]:
        """All messages until the stream ends."""
        heard: list[bot_pb2.RefereeMessage] = []
        while True:
            try:
                heard += await self.hear(stream)
            except EOFError:
                return heard

    async def ended(self, within_s: float) -> bool:
        """Reads on until the server closes the connection; False if it does not in time."""
        try:
            async with asyncio.timeout(within_s):
                while await self.reader.read(_MAX_FRAME):
                    pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True


@asynccontextmanager
async def connected(port: int, *, preface: bytes | None = None) -> AsyncIterator[Http2]:
    """A TCP connection to loopback; `preface` is what it begins with, the proper one by default."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    client = Http2(reader, writer)
    client.send(PREFACE + settings() if preface is None else preface)
    try:
        yield client
    finally:
        writer.transport.abort()
