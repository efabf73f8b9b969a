"""`python -m referee.rpc`: one referee process."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import signal
import sys
from dataclasses import fields
from pathlib import Path

import click

from referee.record.crash_points import CrashPointError, arm
from referee.rpc.config import Config
from referee.rpc.server import AddressInUse, Referee
from referee.rpc.tls import TlsError, TlsFiles

_DEFAULTS = {field.name: field.default for field in fields(Config)}
_FILE = click.Path(dir_okay=False, path_type=Path)

_OBJECTS_UNTIL_COLLECTION = 20_000


@click.command(help=__doc__)
@click.option(
    "--bots", "bots_address", default="127.0.0.1:7070", show_default=True, help="Where bots dial in, HOST:PORT."
)
@click.option(
    "--control",
    "control_address",
    default="127.0.0.1:7071",
    show_default=True,
    help="Where the site calls: unix:PATH, HOST:PORT on loopback, or anywhere with --control-cert, -key and -client-ca.",
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
@click.option("--bots-cert", type=_FILE, help="Certificate of the bot port: TLS.")
@click.option("--bots-key", type=_FILE, help="Its key. Files that change are read again.")
@click.option("--control-cert", type=_FILE, help="Certificate of the control port: mutual TLS.")
@click.option("--control-key", type=_FILE, help="Its key.")
@click.option(
    "--control-client-ca",
    type=_FILE,
    help="CA that signed the certificate which the site shows.",
)
@click.option(
    "--max-connections",
    type=click.IntRange(1),
    default=_DEFAULTS["max_connections"],
    show_default=True,
    help="TCP connections to each bot port; at most half of the files that the process may open.",
)
@click.option(
    "--max-visitors-an-address",
    type=click.IntRange(0),
    default=_DEFAULTS["max_visitors_an_address"],
    show_default=True,
    help="Streams of one address that have not said Hello; 0 for no limit, as behind a proxy.",
)
@click.option(
    "--opens-a-minute-an-address",
    type=click.IntRange(0),
    default=_DEFAULTS["opens_a_minute_an_address"],
    show_default=True,
    help="Streams that one address may open; 0 for no limit.",
)
@click.option(
    "--opens-a-minute-a-bot",
    type=click.IntRange(0),
    default=_DEFAULTS["opens_a_minute_a_bot"],
    show_default=True,
    help="Streams that one bot may open; 0 for no limit.",
)
@click.option(
    "--log-level",
    type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"]),
    default="INFO",
    show_default=True,
    help="What is written to stderr.",
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
    log_level: str,
    bots_cert: Path | None,
    bots_key: Path | None,
    control_cert: Path | None,
    control_key: Path | None,
    control_client_ca: Path | None,
    **limits: int,
) -> None:
    if run_secret == watch_secret:
        raise click.UsageError("the run secret and the watch secret are the same: give two different ones")
    try:
        arm(os.environ)
    except CrashPointError as error:
        raise click.UsageError(str(error)) from error
    logging.basicConfig(level=log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    config = Config(
        bots_address,
        control_address,
        data_dir,
        run_secret,
        watch_secret,
        hosted_address,
        bots_tls=_tls("--bots", bots_cert, bots_key),
        control_tls=_tls("--control", control_cert, control_key, control_client_ca),
        drain_s=drain_s,
        **limits,
    )
    _allow_files()
    try:
        asyncio.run(_serve(config))
    except (AddressInUse, TlsError) as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)


def _tls(option: str, certificate: Path | None, key: Path | None, client_ca: Path | None = None) -> TlsFiles | None:
    if certificate is None and key is None and client_ca is None:
        return None
    if certificate is None or key is None:
        raise click.UsageError(f"{option}-cert and {option}-key belong together: give both")
    return TlsFiles(certificate, key, client_ca)


def _allow_files() -> None:
    """Every connection is an open file; the usual 1,024 are few."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _calm_collector() -> None:
    """What was imported is never garbage, and nearly all that a decision makes is gone with it: cycles are looked for seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION)


async def _serve(config: Config) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    referee = Referee(config)
    await referee.start()
    _calm_collector()
    click.echo(f"referee: bots at {config.bots_address}, control at {config.control_address}")
    await stopping.wait()
    await referee.stop()


if __name__ == "__main__":
    main()
