"""What a journal consists of, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from referee.record.entries import Header


@dataclass(frozen=True, slots=True)
class Opened:
    """A game was taken: all that is needed to deal it again."""

    header: Header
    seed: bytes
    page_url: str
    no_shows: frozenset[int]
    bot_ids: tuple[str, ...]
    """In seat order; empty for a seat nobody came to."""


@dataclass(frozen=True, slots=True)
class Began:
    """All bots are ready."""


@final
@dataclass(slots=True, init=False)
class SeatClock:
    """What a seat has left, in milliseconds."""

    seat: Final[int]
    bank_ms: Final[float]
    thinking_ms: Final[float]

    def __init__(self, seat: int, bank_ms: float, thinking_ms: float) -> None:
        self.seat = seat
        self.bank_ms = bank_ms
        self.thinking_ms = thinking_ms


@final
@dataclass(slots=True, init=False)
class Moment:
    """An action, or retirements that happened together."""

    record: Final[bytes]
    """The next bytes of the game record, as they stand in it."""
    decisions: Final[int]
    """Opened so far."""
    clock: Final[SeatClock | None]
    """Of the seat that was charged for a decision."""

    def __init__(self, record: bytes, decisions: int, clock: SeatClock | None = None) -> None:
        self.record = record
        self.decisions = decisions
        self.clock = clock


@dataclass(frozen=True, slots=True)
class Ended:
    """The game needs no journal any more."""


JournalEntry = Opened | Began | Moment | Ended


@final
@dataclass(slots=True, init=False)
class Numbered:
    """An entry with its place in its game's journal."""

    attempt_id: Final[str]
    number: Final[int]
    """From 0."""
    entry: Final[JournalEntry]

    def __init__(self, attempt_id: str, number: int, entry: JournalEntry) -> None:
        self.attempt_id = attempt_id
        self.number = number
        self.entry = entry
