"""The shuffle and the lanes: published, independent of what bots do, and fair (RULES 13, 15)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CardId, Suit, card_of_id, deck_ids
from referee.rules.events import RoundStarted
from referee.rules.shuffle import commitment, deal_label, reshuffle_label, shuffled
from referee.rules.state import GameConfig, GameState, apply, new_game
from tests.support.builders import table
from tests.support.scripted import chaotic, deals_of, thrower
from tests.support.shuffle_reference import order_of

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "shuffle_vectors.json").read_text())["vectors"]
SEEDS = st.binary(min_size=32, max_size=32)


def numbered_seed(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


def vector_id(vector: dict[str, Any]) -> str:
    return f"{vector['seed'][:6]} {vector['label']} {len(vector['order'])}"


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_the_published_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    cards = deck_ids(len(vector["order"]) // 58)
    assert list(shuffled(map(CardId, cards), seed, vector["label"].encode())) == vector["order"]
    assert commitment(seed).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_the_published_vectors_follow_from_their_description(vector: dict[str, Any]) -> None:
    assert order_of(bytes.fromhex(vector["seed"]), vector["label"], range(len(vector["order"]))) == vector["order"]


@given(SEEDS, st.integers(1, 11), st.integers(1, 3), st.sets(st.integers(0, 115)))
def test_any_cards_are_ordered_as_described(seed: bytes, game_round: int, number: int, cards: set[int]) -> None:
    ids = [CardId(card) for card in cards]
    assert list(shuffled(ids, seed, deal_label(game_round))) == order_of(seed, f"deal|{game_round}|0", cards)
    again = shuffled(reversed(ids), seed, reshuffle_label(game_round, number))
    assert list(again) == order_of(seed, f"reshuffle|{game_round}|{number}", cards)


@given(SEEDS, st.sets(st.integers(0, 115)))
def test_which_other_cards_take_part_does_not_change_the_order_of_two(seed: bytes, cards: set[int]) -> None:
    whole = shuffled(map(CardId, deck_ids()), seed, b"deal|1|0")
    assert [card for card in whole if card in cards] == list(shuffled(map(CardId, cards), seed, b"deal|1|0"))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=rf"\b{length}\b"):
        shuffled([CardId(0)], bytes(length), b"deal|1|0")
    with pytest.raises(ValueError, match=rf"\b{length}\b"):
        new_game(GameConfig(2), bytes(length))


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-square over all 116 x 116 (card, place) pairs of 1,500 shuffles: its mean is 116 * 115, its deviation 163."""
    shuffles = 1_500
    seen = Counter(
        (place, card)
        for number in range(shuffles)
        for place, card in enumerate(shuffled(map(CardId, deck_ids()), numbered_seed(number), b"deal|1|0"))
    )
    expected = shuffles / 116
    chi_square = sum((seen[place, card] - expected) ** 2 / expected for place in range(116) for card in range(116))
    assert abs(chi_square - 116 * 115) < 5 * 163


def test_the_deals_of_a_game_have_nothing_in_common() -> None:
    """Two random orders agree in one place on average: 55 pairs of rounds in 40 games, deviation 0.021."""
    agreements = []
    for number in range(40):
        deals = [shuffled(map(CardId, deck_ids()), numbered_seed(number), deal_label(r)) for r in range(1, 12)]
        agreements += [
            sum(a == b for a, b in zip(one, other, strict=True)) for i, one in enumerate(deals) for other in deals[:i]
        ]
    assert abs(sum(agreements) / len(agreements) - 1) < 5 * 0.022


def test_ten_deals_are_ten_different_decks() -> None:
    decks = {tuple(shuffled(map(CardId, deck_ids()), numbered_seed(number), b"deal|1|0")) for number in range(10)}
    rounds = {tuple(shuffled(map(CardId, deck_ids()), numbered_seed(0), deal_label(r))) for r in range(1, 12)}
    assert len(decks | rounds) == 10 + 11 - 1


@given(SEEDS, st.integers(2, 7), st.integers(0, 1 << 32))
@settings(max_examples=15)
def test_nothing_a_bot_does_changes_a_later_deal(seed: bytes, seats: int, whim: int) -> None:
    config = GameConfig(seats, turn_cap=2)
    assert deals_of(config, seed, chaotic(whim)) == deals_of(config, seed, thrower)


def drawn_and_thrown(state: GameState, source: Source = Source.PILE) -> tuple[GameState, CardId]:
    """The seat in turn throws what it drew."""
    state, _ = apply(state, Draw(source))
    card = state.drawn
    assert card is not None
    return apply(state, Discard(card_of_id(card)))[0], card


def pile_draws(state: GameState, sources: list[Source]) -> Iterator[CardId]:
    """The cards that come from the draw pile if the seats in turn draw from these sources."""
    for source in sources:
        state, card = drawn_and_thrown(state, source)
        if source is Source.PILE:
            yield card


def last_round(seats: int, seed: bytes) -> GameState:
    state, _ = new_game(GameConfig(seats, turn_cap=1), seed)
    while state.game_round < 11:
        state, _ = drawn_and_thrown(state)
    return replace(state, config=GameConfig(seats))


@given(SEEDS, SEEDS, st.lists(st.sampled_from(Source), min_size=60, max_size=60))
@settings(max_examples=25)
def test_which_place_of_the_shuffled_pile_is_drawn_depends_on_who_drew_before_alone(
    seed: bytes, other: bytes, sources: list[Source]
) -> None:
    """So the draws of any table are a random order read in an order fixed by public things: the odds of one pile (RULES 15)."""
    places = []
    for game_seed in (seed, other):
        pile = order_of(game_seed, "deal|11|0", range(116))[7 * 13 + 1 :]
        drawn = list(pile_draws(last_round(7, game_seed), sources))[: len(pile)]
        places.append([pile.index(card) for card in drawn])
    assert places[0] == places[1]
    assert len(set(places[0])) == len(places[0])


def adaptive_draws(order: tuple[str, ...]) -> tuple[str, ...]:
    """The first three cards from the pile; seats draw from it when the upcard is black or the last one took the upcard."""
    lanes = [" ".join(order[(seat - 1) % 3 :: 3]) for seat in range(3)]
    state = table("3h 4h 5h", "3d 4d 5d", "6h 6d 7d", seat=1, lanes=lanes, discard="Ks")
    drawn: list[str] = []
    source = Source.PILE
    while len(drawn) < 3:
        is_black = card_of_id(state.discard_pile[-1]).suit in (Suit.SPADES, Suit.CLUBS)
        source = Source.PILE if is_black or source is Source.DISCARD else Source.DISCARD
        state, card = drawn_and_thrown(state, source)
        if source is Source.PILE:
            drawn.append(card_of_id(card).text)
    return tuple(drawn)


def test_lanes_have_the_odds_of_one_pile_exactly() -> None:
    """All 120 orders of five unseen cards: each way to draw three comes up twice, though the seats react to what they see."""
    cards = ("8s", "9h", "Td", "Jc", "Q*")
    ways = Counter(adaptive_draws(order) for order in permutations(cards))
    assert ways == Counter(dict.fromkeys(permutations(cards, 3), 2))


def test_the_rounds_of_a_game_are_dealt_from_its_seed_alone() -> None:
    state, events = new_game(GameConfig(3), numbered_seed(7))
    (started,) = [event for event in events if isinstance(event, RoundStarted)]
    assert started.upcard == card_of_id(CardId(order_of(numbered_seed(7), "deal|1|0", range(116))[9]))
    assert state.seed == numbered_seed(7)
