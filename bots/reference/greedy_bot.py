"""The third step: the fewest points left now, by the solver."""

from __future__ import annotations

from bots.sdk import Bot, Card, SeatView, Source, best_discards, best_points


class GreedyBot(Bot):
    """Takes the upcard if that leaves fewer points at once; throws the dearest of the discards that leave the fewest."""

    def draw(self, view: SeatView) -> Source:
        with_upcard = best_discards((*view.hand, view.discard_pile[-1]), view.wild_rank).points
        return Source.DISCARD if with_upcard < best_points(view.hand, view.wild_rank) else Source.PILE

    def discard(self, view: SeatView) -> Card:
        best = best_discards(view.hand, view.wild_rank)
        return max(best.faces, key=lambda card: card.points(view.wild_rank))
