"""Playing the record of a solitaire again, as `referee.record.replay` does for games at a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.record.conditions import GameScores
from referee.record.entries import ActionEntry, Cause, Entry, GameRecord, RetirementEntry
from referee.record.replay import ReplayError, check_header, check_whose_fault
from referee.rules.actions import IllegalAction, Retire
from referee.rules.solitaire import (
    PILES,
    SolitaireConfig,
    SolitaireEvent,
    SolitaireState,
    apply,
    default_action,
    new_solitaire,
)


@dataclass(frozen=True, slots=True)
class SolitaireReplayStep:
    """One entry and what it led to; the first step, without an entry, deals the piles."""

    entry: Entry | None
    before: SolitaireState | None
    after: SolitaireState
    events: tuple[SolitaireEvent, ...]


def replay_solitaire(record: GameRecord, seed: bytes) -> Iterator[SolitaireReplayStep]:
    """The solitaire of this record, step by step. Raises ReplayError at the first entry that does not follow."""
    check_header(record.header, seed)
    config = record.header.config
    if not isinstance(config, SolitaireConfig):
        raise ReplayError("this is a game at a table, not a solitaire")
    state, events = new_solitaire(config, seed)
    yield SolitaireReplayStep(None, None, state, events)
    for number, entry in enumerate(record.entries, start=1):
        before = state
        try:
            state, events = _step(before, entry)
        except (IllegalAction, ReplayError) as error:
            raise ReplayError(f"entry {number}: {error}") from error
        yield SolitaireReplayStep(entry, before, state, events)


def final_solitaire(record: GameRecord, seed: bytes) -> SolitaireState:
    """The last state. Raises ReplayError, also if the solitaire is not over or went on after its end."""
    for step in replay_solitaire(record, seed):
        state = step.after
    if not state.is_over:
        raise ReplayError(f"the solitaire stops at play {state.turn}: it is not over")
    return state


def scores_of_solitaire(state: SolitaireState) -> GameScores:
    """The final result of a solitaire that is over (RULES 23): alone at its table, so in the first place."""
    score = state.score
    return GameScores(
        totals=(PILES - score.piles_closed,),
        places=(1,),
        rounds=(),
        retired_in_round=(int(state.is_retired),),
        solitaire=score,
    )


def _step(before: SolitaireState, entry: Entry) -> tuple[SolitaireState, tuple[SolitaireEvent, ...]]:
    check_whose_fault(entry)
    if isinstance(entry, RetirementEntry):
        return apply(before, Retire((entry.seat,)))
    _check_cause(before, entry)
    return apply(before, entry.action)


def _check_cause(before: SolitaireState, entry: ActionEntry) -> None:
    """The referee plays for faulted decisions alone, the default; a retirement ends a solitaire."""
    if entry.seat != 0:
        raise ReplayError(f"seat {entry.seat} acts, but a solitaire has seat 0 alone")
    if entry.cause is Cause.RETIRED:
        raise ReplayError("a solitaire ends when its player is retired, nothing is played for it")
    if (entry.fault is not None) != (entry.cause is Cause.FAULT):
        raise ReplayError(f"cause {entry.cause.value} {'with' if entry.fault else 'without'} a fault")
    if entry.cause is Cause.FAULT and entry.action != default_action(before):
        raise ReplayError(f"the referee played {entry.action} instead of the default")
