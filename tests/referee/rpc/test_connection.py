"""The outbox of one stream: what leaves in which frame, and whose time the waiting is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fivecrowns.bot.v1 import bot_pb2
from referee.rpc.config import Config
from referee.rpc.connection import Connection
from referee.rpc.directory import Admission

ADMISSION = Admission("b1", "b1", "owner1", "1", 1, 1, "", (), ())
REQUEST = bot_pb2.RefereeMessage(decision=bot_pb2.DecisionRequest(game_id="g" * 32)).SerializeToString()


class Reader:
    """Takes frames while it is let."""

    def __init__(self) -> None:
        self.frames: list[bot_pb2.PlayResponse] = []
        self.may_read = asyncio.Event()

    async def write(self, frame: bytes) -> None:
        await self.may_read.wait()
        self.frames.append(bot_pb2.PlayResponse.FromString(frame))

    async def has(self, frames: int) -> None:
        async with asyncio.timeout(10):
            while len(self.frames) < frames:
                await asyncio.sleep(0.001)


@asynccontextmanager
async def outbox(
    *, window_s: float = 0.001, before_frame: Callable[[], None] = lambda: None, **config: object
) -> AsyncIterator[tuple[Connection, Reader]]:
    settings = Config("", "", Path(), "run", "watch", **config)  # type: ignore[arg-type] # some of its fields
    connection, reader = Connection(ADMISSION, settings, lambda: window_s, before_frame), Reader()
    writer = asyncio.create_task(connection.write_all(reader.write))
    try:
        yield connection, reader
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)


def now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000


async def test_waiting_for_a_batch_is_never_charged() -> None:
    left: list[float] = []
    async with outbox(window_s=0.1) as (connection, reader):
        reader.may_read.set()
        sent_ms = now_ms()
        connection.send(REQUEST, on_handover=left.append)
        await reader.has(1)
    assert left[0] - sent_ms >= 100


async def test_waiting_for_a_bot_that_does_not_read_is_charged() -> None:
    """Its request counts as handed over soon, however long the frame before it stays unread."""
    left: list[float] = []
    async with outbox(max_handover_s=0.05) as (connection, reader):
        connection.send(REQUEST)
        await asyncio.sleep(0.1)  # the first frame stands in the way from here on
        sent_ms = now_ms()
        connection.send(REQUEST, on_handover=left.append)
        await asyncio.sleep(0.3)
        assert left == []
        reader.may_read.set()
        await reader.has(2)
    assert left[0] - sent_ms == pytest.approx(50, abs=1)


async def test_frames_are_of_a_size_that_a_bot_reads() -> None:
    left: list[float] = []
    async with outbox() as (connection, reader):
        reader.may_read.set()
        for _ in range(2_500):
            connection.send(REQUEST, on_handover=left.append)
        await reader.has(3)
    assert [len(frame.messages) for frame in reader.frames] == [1_000, 1_000, 500]
    assert len(left) == 2_500


async def test_the_outbox_is_bounded() -> None:
    async with outbox(max_pending_messages=10, goodbye_grace_s=0.05) as (connection, reader):
        for _ in range(1_000):
            connection.send(REQUEST)
        assert connection.is_closing
        async with asyncio.timeout(10):
            await connection.given_up
        reader.may_read.set()
        await reader.has(1)
    assert len(reader.frames[0].messages) == 11
    assert reader.frames[0].messages[-1].goodbye.reason == bot_pb2.GOODBYE_REASON_TOO_SLOW


@pytest.mark.parametrize("answers", [0, 1, 2])
async def test_how_many_answers_are_due(answers: int) -> None:
    async with outbox() as (connection, _reader):
        connection.send(REQUEST, answers=answers)
        assert [connection.take_answer() for _ in range(answers + 1)] == [True] * answers + [False]


async def test_what_it_tells_is_in_the_journal_before_it_leaves() -> None:
    order: list[str] = []
    async with outbox(before_frame=lambda: order.append("journal")) as (connection, reader):
        reader.frames = _Noting(order)
        reader.may_read.set()
        for number in range(1, 4):
            connection.send(REQUEST)
            await reader.has(number)
    assert order == ["journal", "frame"] * 3


class _Noting(list[bot_pb2.PlayResponse]):
    def __init__(self, order: list[str]) -> None:
        super().__init__()
        self._order = order

    def append(self, frame: bot_pb2.PlayResponse) -> None:
        self._order.append("frame")
        super().append(frame)
