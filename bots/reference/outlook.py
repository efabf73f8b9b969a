"""What a hand is worth one draw from now: the points it will leave on average, over the cards still unseen.

The solver says what a hand leaves today. Two hands that leave the same today differ in how many cards would mend them; that is
what is counted here, face by face. The discard that follows the draw is not searched for but taken to be the dearest card that
can be left over, which is nearly always right and saves nine tenths of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bots.sdk import CARDS, Card, SeatView, best_layout, best_points

_COPIES: Final = (2,) * 55 + (6,)
"""In a game, by face code."""
_JOKER: Final = 55


def unseen_copies(view: SeatView) -> list[int]:
    """How many copies of each face code may still be drawn: all but those in sight."""
    copies = list(_COPIES)
    for cards in (view.hand, view.discard_pile, view.went_out_hand):
        for card in cards:
            copies[card.code] -= 1
    return copies


def expected_points(hand: Sequence[Card], wild_rank: int, unseen: Sequence[int], going_out: float) -> float:
    """The mean of the points left after one draw and the best discard; a draw after which all is melded counts as -`going_out`.

    `unseen`: copies of each face code that may be drawn, one at least.
    """
    layout = best_layout(hand, wild_rank)
    leftover = sorted((card.points(wild_rank) for card in layout.leftover), reverse=True)
    if not leftover:
        return -going_out
    company = _Company(hand, wild_rank)
    total = drawn = 0.0
    for code, copies in enumerate(unseen):
        if copies > 0:
            points = _after_draw(CARDS[code], hand, wild_rank, layout.points, leftover, company)
            total += copies * (points or -going_out)
            drawn += copies
    return total / drawn


def _after_draw(
    card: Card, hand: Sequence[Card], wild_rank: int, points: int, leftover: Sequence[int], company: _Company
) -> int:
    """The points left once the card is drawn and the dearest leftover thrown."""
    own = card.points(wild_rank)
    unmelded = points - max(0, leftover[0] - own)
    if not company.may_meld(card):
        return unmelded
    melded = best_points((*hand, card), wild_rank)
    if melded >= points + own:
        return unmelded
    return melded - next((dearest for dearest in leftover if dearest <= melded), 0)


class _Company:
    """Which cards could find their way into a meld with the hand."""

    __slots__ = ("_missing", "_ranks", "_rows", "_wild_rank")

    def __init__(self, hand: Sequence[Card], wild_rank: int) -> None:
        self._wild_rank = wild_rank
        self._ranks = [0] * 14
        """Naturals of each rank."""
        self._rows = [0] * 5
        """Naturals of each suit: bit r + 2 for rank r, so that a window never begins below 0."""
        self._missing = 2
        """Naturals that a card needs beside it, the wilds of the hand counted off."""
        for card in hand:
            if card.suit is None or card.rank == wild_rank:
                self._missing -= 1
            else:
                self._ranks[card.rank] += 1
                self._rows[card.suit] |= 4 << card.rank

    def may_meld(self, card: Card) -> bool:
        if card.suit is None or card.rank == self._wild_rank or self._ranks[card.rank] >= self._missing:
            return True
        near = self._rows[card.suit] >> card.rank  # bits 0, 1: two and one below; 3, 4: one and two above
        return _MOST_IN_WINDOW[near & 31] >= self._missing


_MOST_IN_WINDOW: Final = tuple(
    max((near & 0b00011).bit_count(), (near & 0b01010).bit_count(), (near & 0b11000).bit_count()) for near in range(32)
)
"""Of two cards below, one on either side, or two above: the most that are held."""
