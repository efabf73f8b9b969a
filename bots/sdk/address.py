"""Where a bot dials in, and whether it does so with TLS."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from referee.addresses import is_loopback

_ADDRESS = re.compile(
    r"(?:(?P<scheme>tls|plain)://)?(?P<place>(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+):(?P<port>[0-9]{1,5}))"
)
_TLS, _PLAIN = "tls", "plain"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """HOST:PORT and how to speak there."""

    place: str
    is_tls: bool

    @classmethod
    def of(cls, text: str, ca_file: Path | None = None) -> ServerAddress:
        """Reads `HOST:PORT`, `tls://HOST:PORT` or `plain://HOST:PORT`. Without a scheme: TLS, except on loopback and if no CA is
        named. Raises ValueError."""
        match = _ADDRESS.fullmatch(text)
        if match is None or not 1 <= int(match["port"]) <= 65535:
            raise ValueError(
                f"server {text!r} is no address: write HOST:PORT, as in arena.example:7433, or tls:// or plain:// and that"
            )
        scheme = match["scheme"] or (_TLS if ca_file or not is_loopback(match["host"]) else _PLAIN)
        if scheme == _PLAIN and ca_file:
            raise ValueError(f"server {text!r} is to be called without TLS, but a CA is named: leave one out")
        return cls(match["place"], scheme == _TLS)
