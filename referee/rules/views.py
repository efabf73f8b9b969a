"""What one seat may see: its own hand and what is public, never a hidden card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from referee.rules.actions import Source
from referee.rules.cards import Card, card_of_id, cards_of_ids
from referee.rules.events import Discarded, Drew, Event, PublicEvent, Reshuffled, SeatRetired
from referee.rules.state import GameState, Phase

_FROM_DISCARDS: Final = Source.DISCARD


@final
@dataclass(slots=True, init=False)
class SeatView:
    """All that a seat knows when a decision of its own is open. A bot needs no other memory."""

    seat: Final[int]
    seats: Final[int]
    phase: Final[Phase]
    """DRAW or DISCARD."""
    game_round: Final[int]
    """1..11."""
    wild_rank: Final[int]
    """3..13: the number of cards dealt this round."""
    turn: Final[int]
    """Within the round, from 1, over all seats."""
    turn_cap: Final[int]
    """Turns a seat."""
    dealer: Final[int]
    starter: Final[int]
    hand: Final[tuple[Card, ...]]
    """Ordered by face; with DISCARD the drawn card is in it."""
    discard_pile: Final[tuple[Card, ...]]
    """The upcard last; empty while the only card of it is held."""
    draw_pile_size: Final[int]
    drawn: Final[Card | None]
    """With DISCARD: the card just drawn."""
    drawn_from: Final[Source | None]
    went_out: Final[int | None]
    """The seat that went out: this is one's last turn."""
    went_out_hand: Final[tuple[Card, ...]]
    """Its hand, open from then on (RULES 16)."""
    hand_sizes: Final[tuple[int, ...]]
    totals: Final[tuple[int, ...]]
    """Score per seat before this round."""
    events: Final[tuple[PublicEvent, ...]]
    """What happened since this seat was last asked."""

    def __init__(
        self,
        seat: int,
        seats: int,
        phase: Phase,
        game_round: int,
        wild_rank: int,
        turn: int,
        turn_cap: int,
        dealer: int,
        starter: int,
        hand: tuple[Card, ...],
        discard_pile: tuple[Card, ...],
        draw_pile_size: int,
        drawn: Card | None,
        drawn_from: Source | None,
        went_out: int | None,
        went_out_hand: tuple[Card, ...],
        hand_sizes: tuple[int, ...],
        totals: tuple[int, ...],
        events: tuple[PublicEvent, ...] = (),
    ) -> None:
        self.seat = seat
        self.seats = seats
        self.phase = phase
        self.game_round = game_round
        self.wild_rank = wild_rank
        self.turn = turn
        self.turn_cap = turn_cap
        self.dealer = dealer
        self.starter = starter
        self.hand = hand
        self.discard_pile = discard_pile
        self.draw_pile_size = draw_pile_size
        self.drawn = drawn
        self.drawn_from = drawn_from
        self.went_out = went_out
        self.went_out_hand = went_out_hand
        self.hand_sizes = hand_sizes
        self.totals = totals
        self.events = events

    @property
    def upcard(self) -> Card | None:
        return self.discard_pile[-1] if self.discard_pile else None

    @property
    def is_last_turn(self) -> bool:
        return self.went_out is not None


def view_for(state: GameState, seat: int, events: Iterable[Event] = ()) -> SeatView:
    """The view of a seat; `events` is what happened since it was last asked, unredacted."""
    return SeatView(
        seat=seat,
        seats=state.seats,
        phase=state.phase,
        game_round=state.game_round,
        wild_rank=state.wild_rank,
        turn=state.turn,
        turn_cap=state.config.turn_cap,
        dealer=state.dealer,
        starter=state.starter,
        hand=cards_of_ids(state.hands[seat]),
        discard_pile=cards_of_ids(state.discard_pile),
        draw_pile_size=state.draw_pile_size,
        drawn=card_of_id(state.drawn) if state.drawn is not None and state.seat == seat else None,
        drawn_from=state.drawn_from if state.seat == seat else None,
        went_out=state.went_out,
        went_out_hand=() if state.went_out is None else cards_of_ids(state.hands[state.went_out]),
        hand_sizes=tuple(map(len, state.hands)),
        totals=state.totals,
        events=public_events(events),
    )


def public_events(events: Iterable[Event]) -> tuple[PublicEvent, ...]:
    """What everybody saw of these events: a card drawn from the pile is nobody's business but the drawer's."""
    seen: list[PublicEvent] = []
    for event in events:
        if isinstance(event, Drew):
            seen.append(event if event.source is _FROM_DISCARDS else Drew(event.seat, event.source, None))
        elif isinstance(event, Discarded | Reshuffled | SeatRetired):
            seen.append(event)
    return tuple(seen)
