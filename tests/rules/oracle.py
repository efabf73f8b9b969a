"""The least points of any layout, by brute force: slow, and written from the rules alone (RULES 2, 6-10, 18).

It takes one card after the other and tries to leave it or to put it into every meld it can be in. Three remarks keep that
bearable, and nothing else is taken for granted:

- A meld of six or more cards falls into melds of three to five: a book anywhere, a run between two of its ranks, its wilds staying
  where they are. So only melds of three to five cards are tried.
- In a meld all wilds are alike, so they are only counted; those left are the cheapest.
- What is left of a hand is the same problem again, so its answer is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from referee.rules.cards import Card

SIZES = range(3, 6)


def least_points(cards: Sequence[Card], wild_rank: int) -> int:
    naturals = [card for card in cards if not card.is_wild(wild_rank)]
    wild_points = sorted(card.points(wild_rank) for card in cards if card.is_wild(wild_rank))
    melds = _melds_by_first(naturals, len(wild_points))

    @cache
    def least(left: int, wilds: int) -> int:
        """Of the naturals whose bits are set, and so many wilds."""
        if not left:
            return 0 if wilds >= 3 else sum(wild_points[:wilds])
        lowest = left & -left
        first = lowest.bit_length() - 1
        points = naturals[first].rank + least(left - lowest, wilds)
        for meld, stand_ins in melds[first]:
            if meld & left == meld and stand_ins <= wilds:
                points = min(points, least(left - meld, wilds - stand_ins))
        return points

    return least((1 << len(naturals)) - 1, len(wild_points))


def least_points_after(cards: Sequence[Card], wild_rank: int) -> dict[Card, int]:
    """For each face held, what the others leave when it is thrown."""
    points = {}
    for face in set(cards):
        others = list(cards)
        others.remove(face)
        points[face] = least_points(others, wild_rank)
    return points


def is_valid_meld(naturals: Sequence[Card], wilds: int) -> bool:
    """Some assignment of the wilds makes three or more cards a book or a run."""
    size = len(naturals) + wilds
    return size >= 3 and (_is_book(naturals) or any(_fits_run(naturals, low, size) for low in range(3, 13 - size + 2)))


def _is_book(naturals: Sequence[Card]) -> bool:
    return len({card.rank for card in naturals}) <= 1


def _fits_run(naturals: Sequence[Card], low: int, size: int) -> bool:
    """The naturals are different cards of the run of one suit that begins at `low`."""
    ranks = {card.rank for card in naturals}
    is_one_suit = len({card.suit for card in naturals}) <= 1
    return is_one_suit and len(ranks) == len(naturals) and all(low <= rank < low + size for rank in ranks)


def _melds_by_first(naturals: Sequence[Card], wilds: int) -> list[list[tuple[int, int]]]:
    """For each natural the melds in which it comes first: the bits of their naturals, and their wilds."""
    return [list(_melds_of_first(naturals, first, wilds)) for first in range(len(naturals))]


def _melds_of_first(naturals: Sequence[Card], first: int, wilds: int) -> Iterator[tuple[int, int]]:
    card = naturals[first]
    later = range(first + 1, len(naturals))
    kin = [index for index in later if naturals[index].rank == card.rank or naturals[index].suit == card.suit]
    for count in range(max(SIZES)):
        for companions in combinations(kin, count):
            chosen = (first, *companions)
            cards = [naturals[index] for index in chosen]
            for stand_ins in range(max(0, min(SIZES) - len(chosen)), min(wilds, max(SIZES) - len(chosen)) + 1):
                if is_valid_meld(cards, stand_ins):
                    yield sum(1 << index for index in chosen), stand_ins
