"""Evidence that streams were lost on the referee's side (DESIGN 5): failures at one table alone never are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

WINDOW_S = 10.0
OWNERS = 3


@dataclass(frozen=True, slots=True)
class LostStream:
    at: float
    """Loop time in seconds."""
    owner: str
    attempts: frozenset[str]
    """The games it was playing."""


class Outages:
    """Remembers the streams lost lately. A stream that played nothing says nothing."""

    def __init__(self) -> None:
        self._lost: deque[LostStream] = deque()

    def note(self, owner: str, attempts: Iterable[str], now: float) -> frozenset[str]:
        """The games to be paused: those whose streams were lost with this one, if together they are evidence."""
        self._lost.append(LostStream(now, owner, frozenset(attempts)))
        while self._lost[0].at < now - WINDOW_S:
            self._lost.popleft()
        playing = [lost for lost in self._lost if lost.attempts]
        if len({lost.owner for lost in playing}) < OWNERS or _one_table_explains(playing):
            return frozenset()
        return frozenset().union(*(lost.attempts for lost in playing))


def _one_table_explains(lost: list[LostStream]) -> bool:
    """Whether so few owners were lost away from some one table that its players may have agreed on it."""
    tables = frozenset().union(*(each.attempts for each in lost))
    return any(all(table in each.attempts for each in lost) for table in tables)
