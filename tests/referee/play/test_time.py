"""Budgets: decision, bank, thinking; what is charged and what never is."""

from __future__ import annotations

import pytest

from referee.record.conditions import Budgets, FaultType
from referee.rules.state import Phase
from tests.referee.play.desk import BEGIN_MS, BUDGETS, Desk, kinds

ALLOWED_MS = BUDGETS.decision_ms + BUDGETS.bank_ms


def test_a_request_says_how_much_time_there_is() -> None:
    desk = Desk()
    assert (desk.request.deadline_ms, desk.request.bank_ms) == (BUDGETS.decision_ms, BUDGETS.bank_ms)
    assert (desk.request.last_latency_ms, desk.request.last_fault) == (0, None)
    assert desk.session.deadline_ms == BEGIN_MS + ALLOWED_MS
    assert desk.session.open_since_ms == BEGIN_MS


@pytest.mark.parametrize(
    ("used_ms", "bank_ms"),
    [
        pytest.param(0, 5_000, id="at once"),
        pytest.param(1_000, 5_000, id="the whole decision budget"),
        pytest.param(1_001, 4_999, id="one more comes from the bank"),
        pytest.param(3_500, 2_500, id="half the bank"),
        pytest.param(6_000, 0, id="all there is: still in time"),
    ],
)
def test_what_exceeds_the_decision_budget_comes_from_the_bank(used_ms: int, bank_ms: int) -> None:
    desk = Desk().wait(used_ms).answer()
    assert desk.seat == 1
    assert (desk.request.bank_ms, desk.request.last_latency_ms) == (bank_ms, used_ms)
    assert desk.finish().faults == ()


def test_nothing_expires_before_its_time() -> None:
    desk = Desk().wait(ALLOWED_MS - 1).expire()
    assert desk.request.decision_id == 1
    assert desk.answer().finish().faults == ()


def test_no_answer_in_time_is_a_timeout() -> None:
    desk = Desk().wait(ALLOWED_MS).expire()
    fault = desk.request.last_fault
    assert fault is not None
    assert (fault.type, fault.seat, fault.game_round, fault.turn) == (FaultType.MOVE_TIMEOUT, 1, 1, 1)
    assert (fault.decision_id, fault.budget_ms, fault.used_ms) == (1, ALLOWED_MS, ALLOWED_MS)
    assert str(ALLOWED_MS) in fault.detail
    assert not fault.retires
    assert (desk.seat, desk.request.view.phase, desk.request.bank_ms) == (1, Phase.DISCARD, 0)
    assert desk.session.deadline_ms == desk.now_ms + BUDGETS.decision_ms


def test_an_answer_that_came_too_late_is_a_timeout_whoever_looks_first() -> None:
    desk = Desk().wait(ALLOWED_MS + 1).answer()
    assert desk.request.last_fault is not None
    assert desk.request.last_fault.type is FaultType.MOVE_TIMEOUT
    assert desk.request.last_fault.used_ms == ALLOWED_MS + 1


def test_an_answer_that_came_in_time_counts_though_the_timer_is_late() -> None:
    """An expired timer lets the stream's reader run first: the arrival decides."""
    desk = Desk().wait(ALLOWED_MS).answer()
    assert desk.wait(50).expire().finish().faults == ()


@pytest.mark.parametrize(("lag_ms", "faults"), [(0, 1), (49, 1), (50, 0), (80, 0)])
def test_the_referees_own_lag_is_never_charged(lag_ms: int, faults: int) -> None:
    desk = Desk().wait(ALLOWED_MS + 50).answer(lag_ms=lag_ms)
    assert len(desk.finish().faults) == faults


def test_lag_is_credited_to_the_bank() -> None:
    desk = Desk().wait(2_000).answer(lag_ms=400)
    assert (desk.request.last_latency_ms, desk.request.bank_ms) == (1_600, 4_400)


def test_lag_never_makes_time() -> None:
    desk = Desk().wait(100).answer(lag_ms=400)
    assert (desk.request.last_latency_ms, desk.request.bank_ms) == (0, 5_000)


def test_a_timer_waits_out_the_lag() -> None:
    desk = Desk().wait(ALLOWED_MS).expire(lag_ms=30)
    assert desk.request.decision_id == 1
    assert desk.wait(20).answer(lag_ms=30).finish().faults == ()
    desk = Desk().wait(ALLOWED_MS).expire(lag_ms=30).wait(30).expire(lag_ms=30)
    assert kinds(desk.finish().faults) == ["MOVE_TIMEOUT"]


def test_waiting_to_be_sent_is_never_charged() -> None:
    desk = Desk().wait(400).hand_over()
    assert desk.session.deadline_ms == desk.now_ms + ALLOWED_MS
    assert desk.session.open_since_ms == desk.now_ms
    desk.wait(900).answer()
    assert (desk.request.last_latency_ms, desk.request.bank_ms) == (900, 5_000)


def test_a_request_is_handed_over_once() -> None:
    desk = Desk().wait(400).hand_over().wait(900).hand_over().wait(900).answer()
    assert (desk.request.last_latency_ms, desk.request.bank_ms) == (1_800, 4_200)


def test_handing_over_to_another_seat_changes_nothing() -> None:
    desk = Desk().wait(400).hand_over(0).wait(600).answer()
    assert desk.request.last_latency_ms == 1_000


def test_each_decision_is_handed_over_by_itself() -> None:
    desk = Desk().wait(400).hand_over().answer().wait(300).hand_over().wait(200).answer().answer_until(1)
    assert desk.request.last_latency_ms == 200


def test_the_bank_is_for_the_whole_game() -> None:
    desk = Desk(turn_cap=1)
    for bank_ms in (4_000, 3_000, 2_000, 1_000, 0):
        desk.answer_until(1).wait(2_000).answer()
        assert desk.request_of(1).bank_ms == bank_ms
    assert desk.session.state.game_round > 1
    desk.answer_until(1).wait(1_000).expire()
    assert kinds(desk.finish().faults) == ["MOVE_TIMEOUT"]


def test_only_time_of_own_decisions_is_charged() -> None:
    desk = Desk().answer_until(0).wait(5_500).answer().wait(400).answer().answer_until(1)
    assert desk.seat == 1
    assert (desk.request.bank_ms, desk.request.last_latency_ms) == (5_000, 0)
    desk.answer_until(0)
    assert desk.request.bank_ms == 500


def test_thinking_used_up_retires_at_once() -> None:
    desk = Desk(3, budgets=Budgets(3_000, 1_000, 5_000, thinking_ms=2_500))
    desk.wait(1_000).answer().wait(1_000).answer().answer_until(1)
    assert desk.session.deadline_ms == desk.now_ms + 500
    assert desk.request.deadline_ms == 500
    desk.wait(500).expire()
    assert desk.session.state.retired_in_round == (0, 1, 0)
    (fault,) = desk.finish().faults
    assert (fault.type, fault.retires) == (FaultType.THINKING_USED_UP, True)
    assert (fault.budget_ms, fault.used_ms) == (2_500, 2_500)
    assert "2500" in fault.detail


def test_thinking_counts_the_bank_too() -> None:
    desk = Desk(3, budgets=Budgets(3_000, 1_000, 5_000, thinking_ms=4_000))
    assert desk.session.deadline_ms == BEGIN_MS + 4_000
    desk.wait(3_500).answer()
    assert (desk.session.deadline_ms, desk.request.deadline_ms) == (desk.now_ms + 500, 500)


def test_a_request_never_promises_more_than_the_thinking_time_left() -> None:
    desk = Desk(3, budgets=Budgets(3_000, 1_000, 5_000, thinking_ms=4_000))
    assert desk.request.deadline_ms + desk.request.bank_ms <= 4_000


def test_a_timed_out_decision_is_charged_as_well() -> None:
    """Five timeouts of 1 s after a bank of 5 s are 10 s of thinking."""
    desk = Desk(3, budgets=Budgets(3_000, 1_000, 5_000, thinking_ms=7_500))
    desk.wait(6_000).expire().wait(1_000).expire().answer_until(1).wait(500).expire()
    assert kinds(desk.finish().faults) == ["MOVE_TIMEOUT", "MOVE_TIMEOUT", "THINKING_USED_UP"]


def test_a_fault_shows_the_last_three_latencies() -> None:
    desk = Desk()
    for used_ms in (10, 20, 30, 40):
        desk.answer_until(1, Phase.DRAW) if used_ms in (10, 30) else desk.answer_until(1, Phase.DISCARD)
        desk.wait(used_ms).answer()
    desk.answer_until(1).wait(ALLOWED_MS).expire()
    (fault,) = desk.finish().faults
    assert fault.last_latencies_ms == (30, 40, ALLOWED_MS)


@pytest.mark.parametrize(
    ("name", "value"),
    [("start_ms", 0), ("decision_ms", 0), ("thinking_ms", 0), ("thinking_ms", -5), ("bank_ms", -1)],
)
def test_budgets_that_are_none(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=rf"{name}.*{value}"):
        Budgets(**{name: value})


def test_there_may_be_no_bank() -> None:
    desk = Desk(budgets=Budgets(bank_ms=0)).wait(2_000).expire()
    assert kinds(desk.finish().faults) == ["MOVE_TIMEOUT"]


def test_the_default_budgets() -> None:
    assert Budgets() == Budgets(start_ms=30_000, decision_ms=2_000, bank_ms=30_000, thinking_ms=120_000)
    assert Budgets().worst_seat_ms == 30_000 + 120_000 + 30_000
