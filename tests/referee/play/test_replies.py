"""Replies: repeated, stale, foreign, and two in one."""

from __future__ import annotations

import pytest

from referee.record.entries import ActionEntry, Cause
from referee.record.game_record import read_record
from referee.record.messages import DecisionReply, DecisionRequest
from referee.rules.actions import Discard, Draw
from referee.rules.cards import CARDS
from referee.rules.events import Discarded, Drew
from referee.rules.state import Phase
from tests.referee.play.desk import BUDGETS, PILE, UP, Desk, kinds
from tests.support.scripted import thrower


def reply_to(request: DecisionRequest) -> DecisionReply:
    return DecisionReply(request.game_id, request.decision_id, thrower(request.view))


def test_decisions_are_counted_from_1_over_all_seats() -> None:
    desk = Desk(3, turn_cap=1)
    desk.finish()
    numbers = [request.decision_id for request in desk.messages(DecisionRequest)]
    assert numbers == list(range(1, 11 * 3 * 2 + 1))


def test_a_repeated_reply_changes_nothing() -> None:
    desk = Desk()
    first = reply_to(desk.request)
    desk.say(first)
    state, sent = desk.session.state, len(desk.sent)
    desk.say(first).say(first)
    assert (desk.session.state, len(desk.sent), desk.session.ignored_replies) == (state, sent, 2)
    assert desk.finish().faults == ()


@pytest.mark.parametrize("decision_id", [0, 1, 2, 4, 5, 999])
def test_a_reply_to_another_decision_is_ignored(decision_id: int) -> None:
    desk = Desk().answer().answer()
    state = desk.session.state
    assert (desk.seat, desk.request.decision_id) == (0, 3)
    desk.say(DecisionReply("attempt-1", decision_id, PILE))
    assert (desk.session.state, desk.session.ignored_replies) == (state, 1)


@pytest.mark.parametrize("seat", [0, 2])
def test_nobody_answers_for_another_seat(seat: int) -> None:
    desk = Desk(3)
    state = desk.session.state
    desk.say(reply_to(desk.request), seat)
    assert (desk.session.state, desk.session.ignored_replies) == (state, 1)
    assert desk.finish().faults == ()


def test_an_ignored_reply_does_not_stop_the_clock() -> None:
    desk = Desk()
    deadline_ms = desk.session.deadline_ms
    desk.wait(500).say(DecisionReply("attempt-1", 7, PILE))
    assert desk.session.deadline_ms == deadline_ms


def test_a_reply_after_the_timeout_is_stale() -> None:
    desk = Desk()
    late = reply_to(desk.request)
    desk.wait(BUDGETS.decision_ms + BUDGETS.bank_ms).expire()
    desk.wait(1).say(late)
    assert desk.session.ignored_replies == 1
    assert kinds(desk.finish().faults) == ["MOVE_TIMEOUT"]


def test_the_discard_may_come_with_the_upcard() -> None:
    """One message for the whole turn; it saves a round trip."""
    desk = Desk(3).wait(300)
    card = desk.request.view.hand[0]
    desk.answer(UP, then=Discard(card))
    assert (desk.seat, desk.request.decision_id) == (2, 3)
    assert desk.request.view.upcard == card
    draw, discard = first_actions(desk)
    assert (draw.action, draw.cause, draw.latency_ms) == (UP, Cause.BOT, 300)
    assert (discard.action, discard.cause, discard.latency_ms) == (Discard(card), Cause.BOT, 0)


def first_actions(desk: Desk) -> list[ActionEntry]:
    result = desk.finish()
    assert result.faults == ()
    return [entry for entry in read_record(result.record).entries if isinstance(entry, ActionEntry)][:2]


def test_the_upcard_may_be_thrown_back_in_one_message() -> None:
    desk = Desk()
    upcard = desk.request.view.upcard
    assert upcard is not None
    desk.answer(UP, then=Discard(upcard))
    assert (desk.seat, desk.request.view.upcard) == (0, upcard)


@pytest.mark.parametrize("first", [PILE, Discard(CARDS[0])], ids=["blind, after a draw from the pile", "two discards"])
def test_no_other_reply_may_carry_a_discard(first: Draw | Discard) -> None:
    """With a draw from the pile the card is not known yet; a second discard would be played for the next seat."""
    with pytest.raises(ValueError, match="then_discard"):
        DecisionReply("attempt-1", 1, first, Discard(CARDS[1]))


def test_a_request_carries_what_happened_since_the_last_one() -> None:
    desk = Desk(3).answer_until(1, Phase.DISCARD)
    assert desk.request.view.events == (Drew(1, PILE.source, None),)
    desk.answer().answer_until(2)
    desk.answer_until(0).answer_until(1)
    events = desk.request.view.events
    assert [type(event) for event in events] == [Discarded, Drew, Discarded, Drew, Discarded]
    assert [event.seat for event in events if isinstance(event, Drew | Discarded)] == [1, 2, 2, 0, 0]


def test_a_new_round_begins_with_no_events() -> None:
    desk = Desk(2, turn_cap=1)
    while desk.session.state.game_round == 1:
        desk.answer()
    assert desk.request.view.game_round == 2
    assert desk.request.view.events == ()


def test_a_view_holds_no_card_of_another_seat() -> None:
    desk = Desk(2, turn_cap=1)
    desk.finish()
    for request in desk.messages(DecisionRequest):
        assert all(
            event.card is None
            for event in request.view.events
            if isinstance(event, Drew) and event.source is PILE.source
        )
        assert len(request.view.hand) == request.view.hand_sizes[request.view.seat]


def test_going_out_must_be_said_by_the_bot() -> None:
    """The session never says it for a bot; a hand that could go out does not, if it only throws."""
    result = Desk(2, turn_cap=20).finish()
    assert result.scores.rounds
    assert all(scores.went_out is None for scores in result.scores.rounds)
