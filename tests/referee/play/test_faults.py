"""What goes wrong at a seat, what it costs, and what the record says about it (RULES 21)."""

from __future__ import annotations

import itertools

import pytest

from referee.record.conditions import Fault, FaultType
from referee.record.entries import ActionEntry, Cause, RetirementEntry
from referee.record.game_record import read_record
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    DecisionRequest,
    GameEnd,
    GameEndReason,
    MalformedReply,
    Resign,
    RoundEnd,
)
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CARDS
from referee.rules.state import Phase
from tests.referee.play.desk import BUDGETS, UP, Desk, kinds
from tests.support.scripted import thrower


def not_held(request: DecisionRequest) -> BotMessage:
    missing = next(card for card in CARDS if card not in request.view.hand)
    return DecisionReply(request.game_id, request.decision_id, Discard(missing))


def garbage(request: DecisionRequest) -> BotMessage:
    return MalformedReply(request.game_id, request.decision_id, "face 99 does not exist", "discard { face: 99 }")


def own_error(request: DecisionRequest) -> BotMessage:
    return BotError(request.game_id, request.decision_id, "division by zero")


def commit(desk: Desk, kind: FaultType) -> None:
    """Lets the open decision go wrong in this way."""
    match kind:
        case FaultType.ILLEGAL:
            desk.say(not_held(desk.request))
        case FaultType.MALFORMED:
            desk.say(garbage(desk.request))
        case FaultType.BOT_ERROR:
            desk.say(own_error(desk.request))
        case FaultType.MOVE_TIMEOUT:
            assert desk.session.deadline_ms is not None
            desk.wait(desk.session.deadline_ms - desk.now_ms).expire()
        case FaultType.RESIGN:
            desk.say(Resign(desk.request.game_id))
        case _:
            raise AssertionError(f"no script for {kind}")


OF_ONE_DECISION = [FaultType.MOVE_TIMEOUT, FaultType.ILLEGAL, FaultType.MALFORMED, FaultType.BOT_ERROR]


@pytest.mark.parametrize("phase", [Phase.DRAW, Phase.DISCARD], ids=["draw", "discard"])
@pytest.mark.parametrize("kind", OF_ONE_DECISION, ids=lambda kind: kind.value)
def test_a_faulted_decision_alone_is_replaced(kind: FaultType, phase: Phase) -> None:
    """RULES 21: the next one is asked again."""
    desk = Desk(3).answer_until(1, phase)
    asked, expected = desk.request, thrower(desk.request.view)
    commit(desk, kind)
    if phase is Phase.DRAW:
        assert (desk.seat, desk.request.view.phase) == (1, Phase.DISCARD)
    else:
        assert desk.seat == 2
    desk.answer_until(0).answer_until(1)
    fault = desk.request.last_fault
    assert fault is not None
    assert (fault.type, fault.seat, fault.decision_id) == (kind, 1, asked.decision_id)
    assert (fault.game_round, fault.turn, fault.retires) == (1, 1, False)
    result = desk.finish()
    assert result.faults == (fault,)
    (entry,) = [entry for entry in entries_of(desk) if isinstance(entry, ActionEntry) and entry.fault is not None]
    assert (entry.seat, entry.cause, entry.action, entry.fault) == (1, Cause.FAULT, expected, fault)
    assert result.scores.retired_in_round == (0, 0, 0)


def entries_of(desk: Desk) -> tuple[ActionEntry | RetirementEntry, ...]:
    result = desk.session.result
    assert result is not None
    return read_record(result.record).entries


def only_fault(desk: Desk) -> Fault:
    (fault,) = desk.finish().faults
    return fault


def test_an_illegal_reply_is_shown_with_the_reason() -> None:
    desk = Desk().answer_until(1, Phase.DISCARD)
    missing = next(card for card in CARDS if card not in desk.request.view.hand)
    fault = only_fault(desk.answer(Discard(missing)))
    assert missing.text in fault.detail
    assert "not in hand" in fault.detail
    assert fault.reply == f"discard {missing.text}"


def test_a_false_claim_is_shown_with_its_melds() -> None:
    desk = Desk().answer_until(1, Phase.DISCARD)
    hand = desk.request.view.hand
    fault = only_fault(desk.answer(Discard(hand[0], go_out=True, melds=(hand[1:],))))
    assert fault.type is FaultType.ILLEGAL
    assert "melds" in fault.detail
    assert fault.reply == f"discard {hand[0]}, go out with {' '.join(card.text for card in hand[1:])}"


def test_a_discard_instead_of_a_draw_is_illegal() -> None:
    desk = Desk()
    fault = only_fault(desk.answer(Discard(desk.request.view.hand[0])))
    assert (fault.type, "draw" in fault.detail) == (FaultType.ILLEGAL, True)


def test_a_malformed_reply_is_kept_as_evidence() -> None:
    desk = Desk()
    fault = only_fault(desk.say(garbage(desk.request)))
    assert (fault.detail, fault.reply) == ("face 99 does not exist", "discard { face: 99 }")


def test_evidence_is_capped() -> None:
    desk = Desk()
    fault = only_fault(desk.say(MalformedReply("attempt-1", 1, "face 99 does not exist", "x" * 100_000)))
    assert fault.reply == "x" * 512
    desk = Desk()
    fault = only_fault(desk.say(BotError("attempt-1", 1, "x" * 100_000)))
    assert "x" * 512 in fault.detail
    assert len(fault.detail) < 600


@pytest.mark.parametrize("kind", OF_ONE_DECISION, ids=lambda kind: kind.value)
def test_the_fifth_fault_retires(kind: FaultType) -> None:
    desk = Desk(3)
    for _ in range(5):
        assert desk.session.state.retired_in_round == (0, 0, 0)
        desk.answer_until(1)
        commit(desk, kind)
    assert desk.session.state.retired_in_round[1] > 0
    asked = len(desk.messages(DecisionRequest, 1))
    result = desk.finish()
    assert kinds(result.faults) == [kind.value] * 5
    assert [fault.retires for fault in result.faults] == [False] * 4 + [True]
    assert result.scores.places[1] == 3
    assert len(result.scores.rounds) == 11
    assert len(desk.messages(DecisionRequest, 1)) == asked


def test_faults_of_all_kinds_count_together() -> None:
    desk = Desk(3)
    for kind in itertools.islice(itertools.cycle(OF_ONE_DECISION), 5):
        desk.answer_until(1)
        commit(desk, kind)
    assert kinds(desk.finish().faults) == ["MOVE_TIMEOUT", "ILLEGAL", "MALFORMED", "BOT_ERROR", "MOVE_TIMEOUT"]
    assert desk.session.state.retired_in_round[1] > 0


def test_each_seat_has_faults_of_its_own() -> None:
    desk = Desk(3)
    for _ in range(4):
        for seat in (1, 2, 0):
            desk.answer_until(seat)
            commit(desk, FaultType.ILLEGAL)
    result = desk.finish()
    assert len(result.faults) == 12
    assert result.scores.retired_in_round == (0, 0, 0)


def test_a_retired_seat_is_played_by_default_to_the_end() -> None:
    desk = Desk(3, turn_cap=2).answer_until(1)
    commit(desk, FaultType.RESIGN)
    desk.finish()
    (number,) = [number for number, entry in enumerate(entries_of(desk)) if isinstance(entry, RetirementEntry)]
    after = [entry for entry in entries_of(desk)[number + 1 :] if isinstance(entry, ActionEntry)]
    assert {(entry.seat, entry.cause) for entry in after} == {
        (0, Cause.BOT),
        (1, Cause.RETIRED),
        (2, Cause.BOT),
    }
    draws = [entry.action for entry in after if entry.seat == 1 and isinstance(entry.action, Draw)]
    assert set(draws) == {Draw(Source.PILE)}


@pytest.mark.parametrize("seat", range(3))
def test_a_bot_may_resign_at_any_time(seat: int) -> None:
    """Seat 1 is asked; the others are not."""
    desk = Desk(3).wait(700).say(Resign("attempt-1"), seat)
    assert desk.session.state.retired_in_round[seat] == 1
    if seat != 1:
        assert desk.session.deadline_ms == desk.now_ms - 700 + BUDGETS.decision_ms + BUDGETS.bank_ms
        assert desk.request.decision_id == 1
    else:
        assert desk.seat == 2
    fault = only_fault(desk)
    assert (fault.type, fault.seat, fault.retires) == (FaultType.RESIGN, seat, True)
    assert (fault.budget_ms, fault.used_ms) == (0, 0)


def test_resigning_with_a_card_in_hand_throws_it() -> None:
    desk = Desk(3).answer_until(1, Phase.DISCARD)
    drawn = desk.request.view.drawn
    commit(desk, FaultType.RESIGN)
    assert desk.seat == 2
    assert desk.request.view.upcard == drawn


def test_the_game_ends_at_once_with_one_seat_left() -> None:
    """RULES 21."""
    desk = Desk(3, turn_cap=1)
    while desk.session.state.game_round < 3:
        desk.answer()
    desk.say(Resign("attempt-1"), 0).say(Resign("attempt-1"), 2)
    assert desk.session.is_over
    result = desk.finish()
    assert result.scores.places == (2, 1, 2)
    assert result.scores.retired_in_round == (3, 0, 3)
    assert len(result.scores.rounds) == 2
    for seat in range(3):
        (end,) = desk.messages(GameEnd, seat)
        assert (end.reason, end.scores) == (GameEndReason.RETIREMENTS, result.scores)
    entries_of(desk)


def test_a_retired_bot_hears_no_more_rounds_but_the_end() -> None:
    desk = Desk(3, turn_cap=1).say(Resign("attempt-1"), 0)
    desk.finish()
    assert desk.messages(RoundEnd, 0) == []
    assert len(desk.messages(GameEnd, 0)) == 1
    assert len(desk.messages(RoundEnd, 1)) == 11


def test_a_retired_bot_is_not_heard() -> None:
    desk = Desk(3).answer_until(2).say(Resign("attempt-1"), 2)
    sent = len(desk.sent)
    desk.say(Resign("attempt-1"), 2).say(garbage(desk.request_of(2)), 2).connect(2).disconnect(2)
    assert len(desk.sent) == sent
    assert kinds(desk.finish().faults) == ["RESIGN"]


@pytest.mark.parametrize("message", [garbage, own_error], ids=["garbage", "an error"])
def test_only_the_open_decision_can_go_wrong(message: object) -> None:
    desk = Desk(3)
    first = desk.request
    desk.answer()
    desk.say(message(first), 1).say(message(desk.request), 0)
    assert desk.session.ignored_replies == 2
    assert desk.finish().faults == ()


def test_an_illegal_second_half_of_a_reply_costs_the_discard_alone() -> None:
    desk = Desk()
    upcard, hand = desk.request.view.upcard, desk.request.view.hand
    assert upcard is not None
    missing = next(card for card in CARDS if card not in (*hand, upcard))
    desk.answer(UP, then=Discard(missing))
    assert desk.seat == 0
    assert desk.request.view.upcard == upcard
    fault = only_fault(desk)
    assert (fault.type, fault.reply) == (FaultType.ILLEGAL, f"discard {missing.text}")
    draw, discard = [entry for entry in entries_of(desk) if isinstance(entry, ActionEntry)][:2]
    assert (draw.cause, draw.action, discard.cause, discard.action) == (Cause.BOT, UP, Cause.FAULT, Discard(upcard))
