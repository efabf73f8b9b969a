"""Readers of environment variables: each names the variable and the value when it is wrong."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from referee.addresses import is_on_this_machine
from tournaments.client_tls import ClientTls

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class ShardAddress:
    """A referee process: where the site calls it, and where bots do."""

    name: str
    control: str
    bots: str


def text(name: str, default: str = "") -> str:
    """A variable that is empty counts as not set, here and in all that follow."""
    return os.environ.get(name) or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name)
    if not value:
        return default
    if value.lower() in _YES | _NO:
        return value.lower() in _YES
    raise ImproperlyConfigured(f"{name}={value!r}: give 1 or 0")


def whole(name: str, default: int, *, least: int = 0) -> int:
    value = text(name, str(default))
    if value.isdecimal() and int(value) >= least:
        return int(value)
    raise ImproperlyConfigured(f"{name}={value!r}: give a whole number, at least {least}")


def words(name: str, default: str = "") -> list[str]:
    """Parts between commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def folder(name: str, default: str) -> Path:
    return Path(text(name, default)).expanduser().resolve()


def shards(name: str, default: str) -> tuple[ShardAddress, ...]:
    """`NAME=CONTROL_ADDRESS=BOT_ADDRESS`, several with commas between. `plain://` before a bot address: bots go without TLS."""
    found = []
    for part in words(name, default):
        fields = part.split("=")
        if len(fields) != 3 or not all(fields):
            raise ImproperlyConfigured(f"{name}: {part!r} is not NAME=CONTROL_ADDRESS=BOT_ADDRESS")
        found.append(ShardAddress(*fields))
    if len({shard.name for shard in found}) < len(found):
        raise ImproperlyConfigured(f"{name}: two shards of one name in {text(name)!r}")
    return tuple(found)


def client_tls(ca: str, certificate: str, key: str) -> ClientTls | None:
    """Three variables that name files: all are given, or none."""
    names = (ca, certificate, key)
    files = [Path(value).expanduser() for name in names if (value := text(name))]
    if not files:
        return None
    if len(files) < len(names):
        raise ImproperlyConfigured(f"{', '.join(names)}: give all of them, or none")
    return ClientTls(*files)


def require_tls_beyond_this_machine(name: str, addresses: Iterable[str], tls: ClientTls | None) -> None:
    for address in addresses:
        if tls is None and not is_on_this_machine(address):
            raise ImproperlyConfigured(
                f"{name}: {address} is beyond this machine, so referee and site must show certificates: set CROWNS_CONTROL_CA, "
                "CROWNS_CONTROL_CERT and CROWNS_CONTROL_KEY"
            )


def database(name: str, embedded: Path) -> dict[str, Any]:
    """Django's settings for `postgres://USER:PASSWORD@HOST:PORT/NAME` or `sqlite:///PATH`; unset: SQLite at `embedded`."""
    url = text(name)
    if not url:
        return _sqlite(embedded)
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and parts.path.strip("/"):
        return _sqlite(Path(unquote(parts.path.removeprefix("/"))))
    if parts.scheme in {"postgres", "postgresql"} and parts.path.strip("/"):
        return _postgresql(url)
    raise ImproperlyConfigured(f"{name}: give postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:///PATH")


def _sqlite(path: Path) -> dict[str, Any]:
    """IMMEDIATE: a transaction that will write takes its lock at the start, so none fails half way as `locked`."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA foreign_keys=ON;",
        },
    }


def _postgresql(url: str) -> dict[str, Any]:
    """Every statement has a deadline, for worker threads have none."""
    parts = urlsplit(url)
    deadlines = "-c statement_timeout=30s -c lock_timeout=15s -c idle_in_transaction_session_timeout=60s"
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "pool": {"min_size": 1, "max_size": whole("CROWNS_DATABASE_POOL", 12, least=1), "timeout": 5},
            "options": deadlines,
            **dict(parse_qsl(parts.query)),
        },
    }
