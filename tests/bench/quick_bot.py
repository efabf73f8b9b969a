"""A bot that answers at once: `CROWNS_TOKEN=... python -m tests.bench.quick_bot PORT COUNTER MODE`.

The same process plays at the referee and at the floor. How many decisions it has answered stands in the file COUNTER, 8 bytes.
MODE: `default` draws from the pile and throws what it drew; `claim` says with each discard that it goes out; `greedy` keeps the
least it can and goes out when it can.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import struct
import sys
from pathlib import Path

import grpc

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.game.v1 import game_pb2
from referee.record import codec
from referee.rules.layout import best_discards

MAX_GAMES = 1_000
COUNTER = struct.Struct("<Q")


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
    answered = 0
    metadata = (("authorization", f"Bearer {os.environ['CROWNS_TOKEN']}"),)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=metadata, wait_for_ready=True)
        hello = bot_pb2.Hello(protocol_version=1, rules_version=1, sdk="bench", bot_version="1", max_games=MAX_GAMES)
        await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=hello)]))
        async for frame in call:
            replies = []
            for message in frame.messages:
                kind = message.WhichOneof("message")
                if kind == "decision":
                    replies.append(reply_to(message.decision, mode))
                    answered += 1
                elif kind == "game_start":
                    ready = bot_pb2.GameReady(game_id=message.game_start.game_id)
                    replies.append(bot_pb2.BotMessage(game_ready=ready))
                elif kind == "ping":
                    replies.append(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number)))
            if replies:
                await call.write(bot_pb2.PlayRequest(messages=replies))
            COUNTER.pack_into(counter, 0, answered)


def main(port: str, counter: str, mode: str) -> None:
    with Path(counter).open("r+b") as file:
        asyncio.run(play(int(port), mmap.mmap(file.fileno(), COUNTER.size), mode))


if __name__ == "__main__":
    main(*sys.argv[1:])
