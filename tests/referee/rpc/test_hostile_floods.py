"""Floods from a process of its own, so that the client's work is not the referee's."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.referee.rpc.hostile import HOSTILE, arena
from tests.support.referee import bot_token

pytestmark = pytest.mark.usefixtures("quiet_log")


@pytest.mark.parametrize(
    ("mode", "token"),
    [
        pytest.param("knock", "nonsense", id="streams that are refused"),
        pytest.param("junk", bot_token(HOSTILE), id="a bot that is let in and sends junk"),
        pytest.param("noise", "-", id="connections and rubbish"),
    ],
)
async def test_games_go_on_through_a_flood(tmp_path: Path, mode: str, token: str) -> None:
    async with arena(tmp_path) as others:
        flooding = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "tests.referee.rpc.flooder", str(others.port), mode, "3", token],
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        before = others.games
        output, _error = await flooding.communicate()
        assert flooding.returncode == 0
        assert int(output) >= 20
        assert others.games > before
