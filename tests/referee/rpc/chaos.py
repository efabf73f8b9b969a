"""Games whose referee and bots are killed at random."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc

from fivecrowns.referee.v1 import referee_pb2
from referee.record.conditions import Budgets
from referee.record.verify import verify_record
from tests.support.referee import fault_names
from tests.support.referee_process import FarmProcess, RefereeProcess, SiteByHand, farm_process, referee_process

BOTS = tuple(f"b{number}" for number in range(8))
BUDGETS = Budgets(start_ms=20_000, decision_ms=1_500, bank_ms=30_000, thinking_ms=120_000)
"""A bot that was killed is back within its own bank."""


@dataclass(frozen=True)
class Plan:
    games: int
    referee_kills: int
    bot_kills: int
    turn_cap: int = 8
    within_s: float = 180.0


async def play_with_kills(folder: Path, plan: Plan, chance: random.Random) -> SiteByHand:
    """All games to their end, whatever is killed meanwhile; every kill of the plan falls while games are open."""
    async with AsyncExitStack() as stack:
        referee = await stack.enter_async_context(referee_process(folder, BOTS))
        farms = [await stack.enter_async_context(farm_process(referee, BOTS[start::4])) for start in range(4)]
        await referee.wait_connected(BOTS)
        site = SiteByHand(referee)
        tables = [chance.sample(BOTS, chance.choice([2, 3, 4])) for _ in range(plan.games)]
        site.order(tables, turn_cap=plan.turn_cap, budgets=BUDGETS)
        keeper = asyncio.create_task(restarts(referee))
        stack.callback(keeper.cancel)
        driving = asyncio.create_task(site.drive(plan.within_s))
        try:
            await _kill_at_random(plan, chance, driving, referee, farms)
            ended, _ = await asyncio.wait({driving, keeper}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.gather(*ended)
        except BaseException as error:
            error.add_note(f"open: {site.open}; the referee's last words:\n{referee.log()[-5000:]}")
            raise
    return site


async def _kill_at_random(
    plan: Plan,
    chance: random.Random,
    driving: asyncio.Task[None],
    referee: RefereeProcess,
    farms: Sequence[FarmProcess],
) -> None:
    kills = ["referee"] * plan.referee_kills + ["bots"] * plan.bot_kills
    chance.shuffle(kills)
    for victim in kills:
        await asyncio.sleep(chance.uniform(0.2, 0.8))  # at any moment, but after some play
        assert not driving.done(), f"all games were over before the last kill of {len(kills)}: play more of them"
        if victim == "referee":
            await _kill_referee(referee)
        else:
            await _kill_bots(chance.choice(farms))


def assert_sound(site: SiteByHand) -> None:
    """Every game has one result, which verifies, and nobody has a fault."""
    for attempt_id, result in site.results.items():
        assert result.status == referee_pb2.GAME_STATUS_FINISHED, result
        assert verify_record(result.record, site.specs[attempt_id].seed).problems == ()
        assert fault_names(result) == [], result.faults


async def restarts(referee: RefereeProcess) -> None:
    """Starts it again whenever it is gone."""
    while True:
        assert referee.process is not None
        await referee.process.wait()
        await referee.start()


async def _kill_referee(referee: RefereeProcess) -> None:
    """Once its games go on: killed while it starts, it would only show that starting does nothing."""
    async with asyncio.timeout(60):
        while not await _is_up(referee):
            await asyncio.sleep(0.05)
    assert referee.process is not None
    referee.process.kill()


async def _is_up(referee: RefereeProcess) -> bool:
    try:
        return referee.is_alive and (await referee.bots()).held_games == 0
    except grpc.RpcError:
        return False


async def _kill_bots(farm: FarmProcess) -> None:
    await farm.kill()
    await farm.start()
