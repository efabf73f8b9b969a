"""A hostile bot with a good token: what it may say on its stream, and when that is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.record.conditions import Budgets
from referee.record.messages import DecisionRequest
from referee.record.verify import verify_record
from tests.referee.rpc.hostile import HEALTHY, HOSTILE, arena, calling
from tests.support.referee import RawBot, fault_names, game_spec

pytestmark = pytest.mark.usefixtures("quiet_log")

SHORT = Budgets(start_ms=1_000, decision_ms=250, bank_ms=500, thinking_ms=4_000)
MANY = 2_000

Message = Callable[[str], bot_pb2.BotMessage]
"""From the id of a game of others."""


def stale_reply(game_id: str) -> bot_pb2.BotMessage:
    reply = bot_pb2.DecisionReply(game_id=game_id, decision_id=1)
    reply.draw.source = game_pb2.DRAW_SOURCE_PILE
    return bot_pb2.BotMessage(decision=reply)


JUNK: dict[str, Message] = {
    "an empty message": lambda game: bot_pb2.BotMessage(),
    "a pong nobody asked for": lambda game: bot_pb2.BotMessage(pong=bot_pb2.Pong(number=7)),
    "hello again": lambda game: bot_pb2.BotMessage(hello=RawBot(0, HOSTILE).hello),
    "a reply in a game of others": stale_reply,
    "a reply in a guessed game": lambda game: stale_reply("f" * 32),
    "ready for a game of others": lambda game: bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=game)),
    "resigns for others": lambda game: bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id=game)),
    "an error for others": lambda game: bot_pb2.BotMessage(bot_error=bot_pb2.BotError(game_id=game, decision_id=1)),
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
async def test_junk_is_counted_and_ends_the_stream(tmp_path: Path, junk: Message) -> None:
    """One message a frame or thousands: what is counted is messages."""
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.hello()
        spec = game_spec(HEALTHY)
        await others.site.start(spec)
        message = junk(spec.attempt_id)
        await call.say(*[message] * 10)
        for _ in range(10):
            await call.say(message)
        assert HOSTILE in await others.listed()
        await call.say(*[message] * MANY)
        goodbye = (await call.hear("goodbye")).goodbye
        assert goodbye.reason == bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR
        assert not goodbye.reconnect
        assert await call.status() == (grpc.StatusCode.OK, "")
        result = await others.site.result(spec.attempt_id)
        assert list(result.faults) == []


async def test_empty_frames_are_counted_too(tmp_path: Path) -> None:
    async with arena(tmp_path, max_ignored_messages=20) as others, calling(others.port) as call:
        await call.hello()
        for _ in range(21):
            await call.say()
        assert (await call.hear("goodbye")).goodbye.reason == bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR


async def test_what_was_ignored_long_ago_is_forgotten(tmp_path: Path) -> None:
    """A bot that is late now and then is not sent away after weeks."""
    settings = {"max_ignored_messages": 5, "ignored_messages_a_second": 1000}
    async with arena(tmp_path, **settings) as others, calling(others.port) as call:
        await call.hello()
        for _ in range(20):
            await call.say(stale_reply("f" * 32))
            await asyncio.sleep(0.01)  # ten of them are forgotten meanwhile
        assert HOSTILE in await others.listed()


BROKEN = {
    "no protobuf": b"\xff" * 100,
    "cut off": bot_pb2.PlayRequest(messages=[stale_reply("f" * 32)]).SerializeToString()[:-3],
    "bad UTF-8": bot_pb2.PlayRequest(messages=[stale_reply("f" * 32)]).SerializeToString().replace(b"ff", b"\xc3\x28"),
    "nested without end": b"\x0a\x7f" * 60,
    "a length beyond the end": b"\x0a\xff\xff\xff\xff\x0f",
}


@pytest.mark.parametrize("frame", BROKEN.values(), ids=BROKEN)
async def test_a_frame_that_is_no_message(tmp_path: Path, frame: bytes) -> None:
    """As the first frame it is refused, later it ends the stream; neither leaves a traceback."""
    async with arena(tmp_path) as others:
        async with calling(others.port) as call:
            await call.say_bytes(frame)
            assert (await call.hear("refusal")).refusal.reason == bot_pb2.REFUSAL_REASON_BAD_HELLO
        async with calling(others.port) as call:
            await call.hello()
            await call.say_bytes(frame)
            goodbye = (await call.hear("goodbye")).goodbye
            assert goodbye.reason == bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR
            assert not goodbye.reconnect


@pytest.mark.parametrize("when", ["first", "later"])
async def test_a_huge_frame_ends_the_stream(tmp_path: Path, when: str) -> None:
    async with arena(tmp_path) as others, calling(others.port) as call:
        if when == "later":
            await call.hello()
        await call.say_bytes(bytes(300 * 1024))
        code, details = await call.status()
        assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "larger than max" in details
        while HOSTILE in await others.listed():
            await asyncio.sleep(0.01)


async def test_a_huge_message_ends_the_stream(tmp_path: Path) -> None:
    huge = stale_reply("f" * 32)
    huge.decision.melds.add(faces=[1] * 20_000)
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.hello()
        await call.say(huge)
        goodbye = (await call.hear("goodbye")).goodbye
        assert "a message of more than 16384 bytes" in goodbye.message


async def test_a_frame_of_very_many_messages_ends_the_stream(tmp_path: Path) -> None:
    """Before anybody looks at them one by one."""
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.hello()
        await call.say_bytes(b"\x0a\x00" * 130_000)
        assert "a frame of more than 4096 messages" in (await call.hear("goodbye")).goodbye.message


async def test_valid_moves_are_never_limited(tmp_path: Path) -> None:
    """Not one message may be ignored, and thousands of moves are none too many."""
    async with (
        arena(tmp_path, max_ignored_messages=1, ignored_messages_a_second=0) as others,
        asyncio.TaskGroup() as games,
    ):
        for _ in range(8):
            games.create_task(others.play_on())


# -- at the table ------------------------------------------------------------------------------------------------------


class Repeater(RawBot):
    """Answers every decision, and with it all it has answered before; says ready and resigns for games that are over."""

    def _hear(self, message: bot_pb2.RefereeMessage) -> list[bot_pb2.BotMessage]:
        replies = super()._hear(message)
        self.said = [*getattr(self, "said", []), *replies]
        return [*replies, *self.said[-50:]] if replies else []


async def test_replays_change_nothing_and_are_counted(tmp_path: Path) -> None:
    async with arena(tmp_path) as others:
        bad = Repeater(others.port, HOSTILE)
        async with bad.connected():
            spec = game_spec([HOSTILE, *HEALTHY[:2]], budgets=SHORT)
            await others.site.start(spec)
            result = await others.site.result(spec.attempt_id)
            assert set(fault_names(result)) <= {"DISCONNECT"}
            assert {fault.seat for fault in result.faults} <= {0}
            assert verify_record(result.record, spec.seed).problems == ()
            while not bad.messages("goodbye"):
                await others.site.start(game_spec([HOSTILE, *HEALTHY[:2]], budgets=SHORT))
                await asyncio.sleep(0.05)


class Impostor(RawBot):
    """Answers for the others: every decision id near its own, wherever it sits."""

    def _answer(self, request: DecisionRequest) -> list[bot_pb2.BotMessage]:
        replies = super()._answer(request)
        for decision_id in range(max(1, request.decision_id - 3), request.decision_id + 4):
            if decision_id != request.decision_id:
                guess = bot_pb2.BotMessage.FromString(replies[0].SerializeToString())
                guess.decision.decision_id = decision_id
                replies = [guess, *replies] if decision_id % 2 else [*replies, guess]
        return replies


async def test_nobody_answers_for_another_seat(tmp_path: Path) -> None:
    """Ids of the decisions of others are easily guessed: they count from 1."""
    async with arena(tmp_path, max_ignored_messages=100_000) as others:
        async with Impostor(others.port, HOSTILE).connected():
            spec = game_spec([HEALTHY[0], HOSTILE, HEALTHY[1]])
            await others.site.start(spec)
            result = await others.site.result(spec.attempt_id)
        # Some guesses hit the next decision of its own.
        assert {fault.seat for fault in result.faults} <= {1}
        assert verify_record(result.record, spec.seed).problems == ()


class EverReady(RawBot):
    """Says ready for a game that has long begun, again and again; it is in the game, so these are not junk by their form."""

    def _answer(self, request: DecisionRequest) -> list[bot_pb2.BotMessage]:
        ready = bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=request.game_id))
        return [*super()._answer(request), *[ready] * 100]


async def test_more_answers_than_were_asked_for_are_counted(tmp_path: Path) -> None:
    async with arena(tmp_path) as others:
        bad = EverReady(others.port, HOSTILE)
        async with bad.connected():
            spec = game_spec([HOSTILE, *HEALTHY[:2]], budgets=SHORT)
            await others.site.start(spec)
            result = await others.site.result(spec.attempt_id)
            assert fault_names(result) == ["DISCONNECT"]
            assert bad.messages("goodbye")[0].reason == bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR


def big_claim(bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
    """A reply just small enough to be read, of a thousand melds."""
    reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
    reply.discard.face = 0
    reply.discard.go_out = True
    for _ in range(1_500):
        reply.melds.add(faces=[0, 1, 2, 3])
    return bot_pb2.BotMessage(decision=reply)


async def test_a_big_reply_is_a_fault_and_its_text_is_capped(tmp_path: Path) -> None:
    async with arena(tmp_path) as others, RawBot(others.port, HOSTILE, big_claim).connected():
        spec = game_spec([HOSTILE, *HEALTHY[:2]], budgets=SHORT)
        await others.site.start(spec)
        result = await others.site.result(spec.attempt_id)
        assert {fault.seat for fault in result.faults} == {0}
        assert set(fault_names(result)) <= {"ILLEGAL", "MALFORMED"}
        assert all(len(fault.reply) <= 512 for fault in result.faults)
        assert result.status == referee_pb2.GAME_STATUS_FINISHED


# -- Hello -------------------------------------------------------------------------------------------------------------


def hello(**changes: object) -> bot_pb2.BotMessage:
    greeting = RawBot(0, HOSTILE).hello
    greeting.MergeFrom(bot_pb2.Hello(**changes))
    return bot_pb2.BotMessage(hello=greeting)


FIRST = {
    "a frame of nothing": [],
    "a message of nothing": [bot_pb2.BotMessage()],
    "a reply": [stale_reply("f" * 32)],
    "a pong, then hello": [bot_pb2.BotMessage(pong=bot_pb2.Pong()), hello()],
    "table sizes without end": [hello(seats=[9] * 50_000)],
    "a version that is no name": [hello(bot_version="\x1b[2Jx")],
    "messages without end": [hello(), *[bot_pb2.BotMessage()] * 5_000],
    "a version without end": [hello(bot_version="v" * 100_000)],
}


@pytest.mark.parametrize("messages", FIRST.values(), ids=FIRST)
async def test_what_is_no_hello_is_refused_in_a_few_words(tmp_path: Path, messages: list[bot_pb2.BotMessage]) -> None:
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.say(*messages)
        refusal = (await call.hear("refusal")).refusal
        assert refusal.reason == bot_pb2.REFUSAL_REASON_BAD_HELLO
        assert 0 < len(refusal.message) < 200
        assert refusal.message.isprintable()
        assert HOSTILE not in await others.listed()


async def test_what_hello_says_is_kept_small(tmp_path: Path) -> None:
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.say(hello(seats=[2, 3, 4] * 1_000, sdk="s" * 10_000, max_games=2**32 - 1))
        await call.hear("welcome")
        answer = await others.site.stub.ListBots(referee_pb2.ListBotsRequest(), metadata=others.site.metadata)
        (bot,) = (bot for bot in answer.bots if bot.bot_id == HOSTILE)
        assert list(bot.seats) == [2, 3, 4]
        assert bot.ByteSize() < 200


async def test_messages_after_hello_in_the_same_frame_count(tmp_path: Path) -> None:
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.say(hello(), *[stale_reply("f" * 32)] * MANY)
        assert (await call.hear("goodbye")).goodbye.reason == bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR
