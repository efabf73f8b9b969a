"""Who deals, who starts, and where each card goes (RULES 1, 3, 12, 13, 15)."""

from __future__ import annotations

from functools import cache

import pytest

from referee.rules.cards import JOKER, card_of_id, cards_of_ids
from referee.rules.events import RoundStarted
from referee.rules.state import GameConfig, GameState, Phase, dealer_of, new_game, wild_rank_of
from tests.support.builders import after, all_card_ids, play, table
from tests.support.scripted import game_steps, thrower
from tests.support.shuffle_reference import order_of

SEED = b"a seed of exactly 32 bytes here."
SEATS = range(2, 15)


def decks(seats: int) -> range:
    """RULES 1, 4: one game, or from eight seats on two games combined."""
    return range(116 if seats <= 7 else 232)


@cache
def rounds_of_a_game(seats: int, seed: bytes = SEED) -> list[tuple[GameState, RoundStarted]]:
    return [
        (state, event)
        for state, _, events in game_steps(GameConfig(seats, turn_cap=1), seed, thrower)
        for event in events
        if isinstance(event, RoundStarted)
    ]


def every_round(seats: int) -> list[tuple[GameState, RoundStarted]]:
    rounds = rounds_of_a_game(seats)
    assert [state.game_round for state, _ in rounds] == list(range(1, 12))
    return rounds


def test_the_rounds_deal_3_to_13_cards_and_their_number_is_wild() -> None:
    """RULES 3."""
    assert [wild_rank_of(game_round) for game_round in range(1, 12)] == list(range(3, 14))
    for state, _ in every_round(3):
        assert [len(hand) for hand in state.hands] == [state.game_round + 2] * 3
        assert state.wild_rank == state.game_round + 2


def test_the_wild_rank_is_the_number_dealt_never_the_number_held() -> None:
    """RULES 3: with a card drawn the hand is one larger; the wild rank stays."""
    state = table("3s 8h 9h", "4d 6d 7d", lanes=["Ks", "Kh"])
    assert state.wild_rank == 3
    drawn = next(step for step, action, _ in game_steps(GameConfig(2), SEED, thrower) if action is not None)
    assert (len(drawn.hands[drawn.seat]), drawn.wild_rank) == (4, 3)


@pytest.mark.parametrize("seats", SEATS)
def test_seat_0_deals_first_and_the_deal_passes_left(seats: int) -> None:
    """RULES 12."""
    dealers = [(game_round - 1) % seats for game_round in range(1, 12)]
    assert [dealer_of(game_round, seats) for game_round in range(1, 12)] == dealers
    for (state, started), dealer in zip(every_round(seats), dealers, strict=True):
        starter = (dealer + 1) % seats
        assert (state.dealer, state.starter, state.seat) == (dealer, starter, starter)
        assert (started.game_round, started.dealer, started.starter) == (state.game_round, dealer, starter)
        assert (state.turn, state.phase) == (1, Phase.DRAW)


def test_the_starter_is_left_of_the_dealer_whoever_went_out_before() -> None:
    """RULES 12: in round 1 seat 0 deals, so seat 2 starts round 2 whoever went out."""
    for out in range(3):
        hands = ["8s 8h 8d" if seat == out else f"4{suit} 9{suit} K{suit}" for seat, suit in enumerate("shd")]
        state = table(*hands, seat=out, lanes=["Qs", "Qh", "Qd"])
        turns = [f"pile Q{'shd'[(out + k) % 3]}" for k in range(3)]
        state = after(state, turns[0] + " out", *turns[1:])
        assert (state.game_round, state.dealer, state.seat) == (2, 1, 2)


@pytest.mark.parametrize("seats", SEATS)
def test_cards_are_dealt_one_at_a_time_from_the_starter(seats: int) -> None:
    """RULES 13: lowest shuffle key first, one card at a time in ascending seats from the starter; then the upcard."""
    for state, started in every_round(seats):
        order = order_of(SEED, f"deal|{state.game_round}|0", decks(seats))
        dealt = state.wild_rank * seats
        for place in range(seats):
            seat = (state.starter + place) % seats
            assert sorted(state.hands[seat]) == sorted(order[place:dealt:seats])
        assert state.discard_pile == (order[dealt],)
        assert started.upcard == card_of_id(state.discard_pile[0])
        assert [sorted(hand) for hand in started.hands] == [sorted(cards_of_ids(hand)) for hand in state.hands]


@pytest.mark.parametrize("seats", SEATS)
def test_the_draw_pile_is_dealt_out_into_lanes(seats: int) -> None:
    """RULES 15: card j of the rest lies in the lane of seat (starter + j) mod n, the first one on top."""
    for state, _ in every_round(seats):
        pile = order_of(SEED, f"deal|{state.game_round}|0", decks(seats))[state.wild_rank * seats + 1 :]
        assert state.draw_pile_size == len(pile) == len(decks(seats)) - state.wild_rank * seats - 1
        for j, card in enumerate(pile):
            lane = state.lanes[(state.starter + j) % seats]
            assert lane[::-1][j // seats] == card


def test_fourteen_seats_have_49_cards_to_draw_in_the_last_round() -> None:
    """RULES 4, 15."""
    state, _ = every_round(14)[-1]
    assert state.draw_pile_size == 49
    assert sorted(len(lane) for lane in state.lanes) == [3] * 7 + [4] * 7
    assert cards_of_ids(all_card_ids(state)).count(JOKER) == 12


def test_seven_seats_have_24_cards_to_draw_in_the_last_round() -> None:
    """RULES 15."""
    state, _ = every_round(7)[-1]
    assert state.draw_pile_size == 24
    assert sorted(len(lane) for lane in state.lanes) == [3, 3, 3, 3, 4, 4, 4]


@pytest.mark.parametrize("seats", SEATS)
def test_each_card_is_there_once(seats: int) -> None:
    """RULES 1, 4."""
    for state, _ in every_round(seats):
        assert all_card_ids(state) == list(decks(seats))


@pytest.mark.parametrize("seats", SEATS)
def test_hands_are_in_the_order_of_their_faces(seats: int) -> None:
    for state, started in every_round(seats):
        assert all(list(hand) == sorted(hand) for hand in started.hands)
        assert all(list(cards_of_ids(hand)) == sorted(cards_of_ids(hand)) for hand in state.hands)


def seed_with_wild_upcard(is_joker: bool) -> bytes:
    for number in range(1_000):
        seed = number.to_bytes(32, "big")
        upcard = card_of_id(order_of(seed, "deal|1|0", range(116))[6])
        if upcard.is_wild(3) and (upcard is JOKER) == is_joker:
            return seed
    raise AssertionError("a wild upcard is no rare thing")


@pytest.mark.parametrize("is_joker", [True, False], ids=["joker", "3"])
def test_a_wild_turned_up_stays_and_may_be_taken(is_joker: bool) -> None:
    """RULES 13."""
    state, _ = new_game(GameConfig(2), seed_with_wild_upcard(is_joker))
    upcard = card_of_id(state.discard_pile[-1])
    assert upcard.is_wild(3)
    thrown = next(card for card in cards_of_ids(state.hands[1]) if card is not upcard)
    state, _ = play(state, f"up {thrown.text}")
    assert upcard in cards_of_ids(state.hands[1])


@pytest.mark.parametrize("seats", [0, 1, 15, -2])
def test_a_game_is_for_two_to_fourteen(seats: int) -> None:
    with pytest.raises(ValueError, match=rf"\b{abs(seats)}\b"):
        GameConfig(seats)


@pytest.mark.parametrize("turn_cap", [0, -1])
def test_a_seat_has_at_least_one_turn(turn_cap: int) -> None:
    with pytest.raises(ValueError, match=rf"{turn_cap}\b"):
        GameConfig(4, turn_cap)
