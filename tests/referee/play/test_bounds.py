"""Whatever bots do, a game ends in its known worst time, with a record that verifies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.play.session import Session
from referee.record.conditions import Budgets
from referee.record.game_record import read_record
from referee.record.messages import (
    BotError,
    DecisionReply,
    DecisionRequest,
    GameEnd,
    GameReady,
    GameStart,
    MalformedReply,
    RefereeMessage,
    Resign,
)
from referee.record.verify import verify_record
from referee.rules.actions import Discard
from referee.rules.cards import CARDS
from tests.support.scripted import (
    HangUp,
    Move,
    Player,
    Table,
    answers_garbage,
    chaotic,
    collector,
    game_spec,
    hangs_up,
    playing,
    reports_an_error,
    resigns,
    silent,
    stalls,
    stumbling,
    thrower,
    throws_what_it_does_not_hold,
)

SEED = bytes([7]) * 32

HABITS = (
    "answers",
    "answers twice",
    "answers and then again",
    "stalls",
    "hangs up",
    "hangs up for good",
    "hangs up and answers",
    "answers what was asked before",
    "illegal",
    "garbage",
    "error",
    "resigns",
)


@dataclass
class Adversary:
    """Goes through its habits, each with a share of the time it was told it has; then from the beginning."""

    habits: list[tuple[str, float]]
    start_ms: float | None
    """When it says that it is ready; None: never."""

    def __post_init__(self) -> None:
        self._asked = count()

    def __call__(self, message: RefereeMessage) -> Iterable[Move]:
        match message:
            case GameStart():
                return [] if self.start_ms is None else [(self.start_ms, GameReady(message.game_id))]
            case DecisionRequest():
                habit, share = self.habits[next(self._asked) % len(self.habits)]
                return self._act(message, habit, share * (message.deadline_ms + message.bank_ms))
            case _:
                return []

    def _act(self, request: DecisionRequest, habit: str, delay_ms: float) -> list[Move]:
        game_id, decision_id = request.game_id, request.decision_id
        answer = DecisionReply(game_id, decision_id, thrower(request.view))
        away_ms = max(1.0, delay_ms)  # nobody is back in no time, again and again for ever
        missing = next(card for card in CARDS if card not in request.view.hand)
        moves: dict[str, list[Move]] = {
            "answers": [(delay_ms, answer)],
            "answers twice": [(delay_ms, answer), (delay_ms, answer)],
            "answers and then again": [(0.0, answer), (delay_ms, answer)],
            "stalls": [],
            "hangs up": [(0.0, HangUp(away_ms))],
            "hangs up for good": [(delay_ms, HangUp())],
            "hangs up and answers": [(0.0, answer), (0.0, HangUp(away_ms))],
            "answers what was asked before": [
                (delay_ms, DecisionReply(game_id, decision_id - 1, thrower(request.view))),
                (delay_ms, answer),
            ],
            "illegal": [(delay_ms, DecisionReply(game_id, decision_id, Discard(missing)))],
            "garbage": [(delay_ms, MalformedReply(game_id, decision_id, "no action", ""))],
            "error": [(delay_ms, BotError(game_id, decision_id, ""))],
            "resigns": [(delay_ms, Resign(game_id))],
        }
        return moves[habit]


BUDGETS = st.builds(Budgets, st.integers(1, 300), st.integers(1, 80), st.integers(0, 300), st.integers(1, 1_500))
SHARES = st.one_of(st.sampled_from([0.0, 0.5, 0.999, 1.0, 1.001]), st.floats(0, 1.2))
ADVERSARIES = st.builds(
    Adversary,
    st.lists(st.tuples(st.sampled_from(HABITS), SHARES), min_size=1, max_size=6),
    st.one_of(st.none(), st.just(0.0), st.floats(0, 400)),
)
PATIENT = st.builds(
    Adversary,
    st.lists(
        st.tuples(st.sampled_from(["answers", "hangs up", "hangs up and answers"]), st.floats(0.5, 1.0)), min_size=1
    ),
    st.just(0.0),
)
"""Bots that use all the time there is without ever being late: the longest games."""


@given(
    st.lists(st.one_of(ADVERSARIES, PATIENT), min_size=2, max_size=5),
    BUDGETS,
    st.integers(1, 2),
    st.sampled_from([0.0, 1.0, 20.0]),
)
@settings(max_examples=80)
def test_every_game_ends_in_its_known_worst_time(
    adversaries: list[Adversary], budgets: Budgets, turn_cap: int, handover_ms: float
) -> None:
    seats = len(adversaries)
    session = Session(game_spec(seats, seed=SEED, budgets=budgets, turn_cap=turn_cap))
    table = Table(session, adversaries, handover_ms=handover_ms)
    began_ms = table.now_ms
    result = table.run()
    assert result is not None
    asked = sum(isinstance(message, DecisionRequest) for _, message in table.heard)
    never_charged_ms = handover_ms * asked
    assert table.now_ms - began_ms <= seats * budgets.worst_seat_ms + never_charged_ms
    assert table.now_ms - began_ms <= budgets.start_ms + seats * budgets.thinking_ms + never_charged_ms + 1e-6

    assert verify_record(result.record, SEED).problems == ()
    record = read_record(result.record)
    assert record.faults == result.faults
    assert record.footer.ended_at_ms == round(table.now_ms - began_ms)
    times = [entry.at_ms for entry in record.entries]
    assert times == sorted(times)
    for seat in range(seats):
        own = [fault for fault in result.faults if fault.seat == seat]
        assert [fault.retires for fault in own[:-1]] == [False] * len(own[:-1])
        assert len(own) <= 5
        assert bool(result.scores.retired_in_round[seat]) == (bool(own) and own[-1].retires)
    ends = Counter(seat for seat, message in table.heard if isinstance(message, GameEnd))
    assert set(ends.values()) <= {1}


STUMBLES = {
    "silent from the start": lambda: silent,
    "stalls once": lambda: stumbling(thrower, {3: stalls}),
    "plays what it does not hold": lambda: stumbling(thrower, dict.fromkeys(range(2, 9), throws_what_it_does_not_hold)),
    "answers garbage": lambda: stumbling(thrower, dict.fromkeys(range(2, 9), answers_garbage)),
    "reports errors": lambda: stumbling(thrower, dict.fromkeys(range(2, 9), reports_an_error)),
    "resigns": lambda: stumbling(thrower, {5: resigns}),
    "hangs up and comes back": lambda: stumbling(thrower, {2: hangs_up(500.0), 3: hangs_up(2_000.0), 9: hangs_up(0.0)}),
    "hangs up for good": lambda: stumbling(thrower, {4: hangs_up()}),
}


@pytest.mark.parametrize("name", STUMBLES)
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_the_record_of_every_session_verifies(name: str, seats: int) -> None:
    others = [playing(collector, 3.0), playing(chaotic(1), 40.0), playing(thrower, 1_900.0)]
    players: list[Player] = [STUMBLES[name](), *(others[seat % 3] for seat in range(seats - 1))]
    result = Table(Session(game_spec(seats, seed=SEED)), players).run()
    assert result is not None
    verdict = verify_record(result.record, SEED)
    assert (verdict.problems, verdict.ok) == ((), True)
    assert verdict.record is not None
    assert verdict.record.footer.scores == result.scores
    assert verdict.record.digest == result.digest


def test_time_away_is_always_paid_for() -> None:
    """A bot that is away whenever a decision of its own opens, for nearly all the time it is told it has, spends its bank."""
    budgets = Budgets(100, 50, 200, 1_000_000)
    away = Adversary([("hangs up and answers", 0.99)], start_ms=0.0)
    table = Table(Session(game_spec(2, seed=SEED, budgets=budgets)), [playing(thrower), away], handover_ms=1.0)
    result = table.run()
    assert result is not None
    decisions = max(message.decision_id for _, message in table.heard if isinstance(message, DecisionRequest))
    assert table.now_ms - 1_000 <= budgets.bank_ms + decisions * (budgets.decision_ms + 2)
