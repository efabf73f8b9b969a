"""Faulty bots that the SDK can run, over the network or in local play."""

from __future__ import annotations

import time

from bots.sdk import CARDS, Bot, Card, ResignGame, SeatView, Source
from referee.record.messages import Request


class CrashBot(Bot):
    """Raises at every discard: BOT_ERROR."""

    version = "faulty"

    def discard(self, view: SeatView) -> Card:
        raise RuntimeError("this bot crashes on purpose")


class IllegalBot(Bot):
    """Throws a card it does not hold: ILLEGAL."""

    version = "faulty"

    def discard(self, view: SeatView) -> Card:
        return next(card for card in CARDS if card not in view.hand)


class ResignBot(Bot):
    """Gives up at its first decision of the third round: RESIGN."""

    version = "faulty"

    def draw(self, view: SeatView) -> Source:
        if view.game_round >= 3:
            raise ResignGame
        return Source.PILE


class SlowBot(Bot):
    """Thinks longer than a decision may take, as long as its bank and its thinking time last: MOVE_TIMEOUT then. In local play,
    where no clock runs, it is only slow."""

    version = "faulty"
    over = 0.2
    """By which share of the budget it is late."""

    def draw(self, view: SeatView) -> Source:
        self._think(self.request)
        return Source.PILE

    def discard(self, view: SeatView) -> Card:
        self._think(self.request)
        return super().discard(view)  # type: ignore[return-value] # the default of Bot answers a card

    def _think(self, request: Request) -> None:
        time.sleep(request.deadline_ms * (1 + self.over) / 1000)
