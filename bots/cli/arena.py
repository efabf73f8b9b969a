"""A whole arena on one machine: its folder, its addresses and its processes."""

from __future__ import annotations

import importlib.util
import ipaddress
import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.cli.supervisor import Process, require_port
from referee.addresses import is_loopback

HOUSE_BOTS = ("random", "simple", "greedy", "planner")
HOUSE_MAX_GAMES = 8
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Arena:
    """Where one arena lives: its folder and its addresses."""

    data_dir: Path
    host: str
    port: int
    bot_port: int
    control_port: int

    @property
    def site_url(self) -> str:
        return f"http://{_bracketed(reachable_name(self.host))}:{self.port}"

    @property
    def local_site_url(self) -> str:
        """As this machine reaches it."""
        return f"http://{_LOOPBACK if _is_any(self.host) else _bracketed(self.host)}:{self.port}"

    @property
    def bot_address(self) -> str:
        """Said to be plain where bots would else try TLS: an arena like this has no certificate."""
        scheme = "" if is_loopback(self.host) else "plain://"
        return f"{scheme}{_bracketed(reachable_name(self.host))}:{self.bot_port}"

    @property
    def environment(self) -> dict[str, str]:
        """What every process of this arena is told; the caller's own CROWNS_ variables are emptied."""
        return {
            **{name: "" for name in os.environ if name.startswith("CROWNS_")},
            "DJANGO_SETTINGS_MODULE": "web.settings",
            "CROWNS_DATA_DIR": str(self.data_dir),
            "CROWNS_SITE_URL": self.site_url,
            "CROWNS_ALLOWED_HOSTS": ",".join(allowed_hosts(self.host)),
            "CROWNS_SHARDS": f"main={_LOOPBACK}:{self.control_port}={self.bot_address}",
        }


class ArenaError(Exception):
    """The arena cannot be run here; the message says what to do."""


def prepared(data_dir: Path, host: str, port: int, bot_port: int) -> Arena:
    """Checks what can be checked before anything is started. Raises ArenaError or PortUnavailable."""
    if any(importlib.util.find_spec(name) is None for name in ("django", "celery", "uvicorn")):
        raise ArenaError("the site is not installed: run  pip install 'crowns-arena[site]'")
    require_port(host, port, option="--port")
    require_port(host, bot_port, option="--bot-port")
    if port == bot_port:
        raise ArenaError(f"site and bots cannot share port {port}: choose another with --bot-port")
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(
            f"{data_dir} cannot be made a folder ({error.strerror}): choose another with --data"
        ) from error
    if not os.access(data_dir, os.W_OK):
        raise ArenaError(f"{data_dir} cannot be written to: choose another with --data")
    return Arena(data_dir.resolve(), host, port, bot_port, _free_port())


def initialise(arena: Arena, house_bots: Sequence[str] = HOUSE_BOTS) -> dict[str, str]:
    """Brings the database up to date; the first time an organiser and these house bots are made.

    Answers {"username", "password"}; the password is empty but for the first time. Raises ArenaError.
    """
    # Messages of an earlier start are hints about rows that the sweeper finds anyway.
    for left_over in arena.data_dir.glob("broker.sqlite3*"):
        left_over.unlink()
    django(arena, "migrate", "--no-input", "--verbosity=0")
    django(arena, "collectstatic", "--no-input", "--verbosity=0")
    which = [f"--house-bot={name}" for name in house_bots] or ["--no-house-bots"]
    made = json.loads(django(arena, "crowns_init", "--json", *which))
    return {"username": made["username"], "password": made["password"] or ""}


def django(arena: Arena, *command: str) -> str:
    """Runs a management command; answers what it prints. Raises ArenaError with the end of its output."""
    ran = subprocess.run(  # noqa: S603 - our own interpreter and our own commands
        [sys.executable, "-m", "django", *command],
        env={**os.environ, **arena.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise ArenaError(f"{command[0]} failed:\n{(ran.stderr or ran.stdout).strip()[-2000:]}")
    return ran.stdout


def site_processes(arena: Arena) -> list[Process]:
    """Referee, workers, beat and web, the same as on many machines."""
    logs, env = arena.data_dir / "logs", arena.environment
    secrets = {name: _secret(arena, file) for name, file in _CONTROL_SECRETS.items()}
    referee = [
        *_python("referee.rpc"),
        f"--bots={arena.host}:{arena.bot_port}",
        f"--control={_LOOPBACK}:{arena.control_port}",
        f"--data={arena.data_dir / 'referee'}",
    ]
    worker = [*_celery("worker"), "--pool=threads", "--concurrency=8", "--loglevel=INFO"]
    beat = [*_celery("beat"), f"--schedule={arena.data_dir / 'beat.schedule'}", "--pidfile=", "--loglevel=WARNING"]
    web = [
        *_python("uvicorn"),
        "web.asgi:application",
        f"--host={arena.host}",
        f"--port={arena.port}",
        "--no-access-log",
    ]
    return [
        Process(
            "referee", referee, logs / "referee.log", {**env, **secrets}, ready=lambda: _listens(arena.control_port)
        ),
        Process("worker", worker, logs / "worker.log", env),
        Process("beat", beat, logs / "beat.log", env),
        Process("web", web, logs / "web.log", env, ready=lambda: _answers(f"{arena.local_site_url}/healthz")),
    ]


_CONTROL_SECRETS = {"CROWNS_CONTROL_SECRET_RUN": "control_run", "CROWNS_CONTROL_SECRET_WATCH": "control_watch"}
"""Variable -> the file in the folder of secrets that the site keeps it in."""


def house_bots(arena: Arena) -> list[Process]:
    return [bot_process(arena, name, arena.data_dir / "house" / f"{name}.token", spec=name) for name in HOUSE_BOTS]


def bot_process(arena: Arena, name: str, token_file: Path, *, spec: str, max_games: int = HOUSE_MAX_GAMES) -> Process:
    """A bot in a process of its own, as its author would run it."""
    argv = [
        *_python("bots.cli"),
        "connect",
        spec,
        f"--server={arena.bot_address}",
        f"--token-file={token_file}",
        f"--max-games={max_games}",
    ]
    return Process(f"bot {name}", argv, arena.data_dir / "logs" / "bots" / f"{name}.log", arena.environment)


def allowed_hosts(host: str) -> list[str]:
    """The names under which the site answers."""
    hosts = ["localhost", _LOOPBACK, "[::1]"]
    if is_loopback(host):
        return hosts
    own = [socket.gethostname(), socket.getfqdn(), *_own_addresses()] if _is_any(host) else [host]
    return list(dict.fromkeys([*hosts, *(f"[{name}]" if ":" in name else name for name in own)]))


def reachable_name(host: str) -> str:
    """How others name this machine: the host itself, or its first own address if it listens on all."""
    if not _is_any(host):
        return host
    return next(iter(_own_addresses()), _LOOPBACK)


def _secret(arena: Arena, file: str) -> str:
    return (arena.data_dir / "secrets" / file).read_text().strip()


def _python(module: str) -> Sequence[str]:
    return [sys.executable, "-m", module]


def _celery(command: str) -> Sequence[str]:
    return [*_python("celery"), "-A", "web", command]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((_LOOPBACK, port)) == 0


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own address
            return True
    except (urllib.error.URLError, OSError):
        return False


def _own_addresses() -> list[str]:
    """Addresses of this machine that others may use; loopback and link-local ones are left out."""
    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)}
    except socket.gaierror:
        return []
    usable = [ipaddress.ip_address(address.partition("%")[0]) for address in found]
    return sorted(str(address) for address in usable if not (address.is_loopback or address.is_link_local))


def _is_any(host: str) -> bool:
    return host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
