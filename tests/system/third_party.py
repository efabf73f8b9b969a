"""A bot as somebody else might write it: the generated classes, a channel with default settings, and nothing of ours.

`python -m tests.system.third_party HOST:PORT TOKEN` prints what it hears, one word a line. It plays from the pile, throws what it
draws, and does not connect again.
"""

from __future__ import annotations

import queue
import sys

import grpc

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.game.v1 import game_pb2


def answer(message: bot_pb2.RefereeMessage) -> bot_pb2.BotMessage | None:
    match message.WhichOneof("message"):
        case "ping":
            return bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number))
        case "game_start":
            return bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=message.game_start.game_id))
        case "decision":
            request = message.decision
            reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
            if request.kind == bot_pb2.DECISION_KIND_DRAW:
                reply.draw.source = game_pb2.DRAW_SOURCE_PILE
            else:
                reply.discard.face = request.drawn_face
            return bot_pb2.BotMessage(decision=reply)
    return None


def main(address: str, token: str) -> None:
    outbox: queue.SimpleQueue[bot_pb2.PlayRequest] = queue.SimpleQueue()
    hello = bot_pb2.Hello(protocol_version=1, rules_version=1, sdk="third party", bot_version="1", max_games=1)
    outbox.put(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=hello)]))
    with grpc.insecure_channel(address) as channel:
        metadata = [("authorization", f"Bearer {token}")]
        for frame in bot_pb2_grpc.BotServiceStub(channel).Play(iter(outbox.get, None), metadata=metadata):
            answers = [reply for message in frame.messages if (reply := answer(message))]
            if answers:
                outbox.put(bot_pb2.PlayRequest(messages=answers))
            for message in frame.messages:
                print(message.WhichOneof("message"), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
