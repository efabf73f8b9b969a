"""The games of this process: started by the site, fed by connections, timed by one timer each, finished into the result store.

There is no task per game: a message or a timer calls the session, and what the session has to say goes into outboxes.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.play.session import Session
from referee.play.spec import GameSpec, SessionStatus
from referee.record import codec
from referee.record.conditions import SeatName
from referee.record.game_record import Sign
from referee.record.messages import DecisionRequest
from referee.rpc.connection import BotKey, Connection
from referee.rpc.lag import LagMeter
from referee.rpc.lobby import Lobby
from referee.rpc.results import ResultStore

log = logging.getLogger(__name__)

_ATTEMPT_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_READER_GRACE_S = 0.005
"""An expired timer lets the streams' readers run before it bites."""
_CANCELLED_KEPT = 10_000
_ENDINGS_KEPT = 10_000
"""For watchers: more than end within one of their intervals."""

_STATUS = {
    SessionStatus.STARTING: referee_pb2.GAME_STATUS_STARTING,
    SessionStatus.RUNNING: referee_pb2.GAME_STATUS_RUNNING,
    # Until it is on disk a finished game is not offered, so it still counts as running.
    SessionStatus.FINISHED: referee_pb2.GAME_STATUS_RUNNING,
    SessionStatus.CANCELLED: referee_pb2.GAME_STATUS_CANCELLED,
}


class GameRefused(Exception):
    """A game that is not started; nothing was sent to any bot."""

    def __init__(self, reason: referee_pb2.RefusedReason, message: str, bot_ids: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.bot_ids = tuple(bot_ids)


@dataclass(slots=True, eq=False)
class Game:
    session: Session
    keys: tuple[BotKey, ...]
    """Who sits where; empty strings for a seat nobody came to."""
    timer: asyncio.TimerHandle | None = None
    version: int = 0
    """Grows with every change, for those who watch."""
    connections: dict[int, Connection] = field(default_factory=dict)

    @property
    def attempt_id(self) -> str:
        return self.session.spec.attempt_id


@dataclass(slots=True)
class Watch:
    """What one watcher has been told."""

    wanted: frozenset[str]
    """Attempts; empty for all."""
    endings_seen: int
    """How many games had ended by then."""
    seen: dict[str, int] = field(default_factory=dict)
    """Attempt -> version of the state told last."""

    def wants(self, attempt_id: str) -> bool:
        return not self.wanted or attempt_id in self.wanted


class Games:
    def __init__(self, lobby: Lobby, results: ResultStore, lag: LagMeter, sign: Sign) -> None:
        self._lobby = lobby
        self._results = results
        self._lag = lag
        self._sign = sign
        self._games: dict[str, Game] = {}
        self._by_bot: dict[BotKey, dict[Game, int]] = {}
        self._cancelled: dict[str, None] = {}
        self._ended = 0
        """How many games have ended here."""
        self._endings: deque[str] = deque(maxlen=_ENDINGS_KEPT)
        self._storing: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self.is_draining = False

    def __len__(self) -> int:
        return len(self._games)

    def in_flight(self, key: BotKey) -> int:
        return len(self._by_bot.get(key, ()))

    # -- what the site asks --------------------------------------------------------------------------------------------

    def start(self, spec: referee_pb2.GameSpec) -> referee_pb2.GameState:
        """Starts a game, or attaches to the attempt if it is known: an attempt is played once."""
        known = self.state(spec.attempt_id)
        if known.status != referee_pb2.GAME_STATUS_UNKNOWN:
            return known
        try:
            game = self._seated(spec)
        except GameRefused as refused:
            return referee_pb2.GameState(
                attempt_id=spec.attempt_id,
                status=referee_pb2.GAME_STATUS_REFUSED,
                refused_reason=refused.reason,
                message=str(refused),
                bot_ids=refused.bot_ids,
            )
        self._games[game.attempt_id] = game
        for seat, connection in game.connections.items():
            self._by_bot.setdefault(connection.key, {})[game] = seat
        self._run(game, lambda: game.session.start(self._now_ms()))
        return self.state(spec.attempt_id)

    def state(self, attempt_id: str) -> referee_pb2.GameState:
        game = self._games.get(attempt_id)
        if game is not None:
            return self._state_of(game)
        result = self._results.get(attempt_id)
        if result is not None:
            return referee_pb2.GameState(attempt_id=attempt_id, status=result.status, totals=result.scores.totals)
        if self._results.was_collected(attempt_id):
            return referee_pb2.GameState(
                attempt_id=attempt_id, status=referee_pb2.GAME_STATUS_FINISHED, message="collected already"
            )
        if attempt_id in self._cancelled:
            return referee_pb2.GameState(attempt_id=attempt_id, status=referee_pb2.GAME_STATUS_CANCELLED)
        return referee_pb2.GameState(attempt_id=attempt_id, status=referee_pb2.GAME_STATUS_UNKNOWN)

    def cancel(self, attempt_id: str) -> referee_pb2.GameState:
        """Calls a game off. One never heard of is noted, so that a late start plays nothing."""
        game = self._games.get(attempt_id)
        if game is not None:
            self._run(game, game.session.cancel)
        elif self.state(attempt_id).status == referee_pb2.GAME_STATUS_UNKNOWN:
            self._note_cancelled(attempt_id)
        return self.state(attempt_id)

    def changes(self, watch: Watch) -> list[referee_pb2.GameState]:
        """States of the watched games that changed since this watch was last asked, the ended ones too."""
        changed = []
        for attempt_id, game in self._games.items():
            if watch.wants(attempt_id) and watch.seen.get(attempt_id) != game.version:
                watch.seen[attempt_id] = game.version
                changed.append(self._state_of(game))
        ended, watch.endings_seen = self._endings_after(watch.endings_seen), self._ended
        for attempt_id in filter(watch.wants, ended):
            watch.seen.pop(attempt_id, None)
            changed.append(self.state(attempt_id))
        return changed

    def watch(self, attempt_ids: Iterable[str]) -> tuple[Watch, list[referee_pb2.GameState]]:
        """A watch on these games, on all for none, and how those named stand now."""
        wanted = frozenset(attempt_ids)
        watch = Watch(wanted, endings_seen=self._ended)
        return watch, [self.state(attempt_id) for attempt_id in sorted(wanted) if attempt_id not in self._games]

    def _endings_after(self, count: int) -> list[str]:
        """The latest games to end, those after the first `count`, as far as they are remembered."""
        new = min(self._ended - count, len(self._endings))
        return list(self._endings)[len(self._endings) - new :]

    # -- what connections bring ----------------------------------------------------------------------------------------

    def attach(self, connection: Connection) -> None:
        """A bot is there (again): its games go on."""
        for game, seat in list(self._by_bot.get(connection.key, {}).items()):
            game.connections[seat] = connection
            self._run(game, partial(game.session.connect, seat, self._now_ms()))

    def detach(self, connection: Connection) -> None:
        for game, seat in list(self._by_bot.get(connection.key, {}).items()):
            game.connections.pop(seat, None)
            self._run(game, partial(game.session.disconnect, seat))

    def receive(self, connection: Connection, message: bot_pb2.BotMessage, arrived_ms: float) -> bool:
        """A message about a game; False if it answers nothing that is open to this bot."""
        try:
            heard = codec.bot_message_of(message)
        except codec.CodecError:
            return False
        game = self._games.get(heard.game_id)
        seat = None if game is None else self._by_bot.get(connection.key, {}).get(game)
        if game is None or seat is None:
            return False
        ignored = game.session.ignored_replies
        lag_ms = self._lag.worst_since_ms(game.session.open_since_ms or arrived_ms)
        self._run(game, lambda: game.session.receive(seat, heard, arrived_ms, lag_ms))
        return game.session.ignored_replies == ignored

    async def settle(self) -> None:
        """Waits until every finished game is on disk."""
        await asyncio.gather(*self._storing)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _now_ms(self) -> float:
        return self._loop.time() * 1000

    def _seated(self, spec: referee_pb2.GameSpec) -> Game:
        if self.is_draining:
            raise GameRefused(referee_pb2.REFUSED_REASON_DRAINING, "this referee is shutting down")
        connections = self._find_bots(spec)
        session = Session(_domain_spec(spec, connections), self._sign)
        keys = tuple(connections[seat].key if seat in connections else ("", "") for seat in range(len(spec.seats)))
        return Game(session, keys, connections=connections)

    def _find_bots(self, spec: referee_pb2.GameSpec) -> dict[int, Connection]:
        """The connection of each seat that is to be played by its bot."""
        found: dict[int, Connection] = {}
        absent: list[str] = []
        wrong_version: list[str] = []
        busy: list[str] = []
        for number, seat in enumerate(spec.seats):
            if seat.no_show:
                continue
            connection = self._lobby.find(seat.bot_id, seat.bot_version)
            if connection is None or connection.is_closing or connection.admission.generation < seat.min_generation:
                (wrong_version if self._lobby.is_present(seat.bot_id) else absent).append(seat.bot_id)
            elif self.in_flight(connection.key) >= connection.admission.max_games:
                busy.append(seat.bot_id)
            else:
                found[number] = connection
        if absent:
            raise GameRefused(
                referee_pb2.REFUSED_REASON_BOT_NOT_CONNECTED, f"not connected: {', '.join(absent)}", absent
            )
        if wrong_version:
            raise GameRefused(
                referee_pb2.REFUSED_REASON_WRONG_VERSION,
                f"another version is connected: {', '.join(wrong_version)}",
                wrong_version,
            )
        if busy:
            raise GameRefused(referee_pb2.REFUSED_REASON_BOT_BUSY, f"busy: {', '.join(busy)}", busy)
        if len({connection.key for connection in found.values()}) < len(found):
            raise GameRefused(referee_pb2.REFUSED_REASON_BAD_SPEC, "the same bot and version sits at two seats")
        return found

    def _run(self, game: Game, call: Callable[[], None]) -> None:
        """Lets the session work, then delivers what it has to say and sets its timer."""
        session = game.session
        if session.is_over:
            return
        try:
            call()
        except Exception:
            # A broken invariant is ours: nobody pays, and it is not hidden.
            log.exception("game %s aborted", game.attempt_id)
            session.cancel()
            self._deliver(game)
            self._end(game, _aborted(game.attempt_id))
            return
        game.version += 1
        self._deliver(game)
        if session.status is SessionStatus.FINISHED:
            self._end(game, _finished(session))
        elif session.status is SessionStatus.CANCELLED:
            self._forget(game)
            self._note_cancelled(game.attempt_id)
        else:
            self._arm(game)

    def _deliver(self, game: Game) -> None:
        for seat, message in game.session.take_outgoing():
            connection = game.connections.get(seat)
            if connection is None:
                continue
            on_handover = partial(game.session.handed_over, seat) if isinstance(message, DecisionRequest) else None
            connection.send(codec.referee_message(message), on_handover)

    def _arm(self, game: Game) -> None:
        """Timers are lazy: one that rings too early is set again, so a decision costs no timer of its own."""
        due_ms = game.session.deadline_ms
        if due_ms is None:
            return
        due = due_ms / 1000
        if game.timer is not None and game.timer.when() <= due:
            return
        if game.timer is not None:
            game.timer.cancel()
        game.timer = self._loop.call_at(due, self._ring, game)

    def _ring(self, game: Game) -> None:
        game.timer = None
        due_ms = game.session.deadline_ms
        if game.session.is_over or due_ms is None:
            return
        if self._now_ms() < due_ms:
            self._arm(game)
            return
        game.timer = self._loop.call_later(_READER_GRACE_S, self._expire, game)

    def _expire(self, game: Game) -> None:
        game.timer = None
        now_ms = self._now_ms()
        lag_ms = self._lag.worst_since_ms(game.session.open_since_ms or now_ms)
        self._run(game, lambda: game.session.expire(now_ms, lag_ms))

    def _end(self, game: Game, result: referee_pb2.GameResult) -> None:
        task = self._loop.create_task(self._store(game, result))
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def _store(self, game: Game, result: referee_pb2.GameResult) -> None:
        await self._results.add(result)
        self._forget(game)

    def _forget(self, game: Game) -> None:
        self._games.pop(game.attempt_id, None)
        self._ended += 1
        self._endings.append(game.attempt_id)
        if game.timer is not None:
            game.timer.cancel()
            game.timer = None
        for key in game.keys:
            games = self._by_bot.get(key)
            if games is not None:
                games.pop(game, None)
                if not games:
                    del self._by_bot[key]

    def _note_cancelled(self, attempt_id: str) -> None:
        self._cancelled[attempt_id] = None
        while len(self._cancelled) > _CANCELLED_KEPT:
            del self._cancelled[next(iter(self._cancelled))]

    def _state_of(self, game: Game) -> referee_pb2.GameState:
        session = game.session
        return referee_pb2.GameState(
            attempt_id=game.attempt_id,
            status=_STATUS[session.status],
            game_round=session.state.game_round,
            turn=session.state.turn,
            totals=session.state.totals,
            idle_ms=max(0, round(self._now_ms() - session.last_action_ms)),
        )


def _domain_spec(spec: referee_pb2.GameSpec, connections: dict[int, Connection]) -> GameSpec:
    """Raises GameRefused for a specification no game can be played by."""
    if not _ATTEMPT_ID.fullmatch(spec.attempt_id):
        raise GameRefused(
            referee_pb2.REFUSED_REASON_BAD_SPEC,
            f"attempt id {spec.attempt_id[:70]!r}: give 8 to 64 letters, digits, - or _",
        )
    try:
        config, deal_mode = codec.config_of(spec.config)
        budgets = codec.budgets_of(spec.budgets)
        return GameSpec(
            attempt_id=spec.attempt_id,
            config=config,
            seats=tuple(_seat_name(seat, connections.get(number)) for number, seat in enumerate(spec.seats)),
            seed=_seed(spec.seed),
            budgets=budgets,
            deal_mode=deal_mode,
            page_url=spec.page_url,
            no_shows=frozenset(number for number, seat in enumerate(spec.seats) if seat.no_show),
            started_at_ms=round(time.time() * 1000),
        )
    except ValueError as error:
        raise GameRefused(referee_pb2.REFUSED_REASON_BAD_SPEC, str(error)) from error


def _seat_name(seat: referee_pb2.SeatSpec, connection: Connection | None) -> SeatName:
    if connection is None:
        return SeatName(seat.bot_id, seat.bot_version)
    return SeatName(connection.admission.bot_name, connection.admission.version)


def _seed(seed: bytes) -> bytes:
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    return seed


def _finished(session: Session) -> referee_pb2.GameResult:
    result = session.result
    assert result is not None
    return referee_pb2.GameResult(
        attempt_id=session.spec.attempt_id,
        status=referee_pb2.GAME_STATUS_FINISHED,
        record=result.record,
        scores=codec.scores_message(result.scores),
        faults=_faults(session),
    )


def _faults(session: Session) -> list[game_pb2.Fault]:
    assert session.result is not None
    return [codec.fault_message(fault) for fault in session.result.faults]


def _aborted(attempt_id: str) -> referee_pb2.GameResult:
    return referee_pb2.GameResult(
        attempt_id=attempt_id,
        status=referee_pb2.GAME_STATUS_ABORTED,
        message="the referee broke an invariant of its own: see its log",
    )
