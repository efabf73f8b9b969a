"""What a referee process is started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    bots_address: str
    """Where bots dial in: HOST:PORT."""
    control_address: str
    """Where the site calls: HOST:PORT on loopback, or unix:PATH."""
    data_dir: Path
    """Results that wait for the site, and the signing key."""
    run_secret: str
    """May call every method of RefereeService."""
    watch_secret: str
    """May only look."""
    hosted_address: str = ""
    """unix:PATH for bots on this machine; empty for none."""
    flush_window_s: float = 0.001
    """How long a frame waits for more messages."""
    hello_timeout_s: float = 10.0
    ping_interval_s: float = 10.0
    silence_limit_s: float = 30.0
    """A stream that answers no ping for this long is gone."""
    max_frame_bytes: int = 256 * 1024
    max_pending_messages: int = 10_000
    """Towards a bot that does not read."""
    max_ignored_messages: int = 1_000
    """From a bot, answering nothing that is open, before its stream ends."""
    max_games_a_connection: int = 1_000
    lag_limit_ms: int = 250
    """A referee that ran so late within the last seconds takes no new games."""
    return_s: float = 30.0
    """After a restart no clock runs until the bots are back, for so long at most."""
    longest_pause_s: float = 600.0
    """A game that waits longer for bots lost on the referee's side is void."""
    drain_s: float = 0.0
    """How long running games may go on when the process is asked to end; what is left waits for the next one."""
