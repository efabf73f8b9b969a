"""How late the event loop runs: time the referee took itself is never charged to a bot."""

from __future__ import annotations

import asyncio
from collections import deque

_INTERVAL_S = 0.02
_KEPT = 4096
_NOISE_MS = 2.0


class LagMeter:
    """Wakes every 20 ms and notes how much later than asked it did."""

    def __init__(self) -> None:
        self._lags: deque[tuple[float, float]] = deque(maxlen=_KEPT)
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._arm(asyncio.get_running_loop())

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()

    def worst_since_ms(self, since_ms: float) -> float:
        """The worst delay noted at or after this loop time, in milliseconds."""
        worst = 0.0
        for noted_at_ms, lag_ms in reversed(self._lags):
            if noted_at_ms < since_ms:
                break
            worst = max(worst, lag_ms)
        return worst

    def _arm(self, loop: asyncio.AbstractEventLoop) -> None:
        due = loop.time() + _INTERVAL_S
        self._handle = loop.call_at(due, self._wake, loop, due)

    def _wake(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        lag_ms = (now - due) * 1000
        if lag_ms > _NOISE_MS:
            self._lags.append((now * 1000, lag_ms))
        self._arm(loop)
