"""A process that asks as much of a bot port as it can: `flooder.py PORT MODE SECONDS [TOKEN]`. Prints how often it asked."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable

import grpc

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc

CONNECTIONS = 20
HELLO = bot_pb2.Hello(protocol_version=1, rules_version=1, bot_version="1", max_games=1)
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


async def knock(port: int, token: str) -> None:
    """One stream that is refused."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OWN_CONNECTION) as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=(("authorization", f"Bearer {token}"),))
        await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=HELLO)]))
        await call.read()
        call.cancel()


async def junk(port: int, token: str) -> None:
    """A stream of a bot that is let in, filled with frames of messages that answer nothing."""
    stale = bot_pb2.BotMessage(decision=bot_pb2.DecisionReply(game_id="f" * 32, decision_id=1))
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OWN_CONNECTION) as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=(("authorization", f"Bearer {token}"),))
        await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=HELLO)]))
        while True:
            await call.write(bot_pb2.PlayRequest(messages=[stale] * 4_000))


async def noise(port: int, token: str) -> None:
    """A connection, and bytes that mean nothing."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(bytes(range(256)) * 64)
    await writer.drain()
    writer.transport.abort()


async def flood(ask: Callable[[int, str], Awaitable[None]], port: int, token: str, seconds: float) -> int:
    until, asked = time.monotonic() + seconds, 0

    async def go_on() -> None:
        nonlocal asked
        while time.monotonic() < until:
            asked += 1
            try:
                await asyncio.wait_for(ask(port, token), 2)
            except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError, OSError, TimeoutError):
                continue

    await asyncio.gather(*(go_on() for _ in range(CONNECTIONS)))
    return asked


if __name__ == "__main__":
    port, mode, seconds, token = sys.argv[1:]
    kinds = {"knock": knock, "junk": junk, "noise": noise}
    print(asyncio.run(flood(kinds[mode], int(port), token, float(seconds))))
