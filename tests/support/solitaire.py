"""Solitaires from card notation, and players for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping

from referee.rules.cards import CardId, card_of_id, cards_text, deck_ids, parse_cards
from referee.rules.layout import best_points, discard_points
from referee.rules.solitaire import (
    STACK_SIZE,
    Add,
    Refuse,
    SolitaireConfig,
    SolitaireEvent,
    SolitaireState,
    SolitaireView,
    Variant,
    apply,
    is_whole,
    new_solitaire,
    view_of,
)

SEED = bytes(range(32))

Policy = Callable[[SolitaireView], Add | Refuse]


def solitaire(
    piles: Mapping[int, str], stack: str, *, variant: Variant = Variant.STANDARD, discards: str = ""
) -> SolitaireState:
    """Piles as named, the others of any cards, closed if that is so; the stack in the order in which it is turned up, its first
    card turned up already."""
    left = list(deck_ids())

    def take(text: str) -> tuple[CardId, ...]:
        return tuple(
            left.pop(next(at for at, one in enumerate(left) if card_of_id(CardId(one)) is card))
            for card in parse_cards(text)
        )

    named = {size: take(text) for size, text in piles.items()}
    turned, *hidden = take(stack)
    out = take(discards)
    laid = [named.get(size) or tuple(CardId(left.pop(0)) for _ in range(size)) for size in range(3, 14)]
    laid = [tuple(sorted(pile, key=lambda one: (card_of_id(one).code, one))) for pile in laid]
    closed = tuple(is_whole([card_of_id(one) for one in pile], len(pile)) for pile in laid)
    return SolitaireState(SolitaireConfig(variant), SEED, tuple(laid), closed, tuple(hidden), turned, out, False, False)


def careful(view: SolitaireView) -> Add | Refuse:
    """Where the card saves the most points, the dearest of the best discards; takes what it is given."""

    def saved(pile: int) -> tuple[int, int]:
        cards = next(one.cards for one in view.open_piles if one.size == pile)
        return best_points(cards, pile) - min(discard_points((*cards, view.turned), pile).values()), -pile

    size = max((pile.size for pile in view.open_piles), key=saved)
    cards = next(pile.cards for pile in view.open_piles if pile.size == size)
    points = discard_points((*cards, view.turned), size)
    return Add(size, min(points, key=lambda card: (points[card], -card.points(size), card.code)))


def whimsical(whim: int) -> Policy:
    """Anything legal, chosen by a hash of the view and the whim."""

    def choose(view: SolitaireView) -> Add | Refuse:
        told = f"{whim} {view.turned} {view.cards_left} {cards_text(view.discards)}"
        dice = hashlib.sha256(told.encode()).digest()
        if view.can_refuse and dice[0] % 2:
            return Refuse()
        pile = view.open_piles[dice[1] % len(view.open_piles)]
        return Add(pile.size, (*pile.cards, view.turned)[dice[2] % (pile.size + 1)])

    return choose


def steps(
    config: SolitaireConfig, seed: bytes, policy: Policy
) -> Iterator[tuple[SolitaireState, Add | Refuse | None, tuple[SolitaireEvent, ...]]]:
    """A whole solitaire: (state, the action that led to it, what happened)."""
    state, events = new_solitaire(config, seed)
    yield state, None, events
    while not state.is_over:
        action = policy(view_of(state))
        state, events = apply(state, action)
        yield state, action, events


def all_cards(state: SolitaireState) -> list[CardId]:
    """Every card there is, wherever it lies, in the order of ids."""
    turned = () if state.turned is None else (state.turned,)
    places = (*state.piles, state.stack, turned, state.discards)
    return sorted(card_id for place in places for card_id in place)


def cards_used_up(state: SolitaireState) -> int:
    return STACK_SIZE - len(state.stack) - (state.turned is not None)
