"""RefereeService: what the site asks of this process."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc

from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.record.codec import formats_message
from referee.rpc.config import Config
from referee.rpc.directory import Directory
from referee.rpc.game_spec import GameRefused
from referee.rpc.games import Games
from referee.rpc.lobby import Lobby
from referee.rpc.results import ResultStore

MAX_COLLECTED = 200
MAX_WAIT_MS = 2000
_WATCH_INTERVAL_S = 1.0
_SERVICE = "/fivecrowns.referee.v1.RefereeService/"
_WATCH_METHODS = frozenset(_SERVICE + method for method in ("Watch", "GetGames", "ListBots"))

Context = grpc.aio.ServicerContext


class ControlService(referee_pb2_grpc.RefereeServiceServicer):
    def __init__(
        self, incarnation: str, directory: Directory, lobby: Lobby, games: Games, results: ResultStore
    ) -> None:
        self._incarnation = incarnation
        self._directory = directory
        self._lobby = lobby
        self._games = games
        self._results = results

    async def StartGames(
        self, request: referee_pb2.StartGamesRequest, context: Context
    ) -> referee_pb2.StartGamesResponse:
        if request.incarnation not in ("", self._incarnation):
            refused = GameRefused(
                referee_pb2.REFUSED_REASON_OTHER_INCARNATION, "meant for a referee process that is gone"
            )
            return referee_pb2.StartGamesResponse(games=[refused.state(spec.attempt_id) for spec in request.games])
        return referee_pb2.StartGamesResponse(games=[self._games.start(spec) for spec in request.games])

    async def Reconcile(self, request: referee_pb2.ReconcileRequest, context: Context) -> referee_pb2.ReconcileResponse:
        resumed, dropped = self._games.reconcile(frozenset(request.attempt_ids))
        return referee_pb2.ReconcileResponse(resumed=resumed, dropped=dropped, incarnation=self._incarnation)

    async def GetGames(self, request: referee_pb2.GetGamesRequest, context: Context) -> referee_pb2.GetGamesResponse:
        states = [self._games.state(attempt_id) for attempt_id in request.attempt_ids]
        return referee_pb2.GetGamesResponse(games=states, incarnation=self._incarnation)

    async def CancelGames(
        self, request: referee_pb2.CancelGamesRequest, context: Context
    ) -> referee_pb2.CancelGamesResponse:
        return referee_pb2.CancelGamesResponse(
            games=[self._games.cancel(attempt_id) for attempt_id in request.attempt_ids]
        )

    async def CollectResults(
        self, request: referee_pb2.CollectResultsRequest, context: Context
    ) -> referee_pb2.CollectResultsResponse:
        if not 1 <= request.limit <= MAX_COLLECTED:
            await _invalid(context, f"limit is {request.limit}: give 1 to {MAX_COLLECTED}")
        if request.wait_ms > MAX_WAIT_MS:
            await _invalid(context, f"wait_ms is {request.wait_ms}: at most {MAX_WAIT_MS}")
        results, has_more = await self._results.collect(request.limit, request.wait_ms / 1000)
        return referee_pb2.CollectResultsResponse(results=results, has_more=has_more, incarnation=self._incarnation)

    async def AcknowledgeResults(
        self, request: referee_pb2.AcknowledgeResultsRequest, context: Context
    ) -> referee_pb2.AcknowledgeResultsResponse:
        forgotten = await self._results.forget(list(request.attempt_ids))
        return referee_pb2.AcknowledgeResultsResponse(forgotten=forgotten)

    async def Sync(self, request: referee_pb2.SyncRequest, context: Context) -> referee_pb2.SyncResponse:
        try:
            self._directory.sync(request)
        except ValueError as error:
            await _invalid(context, str(error))
        self._lobby.enforce(self._directory)
        return referee_pb2.SyncResponse(
            revision=self._directory.revision, incarnation=self._incarnation, draining=self._games.is_draining
        )

    async def ListBots(self, request: referee_pb2.ListBotsRequest, context: Context) -> referee_pb2.ListBotsResponse:
        now = asyncio.get_running_loop().time()
        bots = [
            referee_pb2.ConnectedBot(
                bot_id=connection.admission.bot_id,
                bot_version=connection.admission.version,
                max_games=connection.admission.max_games,
                games_in_flight=self._games.in_flight(connection.key),
                connected_ms=round((now - connection.connected_at) * 1000),
                sdk=connection.admission.sdk,
                seats=connection.admission.seats,
                formats=formats_message(connection.admission.formats),
            )
            for connection in self._lobby
            if not connection.is_closing
        ]
        return referee_pb2.ListBotsResponse(bots=bots, incarnation=self._incarnation, held_games=self._games.held)

    async def Watch(
        self, request: referee_pb2.WatchRequest, context: Context
    ) -> AsyncIterator[referee_pb2.WatchResponse]:
        await context.send_initial_metadata(())
        watch, states = self._games.watch(request.attempt_ids)
        while True:
            if states := [*states, *self._games.changes(watch)]:
                yield referee_pb2.WatchResponse(games=states)
            states = []
            await asyncio.sleep(_WATCH_INTERVAL_S)


class SecretInterceptor(grpc.aio.ServerInterceptor):
    """Every control call brings a secret; `watch` may only look."""

    def __init__(self, config: Config) -> None:
        self._run = config.run_secret.encode()
        self._watch = config.watch_secret.encode()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler]],
        details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler:
        handler = await continuation(details)
        if handler is None or not details.method.startswith(_SERVICE):
            return handler
        given = _bearer(details)
        if hmac.compare_digest(given, self._run):
            return handler
        if not hmac.compare_digest(given, self._watch):
            return _refusing(handler, grpc.StatusCode.UNAUTHENTICATED, "a control secret is needed")
        if details.method in _WATCH_METHODS:
            return handler
        return _refusing(handler, grpc.StatusCode.PERMISSION_DENIED, "this secret may only watch")


def _bearer(details: grpc.HandlerCallDetails) -> bytes:
    for key, value in details.invocation_metadata or ():
        if key == "authorization":
            return str(value).removeprefix("Bearer ").encode()
    return b""


def _refusing(handler: grpc.RpcMethodHandler, code: grpc.StatusCode, message: str) -> grpc.RpcMethodHandler:
    async def refuse(_request: object, context: Context) -> None:
        await context.abort(code, message)

    async def refuse_stream(_request: object, context: Context) -> AsyncIterator[object]:
        await context.abort(code, message)
        yield

    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(
            refuse_stream, handler.request_deserializer, handler.response_serializer
        )
    return grpc.unary_unary_rpc_method_handler(refuse, handler.request_deserializer, handler.response_serializer)


async def _invalid(context: Context, message: str) -> None:
    await context.abort(grpc.StatusCode.INVALID_ARGUMENT, message)
