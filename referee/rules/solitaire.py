"""Solitaire as a value (RULES 22-24): `new_solitaire` and `apply` are the rules, as `referee.rules.state` is for tables.

Eleven piles of 3 to 13 cards lie open; the wild rank of a pile is its size, and its size names it. Of the 28 cards left the top
one is turned up, added to an open pile, and one card of that pile goes out for good. A pile that can be laid out whole closes by
itself.

The deal **H**: the cards in the order of the one shuffle, label `solitaire|1|0`; the first three are pile 3, the next four pile 4,
and so on to pile 13; the 28 that remain are the stack, first card on top. The vectors in tests/data/solitaire_vectors.json let any
language check itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from referee.rules.actions import Discard, Draw, IllegalAction, IllegalReason, Retire
from referee.rules.cards import MAX_RANK, MIN_RANK, RANKS, Card, CardId, card_of_id, cards_of_ids, deck_ids
from referee.rules.events import SeatRetired
from referee.rules.layout import best_points
from referee.rules.shuffle import SEED_BYTES, shuffled

SOLITAIRE_LABEL: Final = b"solitaire|1|0"
"""Purpose, game round and reshuffle, as for every deal; solitaire is one round and is never reshuffled."""
PILES: Final = len(RANKS)
STACK_SIZE: Final = len(deck_ids()) - sum(RANKS)
"""28 cards to turn up."""


class Variant(Enum):
    STANDARD = "standard"
    OPEN_FIRST = "open_first"
    """The first card turned up may be refused for the hidden top card; then it is dead (RULES 24)."""


@dataclass(frozen=True, slots=True)
class SolitaireConfig:
    """What a solitaire is played by."""

    variant: Variant = Variant.STANDARD

    @property
    def seats(self) -> int:
        """Always one."""
        return 1

    @property
    def turn_cap(self) -> int:
        """A play for each card of the stack, at most."""
        return STACK_SIZE


# -- actions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Add:
    """The card turned up goes to a pile, and one card of that pile goes out; it may be the card just added (RULES 22)."""

    pile: int
    """By its size, 3..13."""
    discard: Card


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not this first card, the hidden one below it (RULES 24)."""


# -- what happens ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """What a solitaire comes to. Better: won, then more piles closed, then fewer cards used."""

    won: bool
    piles_closed: int
    """0..11."""
    cards_used: int
    """Added or refused, 0..28."""


@dataclass(frozen=True, slots=True)
class PilesDealt:
    piles: tuple[tuple[Card, ...], ...]
    """Pile 3 first, each ordered by face."""


@dataclass(frozen=True, slots=True)
class Turned:
    card: Card


@dataclass(frozen=True, slots=True)
class Refused:
    card: Card


@dataclass(frozen=True, slots=True)
class Added:
    card: Card
    pile: int
    discard: Card


@dataclass(frozen=True, slots=True)
class PileClosed:
    pile: int


@dataclass(frozen=True, slots=True)
class SolitaireEnded:
    score: Score


SolitaireEvent = PilesDealt | Turned | Refused | Added | PileClosed | SeatRetired | SolitaireEnded


# -- state and view ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SolitaireState:
    """Everything there is to know between two actions, hidden cards included."""

    config: SolitaireConfig
    seed: bytes
    piles: tuple[tuple[CardId, ...], ...]
    """Pile 3 first, each ordered by face, then id."""
    closed: tuple[bool, ...]
    stack: tuple[CardId, ...]
    """Hidden, the next card first."""
    turned: CardId | None
    """The card turned up; None once it is over."""
    discards: tuple[CardId, ...]
    """Out for good, the oldest first; one refused is among them."""
    was_refused: bool
    is_retired: bool

    @property
    def is_won(self) -> bool:
        return all(self.closed)

    @property
    def is_over(self) -> bool:
        return self.turned is None or self.is_retired

    @property
    def can_refuse(self) -> bool:
        """RULES 24: the first card, once."""
        return self.config.variant is Variant.OPEN_FIRST and not self.discards and not self.is_over

    @property
    def turn(self) -> int:
        """The play that is due, from 1. A card refused is no play."""
        return len(self.discards) - self.was_refused + 1

    @property
    def score(self) -> Score:
        return Score(self.is_won, sum(self.closed), len(self.discards))


@dataclass(frozen=True, slots=True)
class Pile:
    size: int
    """Its name, and its wild rank: 3..13."""
    cards: tuple[Card, ...]
    """Ordered by face."""
    is_closed: bool

    @property
    def wild_rank(self) -> int:
        return self.size


@dataclass(frozen=True, slots=True)
class SolitaireView:
    """All that a player knows when a card is turned up. A bot needs no other memory."""

    variant: Variant
    piles: tuple[Pile, ...]
    """All eleven, pile 3 first."""
    turned: Card
    """The card to add."""
    can_refuse: bool
    """It may be refused for the hidden top card (RULES 24)."""
    cards_left: int
    """Still hidden."""
    discards: tuple[Card, ...]
    """Out for good, the oldest first."""

    @property
    def open_piles(self) -> tuple[Pile, ...]:
        return tuple(pile for pile in self.piles if not pile.is_closed)


SolitaireStep = tuple[SolitaireState, tuple[SolitaireEvent, ...]]


# -- the rules ---------------------------------------------------------------------------------------------------------


def new_solitaire(config: SolitaireConfig, seed: bytes) -> SolitaireStep:
    """The piles dealt, those that can be laid out whole closed, the first card turned up. Raises ValueError unless the seed has 32
    bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    order, piles, at = shuffled(map(CardId, deck_ids()), seed, SOLITAIRE_LABEL), [], 0
    for size in RANKS:
        piles.append(_in_order(order[at : at + size]))
        at += size
    closed = tuple(is_whole(cards_of_ids(pile), size) for pile, size in zip(piles, RANKS, strict=True))
    state = SolitaireState(config, seed, tuple(piles), closed, order[at:], None, (), False, False)
    happened: list[SolitaireEvent] = [PilesDealt(tuple(map(cards_of_ids, piles)))]
    happened += [PileClosed(size) for size, is_closed in zip(RANKS, closed, strict=True) if is_closed]
    return _turn_up(state, happened)


def apply(state: SolitaireState, action: Add | Refuse | Retire | Draw | Discard) -> SolitaireStep:
    """The state after an action, and what happened. Raises IllegalAction if the rules forbid it; the state stays as it is."""
    if state.is_over:
        raise IllegalAction(IllegalReason.GAME_OVER, "the solitaire is over")
    match action:
        case Add(pile, discard):
            return _add(state, pile, discard)
        case Refuse():
            return _refuse(state)
        case Retire(seats):
            return _retire(state, seats)
        case Draw() | Discard():
            raise IllegalAction(
                IllegalReason.NOT_NOW, "this is a solitaire: nothing is drawn, a pile and a discard are due"
            )


def default_action(state: SolitaireState) -> Add:
    """What is played for a faulted decision **H**: the card goes to the first open pile and out again, so no pile changes."""
    if state.turned is None:
        raise IllegalAction(IllegalReason.GAME_OVER, "the solitaire is over")
    return Add(MIN_RANK + state.closed.index(False), card_of_id(state.turned))


def legal_actions(state: SolitaireState) -> tuple[Add | Refuse, ...]:
    """All that the player may do: each face of each open pile and the card turned up, once. Empty once it is over."""
    if state.turned is None or state.is_over:
        return ()
    turned = card_of_id(state.turned)
    adds = [
        Add(size, card)
        for size, pile, is_closed in zip(RANKS, state.piles, state.closed, strict=True)
        if not is_closed
        for card in sorted({*cards_of_ids(pile), turned})
    ]
    return (*adds, Refuse()) if state.can_refuse else tuple(adds)


def view_of(state: SolitaireState) -> SolitaireView:
    """Raises ValueError once it is over: nothing is asked then."""
    if state.turned is None:
        raise ValueError("the solitaire is over: no card is turned up")
    return SolitaireView(
        variant=state.config.variant,
        piles=piles_of(state),
        turned=card_of_id(state.turned),
        can_refuse=state.can_refuse,
        cards_left=len(state.stack),
        discards=cards_of_ids(state.discards),
    )


def piles_of(state: SolitaireState) -> tuple[Pile, ...]:
    """All eleven as they lie."""
    return tuple(
        Pile(size, cards_of_ids(pile), is_closed)
        for size, pile, is_closed in zip(RANKS, state.piles, state.closed, strict=True)
    )


def is_whole(cards: Sequence[Card], size: int) -> bool:
    """Whether the pile closes (RULES 23): some layout leaves nothing, the wild rank being its size."""
    return len(cards) == size and best_points(cards, size) == 0


def _add(state: SolitaireState, size: int, discard: Card) -> SolitaireStep:
    if size not in RANKS:
        raise IllegalAction(
            IllegalReason.NO_SUCH_PILE, f"pile {size}: piles are {MIN_RANK} to {MAX_RANK}, named by size"
        )
    index = size - MIN_RANK
    if state.closed[index]:
        raise IllegalAction(IllegalReason.PILE_CLOSED, f"pile {size} is closed: choose an open one")
    turned = state.turned
    assert turned is not None, "not over"
    held = _in_order((*state.piles[index], turned))
    out = next((card_id for card_id in held if card_of_id(card_id) == discard), None)
    if out is None:
        raise IllegalAction(
            IllegalReason.NOT_HELD, f"{discard} is neither in pile {size} nor turned up: discard a card of that pile"
        )
    pile = tuple(card_id for card_id in held if card_id != out)
    closes = is_whole(cards_of_ids(pile), size)
    after = replace(
        state,
        piles=(*state.piles[:index], pile, *state.piles[index + 1 :]),
        closed=(*state.closed[:index], closes, *state.closed[index + 1 :]),
        turned=None,
        discards=(*state.discards, out),
    )
    happened: list[SolitaireEvent] = [Added(card_of_id(turned), size, discard)]
    if closes:
        happened.append(PileClosed(size))
    return _turn_up(after, happened)


def _refuse(state: SolitaireState) -> SolitaireStep:
    turned = state.turned
    if not state.can_refuse or turned is None:
        raise IllegalAction(
            IllegalReason.NOT_NOW, "only the first card of the variant open_first may be refused, and only once"
        )
    after = replace(state, turned=None, discards=(turned,), was_refused=True)
    return _turn_up(after, [Refused(card_of_id(turned))])


def _retire(state: SolitaireState, seats: tuple[int, ...]) -> SolitaireStep:
    """A solitaire whose only player is out ends at once (RULES 21): its piles count as they lie."""
    if seats != (0,):
        raise IllegalAction(IllegalReason.NO_SUCH_SEAT, f"seats {seats}: a solitaire has seat 0 alone")
    after = replace(state, is_retired=True)
    return after, (SeatRetired(0), SolitaireEnded(after.score))


def _turn_up(state: SolitaireState, happened: list[SolitaireEvent]) -> SolitaireStep:
    """The next card; with none left or all piles closed it is over (RULES 23)."""
    if state.is_won or not state.stack:
        return state, (*happened, SolitaireEnded(state.score))
    turned, *stack = state.stack
    return replace(state, turned=turned, stack=tuple(stack)), (*happened, Turned(card_of_id(turned)))


def _in_order(card_ids: Sequence[CardId]) -> tuple[CardId, ...]:
    return tuple(sorted(card_ids, key=_face_then_id))


def _face_then_id(card_id: CardId) -> tuple[int, int]:
    return card_of_id(card_id).code, card_id
