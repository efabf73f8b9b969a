"""A referee that cannot keep up, or cannot write, says so and takes no new games; what it plays costs nobody anything."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.referee.v1 import referee_pb2
from tests.support.referee import RawBot, Site, fault_names, game_spec, running_referee

BOTS = ("b1", "b2")


async def seated(stack: AsyncExitStack, site: Site, bots: list[RawBot]) -> None:
    await site.sync([bot.bot_id for bot in bots])
    for bot in bots:
        bot.port = site.referee.bots_port
        await stack.enter_async_context(bot.connected())


async def test_a_late_loop_takes_no_new_games_for_a_while(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path, lag_limit_ms=150, lag_memory_s=1.0))
        await seated(stack, site, [RawBot(0, name) for name in BOTS])
        running = game_spec(BOTS)
        await site.start(running)
        await asyncio.sleep(0.05)  # the meter is waiting by now
        time.sleep(0.4)  # on purpose: the loop stands still
        await asyncio.sleep(0.05)
        refused = game_spec(BOTS)
        (state,) = await site.start(refused)
        assert state.refused_reason == referee_pb2.REFUSED_REASON_OVERLOADED
        assert "ms late, over 150 ms: it takes no new games" in state.message
        result = await site.result(running.attempt_id)
        assert fault_names(result) == []
        async with asyncio.timeout(10):
            while (await site.start(refused))[0].status == referee_pb2.GAME_STATUS_REFUSED:
                await asyncio.sleep(0.05)
        assert fault_names(await site.result(refused.attempt_id)) == []


async def test_a_full_disk_calls_games_off_and_nobody_pays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told what the journal does not hold."""
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        bots = [RawBot(0, name) for name in BOTS]
        await seated(stack, site, bots)
        spec = game_spec(BOTS)
        spec.config.turn_cap = 200
        await site.start(spec)
        async with asyncio.timeout(10):
            while not bots[0].messages("decision"):
                await asyncio.sleep(0.01)
        plain, journal = os.write, site.referee.journal._file

        def full(file: int, data: bytes) -> int:
            if file == journal:
                raise OSError(errno.ENOSPC, "No space left on device")
            return plain(file, data)

        monkeypatch.setattr(os, "write", full)
        result = await site.result(spec.attempt_id)
        assert (result.status, list(result.faults)) == (referee_pb2.GAME_STATUS_ABORTED, [])
        for bot in bots:
            async with asyncio.timeout(10):
                while not bot.messages("game_end"):
                    await asyncio.sleep(0.01)
            (end,) = bot.messages("game_end")
            assert end.reason == bot_pb2.GAME_END_REASON_CANCELLED  # type: ignore[attr-defined]
        (state,) = await site.start(game_spec(BOTS))
        assert state.refused_reason == referee_pb2.REFUSED_REASON_OVERLOADED
        assert "the journal cannot be written: [Errno 28] No space left on device" in state.message
        monkeypatch.setattr(os, "write", plain)
        again = game_spec(BOTS)
        (state,) = await site.start(again)
        assert state.status != referee_pb2.GAME_STATUS_REFUSED
        assert fault_names(await site.result(again.attempt_id)) == []
