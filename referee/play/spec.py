"""What goes into a session and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from referee.record.conditions import Budgets, Config, DealMode, Fault, GameScores, SeatName


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a session is started with. Raises ValueError unless there is a name for every seat."""

    attempt_id: str
    config: Config
    seats: tuple[SeatName, ...]
    seed: bytes
    budgets: Budgets = field(default_factory=Budgets)
    deal_mode: DealMode = DealMode.INDEPENDENT
    page_url: str = ""
    no_shows: frozenset[int] = frozenset()
    """Seats whose bot did not come: retired before the first card."""
    started_at_ms: int = 0
    """Wall clock for the record, since 1970 UTC."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.config.seats:
            raise ValueError(f"{len(self.seats)} names for {self.config.seats} seats")
        if any(not 0 <= seat < self.config.seats for seat in self.no_shows):
            raise ValueError(f"no-shows {sorted(self.no_shows)} are not all seats 0..{self.config.seats - 1}")


class SessionStatus(Enum):
    STARTING = "starting"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SessionResult:
    """A finished game."""

    record: bytes
    """The whole file, sealed without the seed."""
    digest: bytes
    scores: GameScores
    faults: tuple[Fault, ...]
