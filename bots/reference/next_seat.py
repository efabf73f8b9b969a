"""Would the next seat be glad of a discard? A chance between 0 and 1, from what it took, what it threw and what is unseen."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from bots.sdk import CARDS, Card, Discarded, Drew, SeatView
from referee.rules.cards import RANKS, card_of


class NextSeat:
    """Follows the next seat through a round: the cards it took from the discard pile and still holds."""

    def __init__(self) -> None:
        self._game_round = 0
        self._held: list[Card] = []

    def watch(self, view: SeatView) -> None:
        """To be called with every view, once: each tells what happened since the last."""
        if view.game_round != self._game_round:
            self._game_round, self._held = view.game_round, []
        for event in view.events:
            match event:
                case Drew(seat, _, Card() as card) if seat == _next(view):
                    self._held.append(card)
                case Discarded(seat, card, _) if seat == _next(view) and card in self._held:
                    self._held.remove(card)

    def chance_to_meld(self, card: Card, view: SeatView, unseen: Sequence[int]) -> float:
        """The chance that the next seat has two cards that make a meld of this one. `unseen`: copies by face code.

        Each unseen copy is taken to lie in its hand by the same chance, independently of the others; wilds count for books.
        """
        if card.suit is None or card.rank == view.wild_rank:
            return 1.0
        share = (view.hand_sizes[_next(view)] - len(self._held)) / sum(unseen)
        book = self._chance_of_book(card.rank, view.wild_rank, unseen, share)
        below_2, below, above, above_2 = (self._chance_held(card, step, unseen, share) for step in (-2, -1, 1, 2))
        no_run = (1 - below_2 * below) * (1 - below * above) * (1 - above * above_2)
        return 1 - (1 - book) * no_run

    def _chance_of_book(self, rank: int, wild_rank: int, unseen: Sequence[int], share: float) -> float:
        """That two cards of the rank or wilds are held: Poisson, on top of those known."""
        known = sum(card.rank == rank or card.is_wild(wild_rank) for card in self._held)
        expected = share * sum(
            copies for face, copies in zip(CARDS, unseen, strict=True) if face.rank == rank or face.is_wild(wild_rank)
        )
        none, one = exp(-expected), expected * exp(-expected)
        return (1 - none - one, 1 - none, 1.0)[min(known, 2)]

    def _chance_held(self, card: Card, step: int, unseen: Sequence[int], share: float) -> float:
        """That the neighbour so many ranks above in the same suit is held."""
        if card.suit is None or card.rank + step not in RANKS:
            return 0.0
        neighbour = card_of(card.suit, card.rank + step)
        return 1.0 if neighbour in self._held else 1 - (1 - share) ** unseen[neighbour.code]


def _next(view: SeatView) -> int:
    """In a playoff the next of those that play: the others hold no cards (RULES 20)."""
    clockwise = ((view.seat + step) % view.seats for step in range(1, view.seats + 1))
    return next(seat for seat in clockwise if view.hand_sizes[seat])
