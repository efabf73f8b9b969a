"""A stand-in for a referee process, over a real connection: for what a real one does only when it is unlucky.

It takes games and plays them when told to (`finish`), with the session of the real one; and it can lose answers, refuse, forget
everything as after a restart, or offer a result twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import grpc

from fivecrowns.referee.v1 import referee_pb2 as pb
from fivecrowns.referee.v1 import referee_pb2_grpc
from referee.play.session import Session
from referee.play.spec import GameSpec
from referee.record import codec
from referee.record.conditions import SeatName
from tests.support.scripted import Player, Table, collector, playing, thrower


@dataclass
class FakeReferee(referee_pb2_grpc.RefereeServiceServicer):
    address: str = ""
    incarnation: str = "first"
    connected: dict[tuple[str, str], pb.ConnectedBot] = field(default_factory=dict)
    games: dict[str, pb.GameSpec] = field(default_factory=dict)
    """Running, by attempt."""
    results: dict[str, pb.GameResult] = field(default_factory=dict)
    """Waiting to be acknowledged."""
    started: list[str] = field(default_factory=list)
    """Every attempt that was ever asked for, as often as it was."""
    acknowledged: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    syncs: list[pb.SyncRequest] = field(default_factory=list)
    refusal: pb.GameState | None = None
    """What every start is answered with."""
    rejects: str = ""
    """A bot: every call that would start a game with it is rejected as a whole."""
    loses_answers: bool = False
    """Calls are carried out, and then seem to have failed."""
    held: dict[str, pb.GameSpec] = field(default_factory=dict)
    """Left by the process before; they wait for Reconcile."""
    reconciled: list[list[str]] = field(default_factory=list)
    incarnations_asked: list[str] = field(default_factory=list)
    is_paused: bool = False
    """What is said of running games."""
    closed: dict[str, pb.GameState] = field(default_factory=dict)
    """What games without a result are answered with."""
    is_silent: bool = False
    """Calls fail and nothing is carried out."""

    # -- what a test does ----------------------------------------------------------------------------------------------

    def connect(self, *bots: object, version: str = "1", max_games: int = 1) -> None:
        """Bots as rows of the site."""
        for bot in bots:
            self.connected[bot.public_id, version] = pb.ConnectedBot(
                bot_id=bot.public_id, bot_version=version, max_games=max_games, connected_ms=1000, sdk="test"
            )

    def disconnect(self, *bots: object) -> None:
        gone = {bot.public_id for bot in bots}
        self.connected = {key: value for key, value in self.connected.items() if key[0] not in gone}

    def restart(self, *, keeps_journal: bool = False) -> None:
        """As after `kill -9`: results are on disk, bots must come again; running games wait, or the disk is lost too."""
        self.incarnation += "+"
        self.held = dict(self.games) if keeps_journal else {}
        self.games.clear()
        self.connected.clear()

    def finish(self, attempt_id: str, *players: Player, keep: bool = False) -> pb.GameResult:
        """Play a running game to its end; without players everybody throws what he draws but seat 0, who can play."""
        spec = self.games[attempt_id] if keep else self.games.pop(attempt_id)
        self.results[attempt_id] = play_spec(spec, *players)
        return self.results[attempt_id]

    def finish_all(self) -> None:
        for attempt_id in list(self.games):
            self.finish(attempt_id)

    # -- what the site asks --------------------------------------------------------------------------------------------

    def StartGames(self, request: pb.StartGamesRequest, context: grpc.ServicerContext) -> pb.StartGamesResponse:
        self._check(context)
        self.incarnations_asked.append(request.incarnation)
        if self.rejects in {seat.bot_id for spec in request.games for seat in spec.seats}:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "not a game")
        answer = [self._start(spec) for spec in request.games]
        self._maybe_lose(context)
        return pb.StartGamesResponse(games=answer)

    def Reconcile(self, request: pb.ReconcileRequest, context: grpc.ServicerContext) -> pb.ReconcileResponse:
        self._check(context)
        self.reconciled.append(sorted(request.attempt_ids))
        held, self.held = self.held, {}
        resumed = {attempt_id: spec for attempt_id, spec in held.items() if attempt_id in request.attempt_ids}
        self.games |= resumed
        self._maybe_lose(context)
        return pb.ReconcileResponse(
            resumed=len(resumed), dropped=len(held) - len(resumed), incarnation=self.incarnation
        )

    def GetGames(self, request: pb.GetGamesRequest, context: grpc.ServicerContext) -> pb.GetGamesResponse:
        self._check(context)
        return pb.GetGamesResponse(games=map(self._state, request.attempt_ids), incarnation=self.incarnation)

    def CancelGames(self, request: pb.CancelGamesRequest, context: grpc.ServicerContext) -> pb.CancelGamesResponse:
        self._check(context)
        self.cancelled += request.attempt_ids
        for attempt_id in request.attempt_ids:
            self.games.pop(attempt_id, None)
        return pb.CancelGamesResponse(games=map(self._state, request.attempt_ids))

    def CollectResults(
        self, request: pb.CollectResultsRequest, context: grpc.ServicerContext
    ) -> pb.CollectResultsResponse:
        self._check(context)
        waiting = list(self.results.values())
        chosen = waiting[: request.limit]
        return pb.CollectResultsResponse(
            results=chosen, has_more=len(waiting) > len(chosen), incarnation=self.incarnation
        )

    def AcknowledgeResults(
        self, request: pb.AcknowledgeResultsRequest, context: grpc.ServicerContext
    ) -> pb.AcknowledgeResultsResponse:
        self._check(context)
        self.acknowledged += request.attempt_ids
        forgotten = [attempt_id for attempt_id in request.attempt_ids if self.results.pop(attempt_id, None)]
        self._maybe_lose(context)
        return pb.AcknowledgeResultsResponse(forgotten=len(forgotten))

    def Sync(self, request: pb.SyncRequest, context: grpc.ServicerContext) -> pb.SyncResponse:
        self._check(context)
        self.syncs.append(request)
        return pb.SyncResponse(revision=request.revision, incarnation=self.incarnation)

    def ListBots(self, request: pb.ListBotsRequest, context: grpc.ServicerContext) -> pb.ListBotsResponse:
        self._check(context)
        return pb.ListBotsResponse(
            bots=self.connected.values(), incarnation=self.incarnation, held_games=len(self.held)
        )

    # -- inside --------------------------------------------------------------------------------------------------------

    def _check(self, context: grpc.ServicerContext) -> None:
        if self.is_silent:
            context.abort(grpc.StatusCode.UNAVAILABLE, "silent")

    def _maybe_lose(self, context: grpc.ServicerContext) -> None:
        if self.loses_answers:
            context.abort(grpc.StatusCode.UNAVAILABLE, "the answer is lost")

    def _start(self, spec: pb.GameSpec) -> pb.GameState:
        self.started.append(spec.attempt_id)
        if self.refusal is not None:
            refusal = pb.GameState(attempt_id=spec.attempt_id)
            refusal.MergeFrom(self.refusal)
            return refusal
        if spec.attempt_id not in self.results:
            self.games.setdefault(spec.attempt_id, spec)
        return self._state(spec.attempt_id)

    def _state(self, attempt_id: str) -> pb.GameState:
        if attempt_id in self.closed:
            return self.closed[attempt_id]
        if attempt_id in self.games or attempt_id in self.held:
            return pb.GameState(
                attempt_id=attempt_id,
                status=pb.GAME_STATUS_RUNNING,
                game_round=3,
                turn=2,
                totals=[1, 2],
                is_paused=self.is_paused,
            )
        if attempt_id in self.results:
            return pb.GameState(attempt_id=attempt_id, status=pb.GAME_STATUS_FINISHED)
        if attempt_id in self.cancelled:
            return pb.GameState(attempt_id=attempt_id, status=pb.GAME_STATUS_CANCELLED)
        return pb.GameState(attempt_id=attempt_id, status=pb.GAME_STATUS_UNKNOWN)


def play_spec(spec: pb.GameSpec, *players: Player) -> pb.GameResult:
    """What a referee would make of the game."""
    config, deal_mode = codec.config_of(spec.config)
    session = Session(
        GameSpec(
            attempt_id=spec.attempt_id,
            config=config,
            seats=tuple(SeatName(seat.bot_id, seat.bot_version) for seat in spec.seats),
            seed=spec.seed,
            budgets=codec.budgets_of(spec.budgets),
            deal_mode=deal_mode,
            no_shows=frozenset(number for number, seat in enumerate(spec.seats) if seat.no_show),
        )
    )
    seated = players or [playing(collector), *[playing(thrower)] * (config.seats - 1)]
    result = Table(session, seated).run()
    assert result is not None
    return pb.GameResult(
        attempt_id=spec.attempt_id,
        status=pb.GAME_STATUS_FINISHED,
        record=result.record,
        scores=codec.scores_message(result.scores),
        faults=map(codec.fault_message, result.faults),
    )


@contextmanager
def serving(referee: FakeReferee) -> Iterator[FakeReferee]:
    server = grpc.server(ThreadPoolExecutor(max_workers=8))
    referee_pb2_grpc.add_RefereeServiceServicer_to_server(referee, server)
    referee.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield referee
    finally:
        server.stop(None).wait()


def attempt_ids(specs: Sequence[pb.GameSpec]) -> list[str]:
    return [spec.attempt_id for spec in specs]
