"""Cards, their text and their numbers (RULES 1-5)."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.rules import cards
from referee.rules.cards import (
    CARDS,
    JOKER,
    Suit,
    card_of,
    card_of_id,
    cards_text,
    parse_card,
    parse_cards,
    rank_letter,
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("3s", 0, id="first of spades"),
        pytest.param("Ks", 10, id="last of spades"),
        pytest.param("3h", 11, id="hearts"),
        pytest.param("Td", 29, id="ten of diamonds"),
        pytest.param("Qc", 42, id="queen of clubs"),
        pytest.param("3*", 44, id="stars"),
        pytest.param("K*", 54, id="last of stars"),
        pytest.param("JK", 55, id="joker"),
    ],
)
def test_code_and_text(text: str, code: int) -> None:
    assert parse_card(text).code == code
    assert CARDS[code].text == text


@pytest.mark.parametrize(
    ("spelling", "text"),
    [
        ("3★", "3*"),
        ("T♠", "Ts"),
        ("10♥", "Th"),
        ("10d", "Td"),
        ("kc", "Kc"),
        ("QS", "Qs"),
        ("jk", "JK"),
        ("J♦", "Jd"),
        ("9♣", "9c"),
    ],
)
def test_other_spellings(spelling: str, text: str) -> None:
    assert parse_card(spelling).text == text


@pytest.mark.parametrize("text", ["", "s", "2s", "1h", "14c", "Th3", "3x", "Xs", "JKK", "K", "3 s", "★3", "T", "100s"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_card(text)
    assert repr(text) in str(refused.value)


def test_text_round_trip() -> None:
    assert parse_cards(cards_text(CARDS)) == CARDS
    assert parse_cards("  8s\t8d\n") == (card_of(Suit.SPADES, 8), card_of(Suit.DIAMONDS, 8))
    assert parse_cards("") == ()


def test_a_face_is_one_object() -> None:
    assert parse_card("10♥") is card_of(Suit.HEARTS, 10) is CARDS[18]
    assert parse_card("JK") is JOKER


def test_one_game_holds_each_face_twice_and_six_jokers() -> None:
    """RULES 1."""
    held = Counter(card_of_id(card_id) for card_id in cards.deck_ids())
    assert len(held) == 56
    assert {count for card, count in held.items() if not card.is_joker} == {2}
    assert held[JOKER] == 6


def test_two_games_hold_each_face_four_times_and_twelve_jokers() -> None:
    """RULES 4."""
    held = Counter(cards.cards_of_ids(cards.deck_ids(4)))
    assert held.total() == 232
    assert {count for card, count in held.items() if not card.is_joker} == {4}
    assert held[JOKER] == 12


@pytest.mark.parametrize(
    ("text", "wild_rank", "is_wild", "points"),
    [
        pytest.param("9h", 5, False, 9, id="number"),
        pytest.param("Th", 5, False, 10, id="ten"),
        pytest.param("J*", 5, False, 11, id="jack"),
        pytest.param("Qs", 5, False, 12, id="queen"),
        pytest.param("Kd", 5, False, 13, id="king"),
        pytest.param("3s", 3, True, 20, id="a three that is wild"),
        pytest.param("K*", 13, True, 20, id="a king that is wild"),
        pytest.param("JK", 5, True, 50, id="joker"),
    ],
)
def test_wild_and_points(text: str, wild_rank: int, is_wild: bool, points: int) -> None:
    """RULES 2, 3."""
    card = parse_card(text)
    assert card.is_wild(wild_rank) == is_wild
    assert card.points(wild_rank) == points


@pytest.mark.parametrize("rank", [-1, 0, 2, 14])
def test_no_such_rank(rank: int) -> None:
    with pytest.raises(ValueError, match=str(rank)):
        card_of(Suit.STARS, rank)
    with pytest.raises(ValueError, match=str(rank)):
        rank_letter(rank)


def test_rank_letters() -> None:
    assert "".join(rank_letter(rank) for rank in cards.RANKS) == "3456789TJQK"
