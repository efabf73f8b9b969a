"""The thread in which a bot's code runs, so that slow code never keeps a ping waiting."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from fivecrowns.bot.v1 import bot_pb2
from referee.record import codec
from referee.record.messages import BotMessage, RefereeMessage

FLUSH_AFTER_S = 0.001
"""A reply waits so long for others to share its frame while the bot has more to do, and not at all when it has not."""

Send = Callable[[bot_pb2.BotMessage], None]
"""Called in the event loop with a reply; those of one moment go into one frame."""
_Job = tuple[Sequence[bot_pb2.RefereeMessage], Send]


class Worker:
    """Hands messages to `receive` in the order of their arrival and its replies back to the event loop.

    The thread is a daemon: bot code that never returns does not keep the process alive. To be made in a running event loop.
    """

    def __init__(self, receive: Callable[[RefereeMessage], Sequence[BotMessage]], say: Callable[[str], None]) -> None:
        self._receive = receive
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self.failure: asyncio.Future[Any] = self._loop.create_future()
        """Raises what ended the thread before its time."""
        self._answered: deque[tuple[Send, bot_pb2.BotMessage]] = deque()
        self._is_flush_due = False
        threading.Thread(target=self._run, name="bot", daemon=True).start()

    def post(self, messages: Sequence[bot_pb2.RefereeMessage], send: Send) -> None:
        self._jobs.put((messages, send))

    def stop(self) -> None:
        """No more jobs; the one at work may take its time."""
        self._jobs.put(None)
        self.failure.cancel()

    def _run(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                self._work(*job)
        except Exception as error:
            self._in_loop(self._fail, error)

    def _work(self, messages: Sequence[bot_pb2.RefereeMessage], send: Send) -> None:
        for number, message in enumerate(messages, start=1):
            self._answered += [(send, reply) for reply in self._replies(message)]
            if not self._answered:
                continue
            if number == len(messages) and self._jobs.empty():
                self._in_loop(self._flush)
            elif not self._is_flush_due:
                self._is_flush_due = True
                self._in_loop(self._loop.call_later, FLUSH_AFTER_S, self._flush)

    def _flush(self) -> None:
        """In the event loop: hands on what is answered so far, which may be nothing."""
        self._is_flush_due = False  # first, so that what is answered from here on is flushed anew
        while self._answered:
            send, reply = self._answered.popleft()
            send(reply)

    def _replies(self, message: bot_pb2.RefereeMessage) -> list[bot_pb2.BotMessage]:
        try:
            received = codec.referee_message_of(message)
        except codec.CodecError as error:
            self._say(f"a message of the referee is not understood here ({error}): is the SDK up to date?")
            return []
        return [codec.bot_message(reply) for reply in self._receive(received)]

    def _fail(self, error: Exception) -> None:
        if not self.failure.done():
            self.failure.set_exception(error)

    def _in_loop(self, function: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
            self._loop.call_soon_threadsafe(function, *arguments)
