"""What a referee process holds: for a bot that is idle, for a game in flight, and after many games.

python -m tests.bench.memory            prints the rows
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from fivecrowns.referee.v1 import referee_pb2
from referee.record import codec
from referee.record.conditions import Budgets, DealMode
from referee.rules.state import GameConfig
from tests.bench.referee import NAMES, Orders, bots, child
from tests.bench.report import Row
from tests.support.referee import RUN_SECRET, WATCH_SECRET, RawBot, sync_request
from tests.support.services import free_port

IDLE_BOTS = 200
GAMES = 1_000
GAMES_MB = 300.0
SOON, LATE = 12_000, 32_000
"""Games after which growth is measured; tables of two, one turn a seat in each game round. What a referee remembers of ended
games is 10,000 of each kind at most: that is full by then, and all that is looked for is what goes on growing."""
MOST_GROWTH = 1.05


def rows() -> Iterator[Row]:
    yield _idle_bots()
    yield _games_in_flight()
    yield _growth()


def _idle_bots() -> Row:
    with _referee() as (pid, port, control), Orders(control, 0) as orders:
        names = [f"idle{number}" for number in range(IDLE_BOTS)]
        orders.call("Sync", sync_request(names, revision=2))
        before = rss_mb(pid)
        grown = asyncio.run(_with_idle(port, names, pid)) - before
    per_bot = 1024 * grown / IDLE_BOTS
    return Row("referee memory, an idle bot", "kB", per_bot, None, None, None, True, note=f"of {IDLE_BOTS}")


async def _with_idle(port: int, names: list[str], pid: int) -> float:
    async with AsyncExitStack() as stack:
        for name in names:
            await stack.enter_async_context(RawBot(port, name).connected())
        return rss_mb(pid)


def _games_in_flight() -> Row:
    with tempfile.TemporaryDirectory() as name, _referee() as (pid, port, control), Orders(control, GAMES) as orders:
        before = rss_mb(pid)
        with bots(Path(name), port, "default") as answered:
            while answered() < 200 * GAMES:
                orders.keep_going(time.monotonic() + 1)
            total = rss_mb(pid)
    note = f"{1024 * (total - before) / GAMES:.0f} kB a game, {before:.0f} MB with none; about 200 decisions played in each"
    title = f"referee memory, {GAMES:,} games in flight"
    return Row(title, "MB", total, GAMES_MB, total / GAMES_MB, 1.0, total <= GAMES_MB, note=note)


def _growth() -> Row:
    with (
        tempfile.TemporaryDirectory() as name,
        _referee() as (pid, port, control),
        Orders(control, 64, _small_order) as orders,
        bots(Path(name), port, "default"),
    ):
        soon = _after(orders, SOON, pid)
        late = _after(orders, LATE - SOON, pid)
    ratio = late / soon
    title = f"referee memory after {LATE:,} games, against {SOON:,}"
    return Row(title, "MB", late, soon, ratio, MOST_GROWTH, ratio <= MOST_GROWTH)


def _after(orders: Orders, games: int, pid: int) -> float:
    ended = 0
    while ended < games:
        ended += orders.keep_going(time.monotonic() + 1)
    return rss_mb(pid)


def _small_order() -> referee_pb2.GameSpec:
    return referee_pb2.GameSpec(
        attempt_id=secrets.token_hex(16),
        config=codec.config_message(GameConfig(2, turn_cap=1), DealMode.INDEPENDENT),
        budgets=codec.budgets_message(Budgets()),
        seats=[referee_pb2.SeatSpec(bot_id=name) for name in NAMES[:2]],
        seed=secrets.token_bytes(32),
    )


def rss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} says nothing of its memory")


@contextmanager
def _referee() -> Iterator[tuple[int, int, int]]:
    """Its process id, bot port and control port."""
    with tempfile.TemporaryDirectory() as name:
        folder, port, control = Path(name), free_port(), free_port()
        environment = {"CROWNS_CONTROL_SECRET_RUN": RUN_SECRET, "CROWNS_CONTROL_SECRET_WATCH": WATCH_SECRET}
        argv = ("-m", "referee.rpc", f"--bots=127.0.0.1:{port}", f"--control=127.0.0.1:{control}", f"--data={folder}")
        with child(folder, "referee", *argv, **environment) as process:
            yield process.pid, port, control


if __name__ == "__main__":
    for row in rows():
        print(row)
    sys.exit(0)
