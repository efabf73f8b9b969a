"""The top of the ladder: looks one draw ahead, and at who sits next."""

from __future__ import annotations

from bots.reference.next_seat import NextSeat
from bots.reference.outlook import expected_points, unseen_copies
from bots.sdk import ALL_TABLE_SIZES, Bot, Card, SeatView, Source, discard_points

CANDIDATES = 3
"""Discards looked at closely: those that leave the fewest points today."""
GOING_OUT = 3.0
"""Points that going out is worth beyond its 0: the others have one turn left."""
GIFT = 4.0
"""Points that a card brings the next seat if it can meld it."""


class PlannerBot(Bot):
    """Weighs what will be left on average after its next draw, over the cards still unseen, and what its discard gives away.

    Takes the upcard if that leaves fewer points than a card from the pile would on average. Goes out whenever it can. On its last
    turn there is no next draw: then only the points count, and a joker that finds no meld goes.
    """

    table_sizes = ALL_TABLE_SIZES

    def __init__(self) -> None:
        self._next_seat = NextSeat()

    def draw(self, view: SeatView) -> Source:
        self._next_seat.watch(view)
        with_upcard = min(discard_points((*view.hand, view.discard_pile[-1]), view.wild_rank).values())
        if with_upcard == 0:
            return Source.DISCARD
        from_pile = expected_points(view.hand, view.wild_rank, unseen_copies(view), GOING_OUT)
        return Source.DISCARD if with_upcard < from_pile else Source.PILE

    def discard(self, view: SeatView) -> Card:
        self._next_seat.watch(view)
        points = discard_points(view.hand, view.wild_rank)
        least = min(points.values())
        unseen = unseen_copies(view)

        def given_away(card: Card) -> float:
            return GIFT / (view.seats - 1) * self._next_seat.chance_to_meld(card, view, unseen)

        def cost(card: Card) -> float:
            kept = list(view.hand)
            kept.remove(card)
            return expected_points(kept, view.wild_rank, unseen, GOING_OUT) + given_away(card)

        if least == 0 or view.is_last_turn:
            return min((card for card in points if points[card] == least), key=given_away)
        naturals = [card for card in points if not card.is_wild(view.wild_rank)] or list(points)
        return min(sorted(naturals, key=points.__getitem__)[:CANDIDATES], key=cost)
