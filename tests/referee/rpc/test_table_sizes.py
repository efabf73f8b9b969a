"""Tables of eight and more are for bots that say so: others may not know faces that come four times (RULES 4)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bots.sdk import ALL_TABLE_SIZES
from fivecrowns.referee.v1 import referee_pb2
from tests.support.referee import RawBot, game_spec, running_referee

PLAYED = (referee_pb2.GAME_STATUS_STARTING, referee_pb2.GAME_STATUS_RUNNING)


@pytest.mark.parametrize(
    ("said", "plays"),
    [((), range(2, 8)), ((2, 4), (2, 4)), (ALL_TABLE_SIZES, ALL_TABLE_SIZES)],
    ids=["nothing said", "two and four", "all"],
)
async def test_a_bot_is_seated_at_tables_of_its_sizes(
    tmp_path: Path, said: Sequence[int], plays: Sequence[int]
) -> None:
    names = [f"b{number}" for number in range(14)]
    async with running_referee(tmp_path) as site, AsyncExitStack() as stack:
        await site.sync(names)
        for name in names:
            sizes = said if name == "b0" else ALL_TABLE_SIZES
            await stack.enter_async_context(
                RawBot(site.referee.bots_port, name, lambda *_: None, seats=sizes).connected()
            )
        listed = await site.stub.ListBots(referee_pb2.ListBotsRequest(), metadata=site.metadata)
        assert [list(bot.seats) for bot in listed.bots if bot.bot_id == "b0"] == [list(plays)]
        for size in (2, 4, 7, 8, 14):
            (state,) = await site.start(game_spec(names[:size]))
            if size in plays:
                assert state.status in PLAYED, state.message
            else:
                assert state.refused_reason == referee_pb2.REFUSED_REASON_FORMAT_NOT_PLAYED
                assert (list(state.bot_ids), f"tables of {size}" in state.message) == (["b0"], True)
