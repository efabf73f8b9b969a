"""One player's session of a solitaire, with a clock in the test's hand."""

from __future__ import annotations

from referee.play.session import Session
from referee.play.spec import GameSpec, SessionResult
from referee.record.conditions import Budgets, SeatName
from referee.record.journal_entries import Began, Moment
from referee.record.messages import BotMessage, DecisionReply, GameReady, RefereeMessage, SolitaireRequest
from referee.record.verify import verify_record
from referee.rules.actions import Discard, Draw
from referee.rules.solitaire import Add, Refuse, SolitaireConfig, Variant
from tests.referee.play.desk import BUDGETS
from tests.support.solitaire import SEED, Policy, careful


class Player:
    def __init__(
        self,
        policy: Policy = careful,
        *,
        variant: Variant = Variant.STANDARD,
        budgets: Budgets = BUDGETS,
        no_shows: frozenset[int] = frozenset(),
        is_ready: bool = True,
        seed: bytes = SEED,
    ) -> None:
        name = (SeatName("alone", "1"),)
        self.spec = GameSpec("attempt-1", SolitaireConfig(variant), name, seed, budgets, no_shows=no_shows)
        self.policy = policy
        self.journal: list[Began | Moment] = []
        self.session = Session(self.spec, journal=self.journal.append)
        self.now_ms = 50_000.0
        self.sent: list[RefereeMessage] = []
        self.session.start(self.now_ms)
        self._collect()
        if is_ready and not no_shows:
            self.say(GameReady("attempt-1"))

    def _collect(self) -> Player:
        self.sent += [message for _, message in self.session.take_outgoing()]
        return self

    @property
    def requests(self) -> list[SolitaireRequest]:
        return [message for message in self.sent if isinstance(message, SolitaireRequest)]

    @property
    def request(self) -> SolitaireRequest:
        return self.requests[-1]

    def say(self, message: BotMessage) -> Player:
        self.session.receive(0, message, self.now_ms)
        return self._collect()

    def answer(self, action: Add | Refuse | Draw | Discard | None = None) -> Player:
        request = self.request
        return self.say(DecisionReply("attempt-1", request.decision_id, action or self.policy(request.view)))

    def wait(self, ms: float) -> Player:
        self.now_ms += ms
        return self

    def expire(self) -> Player:
        self.session.expire(self.now_ms)
        return self._collect()

    def restart(self, entries: int | None = None) -> Player:
        """Another process goes on from so many entries of the journal, and the bot is back at once."""
        self.journal = self.journal[:entries]
        self.session = Session.restored(self.spec, list(self.journal), journal=self.journal.append)
        self.sent.clear()
        self.session.reopen(self.now_ms)
        self.session.connect(0, self.now_ms)
        self.session.resume(self.now_ms)
        return self._collect()

    def finish(self) -> SessionResult:
        while not self.session.is_over:
            self.answer()
        result = self.session.result
        assert result is not None
        assert verify_record(result.record, self.spec.seed).problems == ()
        return result
