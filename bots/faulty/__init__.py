"""Bots that do one thing wrong, to see what the referee makes of it. `crowns connect faulty:NAME` runs one.

Those written with the SDK stand here; those that misuse the connection itself are in `bots.faulty.raw`.
"""

from bots.faulty.bots import CrashBot, IllegalBot, ResignBot, SlowBot
from bots.sdk import Bot

FAULTY_BOTS: dict[str, type[Bot]] = {
    "crash": CrashBot,
    "illegal": IllegalBot,
    "resign": ResignBot,
    "slow": SlowBot,
}
"""By short name."""
RAW_NAMES = ("stall", "garbage", "drop", "leave", "flood", "silent", "unready")
"""The bots of `bots.faulty.raw`, which loads grpc."""
