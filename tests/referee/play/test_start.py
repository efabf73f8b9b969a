"""From GameStart to the first decision, and games that are called off."""

from __future__ import annotations

import hashlib

import pytest

from referee.play.session import Session
from referee.play.spec import GameSpec, SessionStatus
from referee.record.conditions import DealMode, FaultType, SeatName
from referee.record.messages import (
    DecisionRequest,
    GameEnd,
    GameEndReason,
    GameReady,
    GameStart,
    Resign,
    RoundEnd,
    RoundStart,
)
from referee.rules.cards import cards_of_ids
from referee.rules.state import GameConfig
from tests.referee.play.desk import BEGIN_MS, BUDGETS, SEED, Desk, kinds
from tests.support.scripted import game_spec


def test_every_bot_is_told_what_it_plays() -> None:
    session = Session(game_spec(3, seed=SEED, budgets=BUDGETS, deal_mode=DealMode.FIELD, page_url="/games/7"))
    session.start(BEGIN_MS)
    commitment = hashlib.sha256(SEED).digest()
    assert session.take_outgoing() == [
        (
            seat,
            GameStart("attempt-1", GameConfig(3, turn_cap=3), DealMode.FIELD, seat, commitment, BUDGETS, "/games/7"),
        )
        for seat in range(3)
    ]
    assert session.take_outgoing() == []
    assert session.deadline_ms == BEGIN_MS + BUDGETS.start_ms
    assert session.status is SessionStatus.STARTING


def test_the_game_begins_when_the_last_bot_is_ready() -> None:
    desk = Desk(3, ready=[0, 2])
    assert desk.messages(RoundStart) == []
    desk.wait(500).say(GameReady("attempt-1"), 1)
    assert desk.session.status is SessionStatus.RUNNING
    state = desk.session.state
    for seat in range(3):
        (start,) = desk.messages(RoundStart, seat)
        assert (start.game_round, start.wild_rank, start.dealer, start.starter) == (1, 3, 0, 1)
        assert start.hand == cards_of_ids(state.hands[seat])
    assert [to for to, message in desk.sent if isinstance(message, DecisionRequest)] == [1]
    assert desk.request.decision_id == 1


def test_saying_ready_twice_changes_nothing() -> None:
    desk = Desk(2, ready=[0, 0])
    assert desk.session.status is SessionStatus.STARTING
    desk.say(GameReady("attempt-1"), 1)
    sent = len(desk.sent)
    desk.say(GameReady("attempt-1"), 1)
    assert len(desk.sent) == sent


def test_who_is_not_ready_in_time_is_retired() -> None:
    desk = Desk(3, ready=[0, 1]).wait(BUDGETS.start_ms - 1).expire()
    assert desk.messages(RoundStart) == []
    desk.wait(1).expire()
    assert desk.session.status is SessionStatus.RUNNING
    result = desk.finish()
    (fault,) = result.faults
    assert (fault.type, fault.seat, fault.game_round, fault.retires) == (FaultType.START_TIMEOUT, 2, 1, True)
    assert (fault.turn, fault.decision_id) == (0, 0)
    assert (fault.budget_ms, fault.used_ms) == (BUDGETS.start_ms, BUDGETS.start_ms)
    assert (result.scores.places[2], result.scores.retired_in_round) == (3, (0, 0, 1))
    assert desk.messages(DecisionRequest, 2) == []


def test_ready_too_late_is_too_late() -> None:
    desk = Desk(3, ready=[0, 1]).wait(BUDGETS.start_ms).expire().say(GameReady("attempt-1"), 2)
    assert desk.session.state.retired_in_round == (0, 0, 1)


def test_ready_after_the_deadline_but_before_the_timer_is_too_late() -> None:
    """What decides is when it came, not when somebody looked."""
    desk = Desk(3, ready=[0, 1]).wait(BUDGETS.start_ms + 1).say(GameReady("attempt-1"), 2).expire()
    assert desk.session.state.retired_in_round == (0, 0, 1)


def test_one_bot_alone_has_nobody_to_play_with() -> None:
    """RULES 21: with at most one seat unretired the game ends at once."""
    desk = Desk(3, ready=[1]).wait(BUDGETS.start_ms).expire()
    assert desk.session.status is SessionStatus.FINISHED
    result = desk.finish()
    assert kinds(result.faults) == ["START_TIMEOUT", "START_TIMEOUT"]
    assert result.scores.places == (2, 1, 2)
    assert [end.reason for end in desk.messages(GameEnd, 1)] == [GameEndReason.RETIREMENTS]


@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_wins_a_game_that_no_bot_started(seats: int) -> None:
    """RULES 21: all retire in the same round, so all share a place; no seat is the last one by its number."""
    result = Desk(seats, ready=[]).wait(BUDGETS.start_ms).expire().finish()
    assert kinds(result.faults) == ["START_TIMEOUT"] * seats
    assert result.scores.places == (1,) * seats
    assert result.scores.retired_in_round == (1,) * seats


def test_a_bot_that_did_not_come_is_retired_before_the_first_card() -> None:
    desk = Desk(3, no_shows=[0])
    assert desk.messages(GameStart, 0) == []
    assert desk.session.status is SessionStatus.RUNNING
    result = desk.finish()
    (fault,) = result.faults
    assert (fault.type, fault.seat, fault.game_round, fault.retires) == (FaultType.NO_SHOW, 0, 1, True)
    assert result.scores.places[0] == 3


def test_nobody_came() -> None:
    """They did not come at one moment, so they share the place."""
    desk = Desk(3, no_shows=[0, 1, 2])
    assert desk.sent == []
    result = desk.finish()
    assert kinds(result.faults) == ["NO_SHOW"] * 3
    assert result.scores.places == (1, 1, 1)


def test_resigning_before_the_start() -> None:
    desk = Desk(3, ready=[0, 1]).say(Resign("attempt-1"), 2)
    assert desk.session.status is SessionStatus.RUNNING
    result = desk.finish()
    assert kinds(result.faults) == ["RESIGN"]
    assert result.scores.retired_in_round == (0, 0, 1)


def test_a_bot_may_come_back_during_the_start() -> None:
    desk = Desk(2, ready=[0]).disconnect(1).wait(2_000).connect(1)
    first, second = desk.messages(GameStart, 1)
    assert first == second
    desk.say(GameReady("attempt-1"), 1)
    assert desk.finish().faults == ()


def test_coming_back_does_not_prolong_the_start() -> None:
    desk = Desk(3, ready=[0, 1]).disconnect(2).wait(2_000).connect(2)
    assert desk.session.deadline_ms == BEGIN_MS + BUDGETS.start_ms
    desk.wait(1_000).expire()
    assert kinds(desk.finish().faults) == ["START_TIMEOUT"]


@pytest.mark.parametrize("is_begun", [False, True], ids=["starting", "running"])
def test_a_game_can_be_called_off(is_begun: bool) -> None:
    desk = Desk(3, ready=None if is_begun else [0]).cancel()
    assert (desk.session.is_over, desk.session.status) == (True, SessionStatus.CANCELLED)
    assert (desk.session.result, desk.session.deadline_ms) == (None, None)
    for seat in range(3):
        assert desk.messages(GameEnd, seat) == [GameEnd("attempt-1", GameEndReason.CANCELLED, None, b"")]


def test_after_the_end_nothing_is_heard() -> None:
    for desk in (Desk(2).cancel(), Desk(2, turn_cap=1)):
        if not desk.session.is_over:
            desk.finish()
        sent, result = len(desk.sent), desk.session.result
        desk.say(GameReady("attempt-1"), 0).say(Resign("attempt-1"), 0).answer().disconnect(0).connect(0).expire()
        desk.cancel()
        assert (len(desk.sent), desk.session.result) == (sent, result)


def test_a_game_is_told_round_by_round_and_ends_once() -> None:
    desk = Desk(3, turn_cap=1)
    result = desk.finish()
    for seat in range(3):
        assert [start.game_round for start in desk.messages(RoundStart, seat)] == list(range(1, 12))
        ends = desk.messages(RoundEnd, seat)
        assert [end.scores for end in ends] == list(result.scores.rounds)
        assert [end.layout.points for end in ends] == [end.scores.scores[seat] for end in ends]
        assert ends[-1].totals == result.scores.totals
        (end,) = desk.messages(GameEnd, seat)
        assert (end.reason, end.scores, end.record_digest) == (GameEndReason.FINISHED, result.scores, result.digest)
    assert SEED.hex() not in repr(desk.sent)
    assert repr(SEED)[2:-1] not in repr(desk.sent)


@pytest.mark.parametrize("names", [1, 3])
def test_a_game_has_a_name_for_every_seat(names: int) -> None:
    with pytest.raises(ValueError, match=rf"\b{names}\b"):
        GameSpec("attempt-1", GameConfig(2), (SeatName("bot", "1"),) * names, SEED)


def test_a_game_has_a_seed_of_32_bytes() -> None:
    with pytest.raises(ValueError, match="31"):
        Session(game_spec(2, seed=bytes(31)))
