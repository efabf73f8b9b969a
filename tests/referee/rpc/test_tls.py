"""TLS of the bot port, mutual TLS of the control port; every certificate is made for the test."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from bots.reference.simple_bot import SimpleBot
from bots.sdk.client import Client
from bots.sdk.login import Login
from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.record.verify import verify_record
from referee.rpc.config import Config
from referee.rpc.server import Referee
from referee.rpc.tls import TlsError, TlsFiles, server_credentials
from tests.bots.arena import connected
from tests.support import http2
from tests.support.certificates import Authority
from tests.support.referee import RUN_SECRET, Site, bot_token, game_spec, running_referee, sync_request

SECRET = (("authorization", f"Bearer {RUN_SECRET}"),)


def client(address: str, bot_id: str, ca_file: Path | None, said: list[str]) -> Client:
    return Client(SimpleBot, Login(address, bot_token(bot_id), "1", 10, ca_file), said.append)


async def reaches(port: int, ca_file: Path) -> bool:
    """Whether a new connection can be made by who trusts this CA."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    credentials = grpc.ssl_channel_credentials(ca_file.read_bytes())
    async with grpc.aio.secure_channel(f"127.0.0.1:{port}", credentials, options=options) as channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), 2)
        except TimeoutError:
            return False
    return True


async def test_a_game_over_two_shards_with_tls(tmp_path: Path) -> None:
    """The second shard is known from Welcome alone."""
    ca = Authority(tmp_path)
    tls = TlsFiles(*ca.issue("referee"))
    async with (
        running_referee(tmp_path / "one", bots_tls=tls) as one,
        running_referee(tmp_path / "two", bots_tls=tls) as two,
    ):
        addresses = [f"127.0.0.1:{site.referee.bots_port}" for site in (one, two)]
        request = sync_request(["b1", "b2"])
        request.shards.extend([addresses[0], f"tls://{addresses[1]}"])
        for site in (one, two):
            await site.stub.Sync(request, metadata=site.metadata)
        said: list[str] = []
        running = [asyncio.create_task(client(addresses[0], bot_id, ca.file, said).run()) for bot_id in ("b1", "b2")]
        try:
            for site in (one, two):
                await connected(site, ["b1", "b2"])
                spec = game_spec(["b1", "b2"])
                await site.start(spec)
                result = await site.result(spec.attempt_id)
                assert list(result.faults) == []
                assert verify_record(result.record, spec.seed).problems == ()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)


async def test_a_renewed_certificate_counts_without_a_restart(tmp_path: Path) -> None:
    """Streams that are open stay so."""
    old, new = Authority(tmp_path, "old"), Authority(tmp_path, "new")
    files = old.issue("referee", at=tmp_path)
    said: list[str] = []
    async with running_referee(tmp_path / "data", bots_tls=TlsFiles(*files)) as site:
        await site.sync(["b1"])
        port = site.referee.bots_port
        playing = asyncio.create_task(client(f"127.0.0.1:{port}", "b1", old.file, said).run())
        await connected(site, ["b1"])
        assert await reaches(port, old.file)
        assert not await reaches(port, new.file)
        new.issue("referee", at=tmp_path)
        assert await reaches(port, new.file)
        assert not await reaches(port, old.file)
        await connected(site, ["b1"])
        assert not any("lost" in line for line in said)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


@pytest.mark.parametrize("damage", ["a key of another certificate", "no certificate", "gone"])
async def test_broken_files_change_nothing(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    ca = Authority(tmp_path)
    certificate, key = ca.issue("referee")
    async with running_referee(tmp_path / "data", bots_tls=TlsFiles(certificate, key)) as site:
        match damage:
            case "a key of another certificate":
                shutil.copy(ca.issue("other")[1], key)
            case "no certificate":
                certificate.write_text("nothing")
            case "gone":
                certificate.unlink()
        assert await reaches(site.referee.bots_port, ca.file)
        assert await reaches(site.referee.bots_port, ca.file)
    said = [record.getMessage() for record in caplog.records if "TLS files have changed" in record.getMessage()]
    assert len(said) == 1
    assert str(certificate) in said[0]


CLIENT_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


@pytest.mark.parametrize(
    "rubbish",
    [b"", http2.PREFACE, CLIENT_HELLO, CLIENT_HELLO + bytes(600), b"GET / HTTP/1.1\r\n\r\n"],
    ids=["nothing", "no TLS", "half a hello", "a hello of zeros", "a web browser"],
)
async def test_rubbish_on_a_tls_port_is_cut_off(tmp_path: Path, rubbish: bytes) -> None:
    ca = Authority(tmp_path)
    limits = {"handshake_timeout_s": 0.5, "bots_tls": TlsFiles(*ca.issue("referee"))}
    async with running_referee(tmp_path / "data", **limits) as site, AsyncExitStack() as stack:
        port = site.referee.bots_port
        clients = [await stack.enter_async_context(http2.connected(port, preface=rubbish)) for _ in range(20)]
        assert await reaches(port, ca.file)
        assert all(await asyncio.gather(*(client.ended(20) for client in clients)))


def test_files_that_do_not_fit_are_named(tmp_path: Path) -> None:
    ca = Authority(tmp_path)
    certificate, key = ca.issue("referee")
    other_key = ca.issue("other")[1]
    for files in (
        TlsFiles(certificate, other_key),
        TlsFiles(certificate, tmp_path / "away.key"),
        TlsFiles(key, key),
        TlsFiles(certificate, key, client_ca=key),
    ):
        with pytest.raises(TlsError, match=str(files.certificate)):
            server_credentials(files)


# -- the control port --------------------------------------------------------------------------------------------------

ELSEWHERE = ["0.0.0.0:7071", "[::]:7071", "192.0.2.1:7071", "referee.example:7071", ":7071"]


@pytest.mark.parametrize("address", ELSEWHERE)
@pytest.mark.parametrize("tls", ["none", "the referee's certificate only"])
async def test_no_control_port_beyond_this_machine_without_mutual_tls(tmp_path: Path, address: str, tls: str) -> None:
    files = None if tls == "none" else TlsFiles(*Authority(tmp_path).issue("referee"))
    referee = Referee(Config("127.0.0.1:0", address, tmp_path / "data", "run", "watch", control_tls=files))
    with pytest.raises(TlsError, match="could be reached from other machines"):
        await referee.start()
    assert referee.bots_port == 0


async def list_bots(site: Site, credentials: grpc.ChannelCredentials | None) -> referee_pb2.ListBotsResponse:
    address, options = f"127.0.0.1:{site.referee.control_port}", (("grpc.use_local_subchannel_pool", 1),)
    channel = (
        grpc.aio.insecure_channel(address, options=options)
        if credentials is None
        else grpc.aio.secure_channel(address, credentials, options=options)
    )
    async with channel:
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        return await stub.ListBots(referee_pb2.ListBotsRequest(), metadata=SECRET, timeout=10)


async def test_the_control_port_wants_a_certificate_too(tmp_path: Path) -> None:
    """The right secret alone opens nothing."""
    ca, other = Authority(tmp_path), Authority(tmp_path, "other")
    tls = TlsFiles(*ca.issue("referee"), client_ca=ca.file)
    shown = {
        "good": ca.issue("site"),
        "of another CA": other.issue("stranger"),
        "expired": ca.issue("late", days=-1),
    }
    async with running_referee(tmp_path / "data", control_tls=tls) as site:
        for name, (certificate, key) in shown.items():
            credentials = grpc.ssl_channel_credentials(ca.file.read_bytes(), key.read_bytes(), certificate.read_bytes())
            if name == "good":
                assert (await list_bots(site, credentials)).incarnation == site.referee.incarnation
                continue
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await list_bots(site, credentials)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE, name
        for credentials in (None, grpc.ssl_channel_credentials(ca.file.read_bytes())):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await list_bots(site, credentials)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE


async def test_a_certificate_is_no_secret(tmp_path: Path) -> None:
    ca = Authority(tmp_path)
    certificate, key = ca.issue("site")
    credentials = grpc.ssl_channel_credentials(ca.file.read_bytes(), key.read_bytes(), certificate.read_bytes())
    tls = TlsFiles(*ca.issue("referee"), client_ca=ca.file)
    async with (
        running_referee(tmp_path / "data", control_tls=tls) as site,
        grpc.aio.secure_channel(f"127.0.0.1:{site.referee.control_port}", credentials) as channel,
    ):
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ListBots(referee_pb2.ListBotsRequest(), timeout=10)
        assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED


# -- the command -------------------------------------------------------------------------------------------------------


def referee(tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    secrets = ["--run-secret=run-secret", "--watch-secret=watch-secret"]
    command = [sys.executable, "-m", "referee.rpc", "--bots=127.0.0.1:0", f"--data={tmp_path / 'data'}", *secrets]
    return subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=60)


def test_what_is_said_of_wrong_options(tmp_path: Path) -> None:
    certificate, key = Authority(tmp_path).issue("referee")
    exposed = referee(tmp_path, "--control=0.0.0.0:0")
    assert exposed.returncode == 1
    assert exposed.stderr.startswith("error: the control port 0.0.0.0:0 could be reached from other machines")
    half = referee(tmp_path, "--control=127.0.0.1:0", f"--bots-cert={certificate}")
    assert half.returncode == 2
    assert "--bots-cert and --bots-key belong together" in half.stderr
    swapped = referee(tmp_path, "--control=127.0.0.1:0", f"--bots-cert={key}", f"--bots-key={certificate}")
    assert swapped.returncode == 1
    assert swapped.stderr.startswith(f"error: certificate and key cannot be used ({key}, {certificate})")
    assert len(swapped.stderr.splitlines()) == 1
