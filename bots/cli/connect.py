"""`crowns connect`: a bot on the network."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import click

from bots.cli.bot_spec import FAULTY, is_raw_bot, load_bot
from bots.faulty.raw import RAW_BOTS
from bots.sdk.client import Client, play_until_stopped
from bots.sdk.launch import TOKEN_VARIABLE, say
from bots.sdk.login import Login
from bots.sdk.stream import Refused


@click.command("connect", short_help="Play in an arena.")
@click.argument("bot", metavar="BOT")
@click.option("--server", required=True, metavar="HOST:PORT", help="The arena's bot address, as its page says.")
@click.option(
    "--ca",
    "ca_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Certificate of the CA to trust, for an arena without one of a public CA.",
)
@click.option("--token", help=f"The bot's token. Others can read command lines: better use {TOKEN_VARIABLE} or a file.")
@click.option("--token-file", type=click.Path(path_type=Path), help="A file that holds the token and nothing else.")
@click.option(
    "--version", "bot_version", metavar="V", help="The version that runs, 1 to 40 characters; else the class says it."
)
@click.option("--max-games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games at once.")
def command(
    bot: str,
    server: str,
    ca_file: Path | None,
    token: str | None,
    token_file: Path | None,
    bot_version: str | None,
    max_games: int,
) -> None:
    """Connect BOT to an arena and play until Ctrl-C; a lost connection is dialled again.

    BOT is FILE.py, or FILE.py:CLASS where it defines several bots; short names (see crowns play) work too. The token is on the
    bot's page: put it into the variable CROWNS_TOKEN, or into a file. Says who the bot is, the tournaments it is entered in, when
    the next round is, and each result with its link.

    The connection is encrypted (TLS) except on this machine. tls://HOST:PORT and plain://HOST:PORT say it outright: plain for an
    arena in your own network without TLS, where others might read the token on its way.

    \b
    Examples:
      CROWNS_TOKEN=... crowns connect mybot.py --server arena.example:7433
      crowns connect mybot.py:MyBot --server arena.example:7433 --token-file mybot.token --version 2 --max-games 4
    """
    login_token = _token(token, token_file)
    if is_raw_bot(bot):
        login = _login(server, login_token, bot_version or "faulty", max_games, ca_file)
        raw = RAW_BOTS[bot.removeprefix(FAULTY)](login, say)
        say(asyncio.run(raw.run()))
        return
    loaded = load_bot(bot)
    login = _login(server, login_token, bot_version or loaded.bot_class.version, max_games, ca_file)
    client = Client(loaded.bot_class, login, say)
    try:
        say(play_until_stopped(client))
    except Refused as refusal:
        raise click.ClickException(str(refusal)) from refusal


def _login(server: str, token: str, version: str, max_games: int, ca_file: Path | None) -> Login:
    try:
        return Login(server, token, version, max_games, ca_file)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error
    except OSError as error:
        raise click.ClickException(f"{ca_file} cannot be read: {error.strerror}.") from error


def _token(token: str | None, token_file: Path | None) -> str:
    if token is not None and token_file is not None:
        raise click.UsageError("--token and --token-file are both given: leave one out.")
    if token is not None:
        return token.strip()
    if token_file is not None:
        return _token_in(token_file)
    found = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not found:
        raise click.UsageError(
            f"no token: put the one from the bot's page into the variable {TOKEN_VARIABLE}, or name a file with --token-file."
        )
    return found


def _token_in(path: Path) -> str:
    try:
        token = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} holds no token: it is not text.") from error
    if not token:
        raise click.ClickException(f"{path} is empty: put the bot's token there.")
    return token
