"""What holds in every state of every game, whoever plays it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules import state as rules
from referee.rules.actions import Action, Discard, Draw, IllegalAction, IllegalReason, Retire, Source
from referee.rules.cards import CARDS, CardId, card_of_id, cards_of_ids, cards_text, deck_ids, parse_cards
from referee.rules.layout import best_layout, best_points
from referee.rules.state import GameConfig, GameState, Phase, apply, decks_of, default_action, new_game
from referee.rules.views import view_for
from tests.support.builders import all_card_ids
from tests.support.scripted import chaotic, collector, game_steps, taker, thrower

SEEDS = st.binary(min_size=32, max_size=32)
CONFIGS = st.builds(GameConfig, st.integers(2, 7) | st.integers(8, 14), st.integers(1, 3))
POLICIES = st.lists(
    st.sampled_from([chaotic(0), chaotic(1), chaotic(2), collector, taker, thrower]), min_size=1, max_size=7
)

any_game = given(SEEDS, CONFIGS, POLICIES)


def without(cards: tuple[CardId, ...], face: object) -> list[object]:
    faces = list(cards_of_ids(cards))
    faces.remove(face)
    return faces


def legal_actions(state: GameState) -> list[Action]:
    """Everything RULES 14 and 16 allow the seat in turn; claims with and without their melds."""
    if state.phase is Phase.DRAW:
        return [Draw(Source.PILE), Draw(Source.DISCARD)]
    held = state.hands[state.seat]
    actions: list[Action] = []
    for face in sorted(set(cards_of_ids(held))):
        actions.append(Discard(face))
        kept = without(held, face)
        if best_points(kept, state.wild_rank) == 0:
            actions += [Discard(face, True), Discard(face, True, best_layout(kept, state.wild_rank).melds)]
    return actions


def illegal_actions(state: GameState) -> list[tuple[Action, IllegalReason]]:
    """Everything else, but for wrong melds, which have a table of their own."""
    every_discard = [Discard(face, go_out) for face in CARDS for go_out in (False, True)]
    retirements: list[tuple[Action, IllegalReason]] = [
        *((Retire((seat,)), IllegalReason.NO_SUCH_SEAT) for seat in (-1, state.seats)),
        *((Retire((seat,)), IllegalReason.RETIRED) for seat in range(state.seats) if state.retired_in_round[seat]),
    ]
    if state.phase is Phase.DRAW:
        return [*((discard, IllegalReason.NOT_NOW) for discard in every_discard), *retirements]
    faces, legal = set(cards_of_ids(state.hands[state.seat])), legal_actions(state)
    return [
        *((Draw(source), IllegalReason.NOT_NOW) for source in Source),
        *(
            (discard, IllegalReason.CANNOT_GO_OUT if discard.card in faces else IllegalReason.NOT_HELD)
            for discard in every_discard
            if discard not in legal
        ),
        *retirements,
    ]


@any_game
@settings(max_examples=25)
def test_every_card_is_there_once_after_every_action(seed: bytes, config: GameConfig, policies: list) -> None:
    for state, _, _ in game_steps(config, seed, *policies):
        assert all_card_ids(state) == list(deck_ids(decks_of(config.seats)))
        holder = state.seat if state.phase is Phase.DISCARD else None
        assert [len(hand) for hand in state.hands] == [
            state.wild_rank + (seat == holder) for seat in range(config.seats)
        ]
        assert state.phase is Phase.DISCARD or state.discard_pile
        assert (state.drawn is not None) == (state.phase is Phase.DISCARD)
        assert state.draw_pile_size == sum(map(len, state.lanes))
        assert 1 <= state.turn <= config.seats * config.turn_cap + config.seats


@any_game
@settings(max_examples=6)
def test_every_legal_action_applies_and_every_other_is_refused(seed: bytes, config: GameConfig, policies: list) -> None:
    config = replace(config, turn_cap=1)
    for number, (state, _, _) in enumerate(game_steps(config, seed, *policies)):
        if state.is_over or number % 3:
            continue
        before = repr(state)
        without_melds = [action for action in legal_actions(state) if isinstance(action, Draw) or action.melds is None]
        assert sorted(rules.legal_actions(state), key=repr) == sorted(without_melds, key=repr)
        for action in legal_actions(state):
            after, events = apply(state, action)
            assert after != state
            assert events
        for action, reason in illegal_actions(state):
            with pytest.raises(IllegalAction) as caught:
                apply(state, action)
            assert (caught.value.reason, bool(str(caught.value))) == (reason, True)
        assert repr(state) == before


@any_game
@settings(max_examples=10)
def test_the_default_action_is_legal_everywhere(seed: bytes, config: GameConfig, policies: list) -> None:
    for state, _, _ in game_steps(config, seed, *policies):
        if state.is_over:
            assert rules.legal_actions(state) == ()
        else:
            apply(state, default_action(state))


@given(SEEDS, CONFIGS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 13)), max_size=14))
@settings(max_examples=25)
def test_retirements_anywhere_keep_every_card(
    seed: bytes, config: GameConfig, retirements: list[tuple[int, int]]
) -> None:
    state, _ = new_game(config, seed)
    number = 0
    while not state.is_over:
        for when, seat in retirements:
            if when == number and seat < config.seats and not state.is_over and not state.retired_in_round[seat]:
                state, _ = apply(state, Retire((seat,)))
        if not state.is_over:
            state, _ = apply(state, default_action(state))
        number += 1
        assert all_card_ids(state) == list(deck_ids(decks_of(config.seats)))
    left = state.retired_in_round.count(0)
    assert left >= 1
    assert (left == 1) == (len(state.round_scores) < 11)


def with_hidden_cards_swapped(state: GameState, seat: int, dice: random.Random) -> GameState:
    """The same table to `seat`: the cards of other hands and of all lanes lie elsewhere among these places."""
    hidden = [number for number in range(state.seats) if number not in (seat, state.went_out)]
    places = [*(state.hands[number] for number in hidden), *state.lanes]
    cards = [card for place in places for card in place]
    dice.shuffle(cards)
    dealt = [tuple(cards.pop() for _ in place) for place in places]
    hands = list(state.hands)
    for number, hand in zip(hidden, dealt, strict=False):
        hands[number] = tuple(sorted(hand, key=lambda card: (card_of_id(card), card)))
    drawn = state.drawn
    if drawn is not None and state.seat in hidden and state.drawn_from is Source.PILE:
        drawn = hands[state.seat][0]
    return replace(state, hands=tuple(hands), lanes=tuple(dealt[len(hidden) :]), drawn=drawn)


@given(SEEDS, CONFIGS, POLICIES, st.integers(0, 1 << 32))
@settings(max_examples=25)
def test_hidden_cards_never_change_a_view(seed: bytes, config: GameConfig, policies: list, whim: int) -> None:
    dice = random.Random(whim)
    for state, _, events in game_steps(config, seed, *policies):
        if state.is_over:
            continue
        seat = dice.randrange(config.seats)
        other = with_hidden_cards_swapped(state, seat, dice)
        assert all_card_ids(other) == list(deck_ids(decks_of(config.seats)))
        assert view_for(other, seat, events) == view_for(state, seat, events)


@any_game
@settings(max_examples=10)
def test_what_happens_to_hidden_cards_never_changes_what_others_see(
    seed: bytes, config: GameConfig, policies: list
) -> None:
    """A draw from the pile tells everybody else the same, whichever card it was."""
    for state, action, events in game_steps(config, seed, *policies):
        if action == Draw(Source.PILE):
            told = repr(view_for(state, (state.seat + 1) % config.seats, events).events)
            assert state.drawn is not None
            assert "card=None" in told
            assert f"text={card_of_id(state.drawn).text!r}" not in told


@any_game
@settings(max_examples=10)
def test_the_same_actions_give_the_same_game(seed: bytes, config: GameConfig, policies: list) -> None:
    steps = list(game_steps(config, seed, *policies))
    state, events = new_game(config, seed)
    assert (state, None, events) == steps[0]
    for expected_state, action, expected_events in steps[1:]:
        assert action is not None
        state, events = apply(state, action)
        assert (state, events) == (expected_state, expected_events)


@given(st.lists(st.sampled_from(CARDS), max_size=20))
def test_the_notation_reads_what_it_writes(cards: list) -> None:
    assert parse_cards(cards_text(cards)) == tuple(cards)
