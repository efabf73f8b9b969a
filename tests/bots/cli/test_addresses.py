"""Where an arena of `crowns up` tells bots to dial in."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.cli.arena import Arena
from bots.sdk.address import ServerAddress


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1:7070"),
        ("localhost", "localhost:7070"),
        ("::1", "[::1]:7070"),
        ("192.168.1.5", "plain://192.168.1.5:7070"),
        ("arena.local", "plain://arena.local:7070"),
    ],
)
def test_bots_go_without_tls_as_the_arena_does(host: str, address: str) -> None:
    """What the pages show can be given to `crowns connect` as it stands."""
    arena = Arena(Path("var"), host, 8000, 7070, 7071)
    assert arena.bot_address == address
    assert not ServerAddress.of(arena.bot_address).is_tls
    assert arena.environment["CROWNS_SHARDS"].endswith(f"={address}")
