"""What a seat can do, and how the rules say no."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.rules.cards import Card


class Source(Enum):
    """Where a card is drawn from (RULES 14)."""

    PILE = "pile"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Draw:
    source: Source


@dataclass(frozen=True, slots=True)
class Discard:
    card: Card
    go_out: bool = False
    """Say so to go out (RULES 16)."""
    melds: tuple[tuple[Card, ...], ...] | None = None
    """With `go_out`: checked if given, found by the rules if not."""


@dataclass(frozen=True, slots=True)
class Retire:
    """The referee takes seats out of the game, all at one moment (RULES 21); possible in any turn."""

    seats: tuple[int, ...]


Action = Draw | Discard | Retire


class IllegalReason(Enum):
    NOT_NOW = "not_now"
    NOT_HELD = "not_held"
    CANNOT_GO_OUT = "cannot_go_out"
    WRONG_MELDS = "wrong_melds"
    GAME_OVER = "game_over"
    NO_SUCH_SEAT = "no_such_seat"
    RETIRED = "retired"
    NO_SUCH_PILE = "no_such_pile"
    PILE_CLOSED = "pile_closed"


class IllegalAction(ValueError):
    """An action that the rules forbid in this state."""

    def __init__(self, reason: IllegalReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
