"""Plays solitaire well; at a table it does what every bot does by default."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from bots.sdk import CARDS, Bot, Card, Pile, SolitaireView, best_layout, best_points, discard_points

SHARE: Final = 0.35
"""Of the cards still to come that a pile could use, so many are taken to go there: the others are of more use elsewhere."""
CANDIDATES: Final = 2
"""Discards looked at closely: those that leave the fewest points today."""
_COPIES: Final = (2,) * 55 + (6,)
"""In the game, by face code."""


class SolitaireBot(Bot):
    """Puts each card where it adds most to the piles that may be expected to close, over the cards still unseen. Refuses a card
    that adds nothing anywhere."""

    def solitaire(self, view: SolitaireView) -> tuple[Pile, Card] | str:
        unseen = _unseen_copies(view)
        gain, pile, discard = max(
            (play for pile in view.open_piles for play in _plays(pile, view, unseen)), key=lambda play: play[0]
        )
        return "refuse" if view.can_refuse and gain <= 0 else (pile, discard)


def _plays(pile: Pile, view: SolitaireView, unseen: Sequence[int]) -> list[tuple[float, Pile, Card]]:
    """The gain of the best discards from this pile."""
    cards = (*pile.cards, view.turned)
    points = discard_points(cards, pile.wild_rank)
    best = sorted(points, key=lambda card: (points[card], -card.points(pile.wild_rank)))[:CANDIDATES]
    before = _chance_to_close(pile.cards, pile.wild_rank, view.cards_left, unseen)
    plays = []
    for discard in best:
        kept = list(cards)
        kept.remove(discard)
        plays.append((_chance_to_close(kept, pile.wild_rank, view.cards_left, unseen) - before, pile, discard))
    return plays


def _chance_to_close(cards: Sequence[Card], wild_rank: int, cards_left: int, unseen: Sequence[int]) -> float:
    """That as many useful cards come as are left over in the pile: Poisson. A card is useful if it finds a meld there today."""
    needed = len(best_layout(cards, wild_rank).leftover)
    if not needed:
        return 1.0
    points = best_points(cards, wild_rank)
    useful = sum(
        copies
        for card, copies in zip(CARDS, unseen, strict=True)
        if copies and best_points((*cards, card), wild_rank) < points + card.points(wild_rank)
    )
    expected = SHARE * cards_left * useful / max(1, sum(unseen))
    term, fewer = exp(-expected), 0.0
    for count in range(needed):
        fewer += term
        term *= expected / (count + 1)
    return 1 - fewer


def _unseen_copies(view: SolitaireView) -> list[int]:
    """How many copies of each face code are among the cards still hidden."""
    copies = list(_COPIES)
    for cards in (*(pile.cards for pile in view.piles), view.discards, (view.turned,)):
        for card in cards:
            copies[card.code] -= 1
    return copies
