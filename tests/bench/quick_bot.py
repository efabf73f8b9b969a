"""A bot that answers at once: `CROWNS_TOKEN=... python -m tests.bench.quick_bot PORT COUNTER MODE`.

The same process plays at the referee and at the floor. The file COUNTER holds how many decisions it has answered and the latest
round trips: from a reply to the request that follows it in the same game, if that came to the same bot.
MODE: `default` draws from the pile and throws what it drew; `claim` says with each discard that it goes out; `greedy` keeps the
least it can and goes out when it can.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import struct
import sys
import time
from pathlib import Path

import grpc

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.game.v1 import game_pb2
from referee.record import codec
from referee.rules.layout import best_discards

MAX_GAMES = 1_000
COUNTER = struct.Struct("<QQ")
"""Decisions answered, round trips measured."""
TRIP = struct.Struct("<d")
"""Seconds."""
KEPT_TRIPS = 4096
FILE_BYTES = COUNTER.size + KEPT_TRIPS * TRIP.size


def reply_to(request: bot_pb2.DecisionRequest, mode: str) -> bot_pb2.BotMessage:
    reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
    if request.kind == bot_pb2.DECISION_KIND_DRAW:
        reply.draw.source = game_pb2.DRAW_SOURCE_PILE
    elif mode == "greedy":
        best = best_discards(codec.cards_of_codes(request.hand), request.wild_rank)
        reply.discard.face = best.faces[0].code
        reply.discard.go_out = best.points == 0
    else:
        reply.discard.face = request.drawn_face
        reply.discard.go_out = mode == "claim"
    return bot_pb2.BotMessage(decision=reply)


async def play(port: int, counter: mmap.mmap, mode: str) -> None:
    answered = trips = 0
    replied: dict[str, tuple[int, float]] = {}
    """Game -> its decision answered last, and when."""
    metadata = (("authorization", f"Bearer {os.environ['CROWNS_TOKEN']}"),)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=metadata, wait_for_ready=True)
        hello = bot_pb2.Hello(protocol_version=1, rules_version=1, sdk="bench", bot_version="1", max_games=MAX_GAMES)
        await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=hello)]))
        async for frame in call:
            arrived = time.perf_counter()
            replies = []
            for message in frame.messages:
                kind = message.WhichOneof("message")
                if kind == "decision":
                    request = message.decision
                    before, at = replied.get(request.game_id, (0, 0.0))
                    if request.decision_id == before + 1 and before:
                        TRIP.pack_into(counter, COUNTER.size + trips % KEPT_TRIPS * TRIP.size, arrived - at)
                        trips += 1
                    replies.append(reply_to(request, mode))
                    answered += 1
                    replied[request.game_id] = (request.decision_id, time.perf_counter())
                elif kind == "game_start":
                    ready = bot_pb2.GameReady(game_id=message.game_start.game_id)
                    replies.append(bot_pb2.BotMessage(game_ready=ready))
                elif kind == "ping":
                    replies.append(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number)))
            if replies:
                await call.write(bot_pb2.PlayRequest(messages=replies))
            COUNTER.pack_into(counter, 0, answered, trips)


def main(port: str, counter: str, mode: str) -> None:
    with Path(counter).open("r+b") as file:
        asyncio.run(play(int(port), mmap.mmap(file.fileno(), FILE_BYTES), mode))


if __name__ == "__main__":
    main(*sys.argv[1:])
