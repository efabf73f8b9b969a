"""Below the level of messages: clients that do not read, rubbish instead of HTTP/2, more of everything than there should be."""

from __future__ import annotations

import asyncio
import resource
import struct
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from fivecrowns.bot.v1 import bot_pb2
from referee.record.conditions import Budgets
from tests.referee.rpc.hostile import HEALTHY, HOSTILE, Arena, arena, calling
from tests.support import http2
from tests.support.referee import RawBot, bot_token, fault_names, game_spec, running_referee, sync_request

pytestmark = pytest.mark.usefixtures("quiet_log")

SHORT = Budgets(start_ms=1_000, decision_ms=250, bank_ms=500, thinking_ms=4_000)
STUBBORN = {"max_write_s": 0.5, "goodbye_grace_s": 0.2}


async def until_gone(others: Arena) -> None:
    while HOSTILE in await others.listed():
        await asyncio.sleep(0.02)


def greeting() -> bot_pb2.BotMessage:
    return bot_pb2.BotMessage(hello=RawBot(0, HOSTILE).hello)


# -- who does not read -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [0, 200, 2_000], ids=["nothing", "no further than Welcome", "into the game"])
async def test_a_bot_that_stops_reading_is_dropped(tmp_path: Path, window: int) -> None:
    """It keeps neither its table waiting nor its place in the lobby."""
    preface = http2.PREFACE + http2.settings(window=window)
    async with arena(tmp_path, **STUBBORN) as others, http2.connected(others.port, preface=preface) as client:
        client.open_play(1, bot_token(HOSTILE))
        client.say(1, greeting())
        while HOSTILE not in await others.listed():
            await asyncio.sleep(0.01)
        reading = asyncio.create_task(play_blindly(client))
        spec = game_spec([HOSTILE, *HEALTHY[:2]], budgets=SHORT)
        await others.site.start(spec)
        result = await others.site.result(spec.attempt_id)
        assert {fault.seat for fault in result.faults} == {0}
        assert fault_names(result)[-1] in ("START_TIMEOUT", "DISCONNECT", "MOVE_TIMEOUT")
        await until_gone(others)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def play_blindly(client: http2.Http2) -> None:
    """Answers what is heard, and never opens the window any further."""
    bot = RawBot(0, HOSTILE)
    while True:
        for message in await client.hear(1):
            for reply in bot._hear(message):
                client.say(1, reply)


async def test_a_rotated_token_ends_a_stream_that_is_not_read(tmp_path: Path) -> None:
    preface = http2.PREFACE + http2.settings(window=0)
    async with running_referee(tmp_path, goodbye_grace_s=0.2) as site, asyncio.timeout(20):
        await site.sync([HOSTILE])
        async with http2.connected(site.referee.bots_port, preface=preface) as client:
            client.open_play(1, bot_token(HOSTILE))
            client.say(1, greeting())
            while not site.referee.lobby.is_present(HOSTILE):
                await asyncio.sleep(0.01)
            await site.sync([HOSTILE], revision=2, generation=2)
            while site.referee.lobby.is_present(HOSTILE):
                await asyncio.sleep(0.01)


async def test_a_refusal_that_is_not_read_is_not_waited_for(tmp_path: Path) -> None:
    """With no window even the refusal cannot be sent; the place among the visitors is free again all the same."""
    preface = http2.PREFACE + http2.settings(window=0)
    limits = {"max_visitors": 1, "goodbye_grace_s": 0.2}
    async with arena(tmp_path, **limits) as others, http2.connected(others.port, preface=preface) as client:
        client.open_play(1, "nonsense")
        client.say(1, greeting())
        await others.let_in()


async def test_streams_left_unread_count_for_their_address(tmp_path: Path) -> None:
    """gRPC cannot end them before the client reads or goes: nobody may fill the port with them."""
    preface = http2.PREFACE + http2.settings(window=0)
    limits = {"max_visitors": 6, "max_visitors_an_address": 5, "goodbye_grace_s": 0.05}
    async with arena(tmp_path, **limits) as others:
        async with http2.connected(others.port, preface=preface) as client:
            for stream in (1, 3, 5, 7, 9):
                client.open_play(stream, "nonsense")
                client.say(stream, greeting())
            while not await is_full(others):
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)
            assert await is_full(others)  # and not for the moment only in which they say Hello
        await others.let_in()


async def is_full(others: Arena) -> bool:
    async with calling(others.port) as call:
        return await call.answer() == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_bot_that_answers_no_ping_is_gone(tmp_path: Path) -> None:
    """Its connection is open, and nobody is at home."""
    limits = {"ping_interval_s": 0.5, "silence_limit_s": 2.5, "goodbye_grace_s": 0.2}
    async with running_referee(tmp_path, **limits) as site, asyncio.timeout(20):
        await site.sync([HOSTILE])
        async with http2.connected(site.referee.bots_port) as client:
            client.open_play(1, bot_token(HOSTILE))
            client.say(1, greeting())
            heard = [message.WhichOneof("message") for message in await client.hear_out(1)]
        assert heard[0] == "welcome"
        assert set(heard[1:-1]) == {"ping"}
        assert heard[-1] == "goodbye"
        assert not site.referee.lobby.is_present(HOSTILE)


# -- rubbish -----------------------------------------------------------------------------------------------------------

RUBBISH = {
    "nothing at all": b"",
    "a proper beginning and no more": http2.PREFACE + http2.settings(),
    "half a preface": http2.PREFACE[:10],
    "a web browser": b"GET / HTTP/1.1\r\nHost: referee\r\n\r\n",
    "TLS on a plain port": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "noise": bytes(range(256)) * 64,
    "no settings": http2.PREFACE + http2.frame(http2.DATA, 0, 1, b"x" * 100),
    "a frame too long": http2.PREFACE + http2.settings() + b"\xff\xff\xff\x00\x00\x00\x00\x00\x01" + bytes(1000),
    "a header block of rubbish": http2.PREFACE
    + http2.settings()
    + http2.frame(http2.HEADERS, http2.END_HEADERS, 1, b"\xff" * 200),
    "an even stream": http2.PREFACE
    + http2.settings()
    + http2.frame(http2.HEADERS, http2.END_HEADERS, 2, http2.call_headers(http2.PLAY)),
    "a window beyond the limit": http2.PREFACE + http2.settings() + http2.window_update(0, 2**31 - 1) * 2,
}


@pytest.mark.parametrize("rubbish", RUBBISH.values(), ids=RUBBISH)
async def test_rubbish_is_cut_off(tmp_path: Path, rubbish: bytes) -> None:
    """Each of twenty connections is closed by the referee: by an error, or when the time for the first bytes is over."""
    async with arena(tmp_path, handshake_timeout_s=0.5, idle_connection_s=1) as others, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(http2.connected(others.port, preface=rubbish)) for _ in range(20)]
        assert all(await asyncio.gather(*(client.ended(20) for client in clients)))


async def test_one_byte_at_a_time_is_cut_off(tmp_path: Path) -> None:
    async with arena(tmp_path, handshake_timeout_s=0.5) as others, http2.connected(others.port, preface=b"") as client:
        ended = asyncio.create_task(client.ended(20))
        for byte in http2.PREFACE[:-1]:
            if ended.done():
                break
            client.send(bytes([byte]))
            await asyncio.sleep(0.1)
        assert await ended


async def test_pings_without_end_are_cut_off(tmp_path: Path) -> None:
    async with arena(tmp_path) as others, http2.connected(others.port) as client:
        ended = asyncio.create_task(client.ended(20))
        while not ended.done():
            client.send(http2.frame(http2.PING, 0, 0, bytes(8)) * 10)
            await asyncio.sleep(0.01)
        assert await ended


async def test_headers_without_end_are_not_kept(tmp_path: Path) -> None:
    """CONTINUATION after CONTINUATION: the header block is never whole. What is sent is read and forgotten."""
    more = http2.call_headers(http2.PLAY, extra=[(f"x-{number}", "y" * 100) for number in range(140)])[:16_000]
    async with arena(tmp_path) as others, http2.connected(others.port) as client:
        client.send(http2.frame(http2.HEADERS, 0, 1, http2.call_headers(http2.PLAY)))
        await others.play_on()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(4_000):
            client.send(http2.frame(http2.CONTINUATION, 0, 1, more))
            await client.writer.drain()
        await others.play_on()
        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown_kb < 16_000  # of 64,000 sent


@pytest.mark.parametrize("size", [20_000, 1_000_000])
async def test_metadata_bombs_are_refused(tmp_path: Path, size: int) -> None:
    async with arena(tmp_path) as others:
        metadata = [(f"bomb-{number}", "x" * 1_000) for number in range(size // 1_000)]
        async with calling(others.port, metadata=metadata) as call:
            code, _details = await call.status()
            assert code in (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL)
        assert HOSTILE not in await others.listed()


# -- more of everything ------------------------------------------------------------------------------------------------


async def test_streams_that_never_say_hello_are_limited(tmp_path: Path) -> None:
    limits = {"max_visitors_an_address": 10, "hello_timeout_s": 60}
    async with arena(tmp_path, **limits) as others, AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(calling(others.port)) for _ in range(10)]
        while not await is_full(others):
            await asyncio.sleep(0.02)
        refused = 0
        for call in [await stack.enter_async_context(calling(others.port)) for _ in range(20)]:
            code, details = await call.status()
            assert (code, details) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "too many streams of this address wait to say Hello",
            )
            refused += 1
        assert refused == 20
        await silent[0].hello()  # makes room again
        async with calling(others.port, bot_id=HEALTHY[0], token="nonsense") as call:
            await call.say(greeting())
            await call.hear("refusal")


async def test_thousands_of_streams_on_one_connection(tmp_path: Path) -> None:
    """Opened by hand, because a library would keep to what the referee allows; they are refused one by one or all together."""
    async with arena(tmp_path) as others, http2.connected(others.port) as client:
        ended = asyncio.create_task(client.ended(60))
        for stream in range(1, 6_001, 2):
            client.open_play(stream)
            if stream % 201 == 0:
                await asyncio.sleep(0.01)
        await others.play_on()
        assert await others.listed() == list(HEALTHY)
        ended.cancel()
        await asyncio.gather(ended, return_exceptions=True)


async def test_streams_opened_and_reset_at_once(tmp_path: Path) -> None:
    async with arena(tmp_path) as others, http2.connected(others.port) as client:
        ended = asyncio.create_task(client.ended(30))
        for stream in range(1, 4_001, 2):
            client.open_play(stream, bot_token(HOSTILE))
            client.send(http2.frame(http2.RST_STREAM, 0, stream, struct.pack(">I", 8)))
            if stream % 101 == 0:
                await asyncio.sleep(0.01)
        await others.play_on()
        ended.cancel()
        await asyncio.gather(ended, return_exceptions=True)


async def test_connections_are_limited(tmp_path: Path) -> None:
    """Those beyond the limit are closed at once, and games go on; when there is room again, others come in."""
    async with arena(tmp_path, max_connections=20, handshake_timeout_s=60) as others:
        async with AsyncExitStack() as stack:
            idle = [await stack.enter_async_context(http2.connected(others.port, preface=b"")) for _ in range(60)]
            ended = await asyncio.gather(*(client.ended(1) for client in idle))
            assert 60 - 20 < sum(ended) < 60
            await others.play_on()
        await others.let_in()


async def test_how_often_a_bot_may_open_streams(tmp_path: Path) -> None:
    async with arena(tmp_path, opens_a_minute_a_bot=10) as others:
        for _ in range(10):
            async with calling(others.port) as call:
                await call.hello()
        async with calling(others.port) as call:
            await call.say(greeting())
            code, details = await call.status()
        assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details == "this bot opened more than 10 streams within a minute"


async def test_how_often_an_address_may_open_streams(tmp_path: Path) -> None:
    async with arena(tmp_path, opens_a_minute_an_address=20) as others:
        for _ in range(20 - len(HEALTHY)):
            async with calling(others.port, "nonsense") as call:
                await call.say(greeting())
                await call.hear("refusal")
        async with calling(others.port) as call:
            code, details = await call.status()
        assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details == "more than 20 streams of this address within a minute"


async def test_calls_are_limited(tmp_path: Path) -> None:
    limits = {"max_calls": 10, "hello_timeout_s": 60}
    async with arena(tmp_path, **limits) as others, AsyncExitStack() as stack:
        for _ in range(10 - len(HEALTHY)):
            await stack.enter_async_context(calling(others.port))
        while not await is_full(others):
            await asyncio.sleep(0.02)


async def test_a_bot_has_so_many_streams(tmp_path: Path) -> None:
    """With as many versions as it likes; a stream that takes the place of its own is always let in."""
    async with arena(tmp_path, max_streams_a_bot=2) as others, AsyncExitStack() as stack:
        for version, answer in (("1", "welcome"), ("2", "welcome"), ("3", None), ("2", "welcome")):
            request = sync_request([*HEALTHY, HOSTILE], revision=1)
            request.bots[-1].versions_known.extend(["1", "2", "3"])
            await others.site.stub.Sync(request, metadata=others.site.metadata)
            call = await stack.enter_async_context(calling(others.port))
            got = await call.answer(version=version)
            assert got == (answer or grpc.StatusCode.RESOURCE_EXHAUSTED)


# -- health and reflection, which anybody may call ---------------------------------------------------------------------


async def test_health_is_answered_and_not_held_open(tmp_path: Path) -> None:
    service = health_pb2.HealthCheckRequest(service="fivecrowns.bot.v1.BotService")
    async with arena(tmp_path) as others, grpc.aio.insecure_channel(f"127.0.0.1:{others.port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        assert (await stub.Check(service)).status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.Check(health_pb2.HealthCheckRequest(service="other"))
        assert caught.value.code() == grpc.StatusCode.NOT_FOUND
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.Watch(service).read()
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize(
    "path",
    ["/grpc.health.v1.Health/Check", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"],
    ids=["health", "reflection"],
)
async def test_a_call_that_says_nothing_counts_as_a_visitor(tmp_path: Path, path: str) -> None:
    limits = {"max_visitors": 30, "max_visitors_an_address": 10, "hello_timeout_s": 1.0}
    async with arena(tmp_path, **limits) as others, http2.connected(others.port) as client:
        for stream in range(1, 201, 2):
            client.send(http2.frame(http2.HEADERS, http2.END_HEADERS, stream, http2.call_headers(path)))
        while True:
            async with calling(others.port) as call:
                if await call.answer() == grpc.StatusCode.RESOURCE_EXHAUSTED:
                    break
        await others.let_in()  # a second later they are gone
