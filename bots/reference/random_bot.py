"""The lowest step of the ladder: any card will do."""

from __future__ import annotations

from bots.sdk import Bot, Card, SeatView, Source


class RandomBot(Bot):
    """Draws and discards by chance; goes out when chance makes it possible."""

    def draw(self, view: SeatView) -> Source:
        return self.random.choice((Source.PILE, Source.DISCARD))

    def discard(self, view: SeatView) -> Card:
        return self.random.choice(view.hand)
