"""Two bots of a third party that are idle for longer than two minutes and then play: `python -m tests.system.idle SECONDS`.

Prints one line of JSON when it is over. It waits and does little else, so it runs beside other tests.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import tempfile
import time
from pathlib import Path

from fivecrowns.referee.v1 import referee_pb2
from tests.support.referee import bot_token, fault_names, game_spec
from tests.support.referee_process import SiteByHand, referee_process

BOTS = ("third", "fourth")
WITHIN_S = 60.0


async def start_bot(port: int, name: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.system.third_party", f"127.0.0.1:{port}", bot_token(name)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def words_until(bot: asyncio.subprocess.Process, last: str) -> list[str]:
    """What the bot hears up to this word, or all it says if that never comes."""
    assert bot.stdout is not None
    words: list[str] = []
    async with asyncio.timeout(WITHIN_S):
        while last not in words and (line := await bot.stdout.readline()):
            words.append(line.decode().strip())
    return words


async def main(folder: Path, idle_s: float) -> dict[str, object]:
    async with referee_process(folder, BOTS) as referee:
        bots = [await start_bot(referee.bots_port, name) for name in BOTS]
        try:
            greetings = [await words_until(bot, "welcome") for bot in bots]
            began_at = time.monotonic()
            await asyncio.sleep(idle_s)
            idled_s = time.monotonic() - began_at
            site, spec = SiteByHand(referee), game_spec(BOTS)
            site.specs[spec.attempt_id] = spec
            await site.drive(WITHIN_S)
            heard = [await words_until(bot, "game_end") for bot in bots]
        finally:
            for bot in bots:
                if bot.returncode is None:
                    bot.kill()
                await bot.wait()
        result = site.results[spec.attempt_id]
        return {
            "idle_s": idled_s,
            "greetings": greetings,
            "heard": [sorted(set(words)) for words in heard],
            "pings": [words.count("ping") for words in heard],
            "status": referee_pb2.GameStatus.Name(result.status),
            "faults": fault_names(result),
            "connections": [referee.log().count(f"bot {name} version '1' connected") for name in BOTS],
        }


if __name__ == "__main__":
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # what was started is ended on Ctrl-C, however this was started
    with tempfile.TemporaryDirectory(prefix="crowns-idle-") as folder:
        print(json.dumps(asyncio.run(main(Path(folder), float(sys.argv[1])))))
