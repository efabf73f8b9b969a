"""One stream of one bot: what goes out, in batches, and whether it is still alive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fivecrowns.bot.v1 import bot_pb2
from referee.record import codec
from referee.record.crash_points import reach
from referee.rpc.config import Config
from referee.rpc.directory import Admission
from referee.rpc.gate import Bucket

BotKey = tuple[str, str]
"""(bot id, version): who sits at a seat."""
MAX_MESSAGES_A_FRAME = 1_000
"""What a bot reads by default is 4 MiB."""


class Connection:
    """Messages wait in the outbox for at most one flush window, so that many games share a frame."""

    def __init__(
        self, admission: Admission, config: Config, window_s: Callable[[], float], before_frame: Callable[[], None]
    ) -> None:
        """`window_s` says how long messages wait for others to share their frame. `before_frame` is called before anything leaves:
        what it tells must be in the journal by then."""
        self._loop = asyncio.get_running_loop()
        self.admission = admission
        self.key: BotKey = (admission.bot_id, admission.version)
        self.connected_at = self.heard_at = self._loop.time()
        self.given_up: asyncio.Future[None] = self._loop.create_future()
        """Done when the bot did not even take its goodbye."""
        self._config = config
        self._window_s = window_s
        self._before_frame = before_frame
        self._answers_due = 0
        self._junk = Bucket(config.max_ignored_messages, config.ignored_messages_a_second)
        self._pending: list[bytes] = []
        """Serialized RefereeMessages."""
        self._on_handover: list[tuple[int, float, Callable[[float], None]]] = []
        """For messages of the outbox: place, latest time in milliseconds that counts as handed over, whom to tell."""
        self._wake = asyncio.Event()
        self._is_closing = False
        self.fell_silent = False
        """It answered no ping: a line that is cut somewhere in between looks like that."""
        self._writing_since: float | None = None
        self._pings = 0

    @property
    def is_closing(self) -> bool:
        return self._is_closing

    def send(self, message: bytes, *, answers: int = 0, on_handover: Callable[[float], None] | None = None) -> None:
        """Puts a serialized RefereeMessage into the outbox; so many messages may come back for it.

        `on_handover` hears the loop time in milliseconds at which it left.
        Waiting for a batch is not the bot's time. Waiting because it does not read is: it hears of a limited wait only.
        """
        if self._is_closing:
            return
        if len(self._pending) >= self._config.max_pending_messages:
            self.close(bot_pb2.GOODBYE_REASON_TOO_SLOW, "too many messages wait unread", reconnect=True)
            return
        if on_handover is not None:
            latest_ms = (self._loop.time() + self._config.max_handover_s) * 1000
            self._on_handover.append((len(self._pending), latest_ms, on_handover))
        self._pending.append(message)
        self._answers_due += answers
        self._wake.set()

    def close(self, reason: bot_pb2.GoodbyeReason, message: str, *, reconnect: bool) -> None:
        """Says goodbye after what is still in the outbox; the stream ends then, or a little later if the bot does not read."""
        if self._is_closing:
            return
        goodbye = bot_pb2.Goodbye(reason=reason, message=message, reconnect=reconnect)
        self._pending.append(bot_pb2.RefereeMessage(goodbye=goodbye).SerializeToString())
        self._is_closing = True
        self._wake.set()
        self._loop.call_later(self._config.goodbye_grace_s, self._give_up)

    def stop(self) -> None:
        """Nothing more goes out than what waits."""
        self._is_closing = True
        self._wake.set()

    def take_answer(self) -> bool:
        """Notes a message of the bot; False if it was sent nothing for which one was due."""
        if not self._answers_due:
            return False
        self._answers_due -= 1
        return True

    def ignore(self, now: float) -> None:
        """Notes a message that answered nothing; too many end the stream. `now`: loop time in seconds."""
        if not self._junk.add(now):
            self.close(
                bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR,
                f"more than {self._config.max_ignored_messages} messages answered nothing that was asked",
                reconnect=False,
            )

    async def write_all(self, write: Callable[[bytes], object]) -> None:
        """Sends what comes until the connection closes; to be run as a task."""
        while True:
            await self._wake.wait()
            window_s = self._window_s()
            if window_s and not self._is_closing:
                await asyncio.sleep(window_s)
            if not self._pending:
                return
            frame = self._next_frame()
            is_last = self._is_closing and not self._pending
            self._writing_since = self._loop.time()
            self._before_frame()
            reach("frame.before")
            await write(frame)  # type: ignore[misc]  # grpc's write is typed as object
            reach("frame.sent")
            self._writing_since = None
            if is_last:
                return

    def check_alive(self, now: float) -> None:
        """Pings a stream that is silent; closes one that is silent or does not read for too long. `now`: loop time in seconds."""
        silent_s, config = now - self.heard_at, self._config
        if self._writing_since is not None and now - self._writing_since >= config.max_write_s:
            self.close(
                bot_pb2.GOODBYE_REASON_TOO_SLOW, f"nothing was read for {config.max_write_s:.0f} s", reconnect=True
            )
        elif silent_s >= config.silence_limit_s:
            self.fell_silent = True
            self.close(
                bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR, f"silent for {config.silence_limit_s:.0f} s", reconnect=True
            )
        elif silent_s >= config.ping_interval_s:
            self._pings += 1
            ping = bot_pb2.RefereeMessage(ping=bot_pb2.Ping(number=self._pings))
            self.send(ping.SerializeToString(), answers=1)

    def _next_frame(self) -> bytes:
        """Takes what waits, as far as it goes into one frame, and tells those who want to know that it leaves."""
        messages, self._pending = self._pending[:MAX_MESSAGES_A_FRAME], self._pending[MAX_MESSAGES_A_FRAME:]
        told, self._on_handover = self._on_handover, []
        now_ms = self._loop.time() * 1000
        for place, latest_ms, on_handover in told:
            if place < MAX_MESSAGES_A_FRAME:
                on_handover(min(now_ms, latest_ms))
            else:
                self._on_handover.append((place - MAX_MESSAGES_A_FRAME, latest_ms, on_handover))
        if not self._pending:
            self._wake.clear()
        return codec.play_response(messages)

    def _give_up(self) -> None:
        if not self.given_up.done():
            self.given_up.set_result(None)
