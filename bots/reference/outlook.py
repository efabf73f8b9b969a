"""What a hand is worth one draw from now: the points it will leave on average, over the cards still unseen.

The solver says what a hand leaves today. Two hands that leave the same today differ in how many cards would mend them; that is
what is counted here, card by card. Two shortcuts save nine tenths of the time and hardly ever change an answer: a card without
company in the hand is taken to stay out of every meld, and the discard after the draw to be the dearest card left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bots.sdk import CARDS, JOKER, Card, SeatView, best_layout, best_points
from referee.rules.state import MOST_SEATS_OF_ONE_GAME

_COPIES: Final = (2,) * 55 + (6,)
"""In one game, by face code; eight seats or more play with two (RULES 4)."""
_COPIES_OF_TWO: Final = tuple(2 * copies for copies in _COPIES)


def unseen_copies(view: SeatView) -> list[int]:
    """How many copies of each face code may still be drawn: all but those in sight."""
    copies = list(_COPIES if view.seats <= MOST_SEATS_OF_ONE_GAME else _COPIES_OF_TWO)
    for cards in (view.hand, view.discard_pile, view.went_out_hand):
        for card in cards:
            copies[card.code] -= 1
    return copies


def expected_points(hand: Sequence[Card], wild_rank: int, unseen: Sequence[int], going_out: float) -> float:
    """The mean of the points left after one draw and the best discard; a draw after which all is melded counts as -`going_out`.

    `unseen`: copies of each face code that may be drawn, one at least.
    """
    outlook = _Outlook(hand, wild_rank)
    if not outlook.leftover:
        return -going_out
    total = 0.0
    for code, copies in enumerate(unseen):
        if copies:
            total += copies * (outlook.after_draw(CARDS[code]) or -going_out)
    return total / sum(unseen)


class _Outlook:
    """A hand and what a card would make of it."""

    def __init__(self, hand: Sequence[Card], wild_rank: int) -> None:
        layout = best_layout(hand, wild_rank)
        self._hand = tuple(hand)
        self._wild_rank = wild_rank
        self._points = layout.points
        self.leftover = sorted((card.points(wild_rank) for card in layout.leftover), reverse=True)
        """Points of the cards left over, dearest first."""
        self._ranks = [0] * 14
        """Naturals of each rank."""
        self._rows = [0] * 5
        """Naturals of each suit: bit r + 2 for rank r, so that no window begins below 0."""
        wilds = 0
        for card in hand:
            if card.suit is None or card.rank == wild_rank:
                wilds += 1
            else:
                self._ranks[card.rank] += 1
                self._rows[card.suit] |= 4 << card.rank
        self._needed = max(1, 2 - wilds)
        """Naturals that a card needs for company."""
        self._known: dict[int, int] = {}
        """Points by face code, or by -rank for a card that no card of its suit is near: then all suits are alike."""

    def after_draw(self, card: Card) -> int:
        """The points left once the card is drawn and the best discard made."""
        if card.suit is None or card.rank == self._wild_rank:
            return self._remembered(JOKER.code, JOKER)
        near = self._rows[card.suit] >> card.rank & 0b11011
        if self._ranks[card.rank] < self._needed and _COMPANY[near] < self._needed:
            return self._unmelded(card.rank)
        return self._remembered(card.code if near else -card.rank, card)

    def _remembered(self, key: int, card: Card) -> int:
        points = self._known.get(key)
        if points is None:
            points = self._known[key] = self._melded(card)
        return points

    def _melded(self, card: Card) -> int:
        own = card.points(self._wild_rank)
        points = best_points((*self._hand, card), self._wild_rank)
        if points >= self._points + own:
            return self._unmelded(own)
        return points - next((dearest for dearest in self.leftover if dearest <= points), 0)

    def _unmelded(self, own: int) -> int:
        """It stays out: either it is thrown again, or it takes the place of the dearest card left over."""
        return self._points - max(0, self.leftover[0] - own)


_COMPANY: Final = tuple(
    max((near & 0b00011).bit_count(), (near & 0b01010).bit_count(), (near & 0b11000).bit_count()) for near in range(32)
)
"""Bits 0, 1: two and one below; 3, 4: one and two above. The most that are held of two below, one on either side, two above."""
