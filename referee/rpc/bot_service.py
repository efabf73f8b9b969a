"""BotService: lets bots in and carries their frames."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable

import grpc
from google.protobuf.message import DecodeError
from grpc.aio import EOF  # type: ignore[attr-defined]  # the stubs leave it out

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from referee.record import codec
from referee.rpc.config import Config
from referee.rpc.connection import Connection
from referee.rpc.directory import Directory, Refused
from referee.rpc.games import Games
from referee.rpc.gate import Gate, TooMany
from referee.rpc.lobby import Lobby

log = logging.getLogger(__name__)

_HELD_BACK_S = 1.0
_CUT_WITHIN_S = 0.05
"""A stream that is cut off may look like one that was closed in good order, until gRPC cancels the call a moment later."""
_UNHEARD_FRAMES = 100
"""So many are read, and passed over, of a bot that has not heard its goodbye yet."""
_BROKEN = (asyncio.CancelledError, grpc.aio.AbortError, grpc.aio.UsageError, grpc.aio.InternalError, grpc.RpcError)
"""How a stream ends whose other side is gone; that it ended is all that matters here."""

Context = grpc.aio.ServicerContext


_NAME = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name


def add_bot_service(service: BotService, server: grpc.aio.Server) -> None:
    """As the generated code would, but that what the service writes are the bytes of frames already."""
    play = grpc.stream_stream_rpc_method_handler(service.Play, bot_pb2.PlayRequest.FromString, bytes)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_NAME, {"Play": play}),))


class BotService(bot_pb2_grpc.BotServiceServicer):
    def __init__(self, config: Config, directory: Directory, lobby: Lobby, games: Games, gate: Gate) -> None:
        self._config = config
        self._directory = directory
        self._lobby = lobby
        self._games = games
        self._gate = gate

    async def Play(self, _requests: object, context: Context) -> None:
        try:
            with self._gate.visit(context.peer()):
                connection, rest = await self._let_in(context)
        except TooMany as error:
            # Held back, so that who asks again at once does not ask more often than this.
            await asyncio.sleep(_HELD_BACK_S)
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        except Refused as refused:
            await self._refuse(context, refused)
            return
        admission = connection.admission
        log.info("bot %s version %r connected", admission.bot_id, admission.version)
        self._lobby.enter(connection)
        self._games.attach(connection)
        was_ended = False
        writer = asyncio.create_task(connection.write_all(context.write))
        reader = asyncio.create_task(self._read_all(connection, context, rest))
        try:
            was_ended = await self._converse(connection, reader, writer)
        finally:
            if self._lobby.leave(connection):
                was_lost = connection.fell_silent or not (was_ended or connection.is_closing)
                self._games.detach(connection, was_lost=was_lost)
            log.info("bot %s version %r gone", admission.bot_id, admission.version)
            with self._gate.linger(context.peer()):
                await self._part(connection, reader, writer)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def _let_in(self, context: Context) -> tuple[Connection, list[bot_pb2.BotMessage]]:
        """Raises TooMany or Refused."""
        if not self._gate.knock(context.peer(), self._now()):
            raise TooMany(f"more than {self._config.opens_a_minute_an_address} streams of this address within a minute")
        connection, rest = await self._welcome(context)
        bot_id, limit = connection.admission.bot_id, self._config.max_streams_a_bot
        self._gate.enter(bot_id, self._now())
        if self._lobby.connection(connection.key) is None and self._lobby.count(bot_id) >= limit:
            raise TooMany(f"this bot has {limit} streams here already")
        return connection, rest

    async def _refuse(self, context: Context, refused: Refused) -> None:
        message = bot_pb2.RefereeMessage(refusal=refused.refusal)
        with self._gate.linger(context.peer()):
            await context.write(codec.play_response([message.SerializeToString()]))

    async def _welcome(self, context: Context) -> tuple[Connection, list[bot_pb2.BotMessage]]:
        """Hears the Hello and answers it; also gives back what came in the same frame after it."""
        try:
            async with asyncio.timeout(self._config.hello_timeout_s):
                first = await context.read()
        except DecodeError:
            raise Refused(bot_pb2.REFUSAL_REASON_BAD_HELLO, "the first frame cannot be read as a PlayRequest") from None
        except TimeoutError:
            raise Refused(
                bot_pb2.REFUSAL_REASON_BAD_HELLO, f"no Hello within {self._config.hello_timeout_s:.0f} s", retry=True
            ) from None
        if first is EOF or not first.messages or first.messages[0].WhichOneof("message") != "hello":
            raise Refused(bot_pb2.REFUSAL_REASON_BAD_HELLO, "the first message must be Hello")
        if fault := self._fault_of(first):
            raise Refused(bot_pb2.REFUSAL_REASON_BAD_HELLO, fault)
        hello, *rest = first.messages
        if self._games.is_draining:
            raise Refused(bot_pb2.REFUSAL_REASON_DRAINING, "this referee is shutting down: try again soon", retry=True)
        admission = self._directory.admit(_token(context), hello.hello, self._config.max_games_a_connection)
        connection = Connection(admission, self._config, self._games.window_s, self._games.before_frame)
        welcome = bot_pb2.Welcome(
            bot_id=admission.bot_id,
            bot_name=admission.bot_name,
            limits=bot_pb2.Limits(
                max_games=admission.max_games,
                max_frame_bytes=self._config.max_frame_bytes,
                ping_interval_ms=round(self._config.ping_interval_s * 1000),
            ),
            default_budgets=codec.budgets_message(self._directory.default_budgets),
            shards=self._directory.shards,
            site_url=self._directory.site_url,
            versions_wanted=admission.versions_wanted,
        )
        connection.send(bot_pb2.RefereeMessage(welcome=welcome).SerializeToString())
        return connection, rest

    async def _converse(self, connection: Connection, reader: asyncio.Task[None], writer: asyncio.Task[None]) -> bool:
        """Until either side ends it; whether one of them ended it in good order."""
        done, _ = await asyncio.wait({writer, reader, connection.given_up}, return_when=asyncio.FIRST_COMPLETED)
        if reader not in done or reader.exception() is not None:
            return False
        await asyncio.sleep(_CUT_WITHIN_S)
        return True

    async def _part(self, connection: Connection, reader: asyncio.Task[None], writer: asyncio.Task[None]) -> None:
        """A bot that was told goodbye ends the stream itself: if this side did, what it says just then would fail, and with that
        its gRPC forgets what it has not read yet."""
        try:
            if connection.is_closing:
                await asyncio.wait({reader, connection.given_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            connection.stop()
            reader.cancel()
            for task in (reader, writer):
                # gRPC ends the stream only after the frame under way, which a bot that does not read keeps for as long as it likes.
                with contextlib.suppress(*_BROKEN):
                    await task

    async def _read_all(self, connection: Connection, context: Context, rest: list[bot_pb2.BotMessage]) -> None:
        loop = asyncio.get_running_loop()
        self._hear(connection, rest, loop.time())
        unheard = 0
        while unheard < _UNHEARD_FRAMES:
            try:
                frame = await context.read()
            except DecodeError:
                connection.close(
                    bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR, "a frame cannot be read as a PlayRequest", reconnect=False
                )
                unheard += 1
                continue
            if frame is EOF:
                return
            if not connection.is_closing and (fault := self._fault_of(frame)):
                connection.close(bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR, fault, reconnect=False)
            if connection.is_closing:
                unheard += 1
                continue
            self._hear(connection, frame.messages or [bot_pb2.BotMessage()], loop.time())
        await connection.given_up

    def _fault_of(self, frame: bot_pb2.PlayRequest) -> str:
        """What is wrong with its size; nothing for most. Python looks at messages much slower than protobuf reads them."""
        messages, config = frame.messages, self._config
        if len(messages) > config.max_messages_a_frame:
            return f"a frame of more than {config.max_messages_a_frame} messages"
        limit = config.max_message_bytes
        if frame.ByteSize() > limit and any(message.ByteSize() > limit for message in messages):
            return f"a message of more than {limit} bytes"
        return ""

    def _hear(self, connection: Connection, messages: Iterable[bot_pb2.BotMessage], now: float) -> None:
        connection.heard_at = now
        for message in messages:
            is_answer = self._games.receive(connection, message, now * 1000) or message.WhichOneof("message") == "pong"
            if is_answer and connection.take_answer():
                continue
            connection.ignore(now)
            if connection.is_closing:
                return


def _token(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            if scheme.lower() == "bearer" and token:
                return token
    raise Refused(
        bot_pb2.REFUSAL_REASON_BAD_TOKEN,
        "no token came: send `authorization: Bearer TOKEN` metadata with the token of your bot",
    )
