"""The games of this process: started by the site, fed by connections, timed by one timer each, finished into the result store.

There is no task per game: a message or a timer calls the session, and what the session has to say goes into outboxes. What happens
is in the journal before it takes effect; games that an earlier process left wait for the site's word, and go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.play.session import Session
from referee.play.spec import SessionStatus
from referee.record import codec
from referee.record.game_record import Sign
from referee.record.journal import JournalledGame
from referee.record.messages import DecisionRequest, GameEnd, GameEndReason, GameStart, SolitaireRequest
from referee.rpc.config import Config
from referee.rpc.connection import BotKey, Connection
from referee.rpc.game_spec import GameRefused, journalled_spec, opened_entry, ordered_spec
from referee.rpc.journal_store import JournalStore
from referee.rpc.lag import LagMeter
from referee.rpc.lobby import Lobby
from referee.rpc.outages import Outages
from referee.rpc.results import ResultStore
from referee.rpc.seating import find_bots
from referee.rules.solitaire import SolitaireState

log = logging.getLogger(__name__)

_READER_GRACE_S = 0.005
"""An expired timer lets the streams' readers run before it bites."""
_CLOSED_KEPT = 10_000
_FAREWELLS_KEPT = 10_000
_ENDINGS_KEPT = 10_000
"""For watchers: more than end within one of their intervals."""

_STATUS = {
    SessionStatus.STARTING: referee_pb2.GAME_STATUS_STARTING,
    SessionStatus.RUNNING: referee_pb2.GAME_STATUS_RUNNING,
    # Until it is on disk a finished game is not offered, so it still counts as running.
    SessionStatus.FINISHED: referee_pb2.GAME_STATUS_RUNNING,
    SessionStatus.CANCELLED: referee_pb2.GAME_STATUS_CANCELLED,
}


@dataclass(slots=True, eq=False)
class Game:
    session: Session
    keys: tuple[BotKey, ...]
    """Who sits where; empty strings for a seat nobody came to."""
    timer: asyncio.TimerHandle | None = None
    version: int = 0
    """Grows with every change, for those who watch."""
    connections: dict[int, Connection] = field(default_factory=dict)
    is_held: bool = False
    """Left by an earlier process; waits for the site to say that it is wanted."""
    awaited: set[int] = field(default_factory=set)
    """While it is paused: seats whose bots were lost by no fault of theirs."""
    patience: asyncio.TimerHandle | None = None
    """Ends the pause, whoever is back."""

    @property
    def attempt_id(self) -> str:
        return self.session.spec.attempt_id

    def played_by_bots(self) -> set[int]:
        """Seats that are not retired: nobody waits for the bot of one that is."""
        return {seat for seat, gone in enumerate(self.session.played.retired_in_round) if not gone}


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
    def __init__(
        self, config: Config, lobby: Lobby, results: ResultStore, journal: JournalStore, lag: LagMeter, sign: Sign
    ) -> None:
        self._config = config
        self._lobby = lobby
        self._results = results
        self._journal = journal
        self._lag = lag
        self._sign = sign
        self._outages = Outages()
        self._games: dict[str, Game] = {}
        self._by_bot: dict[BotKey, dict[Game, int]] = {}
        self._closed: dict[str, referee_pb2.GameState] = {}
        """What became of games without a result."""
        self._farewells: dict[BotKey, list[GameEnd]] = {}
        """For bots that were away when their game was called off."""
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

    @property
    def held(self) -> int:
        """Games that wait for `reconcile`."""
        return sum(game.is_held for game in self._games.values())

    # -- from one process to the next ----------------------------------------------------------------------------------

    def restore(self, journalled: Mapping[str, JournalledGame]) -> None:
        """Takes over what earlier processes left. To be called once, before anything else."""
        going_on = {attempt_id: game for attempt_id, game in journalled.items() if self._take_over(attempt_id, game)}
        self._journal.begin(going_on.items())

    def _take_over(self, attempt_id: str, left: JournalledGame) -> bool:
        """Whether the game goes on here. A finished one is in the result store; a damaged one has to be played again."""
        if left.opened is None or self._results.get(attempt_id) is not None:
            return False
        try:
            spec = journalled_spec(left.opened)
            session = Session.restored(spec, left.entries, self._sign, partial(self._journal.write, attempt_id))
        except ValueError as error:
            log.error("game %s cannot go on, it has to be played again: %s", attempt_id, error)
            return False
        names = zip(left.opened.bot_ids, spec.seats, strict=True)
        keys = tuple((bot_id, seat.version) if bot_id else ("", "") for bot_id, seat in names)
        self._enter(Game(session, keys, is_held=True))
        return True

    def reconcile(self, wanted: Collection[str]) -> tuple[int, int]:
        """The site's word on the games that wait: those it wants go on, the others are dropped; how many of each."""
        held = [game for game in self._games.values() if game.is_held]
        resumed = [game for game in held if game.attempt_id in wanted]
        for game in held:
            game.is_held = False
            if game.attempt_id not in wanted:
                self._run(game, game.session.cancel)
        for game in resumed:
            self._go_on(game)
        return len(resumed), len(held) - len(resumed)

    def _go_on(self, game: Game) -> None:
        """Bots that are back are asked; the clocks wait for the others, but not for ever."""
        log.info("game %s goes on", game.attempt_id)
        self._run(game, lambda: game.session.reopen(self._now_ms()))
        if game.session.is_over:
            return
        game.awaited = game.played_by_bots()
        game.patience = self._loop.call_later(self._config.return_s, self._resume, game)
        for seat, key in enumerate(game.keys):
            connection = self._lobby.connection(key)
            if connection is not None and not connection.is_closing:
                self._seat(game, seat, connection)

    def window_s(self) -> float:
        """How long messages wait for others to share their frame: not at all while there is one game, for there are no others."""
        return self._config.flush_window_s if len(self._games) > 1 else 0.0

    def before_frame(self) -> None:
        """Nobody is told what the journal does not hold: games whose entries it could not take are over."""
        for attempt_id in self._journal.flush():
            if attempt_id in self._games:
                self._abort(self._games[attempt_id])

    def stop_clocks(self) -> None:
        """The process is about to end: what is left goes on in the next one."""
        for game in self._games.values():
            game.session.pause()

    # -- what the site asks --------------------------------------------------------------------------------------------

    def start(self, spec: referee_pb2.GameSpec) -> referee_pb2.GameState:
        """Starts a game, or attaches to the attempt if it is known: an attempt is played once."""
        known = self.state(spec.attempt_id)
        if known.status != referee_pb2.GAME_STATUS_UNKNOWN:
            return known
        try:
            game = self._seated(spec)
        except GameRefused as refused:
            return refused.state(spec.attempt_id)
        self._enter(game)
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
        if attempt_id in self._closed:
            return self._closed[attempt_id]
        return referee_pb2.GameState(attempt_id=attempt_id, status=referee_pb2.GAME_STATUS_UNKNOWN)

    def cancel(self, attempt_id: str) -> referee_pb2.GameState:
        """Calls a game off. One never heard of is noted, so that a late start plays nothing."""
        game = self._games.get(attempt_id)
        if game is not None:
            self._run(game, game.session.cancel)
        elif self.state(attempt_id).status == referee_pb2.GAME_STATUS_UNKNOWN:
            self._note_closed(_closed_state(attempt_id))
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
        for farewell in self._farewells.pop(connection.key, ()):
            connection.send(codec.referee_bytes(farewell))
        for game, seat in list(self._by_bot.get(connection.key, {}).items()):
            if not game.is_held:
                self._seat(game, seat, connection)

    def detach(self, connection: Connection, *, was_lost: bool = False) -> None:
        """A bot's stream has ended; `was_lost` if neither side ended it."""
        games = list(self._by_bot.get(connection.key, {}).items())
        for game, seat in games:
            game.connections.pop(seat, None)
            self._run(game, partial(game.session.disconnect, seat))
        if was_lost:
            playing = [game.attempt_id for game, _ in games]
            self._pause(self._outages.note(connection.admission.owner, playing, self._loop.time()))

    def _seat(self, game: Game, seat: int, connection: Connection) -> None:
        game.connections[seat] = connection
        self._run(game, partial(game.session.connect, seat, self._now_ms()))
        game.awaited.discard(seat)
        if game.session.is_paused and not game.awaited:
            self._resume(game)

    def _pause(self, attempt_ids: Collection[str]) -> None:
        """Streams were lost on our side (DESIGN 5): clocks stop until those bots are back. Too long, and the game is void."""
        for game in [self._games[attempt_id] for attempt_id in attempt_ids if attempt_id in self._games]:
            lost = game.played_by_bots() - game.connections.keys()
            if game.session.is_over or game.is_held or not lost:
                continue
            log.warning("game %s is paused: streams of several owners were lost at once", game.attempt_id)
            game.awaited |= lost
            if not game.session.is_paused:
                self._run(game, game.session.pause)
                game.patience = self._loop.call_later(self._config.longest_pause_s, self._give_up, game)

    def _resume(self, game: Game) -> None:
        self._calm(game)
        self._run(game, lambda: game.session.resume(self._now_ms()))

    def _give_up(self, game: Game) -> None:
        """Nobody's record shows it; the site lets it be played again."""
        message = f"paused for {self._config.longest_pause_s:.0f} s after streams were lost on the referee's side"
        self._run(game, game.session.cancel, _closed_state(game.attempt_id, referee_pb2.GAME_STATUS_INFRA, message))

    def _calm(self, game: Game) -> None:
        game.awaited.clear()
        if game.patience is not None:
            game.patience.cancel()
            game.patience = None

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

    def _seated(self, order: referee_pb2.GameSpec) -> Game:
        if self.is_draining:
            raise GameRefused(referee_pb2.REFUSED_REASON_DRAINING, "this referee is shutting down")
        self._require_strength()
        connections = find_bots(order, self._lobby, self.in_flight)
        spec = ordered_spec(order, connections)
        keys = tuple(connections[seat].key if seat in connections else ("", "") for seat in range(len(spec.seats)))
        session = Session(spec, self._sign, partial(self._journal.write, spec.attempt_id))
        self._journal.write(spec.attempt_id, opened_entry(spec, [bot_id for bot_id, _ in keys]))
        self.before_frame()
        if self._journal.problem:
            self._journal.end(spec.attempt_id)
            raise GameRefused(referee_pb2.REFUSED_REASON_OVERLOADED, self._journal.problem)
        return Game(session, keys, connections=connections)

    def _require_strength(self) -> None:
        """A referee that runs late takes no more games. Raises GameRefused."""
        lag_ms = self._lag.worst_since_ms((self._loop.time() - self._config.lag_memory_s) * 1000)
        if lag_ms > self._config.lag_limit_ms:
            raise GameRefused(
                referee_pb2.REFUSED_REASON_OVERLOADED,
                f"the referee runs {lag_ms:.0f} ms late, over {self._config.lag_limit_ms} ms: it takes no new games",
            )

    def _enter(self, game: Game) -> None:
        self._games[game.attempt_id] = game
        for seat, key in enumerate(game.keys):
            if key[0]:
                self._by_bot.setdefault(key, {})[game] = seat

    def _run(self, game: Game, call: Callable[[], None], closed: referee_pb2.GameState | None = None) -> None:
        """Lets the session work, then delivers what it has to say and sets its timer. `closed`: what a cancelled game is."""
        session = game.session
        if session.is_over:
            return
        try:
            call()
        except Exception:
            # A broken invariant is ours: nobody pays, and it is not hidden.
            log.exception("game %s aborted", game.attempt_id)
            self._abort(game)
            return
        game.version += 1
        self._deliver(game)
        if session.status is SessionStatus.FINISHED:
            self._end(game, _finished(session))
        elif session.status is SessionStatus.CANCELLED:
            self._say_farewell(game)
            self._forget(game)
            state = closed or _closed_state(game.attempt_id)
            state.hands_sent = session.hands_sent
            self._note_closed(state)
        else:
            self._arm(game)

    def _deliver(self, game: Game) -> None:
        for seat, message in game.session.take_outgoing():
            connection = game.connections.get(seat)
            if connection is None:
                continue
            data = codec.referee_bytes(message)
            if isinstance(message, (DecisionRequest, SolitaireRequest)):
                connection.send(data, answers=1, on_handover=partial(game.session.handed_over, seat))
            else:
                # GameReady and, at some time, Resign.
                connection.send(data, answers=2 if isinstance(message, GameStart) else 0)

    def _abort(self, game: Game) -> None:
        game.session.cancel()
        self._deliver(game)
        self._say_farewell(game)
        self._end(game, _aborted(game.attempt_id))

    def _say_farewell(self, game: Game) -> None:
        """Bots the session could not tell that it was called off hear it now, or when they come back."""
        end = GameEnd(game.attempt_id, GameEndReason.CANCELLED, None, b"")
        for seat, key in enumerate(game.keys):
            if not key[0] or seat in game.connections:
                continue
            connection = self._lobby.connection(key)
            if connection is not None and not connection.is_closing:
                connection.send(codec.referee_bytes(end))
            else:
                self._farewells.setdefault(key, []).append(end)
        while len(self._farewells) > _FAREWELLS_KEPT:
            del self._farewells[next(iter(self._farewells))]

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
        self._journal.end(game.attempt_id)
        self._calm(game)
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

    def _note_closed(self, state: referee_pb2.GameState) -> None:
        self._closed[state.attempt_id] = state
        while len(self._closed) > _CLOSED_KEPT:
            del self._closed[next(iter(self._closed))]

    def _state_of(self, game: Game) -> referee_pb2.GameState:
        session, played = game.session, game.session.played
        state = played.state
        return referee_pb2.GameState(
            attempt_id=game.attempt_id,
            status=_STATUS[session.status],
            game_round=played.game_round,
            turn=played.turn,
            totals=played.totals,
            solitaire=codec.solitaire_score_message(state.score) if isinstance(state, SolitaireState) else None,
            idle_ms=0 if game.is_held else max(0, round(self._now_ms() - session.last_action_ms)),
            is_paused=session.is_paused,
            hands_sent=session.hands_sent,
        )


def _closed_state(
    attempt_id: str, status: referee_pb2.GameStatus = referee_pb2.GAME_STATUS_CANCELLED, message: str = ""
) -> referee_pb2.GameState:
    return referee_pb2.GameState(attempt_id=attempt_id, status=status, message=message)


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
