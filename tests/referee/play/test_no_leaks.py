"""No bot learns a card that it may not see (RULES 14-16): not from requests, errors, faults, times or logs.

Twins are two whole games that differ only in hidden cards (tests/referee/play/twins.py). What a seat is sent has to be the same,
byte for byte and at the same millisecond, up to the first event at which an exchanged card shows to it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from referee.play import rounds
from referee.play.session import Session
from referee.record.conditions import Budgets
from referee.rules.actions import Action, IllegalAction
from referee.rules.cards import card_of_id
from referee.rules.events import Discarded, Drew, Event
from referee.rules.state import GameState, Step
from referee.rules.views import SeatView, view_for
from tests.referee.play.twins import Comparison, Course, Dealer, Erratic, choosing, compare, course_of, dealing, dice
from tests.support.scripted import game_spec

GAMES = int(os.environ.get("CROWNS_TEST_TWINS", "1000"))
BUDGETS = Budgets(start_ms=1_000, decision_ms=200, bank_ms=600, thinking_ms=20_000)
TABLES = (*((2, 1),) * 8, *((3, 1),) * 4, (2, 2), (4, 1), (2, 3), (7, 1))
"""Seats, and turns a round."""
SLIPS_A_SEAT = 3


def twins(dealer: Dealer, number: int) -> Comparison:
    """Both games with this number: seed, table and bots follow from it."""
    seats, turn_cap = TABLES[number % len(TABLES)]
    whim = f"twins {number}"
    spec = game_spec(seats, seed=dice(whim), turn_cap=turn_cap, budgets=BUDGETS)

    def course(twin: Course | None = None) -> Course:
        players = [Erratic(whim, dealer, slips=22 * turn_cap // SLIPS_A_SEAT) for _ in range(seats)]
        return course_of(dealer, spec, choosing(whim), players, twin)

    first = course()
    second = course(first)
    assert first.states[0] != second.states[0], "nothing was exchanged"
    return compare(first, second)


def test_hidden_cards_change_nothing_that_a_seat_is_sent() -> None:
    with dealing() as dealer:
        comparisons = [twins(dealer, number) for number in range(GAMES)]
    assert [problem for comparison in comparisons for problem in comparison.problems] == []
    # Only frames that were sent while cards lay otherwise show something.
    assert sum(comparison.compared for comparison in comparisons) > 30 * GAMES


# -- a leak is found ---------------------------------------------------------------------------------------------------


def with_cards_drawn(state: GameState, seat: int, events: Iterable[Event] = ()) -> SeatView:
    happened = tuple(events)
    return replace(
        view_for(state, seat, happened),
        events=tuple(event for event in happened if isinstance(event, Drew | Discarded)),
    )


def with_the_next_card(state: GameState, seat: int, events: Iterable[Event] = ()) -> SeatView:
    view = view_for(state, seat, events)
    lane = state.lanes[seat]
    return replace(view, draw_pile_size=view.draw_pile_size + (card_of_id(lane[-1]).code % 2 if lane else 0))


def with_the_last_card(state: GameState, seat: int, events: Iterable[Event] = ()) -> SeatView:
    view = view_for(state, seat, events)
    lane = state.lanes[seat]
    return replace(view, turn_cap=view.turn_cap + (card_of_id(lane[0]).is_joker if lane else 0))


def with_others_jokers(state: GameState, seat: int, events: Iterable[Event] = ()) -> SeatView:
    jokers = sum(card_of_id(card_id).is_joker for hand in state.hands for card_id in hand)
    return replace(view_for(state, seat, events), turn_cap=1 + jokers)


def with_a_log(state: GameState, seat: int, events: Iterable[Event] = ()) -> SeatView:
    logging.getLogger("referee").debug("%s of %s", seat, state.hands)
    return view_for(state, seat, events)


@pytest.mark.parametrize(
    "leak", [with_cards_drawn, with_the_next_card, with_the_last_card, with_others_jokers, with_a_log]
)
def test_a_view_that_tells_too_much_is_found(
    leak: Callable[[GameState, int, Iterable[Event]], SeatView], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "view_for", leak)
    with dealing() as dealer:
        assert any(twins(dealer, number).problems for number in range(200))


def test_an_error_that_tells_too_much_is_found() -> None:
    with dealing() as dealer, pytest.MonkeyPatch.context() as patch:

        def talkative(state: GameState, action: Action) -> Step:
            try:
                return dealer.apply(state, action)
            except IllegalAction as error:
                following = [card_of_id(lane[-1]).text for lane in state.lanes if lane]
                raise IllegalAction(error.reason, f"{error}; next are {following}") from error

        patch.setattr(rounds, "apply", talkative)
        assert any(twins(dealer, number).problems for number in range(200))


def test_a_time_that_tells_too_much_is_found() -> None:
    """A referee that is slower when somebody could go out."""
    with dealing() as dealer, pytest.MonkeyPatch.context() as patch:
        charged = Session.handed_over

        def slow(session: Session, seat: int, now_ms: float) -> None:
            jokers = sum(card_of_id(card_id).is_joker for hand in session.state.hands for card_id in hand)
            charged(session, seat, now_ms - jokers)

        patch.setattr(Session, "handed_over", slow)
        assert any(twins(dealer, number).problems for number in range(200))
