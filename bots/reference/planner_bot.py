"""The top of the ladder: looks one draw ahead."""

from __future__ import annotations

from bots.reference.outlook import expected_points, unseen_copies
from bots.sdk import Bot, Card, SeatView, Source
from referee.rules.layout import discard_points


class PlannerBot(Bot):
    """Weighs what is left on average after its next draw, over the cards still unseen."""

    candidates = 3
    going_out = 3.0

    def draw(self, view: SeatView) -> Source:
        hand = (*view.hand, view.discard_pile[-1])
        with_upcard = min(discard_points(hand, view.wild_rank).values())
        if with_upcard == 0:
            return Source.DISCARD
        from_pile = expected_points(view.hand, view.wild_rank, unseen_copies(view), self.going_out)
        return Source.DISCARD if with_upcard < from_pile else Source.PILE

    def discard(self, view: SeatView) -> Card:
        points = discard_points(view.hand, view.wild_rank)
        least = min(points.values())
        if least == 0 or view.is_last_turn:
            return max((c for c in points if points[c] == least), key=lambda card: card.points(view.wild_rank))
        naturals = [card for card in points if not card.is_wild(view.wild_rank)] or list(points)
        candidates = sorted(naturals, key=lambda card: points[card])[: self.candidates]
        unseen = unseen_copies(view)

        def outlook(card: Card) -> float:
            kept = list(view.hand)
            kept.remove(card)
            return expected_points(kept, view.wild_rank, unseen, self.going_out)

        return min(candidates, key=outlook)
