"""Calls to referee processes: the one place where the site speaks gRPC, and where its failures get a name.

Every call has a deadline. Channels are made at the first use and kept: worker threads share one per address. A process that forks
after its first call must not go on using them; the worker pool is threads.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import grpc
from django.conf import settings

from fivecrowns.referee.v1 import referee_pb2 as pb
from fivecrowns.referee.v1 import referee_pb2_grpc
from tournaments.client_tls import ClientTls

CALL_TIMEOUT_S = 5.0
MAX_RESULTS = 200
COLLECT_WAIT_MS = 1_500
_FLAKY = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}
_OPTIONS = (
    ("grpc.max_receive_message_length", 256 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    # A referee that comes back is found again within seconds.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)


class RefereeUnavailable(Exception):
    """The call may or may not have arrived: try the same again later."""


class RefereeRejected(Exception):
    """The referee answered that the call is wrong; asking again is no use. One of the two is mistaken."""


def start_games(address: str, games: Sequence[pb.GameSpec], incarnation: str = "") -> list[pb.GameState]:
    """In the order asked. Starting an attempt again attaches to it. A process of another incarnation refuses."""
    request = pb.StartGamesRequest(games=games, incarnation=incarnation)
    return list(_call(address, "StartGames", request).games)


def reconcile(address: str, attempt_ids: Sequence[str]) -> pb.ReconcileResponse:
    """Says which of the games an earlier process left are still wanted; the others are dropped."""
    response: pb.ReconcileResponse = _call(address, "Reconcile", pb.ReconcileRequest(attempt_ids=attempt_ids))
    return response


def get_games(address: str, attempt_ids: Sequence[str]) -> pb.GetGamesResponse:
    response: pb.GetGamesResponse = _call(address, "GetGames", pb.GetGamesRequest(attempt_ids=attempt_ids))
    return response


def cancel_games(address: str, attempt_ids: Sequence[str], reason: str) -> list[pb.GameState]:
    return list(_call(address, "CancelGames", pb.CancelGamesRequest(attempt_ids=attempt_ids, reason=reason)).games)


def collect_results(address: str, *, wait_ms: int = COLLECT_WAIT_MS) -> pb.CollectResultsResponse:
    """Up to `MAX_RESULTS` that wait, the oldest first; waits so long for a first one."""
    request = pb.CollectResultsRequest(limit=MAX_RESULTS, wait_ms=wait_ms)
    response: pb.CollectResultsResponse = _call(address, "CollectResults", request, CALL_TIMEOUT_S + wait_ms / 1000)
    return response


def acknowledge_results(address: str, attempt_ids: Sequence[str]) -> None:
    _call(address, "AcknowledgeResults", pb.AcknowledgeResultsRequest(attempt_ids=attempt_ids))


def sync(address: str, request: pb.SyncRequest) -> pb.SyncResponse:
    response: pb.SyncResponse = _call(address, "Sync", request)
    return response


def list_bots(address: str) -> pb.ListBotsResponse:
    response: pb.ListBotsResponse = _call(address, "ListBots", pb.ListBotsRequest(), 2.0)
    return response


def _call(address: str, method: str, request: Any, timeout_s: float = CALL_TIMEOUT_S) -> Any:
    tls = settings.CONTROL_TLS if not address.startswith("unix:") else None
    try:
        stub = _stub(address, tls, tls.stamps() if tls else ())
    except OSError as error:
        raise RefereeUnavailable(f"{method} at {address}: {error.filename} cannot be read: {error.strerror}") from error
    rpc: Callable[..., Any] = getattr(stub, method)
    metadata = (("authorization", f"Bearer {settings.CONTROL_SECRET_RUN}"),)
    try:
        return rpc(request, timeout=timeout_s, metadata=metadata)
    except grpc.RpcError as error:
        code, details = error.code(), error.details()
        failure = RefereeUnavailable if code in _FLAKY else RefereeRejected
        raise failure(f"{method} at {address}: {code.name} {details}") from error


@lru_cache(maxsize=64)
def _stub(address: str, tls: ClientTls | None, _stamps: tuple[int, ...]) -> referee_pb2_grpc.RefereeServiceStub:
    """Files that changed make a new channel. Raises OSError."""
    if tls is None:
        return referee_pb2_grpc.RefereeServiceStub(grpc.insecure_channel(address, options=_OPTIONS))
    credentials = grpc.ssl_channel_credentials(tls.ca.read_bytes(), tls.key.read_bytes(), tls.certificate.read_bytes())
    return referee_pb2_grpc.RefereeServiceStub(grpc.secure_channel(address, credentials, options=_OPTIONS))
