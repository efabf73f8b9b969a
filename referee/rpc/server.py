"""The referee process: three servers over one set of games.

A grpc server serves every service on every port it is bound to, so bots, hosted bots and the site each have a server of their own.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import secrets
from collections.abc import Sequence
from pathlib import Path

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.addresses import is_on_this_machine
from referee.record.game_record import Sign
from referee.rpc.bot_service import BotService, add_bot_service
from referee.rpc.config import Config
from referee.rpc.control_service import ControlService, SecretInterceptor
from referee.rpc.directory import Directory
from referee.rpc.door import DoorInterceptor
from referee.rpc.games import Games
from referee.rpc.gate import Gate
from referee.rpc.journal_store import JournalStore
from referee.rpc.lag import LagMeter
from referee.rpc.lobby import Lobby
from referee.rpc.results import ResultStore
from referee.rpc.tls import TlsError, TlsFiles, server_credentials

log = logging.getLogger(__name__)

_ALIVE_INTERVAL_S = 1.0
_DRAIN_INTERVAL_S = 0.1
_MAX_CONTROL_BYTES = 16 * 1024 * 1024
_STOP_GRACE_S = 2.0
"""Beyond the time for goodbyes: calls still under way are cut off then."""
_MAX_METADATA_BYTES = 16 * 1024
_KEPT_FILES = 200
"""For games, results, logs and the control port; two bot ports share the rest."""


class AddressInUse(Exception):
    """A port or socket could not be had; the message names it."""


class Referee:
    """Everything one process runs. `start`, then `stop`."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.incarnation = secrets.token_hex(8)
        self.directory = Directory()
        self.lobby = Lobby()
        self.lag = LagMeter()
        self.results = ResultStore(config.data_dir / "results")
        self.journal = JournalStore(config.data_dir / "journal")
        sign = signer(config.data_dir / "referee.key")
        self.games = Games(config, self.lobby, self.results, self.journal, self.lag, sign)
        self.bots_port = 0
        self.control_port = 0
        self._servers: list[grpc.aio.Server] = []
        self._alive: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Raises AddressInUse or TlsError."""
        config = self.config
        logging.getLogger("grpc._cython.cygrpc").addFilter(_is_no_broken_stream)
        _check_control(config)
        self.games.restore(self.journal.load())
        bots = await self._bot_server()
        self.bots_port = _bind(bots, config.bots_address, config.bots_tls)
        control = await self._control_server()
        self.control_port = _bind(control, config.control_address, config.control_tls)
        self._servers = [bots, control]
        if config.hosted_address:
            hosted = await self._bot_server()
            _bind(hosted, config.hosted_address)
            self._servers.append(hosted)
        for server in self._servers:
            await server.start()
        self.lag.start()
        self._alive = asyncio.create_task(self._watch_streams())

    async def stop(self) -> None:
        """Takes no more games and no more bots, says goodbye, keeps what is finished and what is not."""
        await self._drain()
        self.games.stop_clocks()
        for connection in self.lobby:
            connection.close(bot_pb2.GOODBYE_REASON_SHUTDOWN, "the referee shuts down", reconnect=True)
        if self._alive is not None:
            self._alive.cancel()
        self.lag.stop()
        await asyncio.gather(*(server.stop(self.config.goodbye_grace_s + _STOP_GRACE_S) for server in self._servers))
        await self.games.settle()
        self.results.close()
        self.journal.close()

    async def _drain(self) -> None:
        """Running games go on for a while; no new ones come."""
        self.games.is_draining = True
        give_up_at = asyncio.get_running_loop().time() + self.config.drain_s
        while len(self.games) and asyncio.get_running_loop().time() < give_up_at:
            await asyncio.sleep(_DRAIN_INTERVAL_S)

    async def _bot_server(self) -> grpc.aio.Server:
        config, gate = self.config, Gate(self.config)
        server = grpc.aio.server(
            options=[*_options(config.max_frame_bytes), *_bot_options(config)],
            interceptors=[DoorInterceptor(gate, config.hello_timeout_s)],
            maximum_concurrent_rpcs=config.max_calls,
        )
        service = BotService(config, self.directory, self.lobby, self.games, gate)
        add_bot_service(service, server)
        await _add_health_and_reflection(server, bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name)
        return server

    async def _control_server(self) -> grpc.aio.Server:
        server = grpc.aio.server(options=_options(_MAX_CONTROL_BYTES), interceptors=[SecretInterceptor(self.config)])
        service = ControlService(self.incarnation, self.directory, self.lobby, self.games, self.results)
        referee_pb2_grpc.add_RefereeServiceServicer_to_server(service, server)
        await _add_health_and_reflection(server, referee_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name)
        return server

    async def _watch_streams(self) -> None:
        """Pings silent streams and ends dead ones."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_ALIVE_INTERVAL_S)
            now = loop.time()
            for connection in self.lobby:
                connection.check_alive(now)


def _is_no_broken_stream(record: logging.LogRecord) -> bool:
    """A stream whose other side went away while it was answered is logged by grpc as an error, with a traceback each."""
    return not record.getMessage().startswith("ExecuteBatchError raised in core by servicer method")


def signer(path: Path) -> Sign:
    """Signs with the key in this file; the first use makes it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".new")
        beside.touch(mode=0o600)
        beside.write_bytes(Ed25519PrivateKey.generate().private_bytes_raw())
        os.replace(beside, path)
    key = Ed25519PrivateKey.from_private_bytes(path.read_bytes())
    public_key = key.public_key().public_bytes_raw()
    return lambda digest: (key.sign(digest), public_key)


def _options(max_receive_bytes: int) -> Sequence[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", max_receive_bytes),
        ("grpc.max_send_message_length", _MAX_CONTROL_BYTES),
        # Two processes on one port would each see half of the bots.
        ("grpc.so_reuseport", 0),
        # Bots ping idle streams; without this option grpc ends them with `too_many_pings`.
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]


def _bot_options(config: Config) -> Sequence[tuple[str, int]]:
    """What strangers may do below the level of calls."""
    return [
        ("grpc.max_allowed_incoming_connections", min(config.max_connections, _files_left() // 2)),
        ("grpc.max_concurrent_streams", config.max_streams_a_connection),
        ("grpc.server_handshake_timeout_ms", round(config.handshake_timeout_s * 1000)),
        ("grpc.max_connection_idle_ms", round(config.idle_connection_s * 1000)),
        ("grpc.max_metadata_size", _MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", _MAX_METADATA_BYTES),
    ]


def _files_left() -> int:
    """How many files this process may open: connections beyond it would keep games from being written."""
    return max(_KEPT_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - _KEPT_FILES)


def _check_control(config: Config) -> None:
    is_mutual = config.control_tls is not None and config.control_tls.client_ca is not None
    if not is_mutual and not is_on_this_machine(config.control_address):
        raise TlsError(
            f"the control port {config.control_address} could be reached from other machines: use 127.0.0.1 or unix:PATH, or give "
            "certificate, key and the CA of the site's certificate"
        )


def _bind(server: grpc.aio.Server, address: str, tls: TlsFiles | None = None) -> int:
    """A unix socket is never spoken to with TLS."""
    credentials = server_credentials(tls) if tls is not None and not address.startswith("unix:") else None
    try:
        port: int = (
            server.add_insecure_port(address) if credentials is None else server.add_secure_port(address, credentials)
        )
    except RuntimeError as error:
        raise AddressInUse(
            f"{address} cannot be used: is it in use already? Choose another port or stop what runs there"
        ) from error
    return port


async def _add_health_and_reflection(server: grpc.aio.Server, service_name: str) -> None:
    status = health.aio.HealthServicer()  # type: ignore[attr-defined]  # set at import time
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    await status.set(service_name, health_pb2.HealthCheckResponse.SERVING)
    names = (service_name, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
