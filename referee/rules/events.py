"""What happened at the table, with every card; `referee.rules.views` hides what a seat may not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from referee.rules.actions import Source
from referee.rules.cards import Card
from referee.rules.layout import Layout


@dataclass(frozen=True, slots=True)
class RoundStarted:
    game_round: int
    dealer: int
    starter: int
    hands: tuple[tuple[Card, ...], ...]
    """None for a seat that is not in the playoff."""
    upcard: Card
    players: tuple[int, ...] = ()
    """Of a playoff: its seats, in ascending order; empty in the eleven rounds, which all play (RULES 20)."""


# Of these two a game makes thousands: their `__init__` is written out, since the one that a dataclass gets is never compiled.


@final
@dataclass(slots=True, init=False)
class Drew:
    seat: Final[int]
    source: Final[Source]
    card: Final[Card | None]
    """None where a viewer may not know it."""

    def __init__(self, seat: int, source: Source, card: Card | None) -> None:
        self.seat = seat
        self.source = source
        self.card = card


@final
@dataclass(slots=True, init=False)
class Discarded:
    seat: Final[int]
    card: Final[Card]
    went_out: Final[bool]

    def __init__(self, seat: int, card: Card, went_out: bool) -> None:
        self.seat = seat
        self.card = card
        self.went_out = went_out


@dataclass(frozen=True, slots=True)
class Reshuffled:
    draw_pile_size: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    game_round: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    """After this round."""
    layouts: tuple[Layout, ...]
    went_out: int | None
    players: tuple[int, ...] = ()
    """As in `RoundStarted`; who is not in the playoff scores 0."""


@dataclass(frozen=True, slots=True)
class SeatRetired:
    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    totals: tuple[int, ...]
    places: tuple[int, ...]


Event = RoundStarted | Drew | Discarded | Reshuffled | RoundEnded | SeatRetired | GameEnded
PublicEvent = Drew | Discarded | Reshuffled | SeatRetired
"""What everybody at the table could see between two of one's own turns."""
