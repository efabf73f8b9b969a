"""Many bots in one process, each with connections of its own: `python -m tests.support.bot_farm PORT[,PORT...] TOKENS.json`.

TOKENS.json lists `{"bot_id", "token", "behaviour"}`. A bot whose stream ends connects again, unless its behaviour is to vanish.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import grpc

from bots.reference.simple_bot import SimpleBot
from bots.sdk import ALL_TABLE_SIZES
from fivecrowns.bot.v1 import bot_pb2
from referee.record.messages import DecisionReply, DecisionRequest
from referee.rules.actions import Discard, Draw, Source
from referee.rules.layout import best_discards, best_points
from referee.rules.state import Phase
from tests.support.referee import Answer, RawBot

RECONNECT_S = 0.2
MAX_GAMES = 50
ABSENT = "absent"


class Dropped(Exception):
    """The bot cuts its own connection."""


def greedy(_bot: RawBot, request: DecisionRequest) -> DecisionReply:
    """Draws from the pile, keeps the least, goes out when it can."""
    view = request.view
    if view.phase is Phase.DRAW:
        return DecisionReply(request.game_id, request.decision_id, Draw(Source.PILE))
    best = best_discards(view.hand, view.wild_rank)
    action = Discard(best.faces[0], go_out=best.points == 0)
    return DecisionReply(request.game_id, request.decision_id, action)


SIMPLE = SimpleBot()


def simple(_bot: RawBot, request: DecisionRequest) -> DecisionReply:
    """As the reference bot of that name: many of them cost little."""
    view = request.view
    if view.phase is Phase.DRAW:
        return DecisionReply(request.game_id, request.decision_id, Draw(SIMPLE.draw(view)))
    card = SIMPLE.discard(view)
    kept = list(view.hand)
    kept.remove(card)
    go_out = best_points(kept, view.wild_rank) == 0
    return DecisionReply(request.game_id, request.decision_id, Discard(card, go_out=go_out))


def stall(_bot: RawBot, _request: DecisionRequest) -> None:
    return None


def garbage(_bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
    """Names the decision and says nothing."""
    reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
    return bot_pb2.BotMessage(decision=reply)


def drop(_bot: RawBot, _request: DecisionRequest) -> None:
    """Cuts the connection when asked, and connects again at once."""
    raise Dropped


@dataclass(frozen=True, slots=True)
class Behaviour:
    answer: Answer
    comes_back: bool = True


BEHAVIOURS: dict[str, Behaviour] = {
    "greedy": Behaviour(greedy),
    "simple": Behaviour(simple),
    "stall": Behaviour(stall),
    "garbage": Behaviour(garbage),
    "drop": Behaviour(drop),
    "vanish": Behaviour(drop, comes_back=False),
}


async def stay_connected(port: int, entry: dict[str, str]) -> None:
    behaviour = BEHAVIOURS[entry["behaviour"]]
    while True:
        bot = RawBot(
            port, entry["bot_id"], behaviour.answer, token=entry["token"], max_games=MAX_GAMES, seats=ALL_TABLE_SIZES
        )
        try:
            await bot.play()
        except Dropped:
            if not behaviour.comes_back:
                return
        except grpc.RpcError:
            pass  # the referee is away: it is tried again
        await asyncio.sleep(RECONNECT_S)


async def main(ports: list[int], entries: list[dict[str, str]]) -> None:
    """Every bot at every port."""
    present = [entry for entry in entries if entry["behaviour"] != ABSENT]
    await asyncio.gather(*(stay_connected(port, entry) for port in ports for entry in present))


def run(argv: list[str]) -> None:
    asyncio.run(main([int(port) for port in argv[0].split(",")], json.loads(Path(argv[1]).read_text())))


if __name__ == "__main__":
    run(sys.argv[1:])
