"""A game as the journal of an earlier process left it (DESIGN 8)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.play.played import Played
from referee.play.rounds import RoundsGame
from referee.play.seat import Seat
from referee.play.solitaire import SolitaireGame
from referee.play.spec import GameSpec
from referee.record.conditions import Fault
from referee.record.entries import ActionEntry, RetirementEntry
from referee.record.game_record import RecordWriter, entries_in
from referee.record.journal_entries import Began, Moment
from referee.rules.solitaire import SolitaireConfig


def dealt(spec: GameSpec) -> Played:
    """What is to be played, before the first action."""
    if isinstance(spec.config, SolitaireConfig):
        return SolitaireGame(spec.config, spec.seed)
    return RoundsGame(spec.config, spec.seed, spec.attempt_id)


class GameLeft:
    """What a session needs to go on: the game, its seats with their clocks, its record so far."""

    def __init__(self, spec: GameSpec, writer: RecordWriter) -> None:
        self.played = dealt(spec)
        self.seats = [Seat.at(number, name, spec.budgets) for number, name in enumerate(spec.seats)]
        self.faults: list[Fault] = []
        self.writer = writer
        self.decisions = 0
        self.last_action_ms = 0.0
        """Since the game began."""
        self.has_begun = False

    def take(self, entries: Iterable[Began | Moment]) -> None:
        """Raises ValueError if the entries do not follow by the rules."""
        for entry in entries:
            if isinstance(entry, Began):
                self.has_begun = True
                self.played.begin()
            else:
                self._take_moment(entry)

    def _take_moment(self, moment: Moment) -> None:
        self.writer.add_written(moment.record)
        entries = entries_in(moment.record)
        retirements = [each.fault for each in entries if isinstance(each, RetirementEntry)]
        if retirements:
            self._take_retirements(retirements)
        for each in entries:
            if isinstance(each, ActionEntry):
                self._take_action(each)
        last = entries[-1]
        self.decisions = moment.decisions
        self.last_action_ms = float(last.at_ms)
        if moment.clock is not None:
            seat = self.seats[moment.clock.seat]
            seat.bank_ms, seat.thinking_left_ms = moment.clock.bank_ms, moment.clock.thinking_ms
            seat.latencies_ms.append(last.latency_ms if isinstance(last, ActionEntry) else 0)

    def _take_retirements(self, faults: list[Fault]) -> None:
        for fault in faults:
            self.seats[fault.seat].is_retired = True
        self.faults += faults
        self.played.try_retirement(tuple(fault.seat for fault in faults))
        self.played.take_effect()

    def _take_action(self, entry: ActionEntry) -> None:
        self.played.try_move(entry.action)
        self.played.take_effect()
        if entry.fault is not None:
            seat = self.seats[entry.seat]
            seat.faults += 1
            seat.last_fault = entry.fault
            self.faults.append(entry.fault)
