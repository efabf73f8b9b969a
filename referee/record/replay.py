"""Playing a record again: every entry applied to the rules, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.record.conditions import GameScores, RoundScores
from referee.record.entries import ActionEntry, Cause, Entry, GameRecord, Header, RetirementEntry
from referee.rules.actions import Discard, Draw, IllegalAction, Retire
from referee.rules.events import Event, RoundEnded
from referee.rules.shuffle import SHUFFLE_VERSION, commitment
from referee.rules.solitaire import SolitaireConfig
from referee.rules.state import RULES_VERSION, GameState, apply, beaten_in_playoff, default_action, new_game, places


class ReplayError(ValueError):
    """The record does not follow from its seed by the rules; the message names the entry."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One entry and what it led to; the first step, without an entry, deals the first round."""

    entry: Entry | None
    before: GameState | None
    after: GameState
    events: tuple[Event, ...]


def replay(record: GameRecord, seed: bytes) -> Iterator[ReplayStep]:
    """The game of this record, step by step. Raises ReplayError at the first entry that does not follow."""
    config = record.header.config
    check_header(record.header, seed)
    if isinstance(config, SolitaireConfig):
        raise ReplayError("this is a solitaire, not a game at a table")
    state, events = new_game(config, seed)
    yield ReplayStep(None, None, state, events)
    number = 1
    for entries in _moments(record.entries):
        try:
            steps = _steps(state, entries)
        except (IllegalAction, ReplayError) as error:
            raise ReplayError(f"entry {number}: {error}") from error
        yield from steps
        number += len(entries)
        state = steps[-1].after


def _moments(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Each action by itself; retirements in a row with the same time happened at one moment."""
    moment: list[Entry] = []
    for entry in entries:
        if moment and not _are_one_moment(moment[-1], entry):
            yield moment
            moment = []
        moment.append(entry)
    if moment:
        yield moment


def _are_one_moment(entry: Entry, following: Entry) -> bool:
    both_retire = isinstance(entry, RetirementEntry) and isinstance(following, RetirementEntry)
    return both_retire and entry.at_ms == following.at_ms


def _steps(before: GameState, entries: Sequence[Entry]) -> list[ReplayStep]:
    for entry in entries:
        check_whose_fault(entry)
    *others, last = entries
    if isinstance(last, ActionEntry):
        _check_cause(before, last)
        if not isinstance(last.action, Draw | Discard):
            raise ReplayError(f"{last.action} is no action of a game at a table")
        after, events = apply(before, last.action)
        return [ReplayStep(last, before, after, events)]
    after, events = apply(before, Retire(tuple(entry.seat for entry in entries)))
    steps = [ReplayStep(entry, before, after, (event,)) for entry, event in zip(others, events, strict=False)]
    return [*steps, ReplayStep(last, before, after, events[len(others) :])]


def scores_of_game(state: GameState, round_ends: list[RoundEnded]) -> GameScores:
    """The final result of a game that is over (RULES 18-21)."""
    return GameScores(
        totals=state.totals,
        places=places(state.totals, state.retired_in_round, beaten_in_playoff(state)),
        rounds=tuple(map(round_scores, round_ends)),
        retired_in_round=state.retired_in_round,
    )


def round_scores(ended: RoundEnded) -> RoundScores:
    return RoundScores(ended.game_round, ended.scores, ended.went_out, ended.players)


def check_whose_fault(entry: Entry) -> None:
    """Raises ReplayError for a fault of another seat."""
    if entry.fault is not None and entry.fault.seat != entry.seat:
        raise ReplayError(f"seat {entry.seat} is said to be at fault for seat {entry.fault.seat}")


def check_header(header: Header, seed: bytes) -> None:
    """Raises ReplayError for versions that are not played here, and for another seed."""
    if header.rules_version != RULES_VERSION:
        raise ReplayError(f"rules version {header.rules_version} is not played here, only {RULES_VERSION}")
    if header.shuffle_version != SHUFFLE_VERSION:
        raise ReplayError(f"shuffle version {header.shuffle_version} is not known here, only {SHUFFLE_VERSION}")
    if commitment(seed) != header.commitment:
        raise ReplayError("the seed does not match the commitment")


def _check_cause(state: GameState, entry: ActionEntry) -> None:
    """The referee's own actions are the defaults of RULES 21, and only retired seats are played for without a fault."""
    if entry.seat != state.seat:
        raise ReplayError(f"seat {entry.seat} acts, but it is the turn of seat {state.seat}")
    is_retired = bool(state.retired_in_round[entry.seat]) if entry.seat < state.seats else False
    if is_retired != (entry.cause is Cause.RETIRED):
        raise ReplayError(
            f"seat {entry.seat} is {'' if is_retired else 'not '}retired, but the cause is {entry.cause.value}"
        )
    if (entry.fault is not None) != (entry.cause is Cause.FAULT):
        raise ReplayError(f"cause {entry.cause.value} {'with' if entry.fault else 'without'} a fault")
    if entry.cause is not Cause.BOT and entry.action != default_action(state):
        raise ReplayError(f"the referee played {entry.action} instead of the default")


def final_step(record: GameRecord, seed: bytes) -> tuple[GameState, list[RoundEnded]]:
    """The last state and every round's end. Raises ReplayError, also if the game is not over or went on after its end."""
    round_ends: list[RoundEnded] = []
    for step in replay(record, seed):
        state = step.after
        round_ends += [event for event in step.events if isinstance(event, RoundEnded)]
    if not state.is_over:
        raise ReplayError(f"the game stops in round {state.game_round}, turn {state.turn}: it is not over")
    return state, round_ends


def bot_actions(record: GameRecord) -> int:
    """How many decisions the bots made themselves."""
    return sum(isinstance(entry, ActionEntry) and entry.cause is Cause.BOT for entry in record.entries)
