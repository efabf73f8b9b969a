"""The second step: a rule of thumb a child would play by, without a solver."""

from __future__ import annotations

from bots.sdk import Bot, Card, SeatView, Source


class SimpleBot(Bot):
    """Keeps cards that have company: others of their rank, or neighbours in their suit. Never throws a wild by choice."""

    def draw(self, view: SeatView) -> Source:
        """The upcard if it is wild, or would find two companions."""
        upcard = view.discard_pile[-1]
        is_welcome = upcard.is_wild(view.wild_rank) or _company(upcard, view.hand) >= 2
        return Source.DISCARD if is_welcome else Source.PILE

    def discard(self, view: SeatView) -> Card:
        """The loneliest card, of several the dearest."""
        naturals = [card for card in view.hand if not card.is_wild(view.wild_rank)]
        return min(naturals or view.hand, key=lambda card: (_company(card, view.hand), -card.points(view.wild_rank)))


def _company(card: Card, hand: tuple[Card, ...]) -> int:
    """How many other cards are of the same rank, or of the same suit and next to it."""
    others = list(hand)
    if card in others:
        others.remove(card)
    return sum(
        other.rank == card.rank or (other.suit == card.suit and abs(other.rank - card.rank) == 1) for other in others
    )
