"""The referee says today what it says in the transcripts (tests/data/transcripts), given the same bot."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from google.protobuf import json_format

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from tests.support.transcripts import FOLDER, SCENES, Replay, frame_of, read, stage

FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
async def test_the_referee_says_the_same(path: Path) -> None:
    header, lines = read(path)
    async with stage(header) as set_up:
        await Replay(set_up).play(lines)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_json_and_bytes_are_one_frame(path: Path) -> None:
    for line in read(path)[1]:
        if "from" in line:
            frame = frame_of(line)
            assert json_format.ParseDict(line["frame"], type(frame)()) == frame


def test_there_is_a_file_for_every_scene() -> None:
    assert [path.stem for path in FILES] == sorted(SCENES)


def test_what_a_referee_can_say_occurs() -> None:
    said, refusals, goodbyes, faults = set(), set(), set(), set()
    for path in FILES:
        for line in read(path)[1]:
            for message in frame_of(line).messages if line.get("from") == "referee" else ():
                said.add(message.WhichOneof("message"))
                refusals.add(message.refusal.reason)
                goodbyes.add(message.goodbye.reason)
                faults.add(message.decision.last_fault.type)
    assert said == {field.name for field in bot_pb2.RefereeMessage.DESCRIPTOR.fields}
    assert refusals == set(bot_pb2.RefusalReason.values())
    # To be too slow takes ten thousand messages.
    assert goodbyes == set(bot_pb2.GoodbyeReason.values()) - {bot_pb2.GOODBYE_REASON_TOO_SLOW}
    # Who was retired is asked no more.
    assert faults == {
        *(game_pb2.FAULT_TYPE_UNSPECIFIED, game_pb2.FAULT_TYPE_MOVE_TIMEOUT, game_pb2.FAULT_TYPE_ILLEGAL),
        *(game_pb2.FAULT_TYPE_MALFORMED, game_pb2.FAULT_TYPE_BOT_ERROR),
    }


async def test_a_referee_that_says_something_else_is_noticed() -> None:
    header, lines = read(FOLDER / "whole_game.jsonl")
    decisions = [number for number, line in enumerate(lines) if "decisionId" in str(line) and line["from"] == "referee"]
    number, line = decisions[3], lines[decisions[3]]
    frame = frame_of(line)
    frame.messages[-1].decision.hand[0] ^= 1
    line["bytes"] = base64.b64encode(frame.SerializeToString()).decode()
    async with stage(header) as set_up:
        with pytest.raises(AssertionError, match=f"^line {number + 2}: "):
            await Replay(set_up).play(lines)
