"""`run`, for a bot that is started as a program of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bots.sdk.bot import Bot

# Read when grpc is loaded, which is later: else a restart of the referee prints its internals among the bot's lines.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

TOKEN_VARIABLE = "CROWNS_TOKEN"  # noqa: S105 - the name of a variable


def run(
    bot_class: type[Bot],
    server: str,
    *,
    token: str | None = None,
    version: str | None = None,
    max_games: int = 1,
    ca_file: str | Path | None = None,
) -> None:
    """Connects to HOST:PORT and plays until Ctrl-C; lost connections are dialled again.

    TLS is spoken except on loopback; `tls://HOST:PORT` and `plain://HOST:PORT` say it outright. `ca_file` is for an arena whose
    certificate is not signed by a public CA.

    The token comes from the variable CROWNS_TOKEN if it is not given, the version from the class. Raises ValueError for a value
    that cannot be right, and ends the process with one line if the referee refuses the bot.
    """
    # Imported here: grpc takes a moment to load, which a bot that plays locally need not wait for.
    from bots.sdk.client import Client, play_until_stopped
    from bots.sdk.login import Login
    from bots.sdk.stream import Refused

    token = token or os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise ValueError(f"no token: pass token=..., or put the one from the bot's page into {TOKEN_VARIABLE}")
    login = Login(server, token, version or bot_class.version, max_games, Path(ca_file) if ca_file else None)
    try:
        say(play_until_stopped(Client(bot_class, login, say)))
    except Refused as refusal:
        sys.exit(str(refusal))


def say(line: str) -> None:
    """A line on stdout at once, whichever thread it comes from."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
