"""Faulty bots that speak the protocol frame by frame, because the SDK would not let them go wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import grpc.aio

from bots.sdk.client import Say
from bots.sdk.login import Login
from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.game.v1 import game_pb2

_Call = grpc.aio.StreamStreamCall[bot_pb2.PlayRequest, bot_pb2.PlayResponse]
AGAIN_AFTER_S = 0.5


class Leave(Exception):
    """The bot goes away for good."""


class Drop(Exception):
    """The bot cuts its connection and comes back."""


class RawBot:
    """Plays the referee's own default move, from the pile and away with the card drawn; a subclass goes wrong at one point."""

    name: ClassVar[str]

    def __init__(self, login: Login, say: Say) -> None:
        self.login = login
        self.say = say

    async def run(self) -> str:
        """Stream after stream, until the bot leaves or the referee does not want it back; answers the last word."""
        while True:
            async with self.login.dial(self.login.address.place) as channel:
                call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=self.login.metadata)
                try:
                    await self.play(call)
                except Leave:
                    return f"{self.name} has left"
                except Drop:
                    self.say(f"{self.name} drops its connection")
                except grpc.aio.AioRpcError as error:
                    self.say(f"{self.name}: {error.code().name}: {error.details()}")
                finally:
                    call.cancel()
            await asyncio.sleep(AGAIN_AFTER_S)

    async def play(self, call: _Call) -> None:
        """One stream, from hello to its end."""
        await write(call, [bot_pb2.BotMessage(hello=self.login.hello())])
        while isinstance(frame := await call.read(), bot_pb2.PlayResponse):
            for message in frame.messages:
                if message.WhichOneof("message") in ("refusal", "goodbye"):
                    self.say(f"{self.name} is sent away: {message}")
                    raise Leave
            replies = [reply for message in frame.messages for reply in self.replies(message)]
            if replies:
                await write(call, replies)

    def replies(self, message: bot_pb2.RefereeMessage) -> Sequence[bot_pb2.BotMessage]:
        match message.WhichOneof("message"):
            case "ping":
                return [bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number))]
            case "game_start":
                return self.start(message.game_start)
            case "decision":
                return self.decide(message.decision)
            case _:
                return []

    def start(self, start: bot_pb2.GameStart) -> Sequence[bot_pb2.BotMessage]:
        return [bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=start.game_id))]

    def decide(self, request: bot_pb2.DecisionRequest) -> Sequence[bot_pb2.BotMessage]:
        return [bot_pb2.BotMessage(decision=default_reply(request))]


class Stall(RawBot):
    """Is ready for the game and answers nothing after that: MOVE_TIMEOUT until the thinking time is used up."""

    name = "stall"

    def decide(self, request: bot_pb2.DecisionRequest) -> Sequence[bot_pb2.BotMessage]:
        return []


class Unready(RawBot):
    """Connects and never answers GameStart: START_TIMEOUT."""

    name = "unready"

    def start(self, start: bot_pb2.GameStart) -> Sequence[bot_pb2.BotMessage]:
        return []


class Silent(RawBot):
    """Opens a stream and never says hello, so no game is given to it: NO_SHOW."""

    name = "silent"

    async def play(self, call: _Call) -> None:
        while isinstance(await call.read(), bot_pb2.PlayResponse):
            pass


class Garbage(RawBot):
    """Answers what cannot be read as an action, another kind each time: MALFORMED."""

    name = "garbage"

    def __init__(self, login: Login, say: Say) -> None:
        super().__init__(login, say)
        self._answered = 0

    def decide(self, request: bot_pb2.DecisionRequest) -> Sequence[bot_pb2.BotMessage]:
        self._answered += 1
        return [bot_pb2.BotMessage(decision=malformed_reply(request, self._answered))]


class DropAndReturn(RawBot):
    """Cuts its connection at every fifth decision and comes back: what is asked again is answered, at the cost of its bank."""

    name = "drop"
    every = 5

    def __init__(self, login: Login, say: Say) -> None:
        super().__init__(login, say)
        self._dropped: set[tuple[str, int]] = set()

    def decide(self, request: bot_pb2.DecisionRequest) -> Sequence[bot_pb2.BotMessage]:
        decision = (request.game_id, request.decision_id)
        if request.decision_id % self.every == 0 and decision not in self._dropped:
            self._dropped.add(decision)
            raise Drop
        return super().decide(request)


class LeaveForGood(RawBot):
    """Goes away in the middle of a game: DISCONNECT once the bank is spent."""

    name = "leave"
    at_round = 2

    def decide(self, request: bot_pb2.DecisionRequest) -> Sequence[bot_pb2.BotMessage]:
        if request.game_round >= self.at_round:
            raise Leave
        return super().decide(request)


class Flood(RawBot):
    """Plays, and sends junk all the while: pongs nobody asked for, replies to decisions long gone, games it does not play."""

    name = "flood"
    frames_a_second = 500

    async def play(self, call: _Call) -> None:
        flooding = asyncio.create_task(self._flood(call))
        try:
            await super().play(call)
        finally:
            flooding.cancel()
            await asyncio.gather(flooding, return_exceptions=True)

    async def _flood(self, call: _Call) -> None:
        await asyncio.sleep(AGAIN_AFTER_S)  # after hello and welcome
        while True:
            await write(call, junk_messages())
            await asyncio.sleep(1 / self.frames_a_second)


RAW_BOTS: dict[str, type[RawBot]] = {
    bot.name: bot for bot in (Stall, Garbage, DropAndReturn, LeaveForGood, Flood, Silent, Unready)
}


async def write(call: _Call, messages: Sequence[bot_pb2.BotMessage]) -> None:
    await call.write(bot_pb2.PlayRequest(messages=messages))


def default_reply(request: bot_pb2.DecisionRequest) -> bot_pb2.DecisionReply:
    """From the pile, and away with the card drawn (RULES 21)."""
    reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
    if request.kind == bot_pb2.DECISION_KIND_DRAW:
        reply.draw.source = game_pb2.DRAW_SOURCE_PILE
    else:
        reply.discard.face = request.drawn_face
    return reply


def malformed_reply(request: bot_pb2.DecisionRequest, number: int) -> bot_pb2.DecisionReply:
    """One of several replies that name the right decision and no action; `number` chooses."""
    reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
    match number % 4:
        case 0:
            reply.discard.face = 200
        case 1:
            pass  # no action at all
        case 2:
            reply.draw.source = game_pb2.DRAW_SOURCE_UNSPECIFIED
        case 3:
            reply.discard.face = request.hand[0]
            reply.then_discard.face = request.hand[0]
    return reply


def junk_messages() -> list[bot_pb2.BotMessage]:
    """Well-formed messages that answer nothing."""
    stale = bot_pb2.DecisionReply(game_id="0" * 32, decision_id=1)
    stale.draw.source = game_pb2.DRAW_SOURCE_PILE
    return [
        bot_pb2.BotMessage(pong=bot_pb2.Pong(number=4_000_000_000)),
        bot_pb2.BotMessage(decision=stale),
        bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id="f" * 32)),
    ]
