"""Books, runs, and what is wrong with an arrangement (RULES 6-10)."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from referee.rules.cards import JOKER, Card, Suit, card_of, parse_cards
from referee.rules.melds import arrangement_problem, is_book, is_meld, is_run, meld_problems
from tests.rules import oracle

DATA = Path(__file__).parents[1] / "data"
ARRANGEMENTS = [json.loads(line) for line in (DATA / "arrangements.jsonl").read_text("utf-8").splitlines()]


def melds_of(text: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(parse_cards(meld) for meld in text.split("|"))


@pytest.mark.parametrize("line", ARRANGEMENTS, ids=lambda line: f"{line['id']} {line['note']}")
def test_arrangements(line: dict[str, Any]) -> None:
    hand = parse_cards(line["hand"]) if "hand" in line else None
    reason = arrangement_problem(melds_of(line["melds"]), hand, line["wild"])
    assert reason == line["reason"]
    assert (reason == "ok") == line["valid"]


@pytest.mark.parametrize(
    ("cards", "wild_rank", "kinds"),
    [
        pytest.param("Ks Kd Kh Kh", 5, "book", id="identical cards (6)"),
        pytest.param("9s 9d 9h 9c 9* 9s 9d 9h 9c 9* 9s 9d", 5, "book", id="no upper size (6)"),
        pytest.param("3s 4s 5s", 9, "run", id="three is low (7)"),
        pytest.param("Js Qs Ks", 9, "run", id="king is high (7)"),
        pytest.param("Qh Kh JK", 5, "run", id="the joker is the jack (8)"),
        pytest.param("3h JK 4h", 9, "run", id="a wild can only be above (8)"),
        pytest.param("3h JK JK 6h", 9, "run", id="wilds side by side (8)"),
        pytest.param("7h JK JK", 5, "book run", id="one natural is what one likes (8)"),
        pytest.param("JK JK JK", 5, "book run", id="wilds alone (8)"),
        pytest.param("5d 5h 5s", 5, "book run", id="rotating wilds alone (8)"),
        pytest.param("4h 5h 6h", 5, "run", id="a rotating wild as itself (8)"),
        pytest.param("6h 5h 7h", 5, "run", id="a rotating wild beyond the end (8)"),
        pytest.param("8h 5s 6h", 5, "run", id="order says nothing (9)"),
        pytest.param("3s 4s 5s 6s JK 8s 9s Ts Js Qs Ks", 7, "run", id="eleven with a wild (7)"),
        pytest.param("JK JK JK JK JK JK JK JK JK JK JK JK", 5, "book", id="twelve wilds are no run (7)"),
    ],
)
def test_valid_melds(cards: str, wild_rank: int, kinds: str) -> None:
    meld = parse_cards(cards)
    assert meld_problems(meld, wild_rank) == ()
    assert is_meld(meld, wild_rank)
    assert is_book(meld, wild_rank) == ("book" in kinds)
    assert is_run(meld, wild_rank) == ("run" in kinds)


@pytest.mark.parametrize(
    ("cards", "wild_rank", "problems"),
    [
        pytest.param("", 5, ("too_short",), id="nothing"),
        pytest.param("JK JK", 5, ("too_short",), id="two wilds"),
        pytest.param("9s 8d", 5, ("too_short",), id="two cards that do not fit"),
        pytest.param("9s 9d 8h", 5, ("book_mixed_ranks", "run_mixed_suits"), id="nearly a book"),
        pytest.param("6h 7d 9h", 5, ("book_mixed_ranks", "run_mixed_suits"), id="suits before gaps"),
        pytest.param("6h 6d 7h", 5, ("book_mixed_ranks", "run_mixed_suits"), id="suits before repeated ranks"),
        pytest.param("6h 6h 9h", 5, ("book_mixed_ranks", "run_repeated_rank"), id="repeated ranks before gaps"),
        pytest.param("Qh Kh 3h", 5, ("book_mixed_ranks", "run_gap_not_filled"), id="no wrap"),
        pytest.param("3h 7h JK JK", 9, ("book_mixed_ranks", "run_gap_not_filled"), id="one wild short"),
        pytest.param(
            "3s 4s 5s 6s 8s 9s Ts Js Qs Ks 7h 7d",
            7,
            ("book_mixed_ranks", "run_too_long"),
            id="twelve cards of one suit",
        ),
    ],
)
def test_what_is_no_meld(cards: str, wild_rank: int, problems: tuple[str, ...]) -> None:
    meld = parse_cards(cards)
    assert meld_problems(meld, wild_rank) == problems
    assert not is_meld(meld, wild_rank)
    assert not is_book(meld, wild_rank)
    assert not is_run(meld, wild_rank)


@pytest.mark.parametrize(
    ("melds", "hand", "reason"),
    [
        pytest.param("9s 9d 9h", "9s 9d 9h Kd", "ok", id="the hand may hold more"),
        pytest.param("9s 9s 9d", "9s 9d 9h", "card_not_held_or_used_twice: 9s", id="twice in one meld, held once"),
        pytest.param("9s 9s 9d", "9s 9d 9s", "ok", id="twice, held twice"),
        pytest.param(
            "9s 9d JK", "9s 9d 5h", "card_not_held_or_used_twice: JK", id="a wild is named by its own face (10)"
        ),
        pytest.param("9s 9d 9h | 7s 7d 7h", "7s 9h", "card_not_held_or_used_twice: 9s", id="the first as written"),
        pytest.param("9s 9d 9h | 7s 8d", "7s 8d", "meld 1: too_short", id="melds before the hand"),
        pytest.param("9s 9d | 7s 8d 9c", "", "meld 0: too_short", id="the first meld that is none"),
    ],
)
def test_arrangement_from_a_hand(melds: str, hand: str, reason: str) -> None:
    assert arrangement_problem(melds_of(melds), parse_cards(hand), 5) == reason


def test_no_melds_are_no_problem() -> None:
    assert arrangement_problem((), parse_cards("9s"), 5) == "ok"


def pool_of(seed: int) -> Sequence[Card]:
    """Fifteen cards of few ranks and suits, so that many of their subsets are melds; fives are wild."""
    rng = random.Random(seed)
    low = rng.randint(3, 9)
    faces = [card_of(Suit(suit), rank) for suit in rng.sample(range(5), 2) for rank in range(low, low + 5)]
    return [*rng.choices(faces, k=12), card_of(Suit.STARS, 5), JOKER, JOKER]


@pytest.mark.parametrize("seed", range(6))
def test_every_small_set_of_cards_is_judged_as_the_oracle_does(seed: int) -> None:
    cards = pool_of(seed)
    for size in range(6):
        for chosen in combinations(cards, size):
            naturals = [card for card in chosen if not card.is_wild(5)]
            assert is_meld(chosen, 5) == oracle.is_valid_meld(naturals, len(chosen) - len(naturals)), chosen
