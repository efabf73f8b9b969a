"""`python -m referee.rpc`: one referee process."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from pathlib import Path

import click

from referee.record.crash_points import CrashPointError, arm
from referee.rpc.config import Config
from referee.rpc.server import AddressInUse, Referee


@click.command(help=__doc__)
@click.option(
    "--bots", "bots_address", default="127.0.0.1:7070", show_default=True, help="Where bots dial in, HOST:PORT."
)
@click.option(
    "--control",
    "control_address",
    default="127.0.0.1:7071",
    show_default=True,
    help="Where the site calls: HOST:PORT on loopback, or unix:PATH.",
)
@click.option("--hosted", "hosted_address", default="", help="unix:PATH for bots on this machine; none by default.")
@click.option(
    "--data",
    "data_dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("var/referee"),
    show_default=True,
    help="Games under way, results waiting for the site, and the signing key.",
)
@click.option(
    "--run-secret",
    envvar="CROWNS_CONTROL_SECRET_RUN",
    required=True,
    help="The secret of the site's workers; better given as CROWNS_CONTROL_SECRET_RUN.",
)
@click.option(
    "--watch-secret",
    envvar="CROWNS_CONTROL_SECRET_WATCH",
    required=True,
    help="The secret of the site's web processes; better given as CROWNS_CONTROL_SECRET_WATCH.",
)
@click.option(
    "--drain",
    "drain_s",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="Seconds that running games may go on after SIGTERM. What is left goes on in the next process.",
)
def main(
    bots_address: str,
    control_address: str,
    hosted_address: str,
    data_dir: Path,
    run_secret: str,
    watch_secret: str,
    drain_s: float,
) -> None:
    if run_secret == watch_secret:
        raise click.UsageError("the run secret and the watch secret are the same: give two different ones")
    try:
        arm(os.environ)
    except CrashPointError as error:
        raise click.UsageError(str(error)) from error
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    config = Config(bots_address, control_address, data_dir, run_secret, watch_secret, hosted_address, drain_s=drain_s)
    try:
        asyncio.run(_serve(config))
    except AddressInUse as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)


async def _serve(config: Config) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    referee = Referee(config)
    await referee.start()
    click.echo(f"referee: bots at {config.bots_address}, control at {config.control_address}")
    await stopping.wait()
    await referee.stop()


if __name__ == "__main__":
    main()
