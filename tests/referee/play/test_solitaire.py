"""A solitaire as a session: the clocks, faults, journal and record of every game, with one seat (RULES 21-24)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.play.solitaire import SolitaireGame
from referee.play.spec import SessionStatus
from referee.record import codec
from referee.record.conditions import Budgets, FaultType, SeatName
from referee.record.game_record import read_record
from referee.record.messages import (
    BotError,
    GameEnd,
    GameEndReason,
    GameReady,
    GameStart,
    MalformedReply,
    Resign,
    SolitaireRequest,
)
from referee.record.verify import verify_record
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CARDS, card_of_id
from referee.rules.solitaire import Add, Refuse, SolitaireConfig, SolitaireState, Variant, new_solitaire, view_of
from tests.referee.play.alone import Player
from tests.referee.play.desk import BUDGETS, Desk, kinds
from tests.support.solitaire import SEED, Policy, whimsical

ALLOWED_MS = BUDGETS.decision_ms + BUDGETS.bank_ms


def test_a_solitaire_from_the_first_message_to_the_last() -> None:
    player = Player()
    start, first = player.sent
    assert isinstance(start, GameStart)
    assert (start.config, start.seat) == (SolitaireConfig(), 0)
    state, _ = new_solitaire(SolitaireConfig(), SEED)
    assert isinstance(first, SolitaireRequest)
    assert (first.view, first.turn, first.decision_id) == (view_of(state), 1, 1)
    assert (first.deadline_ms, first.bank_ms) == (BUDGETS.decision_ms, BUDGETS.bank_ms)
    result = player.finish()
    end = player.sent[-1]
    assert isinstance(end, GameEnd)
    assert (end.reason, end.scores, end.record_digest) == (GameEndReason.FINISHED, result.scores, result.digest)
    score = result.scores.solitaire
    assert score is not None
    assert (result.scores.totals, result.scores.places) == ((11 - score.piles_closed,), (1,))
    assert [request.turn for request in player.requests] == list(range(1, score.cards_used + 1))
    assert result.faults == ()
    record = read_record(result.record)
    assert (record.header.config, record.header.seats) == (SolitaireConfig(), (SeatName("alone", "1"),))
    assert len(record.entries) == score.cards_used


def test_the_first_card_is_a_decision_of_its_own() -> None:
    player = Player(variant=Variant.OPEN_FIRST)
    first = player.request
    assert first.view.can_refuse
    player.answer(Refuse())
    assert (player.request.decision_id, player.request.turn, player.request.view.can_refuse) == (2, 1, False)
    assert player.request.view.discards == (first.view.turned,)
    assert len(read_record(player.finish().record).entries) == 28


# -- faults ------------------------------------------------------------------------------------------------------------


def closed_pile(player: Player) -> Add:
    return next(Add(pile.size, pile.cards[0]) for pile in player.request.view.piles if pile.is_closed)


SLIPS: dict[str, Any] = {
    "a pile that is not there": Add(2, CARDS[0]),
    "a card that is not there": next(
        Add(3, card)
        for card in CARDS
        if card not in (*view_of(new_solitaire(SolitaireConfig(), SEED)[0]).piles[0].cards,)
    ),
    "a refusal": Refuse(),
    "a draw": Draw(Source.PILE),
    "a discard": Discard(CARDS[0]),
}


@pytest.mark.parametrize("action", [pytest.param(action, id=name) for name, action in SLIPS.items()])
def test_an_illegal_play_is_replaced_by_one_that_changes_no_pile(action: Any) -> None:
    player = Player().answer()
    before = player.request
    if isinstance(action, Add) and action.pile == 3 and action.discard is before.view.turned:
        action = Add(3, next(card for card in CARDS if card not in (*before.view.piles[0].cards, before.view.turned)))
    player.answer(action)
    after = player.request
    assert after.last_fault is not None
    assert (after.last_fault.type, after.last_fault.turn, after.last_fault.game_round) == (FaultType.ILLEGAL, 2, 1)
    assert [pile.cards for pile in after.view.piles] == [pile.cards for pile in before.view.piles]
    assert after.view.discards[-1] is before.view.turned
    assert kinds(player.finish().faults) == ["ILLEGAL"]


def test_the_evidence_of_an_illegal_play() -> None:
    player = Player().answer(Add(2, CARDS[0]))
    fault = player.request.last_fault
    assert fault is not None
    assert fault.reply == "add to pile 2, discard 3s"
    assert "pile 2: piles are 3 to 13" in fault.detail


def test_a_late_play_a_malformed_one_and_an_error_are_replaced_too() -> None:
    player = Player(budgets=replace(BUDGETS, bank_ms=0))
    player.wait(BUDGETS.decision_ms + 1).expire()
    player.say(MalformedReply("attempt-1", player.request.decision_id, "no action", "{}"))
    player.say(BotError("attempt-1", player.request.decision_id, "oops"))
    assert player.request.turn == 4
    assert kinds(player.finish().faults) == ["MOVE_TIMEOUT", "MALFORMED", "BOT_ERROR"]


def test_the_fifth_fault_ends_it() -> None:
    player = Player()
    for _ in range(5):
        player.answer(Refuse())
    result = player.session.result
    assert result is not None
    assert kinds(result.faults) == ["ILLEGAL"] * 5
    assert result.scores.retired_in_round == (1,)
    score = result.scores.solitaire
    assert score is not None
    assert (score.won, score.cards_used) == (False, 4)
    end = player.sent[-1]
    assert isinstance(end, GameEnd)
    assert end.reason is GameEndReason.RETIREMENTS
    assert verify_record(result.record, SEED).problems == ()


def resigning() -> Player:
    return Player().answer().say(Resign("attempt-1"))


def away_for_good() -> Player:
    player = Player().answer()
    player.session.disconnect(0)
    return player.wait(ALLOWED_MS + 1).expire()


def thinking_too_long() -> Player:
    player = Player(budgets=Budgets(start_ms=1_000, decision_ms=1_000, bank_ms=1_000, thinking_ms=1_500))
    return player.answer().wait(1_501).expire()


@pytest.mark.parametrize(
    ("make", "fault", "cards_used"),
    [
        (resigning, "RESIGN", 1),
        (away_for_good, "DISCONNECT", 1),
        (thinking_too_long, "THINKING_USED_UP", 1),
        (lambda: Player(no_shows=frozenset({0})), "NO_SHOW", 0),
        (lambda: Player(is_ready=False).wait(BUDGETS.start_ms).expire(), "START_TIMEOUT", 0),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_player_who_is_out_ends_it(make: Any, fault: str, cards_used: int) -> None:
    result = make().session.result
    assert result is not None
    assert kinds(result.faults) == [fault]
    assert (result.scores.retired_in_round, result.scores.solitaire.cards_used) == ((1,), cards_used)
    assert verify_record(result.record, SEED).problems == ()


def test_a_play_of_solitaire_is_illegal_at_a_table() -> None:
    for action in (Add(3, CARDS[0]), Refuse()):
        desk = Desk().answer(action)  # type: ignore[arg-type]
        assert kinds(desk.finish().faults) == ["ILLEGAL"]


# -- clocks, pauses, restarts ------------------------------------------------------------------------------------------


def test_a_pause_gives_the_time_back() -> None:
    player = Player().wait(ALLOWED_MS - 1)
    player.session.pause()
    player.wait(100_000).expire()
    player.session.resume(player.now_ms)
    player._collect()
    assert (player.request.decision_id, player.request.bank_ms) == (1, BUDGETS.bank_ms)
    assert player.answer().request.last_latency_ms == 0
    assert player.finish().faults == ()


def test_a_bot_that_comes_back_is_asked_the_same_again() -> None:
    player = Player().answer().wait(300)
    before = player.request
    player.session.disconnect(0)
    player.wait(200).session.connect(0, player.now_ms)
    again = player._collect().request
    assert (again.decision_id, again.view, again.deadline_ms) == (2, before.view, BUDGETS.decision_ms - 500)


def test_cancelled() -> None:
    player = Player().answer()
    player.session.cancel()
    end = player._collect().sent[-1]
    assert isinstance(end, GameEnd)
    assert (end.reason, end.scores, player.session.status) == (GameEndReason.CANCELLED, None, SessionStatus.CANCELLED)


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("policy", [whimsical(3), whimsical(5)], ids=["one", "another"])
def test_from_any_prefix_of_the_journal_it_goes_on_to_the_same_record(variant: Variant, policy: Policy) -> None:
    slip = {5: Refuse(), 9: Add(2, CARDS[0])}

    def go_on(player: Player) -> bytes:
        while not player.session.is_over:
            number = player.request.decision_id
            player.answer(slip.get(number))
        assert player.session.result is not None
        return player.session.result.record

    whole = Player(policy, variant=variant)
    record = go_on(whole)
    for entries in range(1, len(whole.journal) + 1):
        player = Player(policy, variant=variant)
        go_on(player)
        asked = player.requests[entries - 1] if entries <= len(player.requests) else None
        player.restart(entries)
        if asked is not None:
            assert (player.request.decision_id, player.request.view) == (asked.decision_id, asked.view)
        assert go_on(player) == record


# -- what is hidden ----------------------------------------------------------------------------------------------------


@given(
    st.sampled_from([whimsical(0), whimsical(1), whimsical(2)]),
    st.sampled_from(Variant),
    st.integers(1, 27),
    st.randoms(),
)
@settings(max_examples=12, deadline=None)
def test_no_byte_tells_of_a_card_before_it_is_turned_up(
    policy: Policy, variant: Variant, known: int, random: Any
) -> None:
    """Two solitaires that differ only in the order of the cards after the first `known`: until then the same bytes are sent."""

    state, _ = new_solitaire(SolitaireConfig(variant), SEED)
    hidden = list(state.stack[known - 1 :])
    random.shuffle(hidden)
    plain = requests_of(policy, state)
    twin = requests_of(policy, replace(state, stack=(*state.stack[: known - 1], *hidden)))
    assert twin[:known] == plain[:known]
    if card_of_id(hidden[0]) is not card_of_id(state.stack[known - 1]):
        assert twin[known] != plain[known]


def requests_of(policy: Policy, state: SolitaireState) -> list[bytes]:
    """What is asked in the solitaire that begins so."""
    player = Player(policy, variant=state.config.variant, is_ready=False)
    assert isinstance(player.session.played, SolitaireGame)
    player.session.played._state = state
    player.say(GameReady("attempt-1"))
    while not player.session.is_over:
        player.answer()
    return [codec.referee_bytes(message) for message in player.requests]
