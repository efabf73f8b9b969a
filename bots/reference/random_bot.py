"""The lowest step of the ladder: any card will do."""

from __future__ import annotations

from bots.sdk import ALL_TABLE_SIZES, Bot, Card, Pile, SeatView, SolitaireView, Source


class RandomBot(Bot):
    """Draws and discards by chance; goes out when chance makes it possible."""

    table_sizes = ALL_TABLE_SIZES

    def draw(self, view: SeatView) -> Source:
        return self.random.choice((Source.PILE, Source.DISCARD))

    def discard(self, view: SeatView) -> Card:
        return self.random.choice(view.hand)

    def solitaire(self, view: SolitaireView) -> tuple[Pile, Card]:
        """Any open pile, and any card of it or the one just added; never refuses."""
        pile = self.random.choice(view.open_piles)
        return pile, self.random.choice((*pile.cards, view.turned))
