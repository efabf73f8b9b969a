"""Bots that go away and come back."""

from __future__ import annotations

import pytest

from referee.record.conditions import FaultType
from referee.record.messages import DecisionRequest, GameEnd, GameStart, RoundEnd
from referee.rules.events import Discarded, Drew
from referee.rules.state import Phase
from tests.referee.play.desk import BEGIN_MS, BUDGETS, Desk, kinds

ALLOWED_MS = BUDGETS.decision_ms + BUDGETS.bank_ms


@pytest.mark.parametrize(
    ("away_ms", "deadline_ms", "bank_ms"),
    [
        pytest.param(0, 1_000, 5_000, id="at once"),
        pytest.param(700, 300, 5_000, id="within the decision budget"),
        pytest.param(1_000, 0, 5_000, id="all of the decision budget"),
        pytest.param(1_800, 0, 4_200, id="into the bank"),
        pytest.param(5_999, 0, 1, id="at the last moment"),
    ],
)
def test_the_open_decision_is_asked_again_with_the_time_left(away_ms: int, deadline_ms: int, bank_ms: int) -> None:
    desk = Desk()
    first = desk.request
    desk.disconnect(1).wait(away_ms).connect(1)
    assert len(desk.messages(GameStart, 1)) == 2
    again = desk.request
    assert again is not first
    assert (again.decision_id, again.view) == (first.decision_id, first.view)
    assert (again.deadline_ms, again.bank_ms) == (deadline_ms, bank_ms)
    assert desk.session.deadline_ms == BEGIN_MS + ALLOWED_MS
    desk.answer()
    assert (desk.request.last_latency_ms, desk.request.bank_ms) == (away_ms, min(bank_ms, 5_000))
    assert desk.finish().faults == ()


def test_after_coming_back_the_events_are_those_of_the_round() -> None:
    desk = Desk(3).answer_until(0)
    before = desk.request_of(1).view.events
    desk.disconnect(1).connect(1).answer().answer()
    assert desk.seat == 1
    events = desk.request.view.events
    assert len(events) > len(before)
    assert [type(event) for event in events] == [Drew, Discarded] * 3
    assert [event.seat for event in events if isinstance(event, Discarded)] == [1, 2, 0]


def test_who_stays_away_is_retired_when_the_bank_is_spent() -> None:
    desk = Desk(3).disconnect(1).wait(ALLOWED_MS - 1).expire()
    assert desk.session.state.retired_in_round == (0, 0, 0)
    desk.wait(1).expire()
    assert (desk.session.state.retired_in_round, desk.seat) == ((0, 1, 0), 2)
    (fault,) = desk.finish().faults
    assert (fault.type, fault.retires, fault.decision_id) == (FaultType.DISCONNECT, True, 1)
    assert (fault.budget_ms, fault.used_ms) == (ALLOWED_MS, ALLOWED_MS)
    assert str(ALLOWED_MS) in fault.detail


def test_the_time_of_others_costs_an_absent_bot_nothing() -> None:
    """A disconnected seat's bank runs only while a decision of its own is open."""
    desk = Desk(3).answer_until(2).disconnect(1)
    for _ in range(4):
        desk.wait(2_000).answer()
    assert desk.session.state.seat == 1
    desk.connect(1)
    assert desk.seat == 1
    assert (desk.request.deadline_ms, desk.request.bank_ms) == (1_000, 5_000)
    assert desk.finish().faults == ()


def test_a_decision_that_opens_while_its_bot_is_away_runs_from_then() -> None:
    desk = Desk(2).answer().disconnect(0).answer()
    opened_ms = desk.now_ms
    assert desk.session.state.seat == 0
    assert desk.session.deadline_ms == opened_ms + ALLOWED_MS
    assert desk.messages(DecisionRequest, 0) == []
    desk.wait(2_500).connect(0)
    assert (desk.seat, desk.request.deadline_ms, desk.request.bank_ms) == (0, 0, 3_500)


def test_time_away_is_not_given_back_when_the_request_is_handed_over() -> None:
    """Or a bot could stay away for all but a moment of every decision and never pay."""
    desk = Desk(2).answer().disconnect(0).answer().wait(2_500).connect(0).wait(3).hand_over(0)
    assert desk.session.deadline_ms == desk.now_ms - 2_503 + ALLOWED_MS + 3
    desk.wait(100).answer()
    assert desk.request.last_latency_ms == 2_600


def test_time_away_before_the_hand_over_is_not_given_back() -> None:
    desk = Desk(2).disconnect(1).wait(2_500).connect(1).hand_over(1).answer()
    assert desk.request.last_latency_ms == 2_500


def test_coming_back_again_and_again_makes_no_time() -> None:
    desk = Desk(2).hand_over()
    for _ in range(6):
        desk.disconnect(1).wait(999).connect(1).hand_over(1)
    assert desk.session.deadline_ms == BEGIN_MS + ALLOWED_MS
    desk.disconnect(1).wait(6).expire()
    assert kinds(desk.finish().faults) == ["DISCONNECT"]


def test_a_newer_stream_of_the_same_bot_is_asked_too() -> None:
    """The older one ends; its end may be heard before or after."""
    desk = Desk(2).wait(400).connect(1)
    assert (len(desk.messages(DecisionRequest, 1)), desk.request.deadline_ms) == (2, 600)
    assert desk.answer().finish().faults == ()


def test_who_is_away_is_sent_nothing() -> None:
    desk = Desk(3, turn_cap=1).disconnect(0)
    sent = len(desk.sent)
    while desk.session.state.seat != 0:
        desk.answer()
    assert all(to != 0 for to, _ in desk.sent[sent:])


def test_a_bot_back_in_a_later_round_needs_no_memory() -> None:
    desk = Desk(2, turn_cap=1).disconnect(0)
    while desk.session.state.game_round < 4:
        if desk.session.state.seat == 0 and desk.seat != 0:
            desk.connect(0)
        desk.answer()
        if desk.session.state.seat != 0:
            desk.disconnect(0)
    views = [request.view for request in desk.messages(DecisionRequest, 0)]
    assert {view.game_round for view in views} >= {1, 2, 3}
    assert all(len(view.hand) == view.wild_rank + (view.phase is Phase.DISCARD) for view in views)
    assert desk.finish().faults == ()


def test_a_bot_that_is_away_at_the_end_still_has_its_score() -> None:
    desk = Desk(2, turn_cap=1)
    while desk.session.state.game_round < 11 or desk.session.state.seat == 1:
        desk.answer()
    desk.answer_until(0, Phase.DISCARD).disconnect(1).answer()
    result = desk.finish()
    assert result.faults == ()
    assert result.scores.retired_in_round == (0, 0)
    assert len(desk.messages(RoundEnd, 1)) == 10
    assert (len(desk.messages(GameEnd, 0)), len(desk.messages(GameEnd, 1))) == (1, 0)
