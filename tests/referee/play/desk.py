"""A session with a clock in the test's hand: nothing happens unless the test says so."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from referee.play.session import Session
from referee.play.spec import SessionResult
from referee.record.conditions import Budgets, Fault
from referee.record.journal_entries import Began, Moment
from referee.record.messages import BotMessage, DecisionReply, DecisionRequest, GameReady, RefereeMessage
from referee.record.verify import verify_record
from referee.rules.actions import Discard, Draw, Source
from referee.rules.state import Phase
from tests.support.scripted import game_spec, thrower

BUDGETS = Budgets(start_ms=3_000, decision_ms=1_000, bank_ms=5_000, thinking_ms=20_000)
SEED = bytes(reversed(range(32)))
BEGIN_MS = 50_000.0

PILE, UP = Draw(Source.PILE), Draw(Source.DISCARD)

_Kind = TypeVar("_Kind", bound=RefereeMessage)


class Desk:
    """Seat 1 starts the first round (RULES 12), so the first decision is its own."""

    def __init__(
        self,
        seats: int = 2,
        *,
        ready: Collection[int] | None = None,
        budgets: Budgets = BUDGETS,
        turn_cap: int = 3,
        no_shows: Collection[int] = (),
    ) -> None:
        spec = game_spec(seats, seed=SEED, turn_cap=turn_cap, budgets=budgets, no_shows=frozenset(no_shows))
        self.journal: list[Began | Moment] = []
        self.session = Session(spec, journal=self.journal.append)
        self.now_ms = BEGIN_MS
        self.sent: list[tuple[int, RefereeMessage]] = []
        self.session.start(self.now_ms)
        self._collect()
        for seat in range(seats) if ready is None else ready:
            if seat not in no_shows:
                self.say(GameReady(spec.attempt_id), seat)

    # -- what the session said -----------------------------------------------------------------------------------------

    def _collect(self) -> None:
        self.sent += self.session.take_outgoing()

    def messages(self, kind: type[_Kind], seat: int | None = None) -> list[_Kind]:
        return [message for to, message in self.sent if isinstance(message, kind) and seat in (None, to)]

    @property
    def seat(self) -> int:
        """Whom the last decision was asked of."""
        return [to for to, message in self.sent if isinstance(message, DecisionRequest)][-1]

    @property
    def request(self) -> DecisionRequest:
        return self.messages(DecisionRequest)[-1]

    def request_of(self, seat: int) -> DecisionRequest:
        return self.messages(DecisionRequest, seat)[-1]

    # -- what the test does --------------------------------------------------------------------------------------------

    def wait(self, ms: float) -> Desk:
        self.now_ms += ms
        return self

    def expire(self, lag_ms: float = 0.0) -> Desk:
        self.session.expire(self.now_ms, lag_ms)
        self._collect()
        return self

    def say(self, message: BotMessage, seat: int | None = None, lag_ms: float = 0.0) -> Desk:
        self.session.receive(self.seat if seat is None else seat, message, self.now_ms, lag_ms)
        self._collect()
        return self

    def answer(self, action: Draw | Discard | None = None, then: Discard | None = None, lag_ms: float = 0.0) -> Desk:
        """The open decision, if not said otherwise as a thrower would."""
        request = self.request
        reply = DecisionReply(request.game_id, request.decision_id, action or thrower(request.view), then)
        return self.say(reply, lag_ms=lag_ms)

    def answer_until(self, seat: int, phase: Phase = Phase.DRAW) -> Desk:
        """Everybody throws, in no time, until this decision is open."""
        while (self.seat, self.request.view.phase) != (seat, phase):
            self.answer()
        return self

    def hand_over(self, seat: int | None = None) -> Desk:
        self.session.handed_over(self.seat if seat is None else seat, self.now_ms)
        return self

    def disconnect(self, seat: int) -> Desk:
        self.session.disconnect(seat)
        self._collect()
        return self

    def connect(self, seat: int) -> Desk:
        self.session.connect(seat, self.now_ms)
        self._collect()
        return self

    def pause(self) -> Desk:
        self.session.pause()
        return self

    def resume(self) -> Desk:
        self.session.resume(self.now_ms)
        self._collect()
        return self

    def restart(self, entries: int | None = None) -> Desk:
        """Another process takes over what the journal holds, or so many of its first entries; nobody is connected yet."""
        self.journal = self.journal[:entries]
        self.session = Session.restored(self.session.spec, list(self.journal), journal=self.journal.append)
        self.sent.clear()
        return self

    def reopen(self) -> Desk:
        self.session.reopen(self.now_ms)
        self._collect()
        return self

    def cancel(self) -> Desk:
        self.session.cancel()
        self._collect()
        return self

    def finish(self) -> SessionResult:
        """Everybody throws until the end; what is asked of nobody expires. The record verifies, whatever came before."""
        while not self.session.is_over:
            before = len(self.sent)
            self.answer()
            if len(self.sent) == before:
                deadline = self.session.deadline_ms
                assert deadline is not None
                self.now_ms = max(self.now_ms, deadline)
                self.expire()
        result = self.session.result
        assert result is not None
        assert verify_record(result.record, SEED).problems == ()
        return result


def kinds(faults: Sequence[Fault]) -> list[str]:
    return [fault.type.value for fault in faults]
