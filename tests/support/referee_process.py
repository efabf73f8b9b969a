"""A referee as a process of its own, which a test may kill, and a site that plays its part by hand."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.record.conditions import Budgets
from tests.support.bot_farm import stay_connected
from tests.support.referee import RUN_SECRET, WATCH_SECRET, bot_token, game_spec, sync_request
from tests.support.services import free_port

METADATA = (("authorization", f"Bearer {RUN_SECRET}"),)
START_S = 30
OPTIONS = (
    # It is found as soon as it is there.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 100),
)


@dataclass
class RefereeProcess:
    folder: Path
    bots_port: int = field(default_factory=free_port)
    control_port: int = field(default_factory=free_port)
    options: Sequence[str] = ()
    process: asyncio.subprocess.Process | None = None
    bot_ids: tuple[str, ...] = ()
    """Whom the site lets in."""

    async def start(self, crash_at: str = "") -> None:
        """Comes back when it answers and knows the bots. `crash_at`: where it kills itself."""
        environment = {
            **os.environ,
            "CROWNS_CONTROL_SECRET_RUN": RUN_SECRET,
            "CROWNS_CONTROL_SECRET_WATCH": WATCH_SECRET,
        }
        if crash_at:
            environment |= {"CROWNS_CRASH_AT": crash_at, "CROWNS_DEBUG": "1"}
        with (self.folder / "referee.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "referee.rpc", f"--data={self.folder / 'data'}"),
                *(f"--bots=127.0.0.1:{self.bots_port}", f"--control=127.0.0.1:{self.control_port}", *self.options),
                env=environment,
                stdout=log,
                stderr=log,
            )
        await self.call("Sync", sync_request(self.bot_ids), within_s=START_S)

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def terminate(self) -> int:
        """As a machine that shuts down asks; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(30):
            return await self.process.wait()

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.returncode is None

    async def call(self, method: str, request: object, within_s: float = 5.0) -> object:
        """One call over a connection of its own, waiting so long for the process to be there. Raises grpc.RpcError."""
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.control_port}", options=OPTIONS) as channel:
            rpc = getattr(referee_pb2_grpc.RefereeServiceStub(channel), method)
            return await rpc(request, metadata=METADATA, timeout=within_s, wait_for_ready=True)

    async def states(self, attempt_ids: Iterable[str]) -> dict[str, referee_pb2.GameState]:
        answer = await self.call("GetGames", referee_pb2.GetGamesRequest(attempt_ids=attempt_ids))
        assert isinstance(answer, referee_pb2.GetGamesResponse)
        return {state.attempt_id: state for state in answer.games}

    async def reconcile(self, wanted: Iterable[str]) -> referee_pb2.ReconcileResponse:
        answer = await self.call("Reconcile", referee_pb2.ReconcileRequest(attempt_ids=wanted))
        assert isinstance(answer, referee_pb2.ReconcileResponse)
        return answer

    async def start_games(
        self, specs: Iterable[referee_pb2.GameSpec], incarnation: str = ""
    ) -> list[referee_pb2.GameState]:
        request = referee_pb2.StartGamesRequest(games=specs, incarnation=incarnation)
        answer = await self.call("StartGames", request)
        assert isinstance(answer, referee_pb2.StartGamesResponse)
        return list(answer.games)

    async def bots(self) -> referee_pb2.ListBotsResponse:
        answer = await self.call("ListBots", referee_pb2.ListBotsRequest())
        assert isinstance(answer, referee_pb2.ListBotsResponse)
        return answer

    async def wait_connected(self, bot_ids: Iterable[str]) -> None:
        async with asyncio.timeout(30):
            while not {bot.bot_id for bot in (await self.bots()).bots} >= set(bot_ids):
                await asyncio.sleep(0.05)

    def log(self) -> str:
        return (self.folder / "referee.log").read_text()


@asynccontextmanager
async def referee_process(folder: Path, bot_ids: Sequence[str], *options: str) -> AsyncIterator[RefereeProcess]:
    """Started, and killed at the end if it is still there."""
    referee = RefereeProcess(folder, options=options, bot_ids=tuple(bot_ids))
    try:
        await referee.start()
        yield referee
    finally:
        await referee.kill()


@asynccontextmanager
async def farm(referee: RefereeProcess, behaviour: str = "greedy") -> AsyncIterator[None]:
    """All bots of the referee, each coming back whenever its stream ends."""
    entries = [{"bot_id": bot_id, "token": bot_token(bot_id), "behaviour": behaviour} for bot_id in referee.bot_ids]
    tasks = [asyncio.create_task(stay_connected(referee.bots_port, entry)) for entry in entries]
    try:
        await referee.wait_connected(referee.bot_ids)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class FarmProcess:
    """Bots in a process of their own, which a test may kill."""

    referee: RefereeProcess
    tokens: Path
    process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        argv = (sys.executable, "-m", "tests.support.bot_farm", str(self.referee.bots_port), str(self.tokens))
        with self.tokens.with_suffix(".log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(*argv, stdout=log, stderr=log)

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def farm_process(referee: RefereeProcess, bot_ids: Sequence[str]) -> AsyncIterator[FarmProcess]:
    entries = [{"bot_id": bot_id, "token": bot_token(bot_id), "behaviour": "greedy"} for bot_id in bot_ids]
    farm = FarmProcess(referee, referee.folder / f"{bot_ids[0]}.json")
    farm.tokens.write_text(json.dumps(entries))
    try:
        await farm.start()
        yield farm
    finally:
        await farm.kill()


@dataclass
class SiteByHand:
    """Does what the site does with a referee that may be gone at any moment: everything again until it is answered."""

    referee: RefereeProcess
    specs: dict[str, referee_pb2.GameSpec] = field(default_factory=dict)
    results: dict[str, referee_pb2.GameResult] = field(default_factory=dict)
    offered_again: int = 0

    @property
    def open(self) -> list[str]:
        return [attempt_id for attempt_id in self.specs if attempt_id not in self.results]

    def order(self, tables: Iterable[Sequence[str]], *, turn_cap: int, budgets: Budgets) -> None:
        for names in tables:
            spec = game_spec(names, budgets=budgets)
            spec.config.turn_cap = turn_cap
            self.specs[spec.attempt_id] = spec

    async def drive(self, within_s: float) -> None:
        """Until every game has its result. Somebody else starts the referee again when it is gone."""
        async with asyncio.timeout(within_s):
            while self.open:
                try:
                    await self._look()
                except grpc.RpcError:
                    await asyncio.sleep(0.05)

    async def _look(self) -> None:
        if (await self.referee.bots()).held_games:
            await self.referee.reconcile(self.open)
        unknown = [
            attempt_id
            for attempt_id, state in (await self.referee.states(self.open)).items()
            if state.status == referee_pb2.GAME_STATUS_UNKNOWN
        ]
        if unknown:
            await self.referee.start_games(self.specs[attempt_id] for attempt_id in unknown)
        await self.collect(wait_ms=200)

    async def collect(self, wait_ms: int = 0) -> None:
        request = referee_pb2.CollectResultsRequest(limit=200, wait_ms=wait_ms)
        answer = await self.referee.call("CollectResults", request)
        assert isinstance(answer, referee_pb2.CollectResultsResponse)
        for result in answer.results:
            stored = self.results.setdefault(result.attempt_id, result)
            self.offered_again += stored is not result
            assert stored == result, "a result came again, and was another"
        if answer.results:
            ids = [result.attempt_id for result in answer.results]
            await self.referee.call("AcknowledgeResults", referee_pb2.AcknowledgeResultsRequest(attempt_ids=ids))


@asynccontextmanager
async def table_of_bots(folder: Path, bots: int = 4, *options: str) -> AsyncIterator[tuple[RefereeProcess, SiteByHand]]:
    """A referee process and its bots, connected; the site that orders games."""
    names = [f"b{number}" for number in range(bots)]
    async with AsyncExitStack() as stack:
        referee = await stack.enter_async_context(referee_process(folder, names, *options))
        await stack.enter_async_context(farm(referee))
        yield referee, SiteByHand(referee)
