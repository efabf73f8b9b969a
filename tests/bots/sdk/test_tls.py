"""Whether a bot speaks TLS, and what it says of a server that does not fit."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bots.sdk import Bot
from bots.sdk.address import ServerAddress
from bots.sdk.client import Client
from bots.sdk.login import Login
from referee.rpc.tls import TlsFiles
from tests.support.certificates import Authority
from tests.support.referee import bot_token, running_referee

CA = Path("ca.crt")


@pytest.mark.parametrize(
    ("text", "ca_file", "place", "is_tls"),
    [
        ("127.0.0.1:7070", None, "127.0.0.1:7070", False),
        ("localhost:7070", None, "localhost:7070", False),
        ("[::1]:7070", None, "[::1]:7070", False),
        ("127.0.0.1:7070", CA, "127.0.0.1:7070", True),
        ("tls://127.0.0.1:7070", None, "127.0.0.1:7070", True),
        ("arena.example:7070", None, "arena.example:7070", True),
        ("192.168.1.5:7070", None, "192.168.1.5:7070", True),
        ("[2001:db8::1]:7070", None, "[2001:db8::1]:7070", True),
        ("plain://192.168.1.5:7070", None, "192.168.1.5:7070", False),
        ("localhost.arena.example:7070", None, "localhost.arena.example:7070", True),
    ],
)
def test_tls_except_on_this_machine(text: str, ca_file: Path | None, place: str, is_tls: bool) -> None:
    assert ServerAddress.of(text, ca_file) == ServerAddress(place, is_tls)


@pytest.mark.parametrize(
    ("text", "ca_file", "message"),
    [
        ("https://arena.example:7070", None, "is no address"),
        ("tls:arena.example:7070", None, "is no address"),
        ("tls://arena.example", None, "is no address"),
        ("plain://arena.example:7070", CA, "without TLS, but a CA is named"),
    ],
)
def test_bad_addresses(text: str, ca_file: Path | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ServerAddress.of(text, ca_file)


async def first_words(server: str, ca_file: Path | None) -> str:
    """What a bot that dials this says first."""
    said: list[str] = []
    running = asyncio.create_task(Client(Bot, Login(server, bot_token("b1"), "1", 1, ca_file), said.append).run())
    try:
        async with asyncio.timeout(20):
            while not said:
                await asyncio.sleep(0.01)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    return said[0]


@pytest.mark.parametrize(
    ("certificate", "server", "ca", "words"),
    [
        ("good", "127.0.0.1:{port}", "own", "connected as b1"),
        ("good", "127.0.0.1:{port}", "other", "not to be trusted: unable to get local issuer certificate; if the arena has"),
        ("good", "tls://127.0.0.1:{port}", "", "not to be trusted: unable to get local issuer certificate; if the arena has"),
        ("good", "127.0.0.1:{port}", "", "; if TLS is spoken there, write tls://127.0.0.1:{port}"),
        ("good", "localhost:{port}", "own", "its certificate is for another name"),
        ("expired", "127.0.0.1:{port}", "own", "not to be trusted: certificate has expired"),
        ("for another host", "127.0.0.1:{port}", "own", "its certificate is for another name"),
        ("", "tls://127.0.0.1:{port}", "", "no TLS is spoken there; if the arena's page says so, write plain://127.0.0.1:{port}"),
        ("", "127.0.0.1:{port}", "own", "no TLS is spoken there"),
        ("", "plain://127.0.0.1:{port}", "", "connected as b1"),
    ],
)  # fmt: skip # one case a line
async def test_what_is_said_of_a_server(tmp_path: Path, certificate: str, server: str, ca: str, words: str) -> None:
    own, other = Authority(tmp_path), Authority(tmp_path, "other")
    files = {
        "good": own.issue("good"),
        "expired": own.issue("expired", days=-1),
        "for another host": own.issue("for another host", "arena.example"),
    }
    tls = TlsFiles(*files[certificate]) if certificate else None
    async with running_referee(tmp_path / "data", bots_tls=tls) as site:
        await site.sync(["b1"])
        port = site.referee.bots_port
        said = await first_words(server.format(port=port), {"own": own.file, "other": other.file}.get(ca))
    assert words.format(port=port) in said
