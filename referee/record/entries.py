"""What a game record consists of, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, final

from referee.record.conditions import Budgets, Config, DealMode, Fault, GameScores, SeatName
from referee.rules.actions import Discard, Draw
from referee.rules.solitaire import Add, Refuse

Move = Draw | Discard | Add | Refuse
"""What a bot decides: the first two at a table, the others in a solitaire."""


class Cause(Enum):
    """Who chose an action."""

    BOT = "bot"
    FAULT = "fault"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Header:
    attempt_id: str
    config: Config
    deal_mode: DealMode
    seats: tuple[SeatName, ...]
    commitment: bytes
    budgets: Budgets
    started_at_ms: int
    """Since 1970 UTC; 0 in local play."""
    rules_version: int
    shuffle_version: int


@final
@dataclass(slots=True, init=False)
class ActionEntry:
    seat: Final[int]
    action: Final[Move]
    cause: Final[Cause]
    at_ms: Final[int]
    """Since the game began."""
    latency_ms: Final[int]
    fault: Final[Fault | None]

    def __init__(
        self, seat: int, action: Move, cause: Cause, at_ms: int, latency_ms: int, fault: Fault | None = None
    ) -> None:
        self.seat = seat
        self.action = action
        self.cause = cause
        self.at_ms = at_ms
        self.latency_ms = latency_ms
        self.fault = fault


@dataclass(frozen=True, slots=True)
class RetirementEntry:
    seat: int
    fault: Fault
    at_ms: int


Entry = ActionEntry | RetirementEntry


@dataclass(frozen=True, slots=True)
class Footer:
    scores: GameScores
    ended_at_ms: int
    """Since the game began."""


@dataclass(frozen=True, slots=True)
class Seal:
    head_digest: bytes
    signature: bytes = b""
    public_key: bytes = b""
    seed: bytes = b""


@dataclass(frozen=True, slots=True)
class GameRecord:
    header: Header
    entries: tuple[Entry, ...]
    footer: Footer
    seal: Seal
    digest: bytes
    """Recomputed from the bytes; the seal's own may differ in a changed file."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault, in order. A fault that retires stands in the retirement alone."""
        return tuple(entry.fault for entry in self.entries if entry.fault is not None)
