"""`crowns new`: a first bot to change."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

import click

from bots.cli.bot_spec import short_names

TEMPLATE = '''\
"""{class_name}, a bot for Five Crowns."""

from bots.sdk import Bot, best_discards, best_points


class {class_name}(Bot):
    def draw(self, view):
        # "discard" takes the upcard, "pile" a hidden card. Here: the upcard if it leaves fewer points at once.
        with_upcard = best_discards([*view.hand, view.upcard], view.wild_rank).points
        return "discard" if with_upcard < best_points(view.hand, view.wild_rank) else "pile"

    def discard(self, view):
        # Any card of view.hand. Here: of those that leave the fewest points the dearest, but rather no wild.
        best = best_discards(view.hand, view.wild_rank)
        return max(best.faces, key=lambda card: (not card.is_wild(view.wild_rank), card.rank))
'''


@click.command("new", short_help="Write a first bot to change.")
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.py, a bot in ten lines to play with and to change. An existing file is never overwritten.

    \b
    Examples:
      crowns new mybot          then: crowns play mybot.py simple
      crowns new bots/mybot     in a folder that is there
    """
    path = _path_of(name)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(class_name=class_name(path.stem)))
    except FileExistsError:
        raise click.ClickException(f"{path} exists already: choose another name, it is not overwritten.") from None
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from error
    click.echo(
        f"wrote {path}. Next:\n"
        f"  crowns play {path} simple            play it here, at full speed\n"
        f"  crowns play {path} greedy greedy planner --games 100\n"
        f"  crowns connect {path} --server HOST:PORT     enter an arena, with the token from your bot's page there"
    )


def class_name(stem: str) -> str:
    """`my_bot` -> `MyBot`."""
    return "".join(part[:1].upper() + part[1:] for part in stem.split("_")) or "MyBot"


def _path_of(name: str) -> Path:
    path = Path(name)
    stem = path.stem if path.suffix == ".py" else path.name
    if not stem.isidentifier() or keyword.iskeyword(stem):
        raise click.UsageError(f"{stem!r} is no name for a Python file: use letters, digits and _, as in my_bot.")
    if stem in sys.stdlib_module_names or stem in short_names():
        raise click.UsageError(f"{stem!r} is taken, by Python itself or by a house bot: choose another name.")
    return path.with_name(f"{stem}.py")
