"""Players that follow a script, and a table with a clock of its own to seat them at.

A `Policy` answers a view with an action; a `Player` answers what the referee says with moves, each after a delay. Both are
deterministic: the same game comes out every time.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from referee.play.session import Session
from referee.play.spec import GameSpec, SessionResult
from referee.record.conditions import Budgets, SeatName
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    DecisionRequest,
    GameReady,
    GameStart,
    MalformedReply,
    RefereeMessage,
    Resign,
)
from referee.rules.actions import Action, Discard, Draw, Source
from referee.rules.cards import CARDS, Card, cards_text
from referee.rules.events import Event, RoundStarted
from referee.rules.layout import best_discards, best_points, going_out_discards
from referee.rules.state import GameConfig, GameState, Phase, apply, new_game
from referee.rules.views import SeatView, view_for

Policy = Callable[[SeatView], Draw | Discard]


# -- policies ----------------------------------------------------------------------------------------------------------


def thrower(view: SeatView) -> Draw | Discard:
    """Draws from the pile and throws the card just drawn."""
    if view.phase is Phase.DRAW:
        return Draw(Source.PILE)
    assert view.drawn is not None
    return Discard(view.drawn)


def taker(view: SeatView) -> Draw | Discard:
    """Takes every upcard and throws its dearest card; never goes out."""
    if view.phase is Phase.DRAW:
        return Draw(Source.DISCARD)
    return Discard(max(view.hand, key=lambda card: (card.points(view.wild_rank), card.code)))


def collector(view: SeatView) -> Draw | Discard:
    """Takes the upcard if that leaves fewer points, throws the dearest of the best discards, goes out when it can."""
    if view.phase is Phase.DISCARD:
        best = best_discards(view.hand, view.wild_rank)
        card = max(best.faces, key=lambda face: (face.points(view.wild_rank), face.code))
        return Discard(card, go_out=best.points == 0)
    upcard = view.upcard
    takes = upcard is not None and _points_with(view, upcard) < best_points(view.hand, view.wild_rank)
    return Draw(Source.DISCARD if takes else Source.PILE)


def _points_with(view: SeatView, upcard: Card) -> int:
    return best_discards((*view.hand, upcard), view.wild_rank).points


def chaotic(whim: int) -> Policy:
    """Any legal action, chosen by a hash of the view and the whim; goes out now and then."""

    def choose(view: SeatView) -> Draw | Discard:
        told = f"{whim} {view.seat} {view.game_round} {view.turn} {view.phase} {cards_text(view.hand)}"
        dice = hashlib.sha256(told.encode()).digest()
        if view.phase is Phase.DRAW:
            return Draw(Source.DISCARD if dice[0] % 3 == 0 and view.discard_pile else Source.PILE)
        outs = going_out_discards(view.hand, view.wild_rank)
        if outs and dice[1] % 2:
            return Discard(outs[dice[2] % len(outs)], go_out=True)
        return Discard(view.hand[dice[2] % len(view.hand)])

    return choose


# -- games by the rules alone ------------------------------------------------------------------------------------------


def game_steps(
    config: GameConfig, seed: bytes, *policies: Policy
) -> Iterator[tuple[GameState, Action | None, tuple[Event, ...]]]:
    """A whole game: (state, the action that led to it, what happened). The policies take turns at the seats."""
    state, events = new_game(config, seed)
    yield state, None, events
    while not state.is_over:
        action = policies[state.seat % len(policies)](view_for(state, state.seat))
        state, events = apply(state, action)
        yield state, action, events


def deals_of(config: GameConfig, seed: bytes, *policies: Policy) -> list[tuple[object, ...]]:
    """Each round as it was dealt: the event, hands, lanes and discard pile by card ids."""
    return [
        (event, state.hands, state.lanes, state.discard_pile)
        for state, _, events in game_steps(config, seed, *policies)
        for event in events
        if isinstance(event, RoundStarted)
    ]


# -- a session with a clock --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HangUp:
    """The bot's stream ends, and comes back after `away_ms`; None: never."""

    away_ms: float | None = None


Move = tuple[float, BotMessage | HangUp]
"""What a player does, and after how many milliseconds."""
Player = Callable[[RefereeMessage], Iterable[Move]]


def playing(policy: Policy, think_ms: float = 0.0) -> Player:
    """A bot that answers everything properly."""

    def hear(message: RefereeMessage) -> Iterable[Move]:
        match message:
            case GameStart():
                yield 0.0, GameReady(message.game_id)
            case DecisionRequest():
                yield think_ms, DecisionReply(message.game_id, message.decision_id, policy(message.view))

    return hear


Slip = Callable[[DecisionRequest], Iterable[Move]]
"""What a bot does instead of answering."""


def stumbling(policy: Policy, slips: Mapping[int, Slip]) -> Player:
    """A bot that answers properly, but for some of its decisions, counted from 1."""
    good, asked = playing(policy), count(1)

    def hear(message: RefereeMessage) -> Iterable[Move]:
        slip = slips.get(next(asked)) if isinstance(message, DecisionRequest) else None
        return good(message) if slip is None else slip(message)

    return hear


def stalls(_request: DecisionRequest) -> Iterable[Move]:
    return ()


def throws_what_it_does_not_hold(request: DecisionRequest) -> Iterable[Move]:
    """In answer to a draw it is a discard before the draw: as illegal."""
    missing = next(card for card in CARDS if card not in request.view.hand)
    yield 0.0, DecisionReply(request.game_id, request.decision_id, Discard(missing))


def answers_garbage(request: DecisionRequest) -> Iterable[Move]:
    yield 0.0, MalformedReply(request.game_id, request.decision_id, "no action", "decision {}")


def reports_an_error(request: DecisionRequest) -> Iterable[Move]:
    yield 0.0, BotError(request.game_id, request.decision_id, "division by zero")


def resigns(request: DecisionRequest) -> Iterable[Move]:
    yield 0.0, Resign(request.game_id)


def hangs_up(away_ms: float | None = None) -> Slip:
    def slip(_request: DecisionRequest) -> Iterable[Move]:
        yield 0.0, HangUp(away_ms)

    return slip


def silent(_message: RefereeMessage) -> Iterable[Move]:
    """A bot that is there and says nothing at all."""
    return ()


def game_spec(seats: int, *, seed: bytes, turn_cap: int = 3, playoff: bool = False, **changes: object) -> GameSpec:
    names = tuple(SeatName(f"bot{number}", "1") for number in range(seats))
    return GameSpec("attempt-1", GameConfig(seats, turn_cap, playoff), names, seed, **changes)


MAX_STEPS = 100_000
"""Far more than any game needs; players that do things in no time for ever are a mistake of the test."""


@dataclass
class Table:
    """A session, its players and a clock. `run` lets them play until the game is over."""

    session: Session
    players: Sequence[Player]
    now_ms: float = 1_000.0
    handover_ms: float = 0.0
    """How long a decision request waits before it leaves for the bot."""
    heard: list[tuple[int, RefereeMessage]] = field(default_factory=list)
    _due: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)
    _streams: list[int] = field(init=False)
    """Per seat: how many streams it has had; even numbers are gone."""

    def __post_init__(self) -> None:
        self._streams = [1] * len(self.players)

    def run(self) -> SessionResult | None:
        self.session.start(self.now_ms)
        self._deliver()
        for _ in range(MAX_STEPS):
            if self.session.is_over:
                break
            self._step()
            self._deliver()
        assert self.session.is_over, f"not over after {MAX_STEPS} steps, at {self.now_ms} ms"
        return self.session.result

    def _step(self) -> None:
        """What comes first: a player's move or the session's deadline. What arrives at the deadline is in time."""
        deadline = self.session.deadline_ms
        if self._due and (deadline is None or self._due[0][0] <= deadline):
            self.now_ms, _, call = heapq.heappop(self._due)
            call()
            return
        assert deadline is not None, "nobody will ever do anything, but the game is not over"
        self.now_ms = max(self.now_ms, deadline)
        self.session.expire(self.now_ms)

    def _deliver(self) -> None:
        for seat, message in self.session.take_outgoing():
            if self._streams[seat] % 2:
                wait_ms = self.handover_ms if isinstance(message, DecisionRequest) else 0.0
                self._later(wait_ms, seat, lambda seat=seat, message=message: self._hand_over(seat, message))

    def _hand_over(self, seat: int, message: RefereeMessage) -> None:
        self.heard.append((seat, message))
        if isinstance(message, DecisionRequest):
            self.session.handed_over(seat, self.now_ms)
        for delay_ms, move in self.players[seat](message):
            self._later(delay_ms, seat, lambda move=move: self._do(seat, move))

    def _later(self, delay_ms: float, seat: int, call: Callable[[], None]) -> None:
        """Unless the stream over which it comes is gone by then."""
        stream = self._streams[seat]

        def unless_gone() -> None:
            if self._streams[seat] == stream:
                call()

        heapq.heappush(self._due, (self.now_ms + delay_ms, next(self._numbers), unless_gone))

    def _do(self, seat: int, move: BotMessage | HangUp) -> None:
        if not isinstance(move, HangUp):
            self.session.receive(seat, move, self.now_ms)
            return
        self._streams[seat] += 1
        self.session.disconnect(seat)
        if move.away_ms is not None:
            self._later(move.away_ms, seat, lambda: self._come_back(seat))

    def _come_back(self, seat: int) -> None:
        self._streams[seat] += 1
        self.session.connect(seat, self.now_ms)


def played(*players: Player, seed: bytes, budgets: Budgets | None = None, **changes: object) -> SessionResult:
    """The result of a game between these players, seated in this order."""
    spec = game_spec(len(players), seed=seed, budgets=budgets or Budgets(), **changes)
    result = Table(Session(spec), players).run()
    assert result is not None
    return result
