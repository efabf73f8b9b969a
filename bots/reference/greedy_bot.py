"""The third step: the fewest points left now, by the solver."""

from __future__ import annotations

from bots.sdk import ALL_TABLE_SIZES, Bot, Card, SeatView, Source, best_discards, best_points


class GreedyBot(Bot):
    """Takes the upcard if it finds a place in a meld; of the discards that leave the fewest points throws
    the dearest, and no wild if it can help it."""

    table_sizes = ALL_TABLE_SIZES

    def draw(self, view: SeatView) -> Source:
        upcard, wild_rank = view.discard_pile[-1], view.wild_rank
        with_upcard = best_points((*view.hand, upcard), wild_rank)
        is_melded = with_upcard < best_points(view.hand, wild_rank) + upcard.points(wild_rank)
        return Source.DISCARD if is_melded else Source.PILE

    def discard(self, view: SeatView) -> Card:
        best = best_discards(view.hand, view.wild_rank)
        return max(best.faces, key=lambda card: (not card.is_wild(view.wild_rank), card.rank))
