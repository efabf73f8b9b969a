"""`crowns up`: the whole arena on one machine."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from bots.cli.arena import (
    Arena,
    ArenaError,
    allowed_hosts,
    house_bots,
    initialise,
    prepared,
    site_processes,
)
from bots.cli.supervisor import PortUnavailable, ProcessFailed, supervise
from referee.addresses import is_loopback


@click.command("up")
@click.option(
    "--data",
    "data_dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("var"),
    show_default=True,
    help="Folder of the arena: database, records, keys, logs. Made if missing.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all of this machine."
)
@click.option("--port", default=8000, show_default=True, help="Port of the site.")
@click.option("--bot-port", default=7070, show_default=True, help="Port where bots dial in.")
def command(data_dir: Path, host: str, port: int, bot_port: int) -> None:
    """Run the whole arena on this machine: site, referee, workers and a few house bots.

    The first start makes an organiser and prints its password once. Ctrl-C stops everything.

    \b
    Examples:
      crowns up
      crowns up --data ~/league --port 8080
      crowns up --host 0.0.0.0            # for bots on other machines
    """
    console = Console(stderr=False, highlight=False)
    try:
        arena = prepared(data_dir, host, port, bot_port)
        _show_organiser(initialise(arena), arena, console)
        supervise(
            [*site_processes(arena), *house_bots(arena)],
            on_ready=lambda: _welcome(arena, console),
        )
    except (PortUnavailable, ProcessFailed, ArenaError) as error:
        raise click.ClickException(str(error)) from error
    console.print("stopped")


def _show_organiser(organiser: dict[str, str], arena: Arena, console: Console) -> None:
    if not organiser["password"]:
        return
    username, password = organiser["username"], organiser["password"]
    console.print(f"organiser [bold]{username}[/]  password [bold]{password}[/]  (shown only now)")
    console.print(f"admin     {arena.site_url}/admin/")


def _welcome(arena: Arena, console: Console) -> None:
    console.print(f"site      [bold]{arena.site_url}[/]")
    console.print(f"bots      crowns connect FILE.py --server {arena.bot_address}   (token: {arena.site_url}/my-bots/)")
    if not is_loopback(arena.host):
        console.print(f"answers to {', '.join(allowed_hosts(arena.host))}")
    console.print("Ctrl-C stops everything", style="dim")
