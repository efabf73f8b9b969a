"""Ties for the first place, played off by the tied (RULES 20)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.actions import Action, Retire
from referee.rules.cards import deck_ids
from referee.rules.events import Event, GameEnded, RoundEnded, RoundStarted
from referee.rules.shuffle import deal_label, shuffled
from referee.rules.state import GameConfig, GameState, Phase, apply, decks_of, default_action, new_game, places
from referee.rules.views import view_for
from tests.support.builders import all_card_ids
from tests.support.scripted import chaotic, collector, thrower

SEED = b"a seed of exactly 32 bytes here."
SEEDS = st.binary(min_size=32, max_size=32)


def before_the_end(totals: Sequence[int], retired: Sequence[int] = (), seed: bytes = SEED) -> GameState:
    """The last discard of round 11 is due; after it the totals are these. Seats in `retired` left in round 3."""
    config = GameConfig(len(totals), turn_cap=1, playoff=True)
    state, _ = new_game(config, seed)
    if retired:
        state = replace(state, retired_in_round=tuple(3 * (seat in retired) for seat in range(config.seats)))
    while True:
        after, events = apply(state, default_action(state))
        ended = [event for event in events if isinstance(event, RoundEnded) and event.game_round == 11]
        if ended:
            first = tuple(total - score for total, score in zip(totals, ended[0].scores, strict=True))
            return replace(state, round_scores=(first, *[(0,) * config.seats] * 9))
        state = after


def last_discard(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    return apply(state, default_action(state))


def started(events: Sequence[Event]) -> RoundStarted:
    (event,) = [event for event in events if isinstance(event, RoundStarted)]
    return event


@pytest.mark.parametrize(
    ("totals", "players", "dealer"),
    [
        pytest.param([9, 9], [0, 1], 1, id="two of two: seat 0 dealt round 11"),
        pytest.param([9, 9, 30], [0, 1], 0, id="seat 1 dealt round 11, seat 2 is not among the tied"),
        pytest.param([9, 30, 9], [0, 2], 2, id="left of seat 1"),
        pytest.param([30, 9, 30, 9], [1, 3], 3, id="seat 2 dealt round 11"),
        pytest.param([9, 9, 9, 9], [0, 1, 2, 3], 3, id="all of four"),
        pytest.param([9] * 14, list(range(14)), 11, id="fourteen: seat 10 dealt round 11"),
        pytest.param([0, 0, 50, 50, 50], [0, 1], 1, id="the lower tie is shared"),
    ],
)
def test_who_plays_and_who_deals(totals: list[int], players: list[int], dealer: int) -> None:
    state, events = last_discard(before_the_end(totals))
    begun = started(events)
    assert (begun.game_round, list(begun.players), begun.dealer) == (12, players, dealer)
    starter = players[(players.index(dealer) + 1) % len(players)]
    assert (begun.starter, state.seat, state.starter, state.dealer) == (starter, starter, starter, dealer)
    assert [len(hand) for hand in begun.hands] == [6 * (seat in players) for seat in range(len(totals))]
    assert [bool(lane) for lane in state.lanes] == [seat in players for seat in range(len(totals))]
    assert (state.wild_rank, list(state.totals)) == (6, totals)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        pytest.param([9, 10], (1, 2), id="no tie"),
        pytest.param([9, 10, 10], (1, 2, 2), id="a tie below the first place"),
    ],
)
def test_no_playoff_without_a_tie_for_the_first_place(totals: list[int], expected: tuple[int, ...]) -> None:
    state, events = last_discard(before_the_end(totals))
    assert state.is_over
    assert events[-1] == GameEnded(tuple(totals), expected)


def test_by_default_the_first_place_is_shared() -> None:
    state = before_the_end([9, 9])
    state, events = last_discard(replace(state, config=GameConfig(2, turn_cap=1)))
    assert events[-1] == GameEnded((9, 9), (1, 1))


def test_retired_seats_are_never_in_it() -> None:
    state, events = last_discard(before_the_end([0, 9, 9], retired=[0]))
    assert started(events).players == (1, 2)
    state, events = last_discard(before_the_end([9, 9, 10], retired=[0]))
    assert state.is_over
    assert events[-1] == GameEnded((9, 9, 10), (3, 1, 2))


def test_its_cards_follow_from_its_round() -> None:
    """A round like any other: the label of the deal names it, all cards of the game are shuffled."""
    state, _ = last_discard(before_the_end([9, 30, 9, 9]))
    order = shuffled(deck_ids(), SEED, deal_label(12))
    assert state.discard_pile == (order[18],)
    for turn, seat in enumerate(state.players):
        assert sorted(state.hands[seat]) == sorted(order[turn:18:3])
        assert state.lanes[seat][::-1] == order[19 + turn :: 3]


class Expected:
    """RULES 20 once more, in other words: who is left, from the scores alone."""

    def __init__(self, totals: Sequence[int], retired: set[int]) -> None:
        best = min(total for seat, total in enumerate(totals) if seat not in retired)
        self.left = [seat for seat, total in enumerate(totals) if total == best and seat not in retired]
        self.beaten: set[int] = set()

    def after_round(self, scores: Sequence[int], retired: set[int]) -> None:
        still = [seat for seat in self.left if seat not in retired]
        best = min((scores[seat] for seat in still), default=0)
        winners = [seat for seat in still if scores[seat] == best]
        self.beaten |= set(self.left) - set(winners)
        self.left = winners


@settings(max_examples=40, deadline=None)
@given(
    SEEDS,
    st.integers(2, 9).flatmap(lambda seats: st.lists(st.sampled_from([7, 7, 7, 30]), min_size=seats, max_size=seats)),
    st.lists(st.sampled_from([chaotic(1), collector, thrower]), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 8)), max_size=3),
)
def test_whatever_happens_in_it(
    seed: bytes, totals: list[int], policies: list, retirements: list[tuple[int, int]]
) -> None:
    state, events = last_discard(before_the_end(totals, seed=seed))
    best = [seat for seat, total in enumerate(totals) if total == min(totals)]
    assert state.is_over == (len(best) == 1)
    expected, actions = Expected(totals, set()), 0
    while not state.is_over:
        players = set(state.players)
        assert players == set(expected.left)
        assert 12 <= state.game_round <= 14
        assert (state.seat in players, state.wild_rank, list(state.totals)) == (True, 6, totals)
        assert all_card_ids(state) == list(deck_ids(decks_of(len(totals))))
        holder = state.seat if state.phase is Phase.DISCARD else None
        assert [len(hand) for hand in state.hands] == [
            6 * (seat in players) + (seat == holder) for seat in range(len(totals))
        ]
        assert view_for(state, state.seat).hand_sizes == tuple(map(len, state.hands))
        action: Action = policies[actions % len(policies)](view_for(state, state.seat))
        gone = [seat for when, seat in retirements if when == actions and seat < len(totals)]
        if gone and not state.retired_in_round[gone[0]] and not state.retired_in_round[state.seat]:
            action = Retire((gone[0],))
        before, (state, events) = state, apply(state, action)
        actions += 1
        for event in events:
            if isinstance(event, RoundEnded):
                assert (set(event.players), event.totals) == (players, tuple(totals))
                assert all(event.scores[seat] == 0 for seat in range(len(totals)) if seat not in players)
                expected.after_round(event.scores, {seat for seat, when in enumerate(before.retired_in_round) if when})
    retired = {seat for seat, when in enumerate(state.retired_in_round) if when}
    tied = [seat for seat in best if seat not in retired]
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.places == places(state.totals, state.retired_in_round, expected.beaten)
    if len(state.round_scores) > 11 and tied:
        first = [seat for seat in tied if ended.places[seat] == 1]
        assert first
        assert {ended.places[seat] for seat in tied if seat not in first} <= {1 + len(first)}
        assert len(first) == 1 or (len(state.round_scores) == 14 and set(first) == set(expected.left))
    assert all(ended.places[seat] > len(totals) - len(retired) for seat in retired)


def test_a_playoff_ends_with_the_last_but_one_of_its_seats() -> None:
    """RULES 21: the first place is decided; the open round is not scored."""
    state, _ = last_discard(before_the_end([9, 9, 30, 30]))
    state, events = apply(state, Retire((0,)))
    assert (state.is_over, len(state.round_scores)) == (True, 11)
    assert events[-1] == GameEnded((9, 9, 30, 30), (4, 1, 2, 2))


def test_who_is_not_in_it_may_still_retire() -> None:
    """RULES 21: placed below all others, whatever its score; the playoff goes on."""
    state, _ = last_discard(before_the_end([9, 9, 30, 30]))
    state, _ = apply(state, Retire((2,)))
    assert (state.is_over, state.retired_in_round) == (False, (0, 0, 12, 0))
