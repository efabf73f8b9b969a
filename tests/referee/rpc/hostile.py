"""A hostile bot beside healthy ones: their games go on all the while, and must not notice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.record.verify import verify_record
from tests.support.referee import RawBot, Site, bot_token, game_spec, running_referee

HEALTHY = ("h1", "h2", "h3")
HOSTILE = "bad"
WITHIN_S = 30.0


@dataclass
class Arena:
    site: Site
    games: int = 0
    """Finished by the healthy bots so far."""
    specs: list[referee_pb2.GameSpec] = field(default_factory=list)

    @property
    def port(self) -> int:
        return self.site.referee.bots_port

    async def play_on(self) -> None:
        """One more game of the healthy bots, which must end without a fault and with a record that verifies."""
        spec = game_spec(HEALTHY, config=game_pb2.GameConfig(turn_cap=2))
        (state,) = await self.site.start(spec)
        assert state.status != referee_pb2.GAME_STATUS_REFUSED, state.message
        result = await self.site.result(spec.attempt_id, WITHIN_S)
        assert result.status == referee_pb2.GAME_STATUS_FINISHED
        assert list(result.faults) == []
        assert verify_record(result.record, spec.seed).problems == ()
        acknowledged = referee_pb2.AcknowledgeResultsRequest(attempt_ids=[spec.attempt_id])
        await self.site.stub.AcknowledgeResults(acknowledged, metadata=self.site.metadata)
        self.games += 1

    async def let_in(self, bot_id: str = HOSTILE) -> None:
        """Waits until this bot is welcome."""
        while True:
            async with calling(self.port, bot_id=bot_id) as call:
                if await call.answer(bot_id) == "welcome":
                    return
            await asyncio.sleep(0.05)

    async def listed(self) -> list[str]:
        """Whom the referee calls connected."""
        answer = await self.site.stub.ListBots(referee_pb2.ListBotsRequest(), metadata=self.site.metadata)
        return sorted(bot.bot_id for bot in answer.bots)


@asynccontextmanager
async def arena(data_dir: Path, *bot_ids: str, **config: object) -> AsyncIterator[Arena]:
    """Healthy bots play game after game while the block runs, and one more after it; `bot_ids` are known too."""
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(data_dir, **config))
        await site.sync([*HEALTHY, HOSTILE, *bot_ids])
        for bot_id in HEALTHY:
            await stack.enter_async_context(RawBot(site.referee.bots_port, bot_id).connected())
        arena = Arena(site)
        stop = asyncio.Event()

        async def play() -> None:
            while not stop.is_set():
                await arena.play_on()

        playing = asyncio.create_task(play())
        try:
            async with asyncio.timeout(2 * WITHIN_S):
                yield arena
        except BaseException:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            raise
        stop.set()
        await playing
        await arena.play_on()
        assert set(HEALTHY) <= set(await arena.listed())


class Call:
    """A stream whose bot says whatever the test wants."""

    def __init__(self, call: grpc.aio.StreamStreamCall[bot_pb2.PlayRequest | bytes, bot_pb2.PlayResponse]) -> None:
        self._call = call
        self._unread: list[bot_pb2.RefereeMessage] = []

    async def say(self, *messages: bot_pb2.BotMessage) -> None:
        await self._call.write(bot_pb2.PlayRequest(messages=messages))

    async def say_bytes(self, frame: bytes) -> None:
        await self._call.write(frame)

    async def hello(self, bot_id: str = HOSTILE) -> None:
        await self.say(bot_pb2.BotMessage(hello=RawBot(0, bot_id).hello))
        assert (await self.hear("welcome")).welcome.bot_id == bot_id

    async def answer(self, bot_id: str = HOSTILE, version: str = "1") -> str | grpc.StatusCode:
        """Says Hello; the kind of the first message that comes back, or how the stream ended without any."""
        try:
            await self.say(bot_pb2.BotMessage(hello=RawBot(0, bot_id, version=version).hello))
            frame = await self._call.read()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return await self._call.code()
        if isinstance(frame, bot_pb2.PlayResponse):
            return str(frame.messages[0].WhichOneof("message"))
        return await self._call.code()

    async def hear(self, kind: str) -> bot_pb2.RefereeMessage:
        """The next message of this kind; others are passed over."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                while self._unread:
                    message = self._unread.pop(0)
                    if message.WhichOneof("message") == kind:
                        return message
                frame = await self._call.read()
                assert isinstance(frame, bot_pb2.PlayResponse), f"the stream ended before any {kind}"
                self._unread += frame.messages

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the stream ended."""
        async with asyncio.timeout(WITHIN_S):
            return await self._call.code(), await self._call.details() or ""


@asynccontextmanager
async def calling(
    port: int,
    token: str | None = None,
    *,
    bot_id: str = HOSTILE,
    metadata: Sequence[tuple[str, str]] = (),
    options: Sequence[tuple[str, int]] = (),
) -> AsyncIterator[Call]:
    """A stream with a good token unless another is given."""
    shown = (("authorization", f"Bearer {bot_token(bot_id) if token is None else token}"), *metadata)
    own_connection = ("grpc.use_local_subchannel_pool", 1)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=(own_connection, *options)) as channel:
        play = channel.stream_stream(
            "/fivecrowns.bot.v1.BotService/Play",
            request_serializer=_serialized,
            response_deserializer=bot_pb2.PlayResponse.FromString,
        )
        call = play(metadata=shown)
        try:
            yield Call(call)
        finally:
            call.cancel()


def _serialized(request: bot_pb2.PlayRequest | bytes) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()
