"""The SDK on the network, against a scripted referee on loopback."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import grpc.aio
import pytest

from bots.sdk import Bot, SeatView, stream
from bots.sdk.client import Client
from bots.sdk.login import Login
from bots.sdk.stream import Refused
from fivecrowns.bot.v1 import bot_pb2
from referee.record.conditions import Fault, FaultType, GameScores
from referee.record.messages import DecisionRequest, GameEnd, GameEndReason
from tests.bots.sdk.scripted_service import Conversation, run_client, serving
from tests.bots.sdk.test_player import DISCARD, DRAW, GAME, started

PING = bot_pb2.RefereeMessage(ping=bot_pb2.Ping(number=17))


def asked(seen: SeatView, decision_id: int = 1, fault: Fault | None = None) -> DecisionRequest:
    return DecisionRequest(GAME, decision_id, seen, 2000, 30_000, 0, fault)


async def done(talk: Conversation) -> None:
    await talk.greet()
    await talk.goodbye("done")


# -- hello -------------------------------------------------------------------------------------------------------------


async def test_hello_and_welcome() -> None:
    heard: list[bot_pb2.Hello] = []

    async def script(talk: Conversation) -> None:
        assert talk.authorization == "Bearer secret-token"
        heard.append(await talk.greet(versions_wanted=["2", "3"]))
        await talk.goodbye("superseded by a newer connection")

    said: list[str] = []
    async with serving(script) as address:
        assert await run_client(address, said=said, max_games=4) == "superseded by a newer connection"
    (hello,) = heard
    assert (hello.protocol_version, hello.rules_version, hello.bot_version, hello.max_games) == (1, 1, "1", 4)
    assert hello.sdk.startswith("crowns-arena ")
    assert said == [
        "connected as Test Bot, version 1, 4 games at a time",
        "open tournaments wait for version 2 or 3: connect it with that --version",
    ]


async def test_site_allows_fewer_games() -> None:
    async def script(talk: Conversation) -> None:
        await talk.hear()
        welcome = bot_pb2.Welcome(bot_name="Test Bot", limits=bot_pb2.Limits(max_games=2))
        await talk.say(bot_pb2.RefereeMessage(welcome=welcome))
        await talk.goodbye("done")

    said: list[str] = []
    async with serving(script) as address:
        await run_client(address, said=said, max_games=8)
    assert "the site allows 2 of 8 games at a time" in said


REFUSALS = [reason for reason in bot_pb2.RefusalReason.values() if reason]


@pytest.mark.parametrize("reason", REFUSALS, ids=bot_pb2.RefusalReason.Name)
async def test_refused_for_good(reason: bot_pb2.RefusalReason) -> None:
    """Every reason comes with advice, and the referee's own words come first."""

    async def script(talk: Conversation) -> None:
        await talk.hear()
        refusal = bot_pb2.Refusal(reason=reason, message="this is wrong.")
        await talk.say(bot_pb2.RefereeMessage(refusal=refusal))

    async with serving(script) as address:
        with pytest.raises(Refused) as refused:
            await run_client(address)
    name = bot_pb2.RefusalReason.Name(reason).removeprefix("REFUSAL_REASON_")
    assert refused.value.reason == reason
    assert str(refused.value) == f"refused, {name}: this is wrong ({stream.REFUSAL_ADVICE[reason]})"


async def test_refused_for_now() -> None:
    async def not_ready(talk: Conversation) -> None:
        await talk.hear()
        refusal = bot_pb2.Refusal(reason=bot_pb2.REFUSAL_REASON_NOT_READY, message="no Sync yet", retry=True)
        await talk.say(bot_pb2.RefereeMessage(refusal=refusal))

    said: list[str] = []
    async with serving(not_ready, not_ready, done) as address:
        assert await run_client(address, said=said) == "done"
        assert (
            said[0] == f"cannot reach {address} (refused, NOT_READY: no Sync yet): connecting again until it is there"
        )
    assert len(said) == 2, "a second failure in a row is not news"


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED])
async def test_refused_by_status(code: grpc.StatusCode) -> None:
    async def script(talk: Conversation) -> None:
        await talk.context.abort(code, "no token")

    async with serving(script) as address:
        with pytest.raises(Refused, match="refused: no token"):
            await run_client(address)


async def test_port_that_serves_something_else() -> None:
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        with pytest.raises(Refused, match=f"127.0.0.1:{port} serves no bots: check that it is the arena's bot port"):
            await run_client(f"127.0.0.1:{port}")
    finally:
        await server.stop(None)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"server": "arena.example"}, "server 'arena.example' is no address: write HOST:PORT"),
        ({"server": "arena.example:0"}, "server 'arena.example:0' is no address"),
        ({"server": "arena.example:70000"}, "is no address"),
        ({"server": "http://arena.example:70"}, "is no address"),
        ({"server": "::1:70"}, "is no address"),
        ({"token": ""}, "the token is not one word"),
        ({"token": "two words"}, "the token is not one word"),
        ({"token": "gött"}, "the token is not one word"),
        ({"version": ""}, "version '' must have 1 to 40 characters"),
        ({"version": "v" * 41}, "must have 1 to 40 characters"),
        ({"max_games": 0}, "max games is 0: give 1 or more"),
    ],
)
def test_bad_login(values: dict[str, object], message: str) -> None:
    good: dict[str, object] = {"server": "[::1]:7433", "token": "t", "version": "1", "max_games": 1}
    Login(**good)  # type: ignore[arg-type] # a table of values
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        Login(**{**good, **values})  # type: ignore[arg-type] # a table of values


# -- games -------------------------------------------------------------------------------------------------------------


async def test_replies_to_one_frame_come_in_one_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.sdk.worker.FLUSH_AFTER_S", 60.0)
    talks: list[Conversation] = []

    async def script(talk: Conversation) -> None:
        talks.append(talk)
        await talk.greet()
        await talk.say(started("a" * 32), started(GAME), asked(DRAW))
        for _ in range(3):
            await talk.hear()
        await talk.goodbye("done")

    async with serving(script) as address:
        await run_client(address)
    kinds = [[message.WhichOneof("message") for message in frame] for frame in talks[0].frames]
    assert kinds == [["hello"], ["game_ready", "game_ready", "decision"]]


class Thinker(Bot):
    """Thinks until it is let go."""

    go: threading.Event

    def draw(self, view: SeatView) -> str:
        assert self.go.wait(30)
        return "pile"


@pytest.fixture
def thinker() -> Iterator[type[Thinker]]:
    bot_class = type("Thinker", (Thinker,), {"go": threading.Event()})
    yield bot_class
    bot_class.go.set()


async def test_nothing_waits_while_the_bot_thinks(thinker: type[Thinker]) -> None:
    """Neither pings nor what was answered before."""
    heard: list[str | None] = []

    async def script(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(started(), asked(DRAW), PING)
        heard.extend([(await talk.hear()).WhichOneof("message") for _ in range(2)])
        thinker.go.set()
        heard.append((await talk.hear()).WhichOneof("message"))
        await talk.goodbye("done")

    async with serving(script) as address:
        await run_client(address, thinker)
    assert sorted(heard[:2]) == ["game_ready", "pong"]
    assert heard[2] == "decision"


async def test_a_game_as_it_is_told() -> None:
    fault = Fault(FaultType.MOVE_TIMEOUT, 0, 3, 2, 9, 2000, 2001, (2001,), "no answer within 2000 ms")
    scores = GameScores((30, 20, 10), (3, 2, 1), (), (4, 0, 0))

    async def script(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(started(), asked(DRAW, 1), asked(DISCARD, 2, fault), asked(DRAW, 3, fault))
        await talk.say(GameEnd(GAME, GameEndReason.FINISHED, scores, b""), started("b" * 32))
        for _ in range(5):  # the last is ready for the second game, so the end of the first was heard
            await talk.hear()
        await talk.goodbye("done")

    said: list[str] = []
    async with serving(script) as address:
        await run_client(address, said=said)
    assert said[1:-1] == [
        f"game {GAME}: seat 0 of 3",
        f"game {GAME}: MOVE_TIMEOUT in round 3, turn 2: no answer within 2000 ms",
        f"game {GAME}: place 3 of 3 with 30 points, retired in round 4",
    ]


async def test_what_a_bot_raises_is_said_with_its_traceback() -> None:
    class Broken(Bot):
        def draw(self, view: SeatView) -> str:
            raise LookupError("lost it")

    async def script(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(started(), asked(DRAW))
        await talk.hear()
        assert (await talk.hear()).bot_error.decision_id == 1
        await talk.goodbye("done")

    said: list[str] = []
    async with serving(script) as address:
        await run_client(address, Broken, said=said)
    assert any("Broken.draw: LookupError: lost it" in line and "Traceback" in line for line in said)


async def test_message_of_a_newer_referee_is_passed_over() -> None:
    async def script(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(bot_pb2.RefereeMessage(), started())
        assert (await talk.hear()).WhichOneof("message") == "game_ready"
        await talk.goodbye("done")

    said: list[str] = []
    async with serving(script) as address:
        await run_client(address, said=said)
    assert any("is not understood here" in line for line in said)


async def test_broken_output_ends_the_client() -> None:
    """`crowns connect | head`: a bot nobody hears of must not stall in silence."""

    def say(line: str) -> None:
        if line.startswith("game"):
            raise BrokenPipeError

    async def script(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(started())
        with pytest.raises(EOFError):
            await talk.hear()

    async with serving(script) as address, asyncio.timeout(30):
        with pytest.raises(BrokenPipeError):
            await Client(Bot, Login(address, "t", "1"), say).run()


# -- connections -------------------------------------------------------------------------------------------------------


async def test_goodbye_with_leave_to_come_back() -> None:
    async def restart(talk: Conversation) -> None:
        await talk.greet()
        await talk.goodbye("restarting", reconnect=True)

    said: list[str] = []
    async with serving(restart, done) as address:
        assert await run_client(address, said=said) == "done"
        assert said[1] == f"lost {address} (restarting): connecting again until it is there"


async def test_lost_in_the_middle_of_a_game() -> None:
    """After the reconnect the same bot goes on, and answers what is asked again without being asked again."""
    made: list[Bot] = []
    drawn: list[int] = []
    replies: list[bot_pb2.BotMessage] = []

    class Counting(Bot):
        def __init__(self) -> None:
            made.append(self)

        def draw(self, view: SeatView) -> str:
            drawn.append(self.request.decision_id)
            return "pile"

    async def lose(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(started(), asked(DRAW))
        replies.extend([await talk.hear(), await talk.hear()])
        await talk.context.abort(grpc.StatusCode.UNAVAILABLE, "the network is gone")

    async def again(talk: Conversation) -> None:
        await talk.greet()
        await talk.say(started(), asked(DRAW), asked(DRAW, 5))
        replies.extend([await talk.hear(), await talk.hear(), await talk.hear()])
        await talk.goodbye("done")

    async with serving(lose, again) as address:
        assert await run_client(address, Counting) == "done"
    assert len(made) == 1
    assert drawn == [1, 5]
    assert replies[:2] == replies[2:4]
    assert replies[4].decision.decision_id == 5


async def test_server_that_is_not_there_yet() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    said: list[str] = []
    told = asyncio.Event()

    def say(line: str) -> None:
        said.append(line)
        told.set()

    async with asyncio.timeout(30):
        running = asyncio.create_task(Client(Bot, Login(f"127.0.0.1:{port}", "t", "1"), say).run())
        await told.wait()
        async with serving(done, port=port):
            assert await running == "done"
    assert said[0].startswith(f"cannot reach 127.0.0.1:{port} (")
    assert "refused" in said[0]
    assert len(said) == 2


async def test_silent_referee_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "WELCOME_WITHIN_S", 0.2)

    async def silent(talk: Conversation) -> None:
        await talk.hear()
        with pytest.raises(EOFError):
            await talk.hear()

    said: list[str] = []
    async with serving(silent, done) as address:
        assert await run_client(address, said=said) == "done"
    assert "the referee is silent" in said[0]


async def test_a_stream_to_every_shard() -> None:
    """Both are played on at once; one sent away for good leaves the other; the last one ends the client."""
    addresses: list[str] = []
    both = asyncio.Barrier(2)
    ready: list[str] = []

    async def shard(talk: Conversation, name: str) -> None:
        await talk.greet(shards=tuple(addresses))
        await both.wait()
        await talk.say(started(name * 32))
        ready.append((await talk.hear()).game_ready.game_id)
        if name == "a":
            await talk.goodbye("first is superseded")
            return
        await talk.goodbye("second too")

    async with (
        serving(lambda talk: shard(talk, "a")) as first,
        serving(lambda talk: shard(talk, "b")) as second,
    ):
        addresses += [first, second]
        assert await run_client(first) in ("first is superseded", "second too")
    assert sorted(ready) == ["a" * 32, "b" * 32]


async def test_shard_that_is_no_longer_listed_is_left() -> None:
    """Else the client would dial it for ever and not end with its other stream."""
    addresses: list[str] = []
    connected, unlisted, left = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def listing_both(talk: Conversation) -> None:
        await talk.greet(shards=tuple(addresses))
        await connected.wait()
        await talk.goodbye("restarting", reconnect=True)

    async def listing_one(talk: Conversation) -> None:
        await talk.greet(shards=(addresses[0],))
        await talk.say(started())
        await talk.hear()  # ready for a game, so it has read the welcome
        unlisted.set()
        await left.wait()
        await talk.goodbye("done")

    async def removed(talk: Conversation) -> None:
        await talk.greet(shards=tuple(addresses))
        connected.set()
        await unlisted.wait()
        await talk.goodbye("removed", reconnect=True)
        left.set()

    async with serving(listing_both, listing_one) as first, serving(removed) as second:
        addresses += [first, second]
        await run_client(first)


async def test_one_shard_by_another_name_is_not_dialled_twice() -> None:
    async def script(talk: Conversation) -> None:
        await talk.greet(shards=("arena.example:7433",))
        await talk.goodbye("done")

    said: list[str] = []
    async with serving(script) as address:
        assert await run_client(address, said=said) == "done"
    assert len(said) == 1


async def test_stopping_leaves_nothing_open() -> None:
    """A cancelled client closes its stream: the referee sees the end of it."""
    closed = asyncio.Event()
    welcomed = asyncio.Event()

    async def script(talk: Conversation) -> None:
        await talk.greet()
        welcomed.set()
        try:
            await talk.hear()
        except (EOFError, asyncio.CancelledError):
            closed.set()
            raise

    async with serving(script) as address, asyncio.timeout(30):
        running = asyncio.create_task(run_client(address))
        await welcomed.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await closed.wait()
