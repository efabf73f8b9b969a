"""The SDK's client answers today what the bot answers in the transcripts (tests/data/transcripts), given the same referee."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import grpc
import pytest

from bots.sdk.stream import Refused
from fivecrowns.bot.v1 import bot_pb2
from tests.bots.sdk.scripted_service import Conversation, Script, run_client, serving
from tests.support.transcripts import FOLDER, SDK_BOTS, Line, frame_of, read

FILES = sorted(FOLDER.glob("*.jsonl"))
PLAYED = [path for path in FILES if "bot" in read(path)[0]]
"""Those in which the bot is one that the SDK runs."""


def stream_numbers(lines: Sequence[Line]) -> list[int]:
    return sorted({line["stream"] for line in lines if "stream" in line})


def referee_of(lines: Sequence[Line], stream: int, problems: list[str], *, is_last: bool) -> Script:
    """The referee's part in one stream; what the bot says otherwise becomes a problem."""

    async def play(conversation: Conversation) -> None:
        for number, line in enumerate(lines, start=2):
            if line.get("stream") != stream:
                continue
            if line.get("from") == "referee":
                await conversation.say(*frame_of(line).messages)
            elif line.get("from") == "bot":
                for expected in map(without_sdk, frame_of(line).messages):
                    said = without_sdk(await conversation.hear())
                    if said != expected:
                        problems.append(f"line {number}: {said} instead of {expected}")
            elif line.get("event") == "cut" and not is_last:
                await conversation.context.abort(grpc.StatusCode.UNAVAILABLE, "the line breaks")
        if is_last:
            await conversation.goodbye("that was all")

    return play


def without_sdk(message: bot_pb2.BotMessage) -> bot_pb2.BotMessage:
    """Its name and version are its own."""
    if message.HasField("hello"):
        message.hello.ClearField("sdk")
    return message


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
async def test_the_client_answers_the_same(path: Path) -> None:
    header, lines = read(path)
    problems: list[str] = []
    numbers = stream_numbers(lines)
    scripts = [referee_of(lines, number, problems, is_last=number == numbers[-1]) for number in numbers]
    async with serving(*scripts) as address:
        assert await run_client(address, SDK_BOTS[header["bot"]]) == "that was all"
    assert problems == []


async def test_a_bot_that_answers_otherwise_is_noticed() -> None:
    problems: list[str] = []
    _, lines = read(FOLDER / "whole_game.jsonl")
    async with serving(referee_of(lines, 1, problems, is_last=True)) as address:
        await run_client(address, SDK_BOTS["takes"])
    assert problems


def last_words(path: Path) -> dict[int, bot_pb2.RefereeMessage]:
    """By stream: how the referee ended it, if the bot had said no more than a hello."""
    _, lines = read(path)
    words = {}
    for stream in stream_numbers(lines):
        frames = [line for line in lines if line.get("stream") == stream and "from" in line]
        said = [message for line in frames if line["from"] == "bot" for message in frame_of(line).messages]
        last = frame_of(frames[-1]).messages[-1]
        if [message.WhichOneof("message") for message in said] == ["hello"] and frames[-1]["from"] == "referee":
            words[stream] = last
    return {stream: word for stream, word in words.items() if word.WhichOneof("message") in ("refusal", "goodbye")}


SENT_AWAY = [(path, stream, word) for path in FILES for stream, word in last_words(path).items()]


@pytest.mark.parametrize(
    ("path", "stream", "word"), SENT_AWAY, ids=[f"{path.stem}-{stream}" for path, stream, _ in SENT_AWAY]
)
async def test_the_client_comes_back_if_it_may(path: Path, stream: int, word: bot_pb2.RefereeMessage) -> None:
    async def referee(conversation: Conversation) -> None:
        await conversation.hear()
        for line in read(path)[1]:
            if line.get("stream") == stream and line.get("from") == "referee":
                await conversation.say(*frame_of(line).messages)

    async def again(conversation: Conversation) -> None:
        await conversation.greet()
        await conversation.goodbye("it came back")

    async with serving(referee, again) as address:
        if word.HasField("refusal") and not word.refusal.retry:
            with pytest.raises(
                Refused, match=bot_pb2.RefusalReason.Name(word.refusal.reason)[len("REFUSAL_REASON_") :]
            ):
                await run_client(address)
        else:
            may_return = word.refusal.retry or word.goodbye.reconnect
            assert await run_client(address) == ("it came back" if may_return else word.goodbye.message)
