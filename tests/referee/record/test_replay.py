"""Replay equals the game as it was played."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.play.session import Session
from referee.record.conditions import Budgets, DealMode, Fault, FaultType, SeatName
from referee.record.entries import ActionEntry, Cause, Footer, Header, RetirementEntry
from referee.record.game_record import RecordWriter, read_record
from referee.record.messages import DecisionRequest
from referee.record.replay import ReplayError, bot_actions, final_step, replay, scores_of_game
from referee.rules.events import RoundEnded
from referee.rules.shuffle import SHUFFLE_VERSION, commitment
from referee.rules.state import RULES_VERSION, GameConfig
from referee.rules.views import view_for
from tests.referee.record.forge import SEED, whole_record
from tests.support.scripted import Table, chaotic, collector, game_spec, game_steps, playing, taker, thrower

SEEDS = st.binary(min_size=32, max_size=32)
CONFIGS = st.builds(GameConfig, st.integers(2, 7), st.integers(1, 3))
POLICIES = st.lists(st.sampled_from([chaotic(0), chaotic(1), collector, taker, thrower]), min_size=1, max_size=7)


@given(SEEDS, CONFIGS, POLICIES)
@settings(max_examples=20)
def test_replay_equals_live(seed: bytes, config: GameConfig, policies: list) -> None:
    """Every state and every event of a game played by the rules alone."""
    names = (SeatName("bot", "1"),) * config.seats
    writer = RecordWriter(
        Header(
            "attempt-1",
            config,
            DealMode.INDEPENDENT,
            names,
            commitment(seed),
            Budgets(),
            0,
            RULES_VERSION,
            SHUFFLE_VERSION,
        )
    )
    live = list(game_steps(config, seed, *policies))
    for (before, _, _), (_, action, _) in pairwise(live):
        assert action is not None
        writer.add(ActionEntry(before.seat, action, Cause.BOT, 0, 0))
    ends = [event for _, _, events in live for event in events if isinstance(event, RoundEnded)]
    scores = scores_of_game(live[-1][0], ends)
    record = read_record(writer.finish(Footer(scores, 0))[0])
    steps = list(replay(record, seed))
    assert [(step.after, step.events) for step in steps] == [(state, events) for state, _, events in live]
    assert [step.before for step in steps[1:]] == [state for state, _, _ in live[:-1]]
    assert final_step(record, seed) == (live[-1][0], ends)
    assert bot_actions(record) == len(live) - 1


@given(SEEDS, st.lists(st.sampled_from([chaotic(0), collector, thrower]), min_size=2, max_size=5))
@settings(max_examples=10)
def test_what_bots_saw_is_what_the_replay_shows(seed: bytes, policies: list) -> None:
    table = Table(Session(game_spec(len(policies), seed=seed, turn_cap=2)), [playing(policy) for policy in policies])
    result = table.run()
    assert result is not None
    record = read_record(result.record)
    shown = [
        view_for(step.before, step.before.seat)
        for step in replay(record, seed)
        if step.before is not None and not step.before.is_over
    ]
    told = [message.view for _, message in table.heard if isinstance(message, DecisionRequest)]
    assert [(view.seat, view.hand, view.discard_pile, view.totals) for view in told] == [
        (view.seat, view.hand, view.discard_pile, view.totals) for view in shown
    ]
    assert final_step(record, seed)[0] == table.session.state


def test_the_first_step_deals() -> None:
    first, second, *_ = replay(read_record(whole_record()), SEED)
    assert (first.entry, first.before) == (None, None)
    assert second.before == first.after


def test_each_entry_has_its_step() -> None:
    record = read_record(whole_record())
    assert tuple(step.entry for step in replay(record, SEED))[1:] == record.entries


def test_a_replay_needs_the_seed_of_the_game() -> None:
    with pytest.raises(ReplayError, match="commitment"):
        list(replay(read_record(whole_record()), bytes(32)))


def retirement(seat: int, at_ms: int) -> RetirementEntry:
    fault = Fault(FaultType.START_TIMEOUT, seat, 1, 0, 0, 300, 300, (), "no GameReady within 300 ms", retires=True)
    return RetirementEntry(seat, fault, at_ms)


def starts_with(*retirements: RetirementEntry) -> bytes:
    header = Header(
        "attempt-1",
        GameConfig(3),
        DealMode.INDEPENDENT,
        (SeatName("bot", "1"),) * 3,
        commitment(SEED),
        Budgets(),
        0,
        RULES_VERSION,
        SHUFFLE_VERSION,
    )
    writer = RecordWriter(header)
    for entry in retirements:
        writer.add(entry)
    return writer.finish(Footer(scores_of_game(next(game_steps(GameConfig(3), SEED, thrower))[0], []), 300))[0]


def test_seats_that_retired_at_one_moment_are_replayed_as_one() -> None:
    """RULES 21: all three share the place; by themselves the first two would have ended the game."""
    record = read_record(starts_with(*(retirement(seat, 300) for seat in range(3))))
    _, *steps = replay(record, SEED)
    assert [len(step.events) for step in steps] == [1, 1, 2]
    assert {step.after.retired_in_round for step in steps} == {(1, 1, 1)}


def test_nobody_retires_after_the_end() -> None:
    record = read_record(starts_with(retirement(0, 300), retirement(1, 300), retirement(2, 301)))
    with pytest.raises(ReplayError, match="entry 3: the game is over"):
        list(replay(record, SEED))
