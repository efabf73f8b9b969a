"""Twin games: the same seed, the same bots, and cards exchanged that some seat has not seen.

In each game round of the second twin two cards have changed places. What a seat may know of a game is worked out here from the
whole state and the rules (`facts`), not from the session's views: as long as it is the same in both twins, every byte that the
seat is sent has to be the same too.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest

from fivecrowns.bot.v1 import bot_pb2
from referee.play import rounds
from referee.play.session import Session
from referee.play.spec import GameSpec
from referee.record import codec
from referee.record.messages import (
    BotError,
    DecisionReply,
    DecisionRequest,
    GameReady,
    GameStart,
    MalformedReply,
    RefereeMessage,
    Resign,
)
from referee.rules.actions import Action, Discard, Draw, Source
from referee.rules.cards import CARDS, Card, CardId, card_of_id, cards_of_ids, cards_text
from referee.rules.events import RoundStarted
from referee.rules.layout import going_out_discards
from referee.rules.state import GameConfig, GameState, Phase, Step, apply, new_game
from referee.rules.views import SeatView
from tests.support.scripted import HangUp, Move, Player, Table

Exchange = tuple[CardId, CardId]


# -- the exchange ------------------------------------------------------------------------------------------------------


def exchanged(step: Step, exchange: Exchange) -> Step:
    """What has just been dealt, with two cards in each other's place."""
    state, events = step
    places = dict(zip(exchange, reversed(exchange), strict=True))

    def moved(card_ids: Iterable[CardId]) -> tuple[CardId, ...]:
        return tuple(places.get(card_id, card_id) for card_id in card_ids)

    hands = tuple(
        tuple(sorted(moved(hand), key=lambda card_id: (card_of_id(card_id), card_id))) for hand in state.hands
    )
    told = tuple(
        replace(event, hands=tuple(map(cards_of_ids, hands))) if isinstance(event, RoundStarted) else event
        for event in events
    )
    return replace(state, hands=hands, lanes=tuple(map(moved, state.lanes))), told


Choose = Callable[[GameState], Exchange]
"""From a state just dealt."""


class Dealer:
    """Stands between sessions and rules: exchanges two cards of every deal, and keeps every state that came to pass."""

    def __init__(self) -> None:
        self.states: list[GameState] = []
        self.veils: dict[int, tuple[Card, ...]] = {}
        """Per game round: the faces of the two cards, whether they were exchanged or not."""
        self.shown: dict[int, int] = {}
        """In a second twin: the first step in which a seat may know of a difference."""
        self._twin: list[GameState] | None = None
        self._choose: Choose | None = None

    def begin(self, choose: Choose, twin: list[GameState] | None = None) -> None:
        """The next game. In the first twin two cards of every deal are chosen, but stay where they are; the second twin, told the
        states of the first, has them exchanged."""
        self.states, self.veils, self.shown, self._choose, self._twin = [], {}, {}, choose, twin

    def new_game(self, config: GameConfig, seed: bytes) -> Step:
        return self._kept(new_game(config, seed))

    def apply(self, state: GameState, action: Action) -> Step:
        return self._kept(apply(state, action))

    def _kept(self, step: Step) -> Step:
        state, events = step
        if any(isinstance(event, RoundStarted) for event in events):
            assert self._choose is not None
            exchange = self._choose(state)
            self.veils[state.game_round] = cards_of_ids(exchange)
            step = step if self._twin is None else exchanged(step, exchange)
        self.states.append(step[0])
        self._look()
        return step

    def _look(self) -> None:
        if self._twin is None:
            return
        state, number = self.states[-1], self.step
        for seat in range(state.seats):
            if seat not in self.shown and (
                number >= len(self._twin) or facts(state, seat) != facts(self._twin[number], seat)
            ):
                self.shown[seat] = number

    @property
    def step(self) -> int:
        """The number of the state that stands now."""
        return len(self.states) - 1

    @property
    def is_all_shown(self) -> bool:
        """Nothing that happens from here on can be compared."""
        return len(self.shown) == self.states[-1].seats


@contextmanager
def dealing() -> Iterator[Dealer]:
    """For the time of the block every session gets its cards from this dealer."""
    dealer = Dealer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "new_game", dealer.new_game)
        patch.setattr(rounds, "apply", dealer.apply)
        yield dealer


def facts(state: GameState, seat: int) -> tuple[object, ...]:
    """All that the rules let a seat know of a state: its own cards, what lies open, what is counted and scored (RULES 13-20)."""
    is_own = state.seat == seat
    return (
        state.game_round,
        state.turn,
        state.seat,
        state.phase,
        cards_of_ids(state.hands[seat]),
        cards_of_ids(state.discard_pile),
        sum(map(len, state.lanes)),
        tuple(map(len, state.hands)),
        card_of_id(state.drawn) if is_own and state.drawn is not None else None,
        state.drawn_from,
        state.went_out,
        None if state.went_out is None else cards_of_ids(state.hands[state.went_out]),
        state.reshuffles,
        state.round_scores,
        state.retired_in_round,
    )


# -- what a game leaves ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    step: int
    """Of the state in which it was sent."""
    at_ms: float
    message: RefereeMessage

    @property
    def wire(self) -> tuple[float, bytes]:
        """When it was sent, and what, but for the digest of the record, which holds what everybody did."""
        sent = codec.referee_message(self.message)
        if sent.WhichOneof("message") == "game_end":
            sent.game_end.record_digest = b""
        return self.at_ms, bot_pb2.PlayResponse(messages=[sent]).SerializeToString(deterministic=True)


@dataclass
class Course:
    """One game: its states, what each seat was sent, and what was logged."""

    states: list[GameState]
    shown: dict[int, int]
    frames: dict[int, list[Frame]]
    logged: list[tuple[int, str]]
    """By step."""


class WatchedSession(Session):
    """Notes what it is asked to send."""

    table: WatchedTable

    def take_outgoing(self) -> list[tuple[int, RefereeMessage]]:
        outgoing = super().take_outgoing()
        for seat, message in outgoing:
            self.table.note(seat, message)
        return outgoing


class WatchedTable(Table):
    """A second twin ends as soon as everybody may know of the exchange."""

    def __init__(self, dealer: Dealer, session: WatchedSession, players: Sequence[Player]) -> None:
        super().__init__(session, players, handover_ms=2.0)
        self.frames: dict[int, list[Frame]] = {seat: [] for seat in range(len(players))}
        self._dealer = dealer
        session.table = self

    def note(self, seat: int, message: RefereeMessage) -> None:
        self.frames[seat].append(Frame(self._dealer.step, self.now_ms, message))

    def _step(self) -> None:
        if self._dealer.is_all_shown:
            self.session.cancel()
        else:
            super()._step()


class StepLog(logging.Handler):
    """Every log line, with the step in which it was written."""

    def __init__(self, dealer: Dealer) -> None:
        super().__init__(logging.DEBUG)
        self.dealer = dealer
        self.lines: list[tuple[int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((self.dealer.step, f"{record.levelname} {record.name}: {self.format(record)}"))


@contextmanager
def logging_into(handler: StepLog, name: str = "") -> Iterator[StepLog]:
    """All loggers, or those below a name, at their most talkative."""
    root = logging.getLogger(name)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield handler
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def course_of(
    dealer: Dealer, spec: GameSpec, choose: Choose, players: Sequence[Player], twin: Course | None = None
) -> Course:
    dealer.begin(choose, None if twin is None else twin.states)
    with logging_into(StepLog(dealer)) as log:
        table = WatchedTable(dealer, WatchedSession(spec), players)
        table.run()
    return Course(dealer.states, dealer.shown, table.frames, log.lines)


# -- comparing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comparison:
    problems: tuple[str, ...]
    """What a seat was sent, or a log says, that differs while nothing the seat may know does."""
    compared: int
    """Frames that were sent while hidden cards differed."""


def compare(one: Course, other: Course) -> Comparison:
    """`other` is the second twin."""
    problems: list[str] = []
    common = min(len(one.states), len(other.states))
    differing = {step for step in range(common) if one.states[step] != other.states[step]}
    compared = 0
    for seat in one.frames:
        shows = other.shown.get(seat, common)
        sent, twin = ([frame for frame in course.frames[seat] if frame.step < shows] for course in (one, other))
        compared += sum(frame.step in differing for frame in sent)
        if [frame.wire for frame in sent] != [frame.wire for frame in twin]:
            problems.append(f"seat {seat}: {_first_difference(sent, twin)}")
    # As long as one seat may not know, nobody who reads a log may.
    latest = max(other.shown.get(seat, common) for seat in one.frames)
    said, twin_said = ([line for line in course.logged if line[0] < latest] for course in (one, other))
    if said != twin_said:
        problems.append(f"log: {sorted(set(said) ^ set(twin_said))}")
    return Comparison(tuple(problems), compared)


def _first_difference(sent: Sequence[Frame], twin: Sequence[Frame]) -> str:
    differing = [(frame, other) for frame, other in zip(sent, twin, strict=False) if frame.wire != other.wire]
    return " and ".join(map(str, differing[0])) if differing else f"{len(sent)} frames and {len(twin)}"


# -- bots that do everything -------------------------------------------------------------------------------------------


def dice(*parts: object) -> bytes:
    return hashlib.sha256("|".join(map(str, parts)).encode()).digest()


def choosing(whim: str) -> Choose:
    """Two cards of different faces, neither the upcard: of two lanes, the next to be drawn or deep ones, of a lane and a hand, or
    of two hands; often of one rank, so that a round is scored alike and the twins go on together."""

    def choose(state: GameState) -> Exchange:
        luck = dice(whim, "exchange", state.game_round)
        one = luck[0] % state.seats
        two = (one + 1 + luck[1] % (state.seats - 1)) % state.seats
        soon = state.lanes[one][-1 - luck[2] % min(3, len(state.lanes[one]))]
        deep = state.lanes[one][luck[3] % len(state.lanes[one])]
        held = state.hands[one][luck[4] % state.wild_rank]
        first = (deep, soon, held, deep)[luck[5] % 4]
        hidden = [*state.hands[two], *state.lanes[two]] if luck[6] % 4 == 0 else [*state.lanes[two]]
        others = [card_id for card_id in hidden if card_of_id(card_id) is not card_of_id(first)]
        alike = [card_id for card_id in others if card_of_id(card_id).rank == card_of_id(first).rank]
        candidates = alike if alike and luck[7] % 4 else others
        return first, candidates[luck[8] % len(candidates)]

    return choose


@dataclass
class Erratic:
    """A bot that does a bit of everything, and whose doings do not depend on the faces under its veil: so the twins of a game go
    the same way for as long as can be, with the exchanged cards in its hand or not."""

    whim: str
    dealer: Dealer
    """Knows the faces."""
    slips: int
    """One decision in so many goes wrong."""
    _slipped: set[int] = field(default_factory=set)

    def __call__(self, message: RefereeMessage) -> Iterator[Move]:
        if isinstance(message, GameStart):
            yield 1.0, GameReady(message.game_id)
        elif isinstance(message, DecisionRequest):
            yield from self._answer(message)

    def _answer(self, request: DecisionRequest) -> Iterator[Move]:
        view = request.view
        luck = dice(self.whim, view.seat, request.decision_id, cards_text(self._open_hand(view)))
        think_ms = luck[0] / 8
        if luck[1] % self.slips or request.decision_id in self._slipped:
            yield think_ms, self._reply(request, luck)
            return
        self._slipped.add(request.decision_id)
        yield from self._slip(request, luck, think_ms)

    def _slip(self, request: DecisionRequest, luck: bytes, think_ms: float) -> Iterator[Move]:
        game_id, decision_id, view = request.game_id, request.decision_id, request.view
        match luck[2] % 8:
            case 0 | 1:
                missing = next(card for card in CARDS if card not in view.hand and card not in self._veil(view))
                yield think_ms, DecisionReply(game_id, decision_id, Discard(missing, go_out=bool(luck[3] % 2)))
            case 2:
                yield think_ms, MalformedReply(game_id, decision_id, "no action", "decision {}")
            case 3:
                yield think_ms, BotError(game_id, decision_id, "division by zero")
            case 4:
                yield think_ms, HangUp(None if luck[3] < 16 else 50.0 + luck[3])
            case 5 if luck[3] < 16:
                yield think_ms, Resign(game_id)
            case 6:
                stale = DecisionReply(game_id, decision_id - 1, Draw(Source.PILE))
                yield think_ms, stale
                yield think_ms, self._reply(request, luck)
                yield think_ms + 1, self._reply(request, luck)
            case _:
                return  # the time runs out

    def _reply(self, request: DecisionRequest, luck: bytes) -> DecisionReply:
        view = request.view
        game_id, decision_id = request.game_id, request.decision_id
        if view.phase is Phase.DISCARD:
            return DecisionReply(game_id, decision_id, self._discard(view, luck))
        if luck[4] % 4:
            return DecisionReply(game_id, decision_id, Draw(Source.PILE))
        then = self._discard(view, luck) if luck[5] % 2 else None
        return DecisionReply(game_id, decision_id, Draw(Source.DISCARD), then)

    def _discard(self, view: SeatView, luck: bytes) -> Discard:
        hand = self._open_hand(view)
        if luck[6] % 16 == 0 or not hand:
            return Discard(view.hand[luck[7] % len(view.hand)])  # whatever it is
        if len(view.hand) == view.wild_rank + 1 <= 6 and luck[6] % 4 == 1:
            outs = going_out_discards(view.hand, view.wild_rank)
            if outs:
                return Discard(outs[0], go_out=True)
        return Discard(hand[luck[7] % len(hand)], go_out=luck[6] % 8 == 2)

    def _veil(self, view: SeatView) -> tuple[Card, ...]:
        return self.dealer.veils[view.game_round]

    def _open_hand(self, view: SeatView) -> tuple[Card, ...]:
        return tuple(card for card in view.hand if card not in self._veil(view))
