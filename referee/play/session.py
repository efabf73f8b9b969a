"""One game between bots, from the first GameStart to the sealed record.

A session is driven by calls (`start`, `receive`, `connect`, `disconnect`, `handed_over`, `expire`, `pause`, `resume`, `cancel`),
each with the time in milliseconds of any clock that never runs backwards, and answers by putting messages for seats in its outbox
(`take_outgoing`). `deadline_ms` says when `expire` is due. It holds no socket, thread, task or timer.

What happens is written to the journal before it takes effect, so that `Session.restored` can go on from there in another process.
What is played, at a table or as a solitaire, is a `Played`: the session knows no rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from referee.play.played import Ask, Played, Told
from referee.play.restoring import GameLeft, dealt
from referee.play.seat import Seat
from referee.play.spec import GameSpec, SessionResult, SessionStatus
from referee.record.conditions import (
    FAULTS_UNTIL_RETIREMENT,
    MAX_REPLY_TEXT,
    Fault,
    FaultType,
)
from referee.record.entries import ActionEntry, Cause, Footer, Header, Move, RetirementEntry
from referee.record.game_record import RecordWriter, Sign
from referee.record.journal_entries import Began, Moment, SeatClock
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    GameEnd,
    GameEndReason,
    GameReady,
    GameStart,
    MalformedReply,
    RefereeMessage,
    Resign,
)
from referee.rules.actions import Discard, Draw, IllegalAction
from referee.rules.cards import cards_text
from referee.rules.shuffle import SHUFFLE_VERSION, commitment
from referee.rules.solitaire import Add, Refuse, SolitaireState
from referee.rules.state import RULES_VERSION, GameState


@dataclass(slots=True)
class _OpenDecision:
    seat: Seat
    decision_id: int
    opened_at_ms: float
    asked_at_ms: float
    """When the bot was last asked; later than opened if it was away."""
    allowance_ms: float
    """The longest it may take, bank included."""
    is_handed_over: bool = False
    was_asked_in_pause: bool = False
    """Then the bot was told its full time already."""


Journal = Callable[[Began | Moment], None]
"""Takes an entry before it takes effect: before any message that follows from it may leave. If it raises, the game cannot go on."""


class Session:
    """One game. Not thread-safe; every call happens in the order the driver makes it."""

    def __init__(self, spec: GameSpec, sign: Sign | None = None, journal: Journal | None = None) -> None:
        self.spec = spec
        self.header = header_of(spec)
        self.status = SessionStatus.STARTING
        self.is_paused = False
        """While the referee's side has failed no clock runs; what bots answer counts."""
        self.result: SessionResult | None = None
        self.deadline_ms: float | None = None
        """When `expire` is due; None while no clock runs."""
        self.last_action_ms = 0.0
        self._sign = sign
        self._journal = journal or _unwritten
        self._seats = [Seat.at(number, name, spec.budgets) for number, name in enumerate(spec.seats)]
        self.played: Played = dealt(spec)
        self._outgoing: list[tuple[int, RefereeMessage]] = []
        self._faults: list[Fault] = []
        self._open: _OpenDecision | None = None
        self._decisions = 0
        self._began_at_ms = 0.0
        """Times in the record count from here."""
        self._start_asked_at_ms = 0.0
        self._has_dealt = False
        self._ignored = 0
        self._writer = RecordWriter(self.header)

    @classmethod
    def restored(
        cls, spec: GameSpec, entries: Iterable[Began | Moment], sign: Sign | None = None, journal: Journal | None = None
    ) -> Session:
        """The game as it was after these entries, paused and with nobody connected; `reopen` makes it go on.

        Raises ValueError if the entries do not follow from the spec by the rules.
        """
        session = cls(spec, sign, journal)
        left = GameLeft(spec, session._writer)
        left.take(entries)
        for seat in left.seats:
            seat.is_connected = False
        session.played, session._seats, session._faults = left.played, left.seats, left.faults
        session._decisions, session.last_action_ms = left.decisions, left.last_action_ms
        session.is_paused = True
        if left.has_begun:
            session.status, session._has_dealt = SessionStatus.RUNNING, True
        return session

    # -- what the driver reads -----------------------------------------------------------------------------------------

    @property
    def state(self) -> GameState | SolitaireState:
        return self.played.state

    @property
    def is_over(self) -> bool:
        return self.status in (SessionStatus.FINISHED, SessionStatus.CANCELLED)

    @property
    def hands_sent(self) -> bool:
        """Whether some bot has seen cards."""
        return self._has_dealt

    @property
    def ignored_replies(self) -> int:
        """Replies to decisions that were not open."""
        return self._ignored

    @property
    def open_since_ms(self) -> float | None:
        """When the clock of the open decision began; None if none is open."""
        return self._open.opened_at_ms if self._open else None

    def take_outgoing(self) -> list[tuple[int, RefereeMessage]]:
        """The messages to send since the last call, as (seat, message), in order."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    # -- what the driver calls -----------------------------------------------------------------------------------------

    def start(self, now_ms: float) -> None:
        """Tells every bot that the game begins; the start budget runs from here."""
        self._began_at_ms = self._start_asked_at_ms = self.last_action_ms = now_ms
        self._retire_no_shows(now_ms)
        if self.is_over:
            return
        self.deadline_ms = now_ms + self.spec.budgets.start_ms
        for seat in self._unretired():
            self._send(seat, self._game_start(seat))

    def receive(self, seat_number: int, message: BotMessage, now_ms: float, lag_ms: float = 0.0) -> None:
        """A message of a seat's bot, arrived at `now_ms`. `lag_ms`: the referee's own worst delay meanwhile, never charged."""
        seat = self._seats[seat_number]
        if self.is_over or seat.is_retired:
            return
        match message:
            case GameReady():
                self._ready(seat, now_ms, lag_ms)
            case DecisionReply():
                self._reply(seat, message, now_ms, lag_ms)
            case MalformedReply():
                if self._is_open(seat, message.decision_id):
                    used_ms = self._close_decision(now_ms, lag_ms)
                    self._fault_decision(seat, FaultType.MALFORMED, message.problem, message.reply, used_ms, now_ms)
            case BotError():
                if self._is_open(seat, message.decision_id):
                    used_ms = self._close_decision(now_ms, lag_ms)
                    text = message.message[:MAX_REPLY_TEXT]
                    self._fault_decision(seat, FaultType.BOT_ERROR, f"the bot reports: {text}", "", used_ms, now_ms)
            case Resign():
                self._retire_now(seat, self._fault(seat, FaultType.RESIGN, "the bot resigned"), now_ms)

    def reopen(self, now_ms: float) -> None:
        """A restored game goes on where it was, still paused: seats that connect are asked, `resume` starts the clocks."""
        self._began_at_ms = now_ms - self.last_action_ms
        self._start_asked_at_ms = self.last_action_ms = now_ms
        if self.status is SessionStatus.RUNNING:
            self._advance(now_ms)
            return
        self._retire_no_shows(now_ms)
        self._begin_if_ready(now_ms)

    def pause(self) -> None:
        """The referee's side failed: no clock runs until `resume`, and the open decision gets its time back."""
        self.is_paused, self.deadline_ms = True, None
        if self._open is not None:
            self._open.was_asked_in_pause = False

    def resume(self, now_ms: float) -> None:
        """Clocks run again: the open decision is asked anew with its full time."""
        if self.is_over or not self.is_paused:
            return
        self.is_paused = False
        if self.status is SessionStatus.STARTING:
            self._start_asked_at_ms = now_ms
            self.deadline_ms = now_ms + self.spec.budgets.start_ms
        elif self._open is not None:
            self._put(self._open.seat, self._open.decision_id, now_ms, is_asked=self._open.was_asked_in_pause)

    def disconnect(self, seat_number: int) -> None:
        """The bot's stream is gone. Only the time of an open decision of its own goes on running."""
        self._seats[seat_number].is_connected = False

    def connect(self, seat_number: int, now_ms: float) -> None:
        """The bot is back: it is told the game again, and asked again what is open, with the time that is left."""
        seat = self._seats[seat_number]
        if self.is_over or seat.is_retired:
            return
        seat.is_connected = True
        self._send(seat, self._game_start(seat))
        self.played.forget_told(seat_number)
        if self._open and self._open.seat is seat:
            self._ask(self._open, now_ms)

    def handed_over(self, seat_number: int, now_ms: float) -> None:
        """The request left for the bot only now: waiting for a batch is never charged, being away is."""
        decision = self._open
        if (
            decision is None
            or decision.is_handed_over
            or decision.seat.number != seat_number
            or self.deadline_ms is None
        ):
            return
        decision.is_handed_over = True
        waited_ms = now_ms - decision.asked_at_ms
        self.deadline_ms += waited_ms
        decision.opened_at_ms += waited_ms

    def expire(self, now_ms: float, lag_ms: float = 0.0) -> None:
        """To be called at `deadline_ms` or later, after what has arrived was received. Does nothing before its time."""
        if self.is_over or self.deadline_ms is None or now_ms - lag_ms < self.deadline_ms:
            return
        if self.status is SessionStatus.STARTING:
            self._expire_start(now_ms, lag_ms)
        elif self._open is not None:
            self._expire_decision(self._open, now_ms, lag_ms)

    def cancel(self) -> None:
        """Calls the game off: it does not count, and its bots are told."""
        if self.is_over:
            return
        self.status, self.deadline_ms, self._open = SessionStatus.CANCELLED, None, None
        for seat in self._seats:
            self._send(seat, GameEnd(self.spec.attempt_id, GameEndReason.CANCELLED, None, b""))

    # -- start ---------------------------------------------------------------------------------------------------------

    def _retire_no_shows(self, now_ms: float) -> None:
        """Unless the journal of a restored game has them retired already."""
        absent = [seat for seat in self._seats if seat.number in self.spec.no_shows and not seat.is_retired]
        for seat in absent:
            seat.is_connected = False
        detail = "the bot was not connected when the match began"
        self._retire([self._fault(seat, FaultType.NO_SHOW, detail) for seat in absent], now_ms)

    def _ready(self, seat: Seat, now_ms: float, lag_ms: float) -> None:
        if self.status is not SessionStatus.STARTING:
            return
        if not self.is_paused and now_ms - lag_ms > self._start_asked_at_ms + self.spec.budgets.start_ms:
            self._expire_start(now_ms, lag_ms)
            return
        seat.is_ready = True
        self._begin_if_ready(now_ms)

    def _expire_start(self, now_ms: float, lag_ms: float) -> None:
        """Who is not ready is retired, all at one moment: with nobody ready no seat comes before another."""
        budget_ms, used_ms = self.spec.budgets.start_ms, now_ms - lag_ms - self._start_asked_at_ms
        detail = f"no GameReady within {budget_ms} ms"
        late = [seat for seat in self._unretired() if not seat.is_ready]
        faults = [
            self._fault(seat, FaultType.START_TIMEOUT, detail, budget_ms=budget_ms, used_ms=used_ms) for seat in late
        ]
        self._retire(faults, now_ms)
        self._begin_if_ready(now_ms)

    def _begin_if_ready(self, now_ms: float) -> None:
        if self.status is not SessionStatus.STARTING or not all(seat.is_ready for seat in self._unretired()):
            return
        self._journal(Began())
        self._begin()
        self._advance(now_ms)

    def _begin(self) -> None:
        self.status, self.deadline_ms, self._has_dealt = SessionStatus.RUNNING, None, True
        self._tell(self.played.begin())

    # -- decisions -----------------------------------------------------------------------------------------------------

    def _advance(self, now_ms: float) -> None:
        """Plays for retired seats until a bot has to decide or the game is over."""
        played = self.played
        while not played.is_over:
            seat = self._seats[played.seat]
            if not seat.is_retired:
                self._open_decision(seat, now_ms)
                return
            self._play(seat, played.default_move(), Cause.RETIRED, now_ms)
        self._finish(now_ms)

    def _open_decision(self, seat: Seat, now_ms: float) -> None:
        self._decisions += 1
        self._put(seat, self._decisions, now_ms)

    def _put(self, seat: Seat, decision_id: int, now_ms: float, *, is_asked: bool = False) -> None:
        """Puts a decision to a seat, with all the time it may have."""
        allowance_ms = seat.allowance_ms(self.spec.budgets.decision_ms)
        self._open = _OpenDecision(seat, decision_id, now_ms, now_ms, allowance_ms)
        self.deadline_ms = None if self.is_paused else now_ms + allowance_ms
        if seat.is_connected and not is_asked:
            self._ask(self._open, now_ms)

    def _ask(self, decision: _OpenDecision, now_ms: float) -> None:
        seat, decision_ms = decision.seat, self.spec.budgets.decision_ms
        decision.asked_at_ms, decision.was_asked_in_pause = now_ms, self.is_paused
        gone_ms = 0.0 if self.is_paused else now_ms - decision.opened_at_ms
        deadline_ms = max(0.0, min(decision_ms, decision.allowance_ms) - gone_ms)
        bank_ms = max(0.0, min(seat.bank_ms, decision.allowance_ms - gone_ms - deadline_ms))
        ask = Ask(
            game_id=self.spec.attempt_id,
            decision_id=decision.decision_id,
            deadline_ms=round(deadline_ms),
            bank_ms=round(bank_ms),
            last_latency_ms=seat.latencies_ms[-1] if seat.latencies_ms else 0,
            last_fault=seat.last_fault,
        )
        self._send(seat, self.played.request(seat.number, ask))

    def _is_open(self, seat: Seat, decision_id: int) -> bool:
        """Whether this seat may answer this decision now; a repeated or stale answer changes nothing."""
        is_open = self._open is not None and self._open.seat is seat and self._open.decision_id == decision_id
        self._ignored += not is_open
        return is_open

    def _reply(self, seat: Seat, reply: DecisionReply, now_ms: float, lag_ms: float) -> None:
        decision = self._open
        if not self._is_open(seat, reply.decision_id) or decision is None:
            return
        if self._used_ms(decision, now_ms, lag_ms) > decision.allowance_ms:
            self._expire_decision(decision, now_ms, lag_ms)
            return
        used_ms = self._close_decision(now_ms, lag_ms)
        if self._try_action(seat, reply.action, used_ms, now_ms) and reply.then_discard is not None:
            self._decisions += 1
            self._try_action(seat, reply.then_discard, None, now_ms)
        if not self.is_over and self._open is None:
            self._advance(now_ms)

    def _try_action(self, seat: Seat, action: Move, used_ms: float | None, now_ms: float) -> bool:
        """Plays what the bot chose; if the rules forbid it, the default is played and the game goes on from there."""
        try:
            self._play(seat, action, Cause.BOT, now_ms, used_ms)
        except IllegalAction as error:
            self._fault_decision(seat, FaultType.ILLEGAL, str(error), _action_text(action), used_ms, now_ms)
            return False
        return True

    def _close_decision(self, now_ms: float, lag_ms: float) -> float:
        """Stops the clock; answers and charges the time used."""
        decision = self._open
        assert decision is not None
        used_ms = self._used_ms(decision, now_ms, lag_ms)
        decision.seat.charge(used_ms, self.spec.budgets.decision_ms)
        self._open, self.deadline_ms = None, None
        return used_ms

    def _used_ms(self, decision: _OpenDecision, now_ms: float, lag_ms: float) -> float:
        return 0.0 if self.is_paused else max(0.0, now_ms - decision.opened_at_ms - lag_ms)

    def _expire_decision(self, decision: _OpenDecision, now_ms: float, lag_ms: float) -> None:
        seat, budget_ms = decision.seat, decision.allowance_ms
        thinking_ms, thought_ms = self.spec.budgets.thinking_ms, self.spec.budgets.thinking_ms - seat.thinking_left_ms
        thinking_used_up = budget_ms >= seat.thinking_left_ms
        used_ms = self._close_decision(now_ms, lag_ms)
        if not seat.is_connected:
            detail = f"the connection was lost and not back within {budget_ms:.0f} ms"
            self._retire_now(
                seat, self._fault(seat, FaultType.DISCONNECT, detail, budget_ms=budget_ms, used_ms=used_ms), now_ms
            )
        elif thinking_used_up:
            detail = f"the thinking time of {thinking_ms} ms for the game is used up"
            used_ms += thought_ms
            self._retire_now(
                seat,
                self._fault(seat, FaultType.THINKING_USED_UP, detail, budget_ms=thinking_ms, used_ms=used_ms),
                now_ms,
            )
        else:
            detail = f"no answer within {budget_ms:.0f} ms, took {used_ms:.0f} ms"
            self._fault_decision(seat, FaultType.MOVE_TIMEOUT, detail, "", used_ms, now_ms, budget_ms)

    def _play(
        self,
        seat: Seat,
        action: Move,
        cause: Cause,
        now_ms: float,
        used_ms: float | None = None,
        fault: Fault | None = None,
    ) -> None:
        """Applies an action, writes it down and tells what happened. Raises IllegalAction with nothing changed.

        `used_ms`: what the seat was charged for it; None for an action that was no decision of its own.
        """
        played = self.played
        played.try_move(action)
        at_ms = round(now_ms - self._began_at_ms)
        record = self._writer.add(ActionEntry(seat.number, action, cause, at_ms, round(used_ms or 0.0), fault))
        clock = None if used_ms is None else SeatClock(seat.number, seat.bank_ms, seat.thinking_left_ms)
        self._journal(Moment(record, self._decisions, clock))
        self.last_action_ms = now_ms
        self._tell(played.take_effect())

    def _tell(self, told: Sequence[Told]) -> None:
        for number, message in told:
            seat = self._seats[number]
            if not seat.is_retired:
                self._send(seat, message)

    # -- faults --------------------------------------------------------------------------------------------------------

    def _fault(
        self,
        seat: Seat,
        kind: FaultType,
        detail: str,
        *,
        reply: str = "",
        budget_ms: float = 0.0,
        used_ms: float = 0.0,
        retires: bool | None = None,
    ) -> Fault:
        return Fault(
            type=kind,
            seat=seat.number,
            game_round=self.played.game_round,
            turn=0 if self.status is SessionStatus.STARTING else self.played.turn,
            decision_id=self._decisions if self.played.seat == seat.number else 0,
            budget_ms=round(budget_ms),
            used_ms=round(used_ms),
            last_latencies_ms=tuple(seat.latencies_ms),
            detail=detail,
            reply=reply[:MAX_REPLY_TEXT],
            retires=kind.retires_at_once if retires is None else retires,
        )

    def _fault_decision(
        self,
        seat: Seat,
        kind: FaultType,
        detail: str,
        reply: str,
        used_ms: float | None,
        now_ms: float,
        budget_ms: float = 0.0,
    ) -> None:
        """This decision alone is replaced (RULES 21); the fifth time retires the seat."""
        seat.faults += 1
        retires = seat.faults >= FAULTS_UNTIL_RETIREMENT
        fault = self._fault(
            seat, kind, detail, reply=reply, budget_ms=budget_ms, used_ms=used_ms or 0.0, retires=retires
        )
        if retires:
            self._retire_now(seat, fault, now_ms)
            return
        seat.last_fault = fault
        self._faults.append(fault)
        self._play(seat, self.played.default_move(), Cause.FAULT, now_ms, used_ms, fault)
        self._advance(now_ms)

    def _retire_now(self, seat: Seat, fault: Fault, now_ms: float) -> None:
        """Retires a seat in a game under way and goes on without it."""
        if self._open is not None and self._open.seat is seat:
            self._open, self.deadline_ms = None, None
        self._retire([fault], now_ms)
        if self.is_over:
            return
        if self.status is SessionStatus.STARTING:
            self._begin_if_ready(now_ms)
        elif self._open is None:
            self._advance(now_ms)

    def _retire(self, faults: Sequence[Fault], now_ms: float) -> None:
        """Retires the seats of these faults, all at one moment."""
        if not faults:
            return
        at_ms = round(now_ms - self._began_at_ms)
        record = b"".join(self._writer.add(RetirementEntry(fault.seat, fault, at_ms)) for fault in faults)
        self._journal(Moment(record, self._decisions))
        for fault in faults:
            self._seats[fault.seat].is_retired = True
        self._faults += faults
        self.played.try_retirement(tuple(fault.seat for fault in faults))
        self._tell(self.played.take_effect())
        if self.played.is_over:
            self._finish(now_ms)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _finish(self, now_ms: float) -> None:
        scores = self.played.scores()
        footer = Footer(scores, round(now_ms - self._began_at_ms))
        record, digest = self._writer.finish(footer, self._sign)
        self.result = SessionResult(record, digest, scores, tuple(self._faults))
        self.status, self.deadline_ms, self._open = SessionStatus.FINISHED, None, None
        reason = GameEndReason.RETIREMENTS if self.played.was_cut_short else GameEndReason.FINISHED
        for seat in self._seats:
            self._send(seat, GameEnd(self.spec.attempt_id, reason, scores, digest))

    # -- messages ------------------------------------------------------------------------------------------------------

    def _unretired(self) -> list[Seat]:
        return [seat for seat in self._seats if not seat.is_retired]

    def _send(self, seat: Seat, message: RefereeMessage) -> None:
        if seat.is_connected:
            self._outgoing.append((seat.number, message))

    def _game_start(self, seat: Seat) -> GameStart:
        spec = self.spec
        return GameStart(
            spec.attempt_id,
            spec.config,
            spec.deal_mode,
            seat.number,
            self.header.commitment,
            spec.budgets,
            spec.page_url,
        )


def _action_text(action: Move) -> str:
    """`draw pile`, `discard Kh`, `discard Kh, go out with 3s 3h 3d | 5c 6c 7c`, `add to pile 7, discard Kh`, `refuse`."""
    match action:
        case Draw(source):
            return f"draw {source.value}"
        case Discard(card, go_out, melds):
            claim = ", go out" if go_out else ""
            return f"discard {card}{claim}" + (f" with {' | '.join(map(cards_text, melds))}" if melds else "")
        case Add(pile, discarded):
            return f"add to pile {pile}, discard {discarded}"
        case Refuse():
            return "refuse"


def header_of(spec: GameSpec) -> Header:
    return Header(
        attempt_id=spec.attempt_id,
        config=spec.config,
        deal_mode=spec.deal_mode,
        seats=spec.seats,
        commitment=commitment(spec.seed),
        budgets=spec.budgets,
        started_at_ms=spec.started_at_ms,
        rules_version=RULES_VERSION,
        shuffle_version=SHUFFLE_VERSION,
    )


def _unwritten(entry: Began | Moment) -> None:
    """Local play keeps no journal."""
