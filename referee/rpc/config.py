"""What a referee process is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from referee.rpc.tls import TlsFiles


@dataclass(frozen=True, slots=True)
class Config:
    bots_address: str
    """Where bots dial in: HOST:PORT."""
    control_address: str
    """Where the site calls: HOST:PORT, or unix:PATH. Beyond loopback only with `control_tls`."""
    data_dir: Path
    """Results that wait for the site, and the signing key."""
    run_secret: str = field(repr=False)
    """May call every method of RefereeService."""
    watch_secret: str = field(repr=False)
    """May only look."""
    hosted_address: str = ""
    """unix:PATH for bots on this machine; empty for none."""
    bots_tls: TlsFiles | None = None
    """None: bots speak without TLS, for loopback or behind a proxy."""
    control_tls: TlsFiles | None = None
    """With `client_ca`: the site must show a certificate too."""
    flush_window_s: float = 0.001
    """How long a frame waits for more messages when more than one game is played."""
    hello_timeout_s: float = 10.0
    ping_interval_s: float = 10.0
    silence_limit_s: float = 30.0
    """A stream that answers no ping for this long is gone."""
    max_frame_bytes: int = 256 * 1024
    max_messages_a_frame: int = 4_096
    max_message_bytes: int = 16 * 1024
    max_pending_messages: int = 10_000
    """Towards a bot that does not read."""
    max_handover_s: float = 0.25
    """A request that waits longer to leave waits for its bot, whose clock runs then."""
    max_write_s: float = 10.0
    """A bot that reads nothing of a frame for so long is sent away."""
    goodbye_grace_s: float = 2.0
    """How long a stream waits for its goodbye to be read."""
    max_ignored_messages: int = 1_000
    """From a bot, answering nothing that is open, before its stream ends."""
    ignored_messages_a_second: float = 10.0
    """So many of them are forgotten again."""
    max_games_a_connection: int = 1_000
    max_connections: int = 5_000
    """TCP connections to each bot port; fewer if the process may not open so many files."""
    max_streams_a_connection: int = 200
    max_calls: int = 10_000
    """Calls under way at each bot port, streams of bots included."""
    max_visitors: int = 1_000
    """Streams at each bot port that have not said Hello yet."""
    max_visitors_an_address: int = 100
    """The same from one IPv4 address or one /64 of IPv6; 0 for no limit, as behind a proxy, whose address all bots have."""
    max_streams_a_bot: int = 20
    """At each bot port, all its versions together."""
    opens_a_minute_an_address: int = 600
    """0 for no limit."""
    opens_a_minute_a_bot: int = 60
    """Streams opened by one bot, all its versions together."""
    handshake_timeout_s: float = 10.0
    """For the first bytes of a connection, TLS included."""
    idle_connection_s: float = 60.0
    """A TCP connection without a call is closed then."""
    lag_limit_ms: int = 250
    """A referee that ran so late within the last `lag_memory_s` takes no new games."""
    lag_memory_s: float = 5.0
    return_s: float = 30.0
    """After a restart no clock runs until the bots are back, for so long at most."""
    longest_pause_s: float = 600.0
    """A game that waits longer for bots lost on the referee's side is void."""
    drain_s: float = 0.0
    """How long running games may go on when the process is asked to end; what is left waits for the next one."""
