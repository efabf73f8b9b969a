"""A real referee on loopback ports, with bots that speak the raw protocol."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.record import codec
from referee.record.conditions import Budgets, DealMode
from referee.record.messages import DecisionReply, DecisionRequest, RefereeMessage, SolitaireRequest
from referee.record.tokens import TokenClaims, sign_token
from referee.rpc.config import Config
from referee.rpc.server import Referee
from referee.rules.actions import Discard, Draw, Source
from referee.rules.solitaire import SolitaireConfig, Variant
from referee.rules.state import GameConfig, Phase

RUN_SECRET = "run-secret"
WATCH_SECRET = "watch-secret"
KID = "k1"
SIGNING_KEY = Ed25519PrivateKey.generate()


def bot_token(
    bot_id: str,
    generation: int = 1,
    *,
    owner: str = "owner1",
    lifetime_s: int = 3600,
    key: Ed25519PrivateKey = SIGNING_KEY,
) -> str:
    now = int(time.time())
    return sign_token(TokenClaims(bot_id, owner, generation, now, now + lifetime_s), KID, key)


def sync_request(bot_ids: Sequence[str], revision: int = 1, generation: int = 1) -> referee_pb2.SyncRequest:
    return referee_pb2.SyncRequest(
        revision=revision,
        site_url="http://127.0.0.1:9",
        keys=[referee_pb2.PublicKey(kid=KID, key=SIGNING_KEY.public_key().public_bytes_raw())],
        default_budgets=codec.budgets_message(Budgets()),
        bots=[
            referee_pb2.BotEntry(bot_id=bot_id, name=bot_id, min_generation=generation, may_add_version=True)
            for bot_id in bot_ids
        ],
    )


def game_spec(bot_ids: Sequence[str], *, budgets: Budgets | None = None, **changes: object) -> referee_pb2.GameSpec:
    spec = referee_pb2.GameSpec(
        attempt_id=secrets.token_hex(16),
        config=codec.config_message(GameConfig(len(bot_ids), turn_cap=5), DealMode.INDEPENDENT),
        budgets=codec.budgets_message(budgets or Budgets()),
        seats=[referee_pb2.SeatSpec(bot_id=bot_id, no_show=bot_id.startswith("absent")) for bot_id in bot_ids],
        seed=secrets.token_bytes(32),
    )
    spec.MergeFrom(referee_pb2.GameSpec(**changes))
    return spec


def solitaire_spec(
    bot_id: str, variant: Variant = Variant.STANDARD, *, budgets: Budgets | None = None
) -> referee_pb2.GameSpec:
    return referee_pb2.GameSpec(
        attempt_id=secrets.token_hex(16),
        config=codec.config_message(SolitaireConfig(variant), DealMode.INDEPENDENT),
        budgets=codec.budgets_message(budgets or Budgets()),
        seats=[referee_pb2.SeatSpec(bot_id=bot_id)],
        seed=secrets.token_bytes(32),
    )


@dataclass
class Site:
    """What the site sees of a referee: its control stub."""

    referee: Referee
    stub: referee_pb2_grpc.RefereeServiceStub
    metadata: tuple[tuple[str, str], ...]

    async def sync(self, bot_ids: Sequence[str], revision: int = 1, generation: int = 1) -> None:
        await self.stub.Sync(sync_request(bot_ids, revision, generation), metadata=self.metadata)

    async def start(self, *specs: referee_pb2.GameSpec) -> list[referee_pb2.GameState]:
        answer = await self.stub.StartGames(referee_pb2.StartGamesRequest(games=specs), metadata=self.metadata)
        return list(answer.games)

    async def result(self, attempt_id: str, timeout_s: float = 30) -> referee_pb2.GameResult:
        """Waits for the result of one game; leaves it uncollected."""
        async with asyncio.timeout(timeout_s):
            while True:
                request = referee_pb2.CollectResultsRequest(limit=200, wait_ms=500)
                answer = await self.stub.CollectResults(request, metadata=self.metadata)
                for result in answer.results:
                    if result.attempt_id == attempt_id:
                        return result


_SHARED_LOOP_LAG_MS = 30_000


@asynccontextmanager
async def running_referee(data_dir: Path, **config: object) -> AsyncIterator[Site]:
    """Its bots run in its own event loop: when they keep it busy, games begin all the same, unless `config` says otherwise."""
    address = "127.0.0.1:0"
    settings = replace(
        Config(address, address, data_dir, RUN_SECRET, WATCH_SECRET, lag_limit_ms=_SHARED_LOOP_LAG_MS), **config
    )
    referee = Referee(settings)
    await referee.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{referee.control_port}") as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            yield Site(referee, stub, (("authorization", f"Bearer {RUN_SECRET}"),))
    finally:
        await referee.stop()


Answer = Callable[["RawBot", DecisionRequest], DecisionReply | bot_pb2.BotMessage | None]


def safe_default(_bot: RawBot, request: DecisionRequest) -> DecisionReply:
    """Draws from the pile and throws the card just drawn."""
    view = request.view
    if view.phase is Phase.DRAW:
        return DecisionReply(request.game_id, request.decision_id, Draw(Source.PILE))
    assert view.drawn is not None
    return DecisionReply(request.game_id, request.decision_id, Discard(view.drawn))


@dataclass
class RawBot:
    """A bot made of frames alone. `answer` decides what goes back; None says nothing."""

    port: int
    bot_id: str
    answer: Answer = safe_default
    token: str = ""
    version: str = "1"
    max_games: int = 100
    is_ready: bool = True
    """Whether it answers GameStart."""
    formats: Sequence[bot_pb2.GameFormat] = ()
    seats: Sequence[int] = ()
    received: list[bot_pb2.RefereeMessage] = field(default_factory=list)
    _welcomed: asyncio.Event = field(default_factory=asyncio.Event)

    def messages(self, kind: str) -> list[object]:
        return [getattr(item, kind) for item in self.received if item.WhichOneof("message") == kind]

    @property
    def hello(self) -> bot_pb2.Hello:
        return bot_pb2.Hello(
            protocol_version=1,
            rules_version=1,
            sdk="raw",
            bot_version=self.version,
            max_games=self.max_games,
            formats=self.formats,
            seats=self.seats,
        )

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[RawBot]:
        """Plays in the background while the block runs."""
        task = asyncio.create_task(self.play())
        try:
            await asyncio.wait(
                {task, waiter := asyncio.create_task(self._welcomed.wait())}, return_when="FIRST_COMPLETED"
            )
            waiter.cancel()
            yield self
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def play(self) -> None:
        """From Hello until the referee ends the stream."""
        metadata = (("authorization", f"Bearer {self.token or bot_token(self.bot_id)}"),)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.port}") as channel:
            call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=metadata)
            try:
                await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=self.hello)]))
                async for frame in call:
                    replies = [reply for message in frame.messages for reply in self._hear(message)]
                    if replies:
                        await call.write(bot_pb2.PlayRequest(messages=replies))
                    if any(message.WhichOneof("message") == "goodbye" for message in frame.messages):
                        await call.done_writing()
            except asyncio.InvalidStateError:
                pass  # the stream ended while the bot answered
            finally:
                call.cancel()

    def _hear(self, message: bot_pb2.RefereeMessage) -> list[bot_pb2.BotMessage]:
        self.received.append(message)
        match message.WhichOneof("message"):
            case "welcome" | "refusal":
                self._welcomed.set()
            case "ping":
                return [bot_pb2.BotMessage(pong=bot_pb2.Pong(number=message.ping.number))]
            case "game_start" if self.is_ready:
                return [bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=message.game_start.game_id))]
            case "decision":
                return self._answer(codec.referee_message_of(message))
        return []

    def _answer(self, request: RefereeMessage) -> list[bot_pb2.BotMessage]:
        assert isinstance(request, (DecisionRequest, SolitaireRequest))
        reply = self.answer(self, request)
        if reply is None:
            return []
        return [codec.bot_message(reply) if isinstance(reply, DecisionReply) else reply]


def fault_names(result: referee_pb2.GameResult) -> list[str]:
    return [game_pb2.FaultType.Name(fault.type).removeprefix("FAULT_TYPE_") for fault in result.faults]
