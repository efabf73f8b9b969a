"""What a session keeps for each seat: whether its bot is there, its time, its faults."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from referee.record.conditions import Budgets, Fault, SeatName

KEPT_LATENCIES = 3


@dataclass(slots=True)
class Seat:
    """One seat of a running game. Times in milliseconds."""

    number: int
    name: SeatName
    bank_ms: float
    thinking_left_ms: float
    is_connected: bool = True
    is_ready: bool = False
    is_retired: bool = False
    faults: int = 0
    """Those that cost one decision each."""
    last_fault: Fault | None = None
    latencies_ms: deque[int] = field(default_factory=lambda: deque(maxlen=KEPT_LATENCIES))

    @classmethod
    def at(cls, number: int, name: SeatName, budgets: Budgets) -> Seat:
        return cls(number, name, budgets.bank_ms, budgets.thinking_ms)

    def allowance_ms(self, decision_ms: int) -> float:
        """How long the next decision may take at most: decision budget and bank, within the thinking time left."""
        return min(decision_ms + self.bank_ms, self.thinking_left_ms)

    def charge(self, used_ms: float, decision_ms: int) -> None:
        """Pays for a decision: what exceeds the decision budget comes from the bank, all of it from the thinking time."""
        self.bank_ms = max(0.0, self.bank_ms - max(0.0, used_ms - decision_ms))
        self.thinking_left_ms = max(0.0, self.thinking_left_ms - used_ms)
        self.latencies_ms.append(round(used_ms))
