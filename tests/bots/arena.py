"""Bots of this package at a real referee on loopback, all in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from bots.cli.bot_spec import FAULTY, is_raw_bot, load_bot
from bots.faulty.raw import RAW_BOTS
from bots.sdk.client import Client
from bots.sdk.login import Login
from fivecrowns.referee.v1 import referee_pb2
from tests.support.referee import Site, bot_token

MAX_GAMES = 50


@asynccontextmanager
async def bots_at(site: Site, bots: Mapping[str, str], *, said: list[str] | None = None) -> AsyncIterator[None]:
    """The bots connected for the time of the block: bot id -> what `crowns connect` would be told. Those that never say hello
    are not waited for."""
    await site.sync(list(bots))
    lines = [] if said is None else said
    running = [asyncio.create_task(run_bot(site.referee.bots_port, bot, bot_id, lines)) for bot_id, bot in bots.items()]
    try:
        await connected(site, [bot_id for bot_id, bot in bots.items() if bot != "faulty:silent"])
        yield
    finally:
        for task in running:
            task.cancel()
        ended = await asyncio.gather(*running, return_exceptions=True)
    for end in ended:
        if isinstance(end, Exception):
            raise end


async def run_bot(port: int, bot: str, bot_id: str, said: list[str]) -> str:
    login = Login(f"127.0.0.1:{port}", bot_token(bot_id), "1", MAX_GAMES)
    if is_raw_bot(bot):
        return await RAW_BOTS[bot.removeprefix(FAULTY)](login, said.append).run()
    return await Client(load_bot(bot).bot_class, login, said.append).run()


async def connected(site: Site, bot_ids: Sequence[str]) -> None:
    """Waits until the referee lists them all."""
    async with asyncio.timeout(30):
        while True:
            answer = await site.stub.ListBots(referee_pb2.ListBotsRequest(), metadata=site.metadata)
            if {bot.bot_id for bot in answer.bots} >= set(bot_ids):
                return
            await asyncio.sleep(0.02)
