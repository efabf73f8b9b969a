"""A bot that is stopped leaves in good order: the referee does not take it for a lost connection."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.bots.arena import connected, run_bot
from tests.support.referee import running_referee


async def test_a_bot_that_is_stopped_is_not_lost(tmp_path: Path) -> None:
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        lost: list[bool] = []
        plain = site.referee.games.detach

        def note(connection: object, *, was_lost: bool = False) -> None:
            lost.append(was_lost)
            plain(connection, was_lost=was_lost)  # type: ignore[arg-type]

        site.referee.games.detach = note  # type: ignore[method-assign]
        bot = asyncio.create_task(run_bot(site.referee.bots_port, "simple", "b1", []))
        await connected(site, ["b1"])
        bot.cancel()
        await asyncio.gather(bot, return_exceptions=True)
        async with asyncio.timeout(10):
            while not lost:
                await asyncio.sleep(0.01)
    assert lost == [False]
