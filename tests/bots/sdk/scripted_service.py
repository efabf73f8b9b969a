"""A BotService on loopback whose every stream follows a script of the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import grpc.aio

from bots.sdk import Bot
from bots.sdk.client import Client
from bots.sdk.login import Login
from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from referee.record import codec
from referee.record.messages import RefereeMessage

WITHIN_S = 30.0
_Context = grpc.aio.ServicerContext[bot_pb2.PlayRequest, bot_pb2.PlayResponse]


class Conversation:
    """One stream, from the referee's side."""

    def __init__(self, context: _Context) -> None:
        self.context = context
        self.frames: list[list[bot_pb2.BotMessage]] = []
        self._unheard: list[bot_pb2.BotMessage] = []

    @property
    def authorization(self) -> str:
        metadata = dict(self.context.invocation_metadata() or ())
        return str(metadata["authorization"])

    async def hear(self) -> bot_pb2.BotMessage:
        """The bot's next message. Raises EOFError at the end of the stream."""
        while not self._unheard:
            frame = await self.context.read()
            if not isinstance(frame, bot_pb2.PlayRequest):
                raise EOFError
            self.frames.append(list(frame.messages))
            self._unheard += frame.messages
        return self._unheard.pop(0)

    async def say(self, *messages: bot_pb2.RefereeMessage | RefereeMessage) -> None:
        """All in one frame."""
        wire = [m if isinstance(m, bot_pb2.RefereeMessage) else codec.referee_message(m) for m in messages]
        await self.context.write(bot_pb2.PlayResponse(messages=wire))

    async def greet(self, shards: tuple[str, ...] = (), site_url: str = "", **welcome: object) -> bot_pb2.Hello:
        """Hears Hello and answers Welcome."""
        hello = (await self.hear()).hello
        limits = bot_pb2.Limits(max_games=hello.max_games, ping_interval_ms=10_000)
        greeting = bot_pb2.Welcome(
            bot_id="b1", bot_name="Test Bot", limits=limits, shards=shards, site_url=site_url, **welcome
        )
        await self.say(bot_pb2.RefereeMessage(welcome=greeting))
        return hello

    async def goodbye(self, message: str, *, reconnect: bool = False) -> None:
        await self.say(bot_pb2.RefereeMessage(goodbye=bot_pb2.Goodbye(message=message, reconnect=reconnect)))


Script = Callable[[Conversation], Awaitable[None]]


class ScriptedService(bot_pb2_grpc.BotServiceServicer):
    """The first stream follows the first script and so on; the last one serves all further streams."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        self.streams = 0

    async def Play(self, request_iterator: object, context: _Context) -> None:
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        self.streams += 1
        await script(Conversation(context))


@asynccontextmanager
async def serving(*scripts: Script, port: int = 0) -> AsyncIterator[str]:
    """A server for the time of the block; its address."""
    server = grpc.aio.server()
    bot_pb2_grpc.add_BotServiceServicer_to_server(ScriptedService(*scripts), server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield f"127.0.0.1:{bound}"
    finally:
        await server.stop(None)


async def run_client(
    address: str, bot_class: type[Bot] = Bot, *, said: list[str] | None = None, max_games: int = 1
) -> str:
    """Runs a client to its end, which must come soon; its last word."""
    lines = [] if said is None else said
    client = Client(bot_class, Login(address, "secret-token", "1", max_games), lines.append)
    async with asyncio.timeout(WITHIN_S):
        return await client.run()
