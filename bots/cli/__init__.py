"""`crowns`, the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from referee import IS_COMPILED

COMMANDS = (
    "new",
    "play",
    "compare",
    "connect",
    "verify",
    "up",
    "hand",
    "melds",
)
"""The commands in the order of the help. Each is the `command` of a module of its name here, imported when it is asked for."""


class CommandLine(click.Group):
    """A group that imports a command when it is named, and says what is wrong with its arguments in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return command

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _one_line_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line_errors():
            return super().invoke(ctx)


class BadArguments(click.ClickException):
    """What was typed cannot be done: one line on stderr, exit code 2."""

    exit_code = 2


@contextmanager
def _one_line_errors() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "crowns"
        raise BadArguments(f"{error.format_message()} See `{where} --help`.") from error


@click.group(cls=CommandLine, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(
    package_name="crowns-arena", message=f"crowns %(version)s, {'compiled' if IS_COMPILED else 'not compiled'}"
)
def main() -> None:
    """Five Crowns for bots: rules, games and leagues on the command line.

    A card is a rank 3..9 T J Q K and a suit s h d c * (stars), or JK for a joker: Th, 3*, JK. Shells expand *, so put cards
    in quotes, or write ★ for it.

    \b
    Examples:
      crowns new mybot
      crowns play mybot.py greedy
      crowns compare old.py new.py
      crowns hand --wild 5 "8s 8d 8h Ks Kd 5*"
      crowns melds --wild 5 "3s 4s 5s | 9h 9d 9c"
    """
