"""The floor under a referee: an echo server in the same gRPC, `python -m tests.bench.echo PORT GAMES VALUES.json`.

It keeps so many games in flight. A game is one open decision, put to one of the bots at random; when its answer is there, it is put
to another one. A request is built from plain Python values that real requests had, field by field, and a reply is taken apart into
plain values. Frames wait for one millisecond, as the referee's do. There are no rules, no clocks, no journal, no checks. Nothing in
here is made slower than it has to be.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from pathlib import Path
from typing import Any

import grpc
from grpc.aio import EOF  # type: ignore[attr-defined]  # the stubs leave it out

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc

WINDOW_S = 0.001
BOTS = 4

Values = dict[str, Any]
"""The fields of a DecisionRequest, events as (kind, values)."""
_EVENTS = {
    "drew": bot_pb2.Drew,
    "discarded": bot_pb2.Discarded,
    "reshuffled": bot_pb2.Reshuffled,
    "retired": bot_pb2.Retired,
}


class Stream:
    """One bot."""

    def __init__(self) -> None:
        self.pending: list[bot_pb2.RefereeMessage] = []
        self.wake = asyncio.Event()

    def send(self, message: bot_pb2.RefereeMessage) -> None:
        self.pending.append(message)
        self.wake.set()

    async def write_all(self, context: Any) -> None:
        while True:
            await self.wake.wait()
            await asyncio.sleep(WINDOW_S)
            self.wake.clear()
            messages, self.pending = self.pending, []
            await context.write(bot_pb2.PlayResponse(messages=messages))


class Echo(bot_pb2_grpc.BotServiceServicer):
    def __init__(self, games: int, values: list[Values]) -> None:
        self._games = games
        self._values = values
        self._streams: list[Stream] = []
        self._open: dict[str, int] = {}
        """Game -> the decision that is open."""
        self._chance = random.Random(7)

    async def Play(self, _requests: object, context: Any) -> None:
        await context.read()
        stream = Stream()
        stream.send(bot_pb2.RefereeMessage(welcome=bot_pb2.Welcome(bot_id="bench")))
        writer = asyncio.create_task(stream.write_all(context))
        self._streams.append(stream)
        if len(self._streams) == BOTS:
            for number in range(self._games):
                self._ask(f"{number:032x}", 1)
        while (frame := await context.read()) is not EOF:
            for message in frame.messages:
                self._hear(message)
        writer.cancel()

    def _ask(self, game_id: str, decision_id: int) -> None:
        self._open[game_id] = decision_id
        values = self._values[self._chance.randrange(len(self._values))]
        events = [bot_pb2.PublicEvent(**{kind: _EVENTS[kind](**fields)}) for kind, fields in values["events"]]
        fields = {**values, "events": events}
        request = bot_pb2.DecisionRequest(game_id=game_id, decision_id=decision_id, **fields)
        self._streams[self._chance.randrange(BOTS)].send(bot_pb2.RefereeMessage(decision=request))

    def _hear(self, message: bot_pb2.BotMessage) -> None:
        if message.WhichOneof("message") != "decision":
            return
        reply = message.decision
        action: tuple[object, ...]
        if reply.WhichOneof("action") == "draw":
            action = (reply.draw.source,)
        else:
            action = (reply.discard.face, reply.discard.go_out, [list(meld.faces) for meld in reply.melds])
        if action and self._open.get(reply.game_id) == reply.decision_id:
            self._ask(reply.game_id, reply.decision_id + 1)


async def serve(port: int, games: int, values: list[Values]) -> None:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    bot_pb2_grpc.add_BotServiceServicer_to_server(Echo(games, values), server)
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), json.loads(Path(sys.argv[3]).read_text())))
