"""A bot that keeps every byte it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

from bots.faulty.raw import default_reply
from fivecrowns.bot.v1 import bot_pb2
from tests.support.referee import RawBot, bot_token

PLAY = "/fivecrowns.bot.v1.BotService/Play"


@dataclass
class ByteLogger:
    """Draws from the pile and throws the card just drawn, in any number of games at once."""

    port: int
    bot_id: str
    frames: list[bytes] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)
    """What came beside the frames."""
    ended: set[str] = field(default_factory=set)
    """Games."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def messages(self) -> list[bot_pb2.RefereeMessage]:
        return [message for frame in self.frames for message in bot_pb2.PlayResponse.FromString(frame).messages]

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[ByteLogger]:
        playing = asyncio.create_task(self._play())
        try:
            await self._until(lambda: bool(self.frames))
            yield self
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    async def wait_for_ends(self, count: int) -> None:
        await self._until(lambda: len(self.ended) >= count)

    async def _until(self, condition: Callable[[], bool], within_s: float = 60.0) -> None:
        async with asyncio.timeout(within_s):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def _play(self) -> None:
        metadata = (("authorization", f"Bearer {bot_token(self.bot_id)}"),)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.port}") as channel:
            method = channel.stream_stream(PLAY, request_serializer=bot_pb2.PlayRequest.SerializeToString)
            call = method(metadata=metadata)
            try:
                hello = bot_pb2.BotMessage(hello=RawBot(self.port, self.bot_id).hello)
                await call.write(bot_pb2.PlayRequest(messages=[hello]))
                self.metadata += [f"{key}: {value}" for key, value in await call.initial_metadata()]
                while isinstance(frame := await call.read(), bytes):
                    self.frames.append(frame)
                    messages = bot_pb2.PlayResponse.FromString(frame).messages
                    replies = [reply for message in messages for reply in self._hear(message)]
                    if replies:
                        await call.write(bot_pb2.PlayRequest(messages=replies))
                    self._news.set()
            finally:
                call.cancel()

    def _hear(self, message: bot_pb2.RefereeMessage) -> list[bot_pb2.BotMessage]:
        match message.WhichOneof("message"):
            case "game_start":
                return [bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=message.game_start.game_id))]
            case "decision":
                return [bot_pb2.BotMessage(decision=default_reply(message.decision))]
            case "ping":
                return [bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number))]
            case "game_end":
                self.ended.add(message.game_end.game_id)
        return []
