"""What the SDK makes of a referee that has enough of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bots.sdk import Bot
from bots.sdk.client import Client
from bots.sdk.login import Login
from tests.support.referee import bot_token, running_referee


async def test_too_many_streams_are_said_and_tried_again(tmp_path: Path) -> None:
    said: list[str] = []
    async with running_referee(tmp_path, opens_a_minute_a_bot=1) as site, asyncio.timeout(30):
        await site.sync(["b1"])
        login = Login(f"127.0.0.1:{site.referee.bots_port}", bot_token("b1"), "1")
        for words in ("connected as b1", "cannot reach"):
            running = asyncio.create_task(Client(Bot, login, said.append).run())
            while not any(line.startswith(words) for line in said):
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    wanted = (
        f"cannot reach {login.address.place} (this bot opened more than 1 streams within a minute): connecting again"
    )
    assert any(line.startswith(wanted) for line in said)
