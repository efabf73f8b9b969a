"""Melds: is a set of cards a book or a run, and may an arrangement be laid (RULES 6-10)?

A meld is judged as a set: the order in which its cards are written says nothing, and its wilds stand for whatever makes it valid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

from referee.rules.cards import MAX_RANK, MIN_RANK, Card

MIN_MELD: Final = 3
MAX_RUN: Final = MAX_RANK - MIN_RANK + 1
"""A run ends with the suit: 3 to K are 11 cards (RULES 7)."""

RunProblem = Literal["run_mixed_suits", "run_repeated_rank", "run_too_long", "run_gap_not_filled"]
MeldProblem = Literal["too_short", "book_mixed_ranks"] | RunProblem


def meld_problems(cards: Sequence[Card], wild_rank: int) -> tuple[MeldProblem, ...]:
    """Why the cards are no meld; empty if they are one.

    Either `("too_short",)`, or why they are no book and the first reason, in the order of `RunProblem`, why they are no run.
    """
    if len(cards) < MIN_MELD:
        return ("too_short",)
    naturals = _naturals(cards, wild_rank)
    if _is_one_rank(naturals):
        return ()
    problem = _run_problem(naturals, len(cards))
    return ("book_mixed_ranks", problem) if problem else ()


def is_meld(cards: Sequence[Card], wild_rank: int) -> bool:
    """Three or more cards that are a book or a run."""
    return not meld_problems(cards, wild_rank)


def is_book(cards: Sequence[Card], wild_rank: int) -> bool:
    """Three or more cards of one rank; wilds stand for any of it (RULES 6, 8). Three or more wilds are a book too."""
    return len(cards) >= MIN_MELD and _is_one_rank(_naturals(cards, wild_rank))


def is_run(cards: Sequence[Card], wild_rank: int) -> bool:
    """Three to eleven consecutive ranks of one suit; wilds fill gaps and extend it inside 3..K (RULES 7, 8)."""
    return len(cards) >= MIN_MELD and _run_problem(_naturals(cards, wild_rank), len(cards)) is None


def arrangement_problem(melds: Sequence[Sequence[Card]], hand: Sequence[Card] | None, wild_rank: int) -> str:
    """`ok`, or the first thing wrong with laying these melds from this hand; the melds are looked at before the hand.

    `meld I: CODE[; CODE]` names the first meld, counted from 0, that is none, with the codes of `meld_problems`.
    `card_not_held_or_used_twice: CARD` names the first card, in the order written, that the hand does not hold (once more):
    a card serves one meld, and a wild is named by its own face (RULES 10). Without a hand (None) only the melds are judged.
    """
    for index, meld in enumerate(melds):
        problems = meld_problems(meld, wild_rank)
        if problems:
            return f"meld {index}: {'; '.join(problems)}"
    missing = None if hand is None else _first_not_held(melds, hand)
    return f"card_not_held_or_used_twice: {missing}" if missing else "ok"


def _naturals(cards: Sequence[Card], wild_rank: int) -> list[Card]:
    return [card for card in cards if not card.is_wild(wild_rank)]


def _is_one_rank(naturals: Sequence[Card]) -> bool:
    return len({card.rank for card in naturals}) <= 1


def _run_problem(naturals: Sequence[Card], length: int) -> RunProblem | None:
    """Why naturals and wilds, `length` cards together, are no run."""
    ranks = {card.rank for card in naturals}
    if len({card.suit for card in naturals}) > 1:
        return "run_mixed_suits"
    if len(ranks) < len(naturals):
        return "run_repeated_rank"
    if length > MAX_RUN:
        return "run_too_long"
    if ranks and max(ranks) - min(ranks) >= length:
        return "run_gap_not_filled"
    return None


def _first_not_held(melds: Sequence[Sequence[Card]], hand: Sequence[Card]) -> Card | None:
    held = Counter(hand)
    for meld in melds:
        for card in meld:
            if not held[card]:
                return card
            held[card] -= 1
    return None
