"""What a journal consists of, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has left, in milliseconds."""

    seat: int
    bank_ms: float
    thinking_ms: float


@dataclass(frozen=True, slots=True)
class Moment:
    """An action, or retirements that happened together."""

    record: bytes
    """The next bytes of the game record, as they stand in it."""
    decisions: int
    """Opened so far."""
    clock: SeatClock | None = None
    """Of the seat that was charged for a decision."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game needs no journal any more."""


JournalEntry = Opened | Began | Moment | Ended


@dataclass(frozen=True, slots=True)
class Numbered:
    """An entry with its place in its game's journal."""

    attempt_id: str
    number: int
    """From 0."""
    entry: JournalEntry
