"""Cards, their text and their numbers (RULES 1-5).

A `Card` is a face: what is printed on it. The 56 faces are singletons, to be had by code (`CARDS`), by text (`parse_card`) or by
suit and rank (`card_of`). Two copies of a face are the same `Card`; where copies must be told apart (dealing, one card used
once) a `CardId` is used: copy * 58 + face code, jokers 55..57 within each deck of 58 (DESIGN 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NewType, final

CardId = NewType("CardId", int)
"""One physical card: copy * 58 + face code, with jokers 55, 56, 57; 0..115, with two games combined 0..231."""

MIN_RANK: Final = 3
MAX_RANK: Final = 13
RANKS = range(MIN_RANK, MAX_RANK + 1)
JOKER_CODE: Final = 55
DECK_SIZE: Final = 58
WILD_POINTS: Final = 20
JOKER_POINTS: Final = 50

_RANK_LETTERS = "3456789TJQK"
_SUIT_LETTERS = "shdc*"
_SUIT_SPELLINGS = {"s": 0, "♠": 0, "h": 1, "♥": 1, "d": 2, "♦": 2, "c": 3, "♣": 3, "*": 4, "★": 4}


class Suit(IntEnum):
    """The five suits in wire order."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3
    STARS = 4

    @property
    def letter(self) -> str:
        return _SUIT_LETTERS[self]


@final
@dataclass(frozen=True, slots=True)
class Card:
    """A face. Ordered by code; equal faces are equal cards."""

    code: int
    """suit * 11 + rank - 3 for suits (0..54), 55 for the joker."""
    suit: Suit | None
    """None for the joker."""
    rank: int
    """3..13; 0 for the joker, which has none."""
    text: str
    """`Th`, `3*`, `JK`."""

    @property
    def is_joker(self) -> bool:
        return self.code == JOKER_CODE

    def is_wild(self, wild_rank: int) -> bool:
        """Jokers always, and the cards of this round's rank (RULES 3)."""
        return self.rank == wild_rank or self.code == JOKER_CODE

    def points(self, wild_rank: int) -> int:
        """What the card costs when it is left unmelded (RULES 2)."""
        if self.code == JOKER_CODE:
            return JOKER_POINTS
        return WILD_POINTS if self.rank == wild_rank else self.rank

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self.code == other.code

    def __lt__(self, other: Card) -> bool:
        return self.code < other.code

    def __hash__(self) -> int:
        return self.code

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"


def _face(code: int) -> Card:
    if code == JOKER_CODE:
        return Card(code, None, 0, "JK")
    suit = Suit(code // 11)
    rank = code % 11 + MIN_RANK
    return Card(code, suit, rank, _RANK_LETTERS[rank - MIN_RANK] + suit.letter)


CARDS: Final[tuple[Card, ...]] = tuple(_face(code) for code in range(JOKER_CODE + 1))
"""Every face by its code."""
JOKER: Final = CARDS[JOKER_CODE]

_BY_TEXT = {card.text: card for card in CARDS}
_FACE_CODES: Final = tuple(min(card_id % DECK_SIZE, JOKER_CODE) for card_id in range(4 * DECK_SIZE))
_FACES: Final = tuple(CARDS[code] for code in _FACE_CODES)


def card_of(suit: Suit, rank: int) -> Card:
    """The face of a suit and a rank 3..13."""
    if rank not in RANKS:
        raise ValueError(f"no card of rank {rank!r}: ranks are 3..13")
    return CARDS[suit * 11 + rank - MIN_RANK]


def card_of_id(card_id: CardId) -> Card:
    """The face of one physical card."""
    return _FACES[card_id]


def cards_of_ids(card_ids: Iterable[CardId]) -> tuple[Card, ...]:
    """The faces of several physical cards, in the order given."""
    return tuple(_FACES[card_id] for card_id in card_ids)


def deck_ids(decks: int = 2) -> range:
    """The ids of all cards in play: two decks are one game of 116 cards (RULES 1), four are two games combined (RULES 4)."""
    return range(decks * DECK_SIZE)


def parse_card(text: str) -> Card:
    """One card from its text: `Th`, `10h`, `T♥`, `3*`, `3★`, `JK`. Raises ValueError that names the text."""
    if text in _BY_TEXT:
        return _BY_TEXT[text]
    if text.upper() == "JK":
        return JOKER
    rank_text, suit_text = text[:-1].upper(), text[-1:]
    if rank_text == "10":
        rank_text = "T"
    suit = _SUIT_SPELLINGS.get(suit_text.lower())
    if suit is None or len(rank_text) != 1 or rank_text not in _RANK_LETTERS:
        raise ValueError(
            f"{text!r} is not a card: write a rank 3..9 T J Q K and a suit s h d c *, as in Th or 3*, or JK for a joker"
        )
    return card_of(Suit(suit), _RANK_LETTERS.index(rank_text) + MIN_RANK)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by white space. Raises ValueError that names the first text that is no card."""
    return tuple(parse_card(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """The cards' texts with a space between them: the inverse of `parse_cards`."""
    return " ".join(card.text for card in cards)


def rank_letter(rank: int) -> str:
    """`3`..`9`, `T`, `J`, `Q`, `K` for 3..13."""
    if rank not in RANKS:
        raise ValueError(f"no rank {rank!r}: ranks are 3..13")
    return _RANK_LETTERS[rank - MIN_RANK]
