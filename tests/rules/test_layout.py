"""The best layout: right on the published hands, equal to brute force, and lawful whatever the hand (RULES 16, 18)."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.rules.cards import (
    CARDS,
    JOKER,
    MAX_RANK,
    RANKS,
    Card,
    Suit,
    card_of,
    cards_of_ids,
    cards_text,
    deck_ids,
    parse_cards,
)
from referee.rules.layout import best_discards, best_layout, best_points, can_go_out, discard_points, going_out_discards
from referee.rules.melds import arrangement_problem
from tests.rules import oracle

HANDS = [json.loads(line) for line in (Path(__file__).parents[1] / "data/hands.jsonl").read_text("utf-8").splitlines()]


def assert_lawful(cards: Sequence[Card], wild_rank: int) -> None:
    """The layout's melds are valid, they and the leftover are the hand, and the leftover counts what the layout says."""
    layout = best_layout(cards, wild_rank)
    assert arrangement_problem(layout.melds, cards, wild_rank) == "ok"
    assert Counter(cards) == Counter(layout.leftover) + Counter(card for meld in layout.melds for card in meld)
    assert layout.points == sum(card.points(wild_rank) for card in layout.leftover) == best_points(cards, wild_rank)


# --- The published hands


@pytest.mark.parametrize("line", HANDS, ids=lambda line: f"{line['id']} {line['note']}")
def test_published_hand(line: dict[str, Any]) -> None:
    cards, wild = parse_cards(line["cards"]), line["wild"]
    assert best_points(cards, wild) == line["points"]
    assert_lawful(cards, wild)


@pytest.mark.parametrize("line", [line for line in HANDS if "best_discards" in line], ids=lambda line: line["id"])
def test_published_discards(line: dict[str, Any]) -> None:
    cards, wild = parse_cards(line["cards"]), line["wild"]
    best = best_discards(cards, wild)
    assert [card.text for card in best.faces] == line["best_discards"]
    assert best.points == line["points_after_best_discard"]
    assert can_go_out(cards, wild, wild) == line["can_go_out"]
    assert going_out_discards(cards, wild) == (best.faces if line["can_go_out"] else ())


@pytest.mark.parametrize(
    ("cards", "wild_rank", "points"),
    [
        pytest.param("", 5, 0, id="no cards"),
        pytest.param("JK", 5, 50, id="a joker alone"),
        pytest.param("5s JK", 5, 70, id="two wilds alone"),
        pytest.param("Kh", 5, 13, id="a king alone"),
        pytest.param("3h 7h JK JK JK", 9, 0, id="three wilds in one gap"),
        pytest.param("3h 8h JK JK JK", 9, 3, id="a gap of four is not for three"),
        pytest.param("3h 8h JK JK JK JK", 9, 0, id="two books of one natural"),
        pytest.param("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Kh Kd", 13, 0, id="a full run and a wild too many"),
        pytest.param("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Kh Kd JK", 13, 0, id="a full run and two wilds too many"),
        pytest.param("6h 6h 6h 6h 7h 7h 7h 7h 8h 8h 8h 8h", 5, 0, id="four copies of a run"),
        pytest.param("4h 4h 4h 4h 7h 7h 7h 7h", 5, 0, id="four copies of two books"),
        pytest.param("8h 9h Th 8h JK", 5, 8, id="the wild completes nothing more"),
        pytest.param("JK 5h 9c Kd", 3, 77, id="with the joker still held"),
    ],
)
def test_points(cards: str, wild_rank: int, points: int) -> None:
    assert best_points(parse_cards(cards), wild_rank) == points
    assert_lawful(parse_cards(cards), wild_rank)


@pytest.mark.parametrize(
    ("cards", "wild_rank", "melds", "leftover"),
    [
        pytest.param("8d Kh 8s Ks 8h Kd 5s", 5, "8s 8h 8d 5s | Ks Kh Kd", "", id="books by rank, wilds last"),
        pytest.param("9h 7h JK 6h", 5, "6h 7h JK 9h", "", id="a wild stands in its gap"),
        pytest.param("Qh Kh JK", 5, "JK Qh Kh", "", id="below the queen"),
        pytest.param("JK 4d 3d 9c", 5, "3d 4d JK", "9c", id="above the four"),
        pytest.param("5h JK 6h 4h 8h", 5, "4h 5h 6h JK 8h", "", id="a rotating wild as itself"),
        pytest.param("8* 7* 9* 4s 3s 5s Kd", 6, "3s 4s 5s | 7* 8* 9*", "Kd", id="runs by suit"),
        pytest.param(
            "9* 9s 9d 4* 5* 6* Kd 3h", 13, "4* 5* 6* | 9s 9d 9* Kd", "3h", id="runs, then books with spare wilds"
        ),
        pytest.param(
            "3s 4s 5s 6s 7s 8s 9s Ts Js Qs Kh Kd",
            13,
            "3s 4s 5s Kh | 6s 7s 8s 9s Ts Js Qs Kd",
            "",
            id="a full run makes room",
        ),
        pytest.param("3s 4s 5s 7s 8s 9s JK", 6, "3s 4s 5s | 7s 8s 9s JK", "", id="no wild where none is needed"),
        pytest.param("JK 5s JK 5h", 5, "5s 5h JK JK", "", id="wilds alone"),
        pytest.param("JK 9c Kd 5s 3h", 4, "", "5s 3h Kd 9c JK", id="nothing to meld"),
    ],
)
def test_layout_reads_well(cards: str, wild_rank: int, melds: str, leftover: str) -> None:
    layout = best_layout(parse_cards(cards), wild_rank)
    assert " | ".join(cards_text(meld) for meld in layout.melds) == melds
    assert cards_text(layout.leftover) == leftover


def test_the_joker_is_thrown_when_it_fits_nothing() -> None:
    """RULES 18."""
    best = best_discards(parse_cards("JK 5h 9c Kd"), 3)
    assert (best.faces, best.points) == ((JOKER,), 27)


def test_all_melded_and_yet_not_going_out() -> None:
    """RULES 16: the test is that some discard leaves 0."""
    cards = parse_cards("8s 8d 8h Ks Kd Kh")
    assert best_points(cards, 5) == 0
    assert not can_go_out(cards, 5, 5)
    assert going_out_discards(cards, 5) == ()


def test_going_out_is_for_one_card_more_than_dealt() -> None:
    cards = parse_cards("8s 8d 8h")
    assert not can_go_out(cards, 3, 3)
    assert can_go_out((*cards, card_of(Suit.STARS, 13)), 3, 3)


def test_nothing_to_discard() -> None:
    with pytest.raises(ValueError, match="no cards"):
        best_discards((), 5)
    assert going_out_discards((), 5) == ()


def test_more_cards_than_a_hand_can_be() -> None:
    with pytest.raises(ValueError, match="220 cards are no hand"):
        best_points(CARDS[:55] * 4, 5)


@pytest.mark.parametrize(
    ("cards", "wild_rank", "points"),
    [
        ("JK " * 12 + "7h", 5, 0),
        ("JK " * 12 + "5s 5s", 5, 0),
        ("Ks Ks Ks Ks Qs Qs Qs Qs Js Js Js Js", 5, 0),
        ("9h 9h 9h 9h Td Td Td Td 3c 3c", 5, 6),
        ("9h 9h 9h 9h Td Td Td Td 3c 3c JK", 5, 0),
        ("5h 5h 5h 5h 5d 5d 5d 5d Kc 3s", 5, 0),
        ("4s 4s 6s 6s 6s 6s 7s 7s 8d 8d JK", 3, 22),
    ],
)
def test_two_games_combined(cards: str, wild_rank: int, points: int) -> None:
    """RULES 4: four copies of a face, twelve jokers."""
    hand = parse_cards(cards)
    assert best_points(hand, wild_rank) == oracle.least_points(hand, wild_rank) == points
    assert_lawful(hand, wild_rank)


# --- Brute force


def one_game(rng: random.Random, size: int, wild_rank: int) -> list[Card]:
    return list(cards_of_ids(rng.sample(deck_ids(), size)))


def many_wilds(rng: random.Random, size: int, wild_rank: int) -> list[Card]:
    """A third of the cards wild, rotating ones and jokers; two games."""
    wilds = [card for card in cards_of_ids(deck_ids(4)) if card.is_wild(wild_rank)]
    naturals = [card for card in cards_of_ids(deck_ids(4)) if not card.is_wild(wild_rank)]
    count = sum(rng.random() < 0.35 for _ in range(size))
    return rng.sample(wilds, count) + rng.sample(naturals, size - count)


def identical_cards(rng: random.Random, size: int, wild_rank: int) -> list[Card]:
    """Up to four copies of few faces, neighbours often, and up to two jokers."""
    low = rng.randint(3, 10)
    faces = [card for card in CARDS[:55] if low <= card.rank <= low + 3 or rng.random() < 0.1]
    return _with_jokers(rng, rng.sample(faces, min(len(faces), size // 3 + 2)) * 4, size, 2)


def one_suit(rng: random.Random, size: int, wild_rank: int) -> list[Card]:
    """Up to four copies of the faces of a suit and up to three jokers."""
    suit = Suit(rng.randrange(5))
    return _with_jokers(rng, [card_of(suit, rank) for rank in RANKS] * rng.choice([2, 4]), size, 3)


def few_ranks(rng: random.Random, size: int, wild_rank: int) -> list[Card]:
    """Books and runs compete: all suits, three to five neighbouring ranks, up to three jokers."""
    span = rng.randint(3, 5)
    low = rng.randint(3, MAX_RANK - span + 1)
    return _with_jokers(rng, [card for card in CARDS[:55] if low <= card.rank < low + span] * 2, size, 3)


def _with_jokers(rng: random.Random, pool: Sequence[Card], size: int, most: int) -> list[Card]:
    jokers = max(rng.randint(0, min(most, size)), size - len(pool))
    return rng.sample(pool, size - jokers) + [JOKER] * jokers


FAMILIES = (one_game, many_wilds, identical_cards, one_suit, few_ranks)
HANDS_EACH = 100
DISCARDS_EACH = 5
"""5 families x 12 sizes x 100 = 6,000 hands, 300 of them with all their discards."""


def random_hands(family: Callable[..., list[Card]], size: int) -> Iterator[tuple[list[Card], int]]:
    rng = random.Random(f"{family.__name__} {size}")
    for _ in range(HANDS_EACH):
        wild_rank = rng.choice(RANKS)
        yield family(rng, size, wild_rank), wild_rank


@pytest.mark.parametrize("size", range(3, 15))
@pytest.mark.parametrize("family", FAMILIES)
def test_as_good_as_brute_force(family: Callable[..., list[Card]], size: int) -> None:
    for index, (cards, wild_rank) in enumerate(random_hands(family, size)):
        question = f"{cards_text(cards)} with {wild_rank} wild"
        assert best_points(cards, wild_rank) == oracle.least_points(cards, wild_rank), question
        assert_lawful(cards, wild_rank)
        if index < DISCARDS_EACH:
            assert discard_points(cards, wild_rank) == oracle.least_points_after(cards, wild_rank), question


def partitions(cards: Sequence[Card]) -> Iterator[list[tuple[Card, ...]]]:
    """Every way to split the cards into sets."""
    if not cards:
        yield []
        return
    first, others = cards[0], range(1, len(cards))
    for count in range(len(cards)):
        for companions in combinations(others, count):
            rest = [cards[index] for index in others if index not in companions]
            for parts in partitions(rest):
                yield [(first, *(cards[index] for index in companions)), *parts]


def points_of_set(cards: tuple[Card, ...], wild_rank: int) -> int:
    naturals = [card for card in cards if not card.is_wild(wild_rank)]
    if oracle.is_valid_meld(naturals, len(cards) - len(naturals)):
        return 0
    return sum(card.points(wild_rank) for card in cards)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_brute_force_itself(family: Callable[..., list[Card]]) -> None:
    """Against every partition of small hands, melds of any size."""
    rng = random.Random(family.__name__)
    for size in (3, 4, 5, 6, 7):
        for _ in range(8):
            wild_rank = rng.choice(RANKS)
            cards = family(rng, size, wild_rank)
            least = min(sum(points_of_set(part, wild_rank) for part in parts) for parts in partitions(cards))
            assert oracle.least_points(cards, wild_rank) == least, cards_text(cards)


# --- Properties, whatever the hand

wild_ranks = st.sampled_from(RANKS)
hands = st.one_of(
    st.lists(st.sampled_from(deck_ids(4)), unique=True, min_size=1, max_size=14).map(cards_of_ids),
    st.builds(
        lambda family, size, seed: tuple(family(random.Random(seed), size, 5)),
        st.sampled_from(FAMILIES),
        st.integers(3, 14),
        st.integers(0, 10**6),
    ),
)
any_time = settings(deadline=None)  # a busy machine is no failure


@any_time
@given(hands, wild_ranks)
def test_every_layout_is_lawful(cards: tuple[Card, ...], wild_rank: int) -> None:
    assert_lawful(cards, wild_rank)


@any_time
@given(hands, wild_ranks, st.randoms(use_true_random=False))
def test_the_order_of_a_hand_says_nothing(cards: tuple[Card, ...], wild_rank: int, rng: random.Random) -> None:
    shuffled = list(cards)
    rng.shuffle(shuffled)
    assert best_layout(shuffled, wild_rank) == best_layout(cards, wild_rank)
    assert best_discards(shuffled, wild_rank) == best_discards(cards, wild_rank)


@any_time
@given(hands, wild_ranks, st.permutations(list(Suit)))
def test_suits_are_only_names(cards: tuple[Card, ...], wild_rank: int, renamed: list[Suit]) -> None:
    others = [card if card.suit is None else card_of(renamed[card.suit], card.rank) for card in cards]
    assert best_points(others, wild_rank) == best_points(cards, wild_rank)


@any_time
@given(hands, wild_ranks)
def test_discard_points_are_those_of_the_others(cards: tuple[Card, ...], wild_rank: int) -> None:
    points = discard_points(cards, wild_rank)
    assert list(points) == sorted(set(cards))
    for face in points:
        others = list(cards)
        others.remove(face)
        assert points[face] == best_points(others, wild_rank)


@any_time
@given(hands, wild_ranks)
def test_best_discards_are_the_least_of_all(cards: tuple[Card, ...], wild_rank: int) -> None:
    points = discard_points(cards, wild_rank)
    best = best_discards(cards, wild_rank)
    assert best.points == min(points.values())
    assert set(best.faces) == {face for face in points if points[face] == best.points}
    assert [face.text for face in best.faces] == sorted(face.text for face in best.faces)
    assert (
        bool(going_out_discards(cards, wild_rank)) == can_go_out(cards, wild_rank, len(cards) - 1) == (best.points == 0)
    )


@any_time
@given(hands, wild_ranks, st.sampled_from(CARDS))
def test_a_card_more_costs_no_more_than_itself(cards: tuple[Card, ...], wild_rank: int, card: Card) -> None:
    cards = cards[:13]
    assume(cards.count(card) < (12 if card.is_joker else 4))
    more = best_points((*cards, card), wild_rank)
    assert more <= best_points(cards, wild_rank) + card.points(wild_rank)
    if card.is_wild(wild_rank) and best_layout(cards, wild_rank).melds:
        assert more <= best_points(cards, wild_rank), "a spare wild has a place in any meld"


@any_time
@given(hands, hands, wild_ranks)
def test_two_hands_together_leave_no_more_than_apart(
    one: tuple[Card, ...], other: tuple[Card, ...], wild_rank: int
) -> None:
    one, other = one[:7], other[:7]
    both = one + other
    assume(all(held <= (12 if card.is_joker else 4) for card, held in Counter(both).items()))
    assert best_points(both, wild_rank) <= best_points(one, wild_rank) + best_points(other, wild_rank)


# --- Who asks


def test_while_a_game_is_played_only_the_rules_ask_the_solver() -> None:
    """For a claim to go out without melds, at the end of a round, and for a pile of a solitaire. Elsewhere only transcripts ask."""
    solver = {"best_points", "best_layout", "best_discards", "discard_points", "going_out_discards", "can_go_out"}
    referee = Path(__file__).parents[2] / "referee"
    asked = {}
    for path in referee.rglob("*.py"):
        names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)} & solver
        if names and path.parent.name + "/" + path.name != "rules/layout.py":
            asked[str(path.relative_to(referee))] = names
    assert asked == {
        "rules/state.py": {"best_points", "best_layout", "going_out_discards"},  # the last one in `legal_actions`
        "rules/solitaire.py": {"best_points"},
        "record/transcript.py": {"best_points", "best_discards"},
        "record/solitaire_transcript.py": {"best_points"},
    }
    users = [
        path for path in referee.rglob("*.py") if re.search(r"\blegal_actions\b|record.transcript", path.read_text())
    ]
    assert {path.relative_to(referee) for path in users} == {Path("rules/state.py"), Path("rules/solitaire.py")}
