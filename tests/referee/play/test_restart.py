"""A game whose process was killed, and the one that goes on from the journal (DESIGN 8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.play.session import Session
from referee.play.spec import SessionStatus
from referee.record.conditions import FaultType
from referee.record.entries import RetirementEntry
from referee.record.game_record import entries_in
from referee.record.journal_entries import Began, Moment
from referee.record.messages import (
    BotError,
    DecisionRequest,
    GameEnd,
    GameReady,
    GameStart,
    MalformedReply,
    Resign,
    RoundStart,
)
from referee.record.verify import verify_record
from referee.rules.actions import Discard
from referee.rules.cards import CARDS
from referee.rules.state import Phase
from tests.referee.play.desk import BUDGETS, SEED, Desk, kinds

ALLOWED_MS = BUDGETS.decision_ms + BUDGETS.bank_ms


def test_the_game_goes_on_at_the_decision_where_it_was() -> None:
    desk = Desk(3).answer_until(0).wait(700)
    before = desk.request
    desk.restart().wait(60_000).reopen()
    assert desk.messages(DecisionRequest) == []
    for seat in range(3):
        desk.connect(seat)
    desk.resume()
    assert desk.seat == 0
    again = desk.request
    assert (again.decision_id, again.view.hand, again.view.discard_pile) == (
        before.decision_id,
        before.view.hand,
        before.view.discard_pile,
    )
    assert [type(message) for to, message in desk.sent if to == 1] == [GameStart]
    assert desk.finish().faults == ()


def test_no_clock_runs_while_the_process_is_away() -> None:
    desk = Desk().wait(900).answer().wait(1_500)
    assert desk.request.last_latency_ms == 900
    desk.restart().wait(500_000).reopen().connect(1).wait(20_000).connect(0)
    assert desk.session.deadline_ms is None
    desk.resume()
    assert desk.session.deadline_ms == desk.now_ms + ALLOWED_MS
    assert (desk.request.deadline_ms, desk.request.bank_ms, desk.request.last_latency_ms) == (1_000, 5_000, 900)


def test_banks_are_as_journaled() -> None:
    desk = Desk().wait(3_000).answer()
    assert desk.request.bank_ms == 3_000
    desk.restart().reopen().connect(1).connect(0).resume()
    assert desk.request.bank_ms == 3_000
    desk.wait(4_001).expire()
    (fault,) = desk.finish().faults
    assert (fault.type, fault.budget_ms, fault.last_latencies_ms) == (FaultType.MOVE_TIMEOUT, 4_000, (3_000, 4_001))


def test_the_bot_that_is_asked_in_the_pause_is_asked_once() -> None:
    desk = Desk().restart().reopen().connect(1).connect(0).resume()
    assert len(desk.messages(DecisionRequest)) == 1


def test_what_is_answered_in_the_pause_counts_and_costs_nothing() -> None:
    desk = Desk().restart().reopen().connect(1).wait(9_000).answer()
    assert (desk.request.view.phase, desk.request.last_latency_ms) == (Phase.DISCARD, 0)
    assert (desk.request.bank_ms, desk.session.deadline_ms) == (5_000, None)


def test_who_does_not_come_back_pays_from_the_end_of_the_pause() -> None:
    desk = Desk(3).restart().reopen().connect(0).connect(2).wait(30_000).resume()
    desk.wait(ALLOWED_MS - 1).expire()
    assert desk.session.state.retired_in_round == (0, 0, 0)
    desk.wait(1).expire()
    (fault,) = desk.finish().faults
    assert (fault.type, fault.seat, fault.used_ms) == (FaultType.DISCONNECT, 1, ALLOWED_MS)


def test_bots_that_were_not_ready_get_the_start_budget_anew() -> None:
    desk = Desk(3, ready=(0,)).wait(2_900).restart().wait(10_000).reopen()
    assert desk.session.status is SessionStatus.STARTING
    for seat in range(3):
        desk.connect(seat)
    desk.resume()
    assert desk.session.deadline_ms == desk.now_ms + BUDGETS.start_ms
    assert len(desk.messages(GameStart)) == 3
    assert not desk.session.hands_sent
    for seat in range(3):
        desk.say(GameReady(desk.session.spec.attempt_id), seat)
    assert len(desk.messages(RoundStart)) == 3
    assert desk.session.hands_sent
    assert desk.finish().faults == ()


def test_no_shows_stay_retired() -> None:
    desk = Desk(3, no_shows=(2,)).restart().reopen().connect(0).connect(1).resume()
    assert desk.session.state.retired_in_round == (0, 0, 1)
    assert kinds(desk.finish().faults) == ["NO_SHOW"]


def test_no_shows_are_retired_even_if_the_process_died_before_it_wrote_so() -> None:
    desk = Desk(3, no_shows=(2,)).restart(0).reopen().connect(0).connect(1).resume()
    assert desk.session.state.retired_in_round == (0, 0, 1)
    for seat in (0, 1):
        desk.say(GameReady(desk.session.spec.attempt_id), seat)
    assert kinds(desk.finish().faults) == ["NO_SHOW"]


def test_a_game_whose_last_action_was_journaled_ends_with_the_same_record() -> None:
    desk = Desk()
    result = desk.finish()
    desk.restart().wait(5_000).reopen()
    assert desk.session.result == result
    assert desk.messages(DecisionRequest) == []


def test_an_entry_that_does_not_follow_is_refused() -> None:
    desk = Desk().answer().answer()
    first, second, *_ = [entry for entry in desk.journal if isinstance(entry, Moment)]
    with pytest.raises(ValueError):
        Session.restored(desk.session.spec, [Began(), second, first])


def test_an_entry_is_journaled_before_anything_of_it_is_said() -> None:
    """If the journal cannot take it, no bot has heard of it."""
    desk = Desk()
    spoken: list[Any] = []

    def full(entry: Began | Moment) -> None:
        spoken.extend(desk.session.take_outgoing())
        raise OSError("no space left")

    desk.session._journal = full
    with pytest.raises(OSError, match="no space"):
        desk.answer()
    assert spoken == []
    assert desk.session.take_outgoing() == []


# -- pauses ------------------------------------------------------------------------------------------------------------


def test_a_pause_gives_the_time_back_and_asks_again() -> None:
    desk = Desk().wait(5_500).pause().wait(100_000).expire()
    assert (desk.seat, desk.session.deadline_ms) == (1, None)
    desk.resume()
    assert len(desk.messages(DecisionRequest)) == 2
    assert (desk.request.deadline_ms, desk.request.bank_ms) == (1_000, 5_000)
    assert desk.session.deadline_ms == desk.now_ms + ALLOWED_MS
    assert desk.wait(400).answer().request.last_latency_ms == 400


def test_a_pause_before_the_first_card_stops_the_start_budget() -> None:
    desk = Desk(ready=(0,)).wait(2_000).pause().wait(10_000).expire().resume()
    assert desk.session.deadline_ms == desk.now_ms + BUDGETS.start_ms
    desk.wait(BUDGETS.start_ms).expire()
    (fault,) = desk.session.result.faults if desk.session.result else ()
    assert (fault.type, fault.used_ms) == (FaultType.START_TIMEOUT, BUDGETS.start_ms)


def test_resuming_what_was_not_paused_changes_nothing() -> None:
    desk = Desk().wait(400)
    before = desk.session.deadline_ms
    desk.resume()
    assert (desk.session.deadline_ms, len(desk.messages(DecisionRequest))) == (before, 1)


def test_a_game_called_off_in_a_pause_is_over() -> None:
    desk = Desk().pause().cancel().resume()
    assert desk.session.is_over
    assert len(desk.messages(GameEnd)) == 2


# -- at any instant ----------------------------------------------------------------------------------------------------


@dataclass
class Instant:
    """What a session was when it wrote an entry: what came before that one had taken effect."""

    state: object
    status: SessionStatus
    seats: list[tuple[float, float, bool, int, object]]
    faults: int


def instant(session: Session) -> Instant:
    return Instant(
        state=session.state,
        status=session.status,
        seats=[
            (seat.bank_ms, seat.thinking_left_ms, seat.is_retired, seat.faults, seat.last_fault)
            for seat in session._seats
        ],
        faults=len(session._faults),
    )


def charged(entry: Began | Moment) -> set[int]:
    """Seats whose time an entry tells; of one that it retires the time does not matter any more."""
    if isinstance(entry, Began):
        return set()
    retired = {each.seat for each in entries_in(entry.record) if isinstance(each, RetirementEntry)}
    return retired if entry.clock is None else retired | {entry.clock.seat}


def faults_in(entry: Began | Moment) -> int:
    return 0 if isinstance(entry, Began) else sum(each.fault is not None for each in entries_in(entry.record))


ACTS = st.sampled_from(
    ["answer", "answer", "answer", "answer", "slow", "illegal", "malformed", "bot error", "timeout", "away", "resign"]
)


def act(desk: Desk, what: str, wait_ms: int) -> None:
    game_id, request = desk.session.spec.attempt_id, desk.request
    match what:
        case "answer":
            desk.wait(wait_ms % 900).answer()
        case "slow":
            desk.wait(900 + wait_ms).answer()
        case "illegal":
            held = {card.code for card in request.view.hand}
            other = next(card for card in CARDS if card.code not in held)
            desk.wait(wait_ms % 900).answer_until(desk.seat, Phase.DISCARD).answer(Discard(other))
        case "malformed":
            desk.say(MalformedReply(game_id, request.decision_id, "no action", "{}"))
        case "bot error":
            desk.say(BotError(game_id, request.decision_id, "oops"))
        case "timeout":
            desk.wait(ALLOWED_MS + 1).expire()
        case "away":
            seat = desk.seat
            desk.disconnect(seat).wait(wait_ms).connect(seat)
        case "resign":
            desk.say(Resign(game_id))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 4),
    st.lists(st.tuples(ACTS, st.integers(0, 3_000)), min_size=1, max_size=25),
    st.integers(0, 10**9),
)
def test_any_prefix_of_the_journal_is_the_game_at_that_instant(
    seats: int, acts: list[tuple[str, int]], cut: int
) -> None:
    desk = Desk(seats)
    instants: list[Instant] = [instant(desk.session)] * len(desk.journal)
    plain = desk.session._journal

    def note(entry: Began | Moment) -> None:
        instants.append(instant(desk.session))
        plain(entry)

    desk.session._journal = note
    for what, wait_ms in acts:
        if desk.session.is_over:
            break
        act(desk, what, wait_ms)
    instants.append(instant(desk.session))
    written = len(desk.journal)
    entries = 1 + cut % written
    expected = instants[entries]
    bytes_before = b"".join(entry.record for entry in desk.journal[:entries] if isinstance(entry, Moment))
    next_entry = None if entries == written else desk.journal[entries]
    was_charged = set() if next_entry is None else charged(next_entry)
    faults_before = sum(map(faults_in, desk.journal[:entries]))
    desk.restart(entries)
    found = instant(desk.session)
    assert found.state == expected.state
    assert found.faults == faults_before
    if next_entry is None:
        assert found == replace(expected, status=found.status)  # a game that is over is closed when it goes on
    for seat, (now, then) in enumerate(zip(found.seats, expected.seats, strict=True)):
        if seat not in was_charged:  # the charge of the entry that was cut off is gone with it
            assert now[:2] == then[:2] or now[2]
        assert now[2] == then[2] or entries < written
    desk.reopen()
    for seat in range(seats):
        desk.connect(seat)
    desk.resume()
    result = desk.finish()
    assert bytes_before in result.record
    assert verify_record(result.record, SEED).problems == ()
