"""One stream to one referee process: hello, then frames both ways until either side ends it."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import grpc
import grpc.aio

from bots.sdk.login import Login
from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc

MAX_MESSAGES_A_FRAME = 256
WELCOME_WITHIN_S = 20.0
GOODBYE_WITHIN_S = 1.0
SILENT_PINGS = 3
"""After so many ping intervals without a frame the connection is given up."""

REFUSAL_ADVICE = {
    bot_pb2.REFUSAL_REASON_BAD_TOKEN: "copy the whole token from the bot's page, or make a new one there",
    bot_pb2.REFUSAL_REASON_TOKEN_ROTATED: "use the newest token from the bot's page",
    bot_pb2.REFUSAL_REASON_UNKNOWN_BOT: "create the bot on the site and use its token",
    bot_pb2.REFUSAL_REASON_PROTOCOL_VERSION: "install the SDK that the arena offers for download",
    bot_pb2.REFUSAL_REASON_RULES_VERSION: "install the SDK that the arena offers for download",
    bot_pb2.REFUSAL_REASON_BAD_HELLO: "check version and number of games",
    bot_pb2.REFUSAL_REASON_TOO_MANY_VERSIONS: "use a version name the site knows already, or come back tomorrow",
    bot_pb2.REFUSAL_REASON_NOT_READY: "the referee is starting",
    bot_pb2.REFUSAL_REASON_DRAINING: "the referee is about to restart",
}
_UNTRUSTED = re.compile(r"CERTIFICATE_VERIFY_FAILED: ([^:;]+)")
_DENIED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


class Refused(Exception):
    """The referee does not let this bot in, and asking again is no use. The message says why and what to do."""

    def __init__(self, message: str, reason: bot_pb2.RefusalReason = bot_pb2.REFUSAL_REASON_UNSPECIFIED) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended."""

    message: str
    reconnect: bool
    was_welcome: bool = False
    """Whether the referee had let the bot in."""


class Stream:
    """`run` it once. Everything but `send` belongs to the event loop's side of the caller."""

    def __init__(
        self,
        address: str,
        login: Login,
        on_welcome: Callable[[bot_pb2.Welcome], None],
        on_messages: Callable[[Sequence[bot_pb2.RefereeMessage], Stream], None],
    ) -> None:
        self.address = address
        self._login = login
        self._on_welcome = on_welcome
        self._on_messages = on_messages
        self._outbox: asyncio.Queue[bot_pb2.BotMessage] = asyncio.Queue()
        self._was_welcome = False

    def send(self, message: bot_pb2.BotMessage) -> None:
        """Puts a message into the next frame; after the end of the stream it goes nowhere."""
        self._outbox.put_nowait(message)

    async def run(self) -> Ending:
        """Dials, plays and answers how it ended. Raises Refused."""
        async with self._login.dial(self.address) as channel:
            call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=self._login.metadata)
            self.send(bot_pb2.BotMessage(hello=self._login.hello()))
            writer = asyncio.create_task(self._write(call))
            # A task of its own: to cancel one that reads would cut the stream off.
            reader = asyncio.create_task(self._read(call))
            try:
                await asyncio.wait({reader})
                return reader.result()
            except TimeoutError:
                return self._ended("the referee is silent")
            except grpc.aio.AioRpcError as error:
                return self._lost(error)
            finally:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
                await self._say_goodbye(call, reader)

    async def _say_goodbye(
        self, call: grpc.aio.StreamStreamCall[bot_pb2.PlayRequest, bot_pb2.PlayResponse], reader: asyncio.Task[Ending]
    ) -> None:
        """Closes the stream in good order, which the referee can tell from a lost one.

        A stream left open keeps the interpreter from ending: whatever happens, it is cancelled in the end."""
        with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):
            if not call.done():
                await call.done_writing()
                await asyncio.wait({reader}, timeout=GOODBYE_WITHIN_S)
        call.cancel()
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)

    async def _write(self, call: grpc.aio.StreamStreamCall[bot_pb2.PlayRequest, bot_pb2.PlayResponse]) -> None:
        while True:
            messages = [await self._outbox.get()]
            while len(messages) < MAX_MESSAGES_A_FRAME and not self._outbox.empty():
                messages.append(self._outbox.get_nowait())
            await call.write(bot_pb2.PlayRequest(messages=messages))

    async def _read(self, call: grpc.aio.StreamStreamCall[bot_pb2.PlayRequest, bot_pb2.PlayResponse]) -> Ending:
        loop, patience_s = asyncio.get_running_loop(), WELCOME_WITHIN_S
        async with asyncio.timeout(patience_s) as watch:
            while isinstance(frame := await call.read(), bot_pb2.PlayResponse):
                of_games = []
                for message in frame.messages:
                    match message.WhichOneof("message"):
                        case "ping":
                            self.send(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number)))
                        case "welcome":
                            patience_s = self._welcomed(message.welcome)
                        case "refusal":
                            return self._refused(message.refusal)
                        case "goodbye":
                            return self._ended(message.goodbye.message, message.goodbye.reconnect)
                        case _:
                            of_games.append(message)
                if of_games:
                    self._on_messages(of_games, self)
                watch.reschedule(loop.time() + patience_s)
        return self._ended("the referee closed the stream")

    def _welcomed(self, welcome: bot_pb2.Welcome) -> float:
        """Answers how long the referee may be silent from now on."""
        self._was_welcome = True
        self._on_welcome(welcome)
        return max(WELCOME_WITHIN_S, SILENT_PINGS * welcome.limits.ping_interval_ms / 1000)

    def _refused(self, refusal: bot_pb2.Refusal) -> Ending:
        advice = REFUSAL_ADVICE.get(refusal.reason, "")
        name = bot_pb2.RefusalReason.Name(refusal.reason).removeprefix("REFUSAL_REASON_")
        message = f"refused, {name}: {refusal.message or advice}"
        if refusal.retry:
            return self._ended(message)
        if refusal.message and advice:
            message = f"{message.rstrip('.')} ({advice})"
        raise Refused(message, refusal.reason)

    def _lost(self, error: grpc.aio.AioRpcError) -> Ending:
        code, details = error.code(), (error.details() or "").strip()
        if code in _DENIED:
            raise Refused(f"refused: {details or code.name}")
        if code is grpc.StatusCode.UNIMPLEMENTED:
            raise Refused(f"{self.address} serves no bots: check that it is the arena's bot port")
        return self._ended(self._in_plain_words(details) or code.name)

    def _in_plain_words(self, details: str) -> str:
        """From what gRPC says of a connection that failed:
        `failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: Connection refused`."""
        reason = details.rsplit(": ", 1)[-1]
        if self._was_welcome:
            return reason
        if not self._login.address.is_tls:
            return f"{reason}; if TLS is spoken there, write tls://{self.address}" if "closed" in reason else reason
        if "WRONG_VERSION_NUMBER" in details:
            return f"no TLS is spoken there; if the arena's page says so, write plain://{self.address}"
        if "Hostname Verification" in details:
            return "its certificate is for another name"
        if found := _UNTRUSTED.search(details):
            return f"its certificate is not to be trusted: {found[1]}; if the arena has a CA of its own, name its file"
        return reason

    def _ended(self, message: str, reconnect: bool = True) -> Ending:
        return Ending(message, reconnect, self._was_welcome)
