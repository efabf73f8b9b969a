"""Where a bot connects to, and as whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import grpc
import grpc.aio

from bots.sdk.address import ServerAddress
from fivecrowns.bot.v1 import bot_pb2
from referee.record.codec import formats_message
from referee.record.conditions import Format
from referee.rules.state import RULES_VERSION

PROTOCOL_VERSION = 1
MAX_VERSION_LENGTH = 40

_CHANNEL_OPTIONS = (
    # The referee allows pings this often; it pings a silent stream itself as well.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # Bots of one process do not share a connection, nor how long it waits before it tries again.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
)


@dataclass(frozen=True)
class Login:
    """Where to and as whom. Raises ValueError that names a value which cannot be right, OSError for a CA that cannot be read."""

    server: str
    """HOST:PORT of any of the arena's referee processes; it tells the others. `tls://` or `plain://` may stand before it; without
    them TLS is spoken except on loopback."""
    token: str = field(repr=False)
    version: str
    max_games: int = 1
    """Games at once."""
    ca_file: Path | None = None
    """Certificates (PEM) of the CA to trust instead of the public ones; TLS is spoken then."""
    formats: tuple[Format, ...] = ()
    """What the bot plays; a `Client` says it by the methods of its class. None: games at a table,
    which is what is understood where nothing is said."""
    seats: tuple[int, ...] = ()
    """Table sizes the bot plays; a `Client` says those of its class. None: 2 to 7."""

    def __post_init__(self) -> None:
        self.address, self.credentials  # noqa: B018 - wrong values are to be told at once
        if not self.token or not self.token.isascii() or any(char.isspace() for char in self.token):
            raise ValueError("the token is not one word of letters and digits: copy it whole from the bot's page")
        if not 1 <= len(self.version) <= MAX_VERSION_LENGTH:
            raise ValueError(f"version {self.version!r} must have 1 to {MAX_VERSION_LENGTH} characters")
        if self.max_games < 1:
            raise ValueError(f"max games is {self.max_games}: give 1 or more")

    @cached_property
    def address(self) -> ServerAddress:
        return ServerAddress.of(self.server, self.ca_file)

    @cached_property
    def credentials(self) -> grpc.ChannelCredentials | None:
        """For every referee process of the arena; None without TLS."""
        if not self.address.is_tls:
            return None
        return grpc.ssl_channel_credentials(self.ca_file.read_bytes() if self.ca_file else None)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What a stream is opened with."""
        return (("authorization", f"Bearer {self.token}"),)

    def dial(self, place: str) -> grpc.aio.Channel:
        """A channel to HOST:PORT; every referee process of an arena is called the same way."""
        if self.credentials is None:
            return grpc.aio.insecure_channel(place, options=_CHANNEL_OPTIONS)
        return grpc.aio.secure_channel(place, self.credentials, options=_CHANNEL_OPTIONS)

    def hello(self) -> bot_pb2.Hello:
        return bot_pb2.Hello(
            protocol_version=PROTOCOL_VERSION,
            rules_version=RULES_VERSION,
            sdk=f"crowns-arena {version('crowns-arena')}",
            bot_version=self.version,
            max_games=self.max_games,
            formats=() if self.formats == (Format.TABLE,) else formats_message(self.formats),
            seats=self.seats,
        )
