"""What a bot author subclasses."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from referee.record.conditions import Format
from referee.record.messages import GameEnd, GameStart, Request, RoundEnd, RoundStart
from referee.rules.actions import Source
from referee.rules.cards import Card
from referee.rules.layout import best_discards
from referee.rules.solitaire import Add, Pile, Refuse, SolitaireView
from referee.rules.state import MAX_SEATS, MIN_SEATS, MOST_SEATS_OF_ONE_GAME
from referee.rules.views import SeatView

ALL_TABLE_SIZES = range(MIN_SEATS, MAX_SEATS + 1)
"""Every table size there is."""


class ResignGame(Exception):
    """Raise it from any method of a bot to give up the game that is being played."""


class Bot:
    """A player. Write `draw`, `discard` or both; what is not written has a default that plays legally. Write `solitaire` too, and
    the bot plays that as well.

    Every game gets an instance of its own, so what is kept on `self` belongs to one game. A method that raises costs the open
    decision: the referee draws from the pile or throws the card just drawn, and the fifth time it plays the seat to the end.
    """

    version: ClassVar[str] = "1"
    """The author's name for what runs now, 1 to 40 characters; give it a new one when the bot plays differently."""

    table_sizes: ClassVar[Sequence[int]] = range(MIN_SEATS, MOST_SEATS_OF_ONE_GAME + 1)
    """Table sizes the bot plays; it is seated at no other. At eight seats or more two games are combined, with four copies of a
    face and twelve jokers: write `table_sizes = ALL_TABLE_SIZES` if the bot knows that."""

    random: Random
    """Seeded from the game and the seat, so that a local game can be played again. There from before `__init__` on."""
    game: GameStart
    """Seat, table size, budgets, page of the game. There from before `__init__` on."""
    request: Request
    """The open decision with its clock and the last fault; there while `draw`, `discard`, `go_out` or `solitaire` is called."""

    def draw(self, view: SeatView) -> Source | str:
        """`"pile"`, or `"discard"` for the upcard (`view.upcard`)."""
        return Source.PILE

    def discard(self, view: SeatView) -> Card | str:
        """A card of `view.hand` to throw; the card just drawn (`view.drawn`) is in it."""
        best = best_discards(view.hand, view.wild_rank)
        return max(best.faces, key=lambda card: (not card.is_wild(view.wild_rank), card.rank))

    def go_out(self, view: SeatView, discard: Card) -> bool:
        """Asked when all cards but `discard` lie in melds: False stays in the round."""
        return True

    def solitaire(self, view: SolitaireView) -> tuple[Pile | int, Card | str] | Add | Refuse | str:
        """One card of a solitaire: to which pile of `view.open_piles` the card turned up (`view.turned`) goes, and which card of
        that pile goes out, as in `return pile, card`; the card turned up may go out again. `"refuse"` asks for the hidden card
        below it, where `view.can_refuse` says so.

        Optional: a bot whose class does not write it says so on connecting, and is never given a solitaire."""
        raise NotImplementedError(f"{type(self).__name__} plays no solitaire: write a method `solitaire`")

    def game_start(self, start: GameStart) -> None:
        """Before the first card."""

    def round_start(self, start: RoundStart) -> None:
        """The hand is dealt."""

    def round_end(self, end: RoundEnd) -> None:
        """Everybody's score, and one's own hand as the referee laid it out."""

    def game_end(self, end: GameEnd) -> None:
        """The last call: totals and places, or None for a game called off."""


def table_sizes_of(bot_class: type[Bot]) -> tuple[int, ...]:
    """As a bot of this class says it on connecting; none where it is what a bot plays that says nothing."""
    return () if bot_class.table_sizes == Bot.table_sizes else tuple(bot_class.table_sizes)


def formats_of(bot_class: type[Bot]) -> tuple[Format, ...]:
    """What a bot of this class plays."""
    if bot_class.solitaire is Bot.solitaire:
        return (Format.TABLE,)
    return (Format.TABLE, Format.SOLITAIRE)
