"""One stream of one bot: what goes out, in batches, and whether it is still alive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fivecrowns.bot.v1 import bot_pb2
from referee.record.crash_points import reach
from referee.rpc.config import Config
from referee.rpc.directory import Admission

Write = Callable[[bot_pb2.PlayResponse], "asyncio.Future[None]"]
BotKey = tuple[str, str]
"""(bot id, version): who sits at a seat."""


class Connection:
    """Messages wait in the outbox for at most one flush window, so that many games share a frame."""

    def __init__(self, admission: Admission, config: Config) -> None:
        self.admission = admission
        self.key: BotKey = (admission.bot_id, admission.version)
        self.connected_at = self.heard_at = asyncio.get_running_loop().time()
        self.ignored = 0
        """Messages that answered nothing open."""
        self._config = config
        self._pending: list[bot_pb2.RefereeMessage] = []
        self._on_handover: list[Callable[[float], None]] = []
        self._wake = asyncio.Event()
        self._is_closing = False
        self._pings = 0

    @property
    def is_closing(self) -> bool:
        return self._is_closing

    def send(self, message: bot_pb2.RefereeMessage, on_handover: Callable[[float], None] | None = None) -> None:
        """Puts a message into the outbox; `on_handover` hears the loop time in milliseconds at which it left."""
        if self._is_closing:
            return
        if len(self._pending) >= self._config.max_pending_messages:
            self.close(bot_pb2.GOODBYE_REASON_TOO_SLOW, "too many messages wait unread", reconnect=True)
            return
        self._pending.append(message)
        if on_handover is not None:
            self._on_handover.append(on_handover)
        self._wake.set()

    def close(self, reason: bot_pb2.GoodbyeReason, message: str, *, reconnect: bool) -> None:
        """Says goodbye after what is still in the outbox; the stream ends then."""
        if self._is_closing:
            return
        goodbye = bot_pb2.Goodbye(reason=reason, message=message, reconnect=reconnect)
        self._pending.append(bot_pb2.RefereeMessage(goodbye=goodbye))
        self._is_closing = True
        self._wake.set()

    async def write_all(self, write: Callable[[bot_pb2.PlayResponse], object]) -> None:
        """Sends what comes until the connection closes; to be run as a task."""
        loop = asyncio.get_running_loop()
        while True:
            await self._wake.wait()
            if not self._is_closing:
                await asyncio.sleep(self._config.flush_window_s)
            self._wake.clear()
            messages, self._pending = self._pending, []
            handed_over, self._on_handover = self._on_handover, []
            is_last = self._is_closing
            now_ms = loop.time() * 1000
            for on_handover in handed_over:
                on_handover(now_ms)
            reach("frame.before")
            await write(bot_pb2.PlayResponse(messages=messages))  # type: ignore[misc]  # grpc's write is typed as object
            reach("frame.sent")
            if is_last:
                return

    def check_alive(self, now: float) -> bool:
        """Pings a stream that is silent; False once it has been silent for too long. `now`: loop time in seconds."""
        silent_s = now - self.heard_at
        if silent_s >= self._config.silence_limit_s:
            return False
        if silent_s >= self._config.ping_interval_s:
            self._pings += 1
            self.send(bot_pb2.RefereeMessage(ping=bot_pb2.Ping(number=self._pings)))
        return True
