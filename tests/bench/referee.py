"""The referee against the floor: decisions a second, and what they cost the server."""

from __future__ import annotations

import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.compiled import VARIABLE
from referee.play.session import Session
from referee.record import codec
from referee.record.conditions import Budgets
from referee.record.messages import DecisionRequest, GameReady
from tests.bench.echo import BOTS, Values
from tests.bench.processes import PURE, compiled
from tests.bench.quick_bot import COUNTER, FILE_BYTES, KEPT_TRIPS, TRIP
from tests.bench.report import Row, paired
from tests.support.referee import RUN_SECRET, WATCH_SECRET, bot_token, safe_default, sync_request
from tests.support.scripted import game_spec
from tests.support.services import free_port

WARM_S = 1.0
MEASURED_S = 5.0
NAMES = tuple(f"bench{number}" for number in range(BOTS))
_METADATA = (("authorization", f"Bearer {RUN_SECRET}"),)
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Rate:
    """What was seen in one measurement."""

    decisions_s: float
    cpu_us: float
    """Of the server, user and system, per decision."""
    games_s: float = 0.0
    trips_ms: tuple[float, ...] = ()
    """Round trips as bots saw them."""


# -- what real requests look like --------------------------------------------------------------------------------------


def real_values(count: int = 600) -> list[Values]:
    """The fields of requests from one whole game of four bots that never go out, drawn at random."""
    session = Session(game_spec(BOTS, seed=bytes(range(32)), turn_cap=40))
    session.start(0.0)
    for seat in range(BOTS):
        session.receive(seat, GameReady(session.spec.attempt_id), 0.0)
    found: list[Values] = []
    while not session.is_over:
        for seat, message in session.take_outgoing():
            if isinstance(message, DecisionRequest):
                found.append(_values(codec.referee_message(message).decision))
                session.receive(seat, safe_default(None, message), 0.0)  # type: ignore[arg-type]
    return random.Random(3).sample(found, count)


def _values(request: bot_pb2.DecisionRequest) -> Values:
    values: Values = {
        field.name: list(value) if field.is_repeated else value
        for field, value in request.ListFields()
        if field.name not in ("game_id", "decision_id", "events")
    }
    values["events"] = [
        (kind, MessageToDict(getattr(event, kind), preserving_proto_field_name=True, use_integers_for_enums=True))
        for event in request.events
        if (kind := event.WhichOneof("event"))
    ]
    return values


# -- processes ---------------------------------------------------------------------------------------------------------


@contextmanager
def child(folder: Path, name: str, *argv: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs the compiled build, if `environment` does not say otherwise."""
    environment = {VARIABLE: compiled(), **environment}
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, *argv], stdout=log, stderr=log, env={**os.environ, **environment})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def bots(folder: Path, port: int, mode: str) -> Iterator[Callable[[], int]]:
    """Bot processes, and how many decisions they have answered together."""
    with ExitStack() as stack:
        files = []
        for name in NAMES:
            counter = folder / f"{name}.count"
            counter.write_bytes(bytes(FILE_BYTES))
            argv = ("-m", "tests.bench.quick_bot", str(port), str(counter), mode)
            stack.enter_context(child(folder, name, *argv, CROWNS_TOKEN=bot_token(name)))
            files.append(stack.enter_context(counter.open("rb", buffering=0)))

        def answered() -> int:
            total = 0
            for file in files:
                file.seek(0)
                total += COUNTER.unpack(file.read(COUNTER.size))[0]
            return total

        yield answered


def round_trips(folder: Path) -> list[float]:
    """The latest of all bots, in milliseconds."""
    found: list[float] = []
    for name in NAMES:
        data = (folder / f"{name}.count").read_bytes()
        trips = min(COUNTER.unpack_from(data)[1], KEPT_TRIPS)
        found += [1000 * TRIP.unpack_from(data, COUNTER.size + number * TRIP.size)[0] for number in range(trips)]
    return found


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def measured(folder: Path, pid: int, answered: Callable[[], int], keep_going: Callable[[float], int]) -> Rate:
    """`keep_going(until)` does what has to be done until that moment; how many games ended meanwhile."""
    _until_first(folder, answered, keep_going)
    keep_going(time.monotonic() + WARM_S)
    began, cpu_before, before = time.monotonic(), cpu_s(pid), answered()
    games = keep_going(began + MEASURED_S)
    seconds, cpu, decisions = time.monotonic() - began, cpu_s(pid) - cpu_before, answered() - before
    return Rate(decisions / seconds, cpu / decisions * 1e6, games / seconds, tuple(round_trips(folder)))


def _until_first(folder: Path, answered: Callable[[], int], keep_going: Callable[[float], int]) -> None:
    give_up_at = time.monotonic() + 30
    while not answered():
        if time.monotonic() > give_up_at:
            logs = "\n".join(path.read_text()[-2000:] for path in sorted(folder.glob("*.log")))
            raise RuntimeError(f"nothing was played within 30 s:\n{logs}")
        keep_going(time.monotonic() + 0.2)


def floor(games: int, values: Path, mode: str = "default") -> Rate:
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        argv = ("-m", "tests.bench.echo", str(port), str(games), str(values))
        with child(folder, "echo", *argv) as server, bots(folder, port, mode) as answered:
            return measured(folder, server.pid, answered, _wait)


def _wait(until: float) -> int:
    time.sleep(max(0.0, until - time.monotonic()))
    return 0


def referee(games: int, mode: str = "default", build: str = "") -> Rate:
    """As it is run for people: journal, clocks, fault checks, results on disk and collected. `build`: compiled for none."""
    with tempfile.TemporaryDirectory() as name:
        folder, port, control = Path(name), free_port(), free_port()
        chosen = {VARIABLE: build} if build else {}
        secrets_of_control = {"CROWNS_CONTROL_SECRET_RUN": RUN_SECRET, "CROWNS_CONTROL_SECRET_WATCH": WATCH_SECRET}
        argv = ("-m", "referee.rpc", f"--bots=127.0.0.1:{port}", f"--control=127.0.0.1:{control}", f"--data={folder}")
        with (
            child(folder, "referee", *argv, **secrets_of_control, **chosen) as server,
            Orders(control, games) as orders,
            bots(folder, port, mode) as answered,
        ):
            return measured(folder, server.pid, answered, orders.keep_going)


class Orders:
    """Keeps so many games in flight, and collects what has ended."""

    def __init__(self, control_port: int, games: int, order: Callable[[], referee_pb2.GameSpec] | None = None) -> None:
        self._games = games
        self._order = order or _order
        self._channel = grpc.insecure_channel(f"127.0.0.1:{control_port}")
        self._stub = referee_pb2_grpc.RefereeServiceStub(self._channel)
        self._in_flight = 0

    def __enter__(self) -> Orders:
        self.call("Sync", sync_request(NAMES))
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()

    def keep_going(self, until: float) -> int:
        ended = 0
        while (left := until - time.monotonic()) > 0:
            if self._in_flight < self._games and not self._start():
                time.sleep(min(0.1, left))
                continue
            request = referee_pb2.CollectResultsRequest(limit=200, wait_ms=int(min(500, 1000 * left)))
            results = self.call("CollectResults", request).results
            if results:
                ids = [result.attempt_id for result in results]
                self.call("AcknowledgeResults", referee_pb2.AcknowledgeResultsRequest(attempt_ids=ids))
            self._in_flight -= len(results)
            ended += len(results)
        return ended

    def _start(self) -> bool:
        specs = [self._order() for _ in range(self._games - self._in_flight)]
        states = self.call("StartGames", referee_pb2.StartGamesRequest(games=specs)).games
        started = sum(state.status != referee_pb2.GAME_STATUS_REFUSED for state in states)
        self._in_flight += started
        return started == len(specs)

    def call(self, method: str, request: Any) -> Any:
        return getattr(self._stub, method)(request, metadata=_METADATA, timeout=30, wait_for_ready=True)


def _order() -> referee_pb2.GameSpec:
    spec = game_spec(BOTS, seed=secrets.token_bytes(32), turn_cap=40)
    return referee_pb2.GameSpec(
        attempt_id=secrets.token_hex(16),
        config=codec.config_message(spec.config, spec.deal_mode),
        budgets=codec.budgets_message(Budgets(thinking_ms=10_000_000)),
        # In any order: else all games that began together would ask the same bot at the same time for ever.
        seats=[referee_pb2.SeatSpec(bot_id=name) for name in random.sample(NAMES, BOTS)],
        seed=spec.seed,
    )


# -- rows --------------------------------------------------------------------------------------------------------------


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        values = Path(name) / "values.json"
        values.write_text(json.dumps(real_values()))
        yield from _against_the_floor(values, 64, "default", 0.90)
        yield from _against_the_floor(values, 256, "default", 0.85)
        yield from _against_the_floor(values, 64, "claim", None)
        yield from _against_the_floor(values, 64, "default", None, PURE)
        yield _greedy_games(64)
        yield from _latency(values)


def _against_the_floor(values: Path, games: int, mode: str, goal: float | None, build: str = "") -> Iterator[Row]:
    """Two rows from the same measurements: throughput, and CPU of the server."""
    costs: list[tuple[float, float]] = []
    kept: dict[str, Rate] = {}

    def ours() -> float:
        kept["ours"] = rate = referee(games, mode, build)
        _pair(kept, costs)
        return rate.decisions_s

    def reference() -> float:
        kept["floor"] = rate = floor(games, values, mode)
        _pair(kept, costs)
        return rate.decisions_s

    what = {"default": "safe default", "claim": "a claim to go out at every discard"}[mode]
    what += ", not compiled" if build == PURE else ""
    yield paired(f"referee, {games} games, {what}", "decisions/s", ours, reference, goal)
    own, other = median(own for own, _ in costs), median(other for _, other in costs)
    ratios = [own / other for own, other in costs]
    ratio = median(ratios)
    limit = None if goal is None else 1.35
    yield Row(
        name=f"referee, {games} games, {what}: server CPU",
        unit="us/decision",
        ours=own,
        reference=other,
        ratio=ratio,
        goal=limit,
        holds=limit is None or ratio <= limit,
        spread=(max(ratios) - min(ratios)) / ratio,
    )


def _pair(kept: dict[str, Rate], costs: list[tuple[float, float]]) -> None:
    """Notes the cost once both of a pair are there."""
    if len(kept) == 2:
        costs.append((kept["ours"].cpu_us, kept["floor"].cpu_us))
        kept.clear()


def _latency(values: Path) -> Iterator[Row]:
    """One game alone: the referee waits for no other message then; the echo keeps its window."""
    pairs = [(referee(1).trips_ms, floor(1, values).trips_ms) for _ in range(5)]
    for name, share in (("p50", 0.50), ("p99", 0.99)):
        own = [quantile(ours, share) for ours, _ in pairs]
        other = [quantile(theirs, share) for _, theirs in pairs]
        ratios = [mine / theirs for mine, theirs in zip(own, other, strict=True)]
        ratio = median(ratios)
        spread = (max(ratios) - min(ratios)) / ratio
        title = f"referee, 1 game, reply to next request, {name}"
        yield Row(
            title, "ms", median(own), median(other), ratio, None, True, spread, "the echo waits 1 ms, the referee not"
        )


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _greedy_games(games: int) -> Row:
    rates = [referee(games, "greedy").games_s for _ in range(5)]
    spread = (max(rates) - min(rates)) / median(rates)
    return Row(f"referee, {games} games, greedy bots", "games/s", median(rates), None, None, None, True, spread)
