"""The second step: a rule of thumb a child would play by, without a solver."""

from __future__ import annotations

from bots.sdk import ALL_TABLE_SIZES, Bot, Card, SeatView, Source


class SimpleBot(Bot):
    """Collects books and does not see runs: keeps wilds and three of a rank, and throws the dearest of the rest."""

    table_sizes = ALL_TABLE_SIZES

    def draw(self, view: SeatView) -> Source:
        """The upcard if it is wild, or if it completes three of a rank."""
        upcard = view.discard_pile[-1]
        is_welcome = upcard.is_wild(view.wild_rank) or _of_rank(upcard, view.hand) >= 2
        return Source.DISCARD if is_welcome else Source.PILE

    def discard(self, view: SeatView) -> Card:
        naturals = [card for card in view.hand if not card.is_wild(view.wild_rank)]
        return min(
            naturals or view.hand, key=lambda card: (_of_rank(card, view.hand) >= 3, -card.points(view.wild_rank))
        )


def _of_rank(card: Card, hand: tuple[Card, ...]) -> int:
    return sum(other.rank == card.rank for other in hand)
