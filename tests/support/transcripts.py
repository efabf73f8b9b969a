"""Wire transcripts: what a bot and the referee send each other, in files. `python -m tests.support.transcripts` writes them anew.

Each is recorded from a real referee over a real connection, with fixed seeds and ids and without clocks
(tests/support/clockless.py). tests/data/transcripts/README.md says what a line holds.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import json_format

from bots.faulty.raw import default_reply, malformed_reply
from bots.sdk import Bot, Card, Pile, Player, SeatView, SolitaireView, Source
from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.record import codec
from referee.record.conditions import Budgets, DealMode
from referee.rpc.config import Config
from referee.rpc.server import Referee
from referee.rules.cards import CARDS
from referee.rules.solitaire import SolitaireConfig, Variant
from referee.rules.state import GameConfig
from tests.support.bot_farm import greedy
from tests.support.clockless import without_clocks
from tests.support.referee import RUN_SECRET, WATCH_SECRET, RawBot, bot_token, safe_default, sync_request

FOLDER = Path(__file__).parent.parent / "data" / "transcripts"
BOT = "bot"
HOUSE = ("house-1", "house-2", "house-3")
WITHIN_S = 30.0
PATIENT = Budgets(start_ms=30_000, decision_ms=30_000, bank_ms=30_000, thinking_ms=120_000)

Line = dict[str, Any]


# -- bots --------------------------------------------------------------------------------------------------------------


class Throws(Bot):
    """Draws from the pile, throws the card just drawn and never goes out."""

    def discard(self, view: SeatView) -> Card | str:
        assert view.drawn is not None
        return view.drawn

    def go_out(self, view: SeatView, discard: Card) -> bool:
        return False


class Takes(Throws):
    """Takes every upcard, and in the same reply throws the card that costs most, of equals the one with the highest face."""

    def draw(self, view: SeatView) -> Source | str:
        return Source.DISCARD

    def discard(self, view: SeatView) -> Card | str:
        return max(view.hand, key=lambda card: (card.points(view.wild_rank), card.code))


class Alone(Bot):
    """Plays solitaire: refuses the first card where it may, then adds each to the first open pile that holds a card of its suit,
    and throws the card of that pile with the highest face."""

    def solitaire(self, view: SolitaireView) -> tuple[Pile, Card] | str:
        if view.can_refuse:
            return "refuse"
        suits = [pile for pile in view.open_piles if any(card.suit is view.turned.suit for card in pile.cards)]
        pile = (suits or view.open_piles)[0]
        return pile, max(*pile.cards, view.turned)


HOUSES = {"throws": safe_default, "greedy": greedy}
"""How the others at the table play."""
SDK_BOTS: dict[str, type[Bot]] = {"throws": Throws, "takes": Takes, "default": Bot, "alone": Alone}
"""By what the header of a transcript calls them."""


# -- the stage ---------------------------------------------------------------------------------------------------------


@dataclass
class Stage:
    """A referee with the bots of the house, and the streams of one bot."""

    referee: Referee
    _streams: dict[int, grpc.aio.StreamStreamCall] = field(default_factory=dict)
    _channels: list[grpc.aio.Channel] = field(default_factory=list)
    _stopping: asyncio.Task[None] | None = None

    async def open(self, stream: int, token: str) -> None:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.referee.bots_port}")
        self._channels.append(channel)
        self._streams[stream] = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=TOKENS[token]())

    async def send(self, stream: int, frame: bot_pb2.PlayRequest) -> None:
        await self._streams[stream].write(frame)

    async def receive(self, stream: int) -> bot_pb2.PlayResponse | None:
        """The next frame; None at the end of the stream."""
        async with asyncio.timeout(WITHIN_S):
            frame = await self._streams[stream].read()
        return frame if isinstance(frame, bot_pb2.PlayResponse) else None

    async def cut(self, stream: int) -> None:
        """As when a line breaks; comes back when the referee has seen it."""
        self._streams.pop(stream).cancel()
        async with asyncio.timeout(WITHIN_S):
            while self.referee.lobby.is_present(BOT):
                await asyncio.sleep(0.005)

    async def site(self, does: str, **what: Any) -> None:
        games = self.referee.games
        match does:
            case "start":
                state = games.start(json_format.ParseDict(what["game"], referee_pb2.GameSpec()))
                assert state.status == referee_pb2.GAME_STATUS_STARTING, state
            case "cancel":
                games.cancel(what["attemptId"])
            case "rotate":
                self.sync(generation=2)
            case "stop":
                self._stopping = asyncio.create_task(self.referee.stop())
                await asyncio.sleep(0)

    def sync(self, generation: int = 1) -> None:
        """Knows all bots; all but `crowded` may have new versions."""
        request = sync_request([BOT, *HOUSE, "crowded"], revision=generation)
        request.site_url = ""
        for bot in request.bots:
            bot.may_add_version = bot.bot_id != "crowded"
            bot.min_generation = generation if bot.bot_id == BOT else 1
        self.referee.directory.sync(request)
        self.referee.lobby.enforce(self.referee.directory)

    async def close(self) -> None:
        for call in self._streams.values():
            call.cancel()
        for channel in self._channels:
            await channel.close()
        await (self._stopping or self.referee.stop())


TOKENS: dict[str, Callable[[], Sequence[tuple[str, str]]]] = {
    "good": lambda: _authorization(bot_token(BOT)),
    "none": lambda: (),
    "garbage": lambda: _authorization("garbage"),
    "unknown": lambda: _authorization(bot_token("nobody")),
    "crowded": lambda: _authorization(bot_token("crowded")),
    "expired": lambda: _authorization(bot_token(BOT, lifetime_s=-3600)),
}
"""What a stream is opened with, by the word a transcript has for it."""


def _authorization(token: str) -> Sequence[tuple[str, str]]:
    return (("authorization", f"Bearer {token}"),)


@asynccontextmanager
async def stage(header: Line) -> AsyncIterator[Stage]:
    with tempfile.TemporaryDirectory() as folder:
        config = Config("127.0.0.1:0", "127.0.0.1:0", Path(folder), RUN_SECRET, WATCH_SECRET)
        referee = Referee(replace(config, **header.get("settings", {})))
        await referee.start()
        stage = Stage(referee)
        answer = HOUSES[header.get("house", "throws")]
        houses = [asyncio.create_task(RawBot(referee.bots_port, name, answer).play()) for name in HOUSE]
        try:
            if header.get("synced", True):
                stage.sync()
                async with asyncio.timeout(WITHIN_S):
                    while not all(map(referee.lobby.is_present, HOUSE)):
                        await asyncio.sleep(0.005)
            yield stage
        finally:
            await stage.close()
            for house in houses:
                house.cancel()
            await asyncio.gather(*houses, return_exceptions=True)


# -- recording ---------------------------------------------------------------------------------------------------------


@dataclass
class Recorder:
    stage: Stage
    lines: list[Line] = field(default_factory=list)
    _unheard: dict[int, list[bot_pb2.RefereeMessage]] = field(default_factory=dict)

    async def open(self, stream: int = 1, token: str = "good") -> None:
        self.lines.append({"stream": stream, "event": "open", "token": token})
        await self.stage.open(stream, token)

    async def say(self, *messages: bot_pb2.BotMessage, stream: int = 1) -> None:
        frame = bot_pb2.PlayRequest(messages=messages)
        self.lines.append({"stream": stream, "from": "bot", **written(frame)})
        await self.stage.send(stream, frame)

    async def hear(self, stream: int = 1) -> bot_pb2.RefereeMessage | None:
        """The next message; None when the stream has ended."""
        unheard = self._unheard.setdefault(stream, [])
        if not unheard:
            frame = await self.stage.receive(stream)
            if frame is None:
                self.lines.append({"stream": stream, "event": "end"})
                return None
            masked = bot_pb2.PlayResponse(messages=map(without_clocks, frame.messages))
            self.lines.append({"stream": stream, "from": "referee", **written(masked)})
            unheard += frame.messages
        return unheard.pop(0)

    async def hear_until(self, kind: str, stream: int = 1) -> bot_pb2.RefereeMessage:
        while message := await self.hear(stream):
            if message.WhichOneof("message") == kind:
                return message
        raise AssertionError(f"no {kind} came before the stream ended")

    async def hear_the_end(self, stream: int = 1) -> None:
        while await self.hear(stream):
            pass

    async def cut(self, stream: int = 1) -> None:
        self.lines.append({"stream": stream, "event": "cut"})
        await self.stage.cut(stream)

    async def site(self, does: str, **what: Any) -> None:
        self.lines.append({"event": "site", "does": does, **what})
        await self.stage.site(does, **what)

    async def connect(self, stream: int = 1, formats: Sequence[bot_pb2.GameFormat] = ()) -> None:
        await self.open(stream)
        hello = bot_pb2.Hello(formats=formats)
        hello.MergeFrom(HELLO)
        await self.say(bot_pb2.BotMessage(hello=hello), stream=stream)
        await self.hear_until("welcome", stream)

    async def play(self, player: Player, stream: int = 1, decisions: int | None = None) -> None:
        """Answers as an SDK bot does until the game ends, or until it is asked for one decision more than it may answer."""
        while message := await self.hear(stream):
            if message.WhichOneof("message") == "decision" and decisions is not None:
                if decisions == 0:
                    return
                decisions -= 1
            replies = player.receive(codec.referee_message_of(message))
            if replies:
                await self.say(*map(codec.bot_message, replies), stream=stream)
            if message.WhichOneof("message") == "game_end":
                return


HELLO = bot_pb2.Hello(protocol_version=1, rules_version=1, sdk="transcript", bot_version="1", max_games=1)


def written(frame: bot_pb2.PlayRequest | bot_pb2.PlayResponse) -> Line:
    data = frame.SerializeToString(deterministic=True)
    return {"frame": json_format.MessageToDict(frame), "bytes": base64.b64encode(data).decode()}


def game(name: str, houses: int = 1, turn_cap: int = 1, budgets: Budgets = PATIENT) -> Line:
    """What the site orders: the bot at seat 0, the house at the others."""
    spec = referee_pb2.GameSpec(
        attempt_id=f"game-{name}",
        config=codec.config_message(GameConfig(1 + houses, turn_cap), DealMode.INDEPENDENT),
        budgets=codec.budgets_message(budgets),
        seats=[referee_pb2.SeatSpec(bot_id=bot_id) for bot_id in (BOT, *HOUSE[:houses])],
        seed=sha256(name.encode()).digest(),
    )
    return json_format.MessageToDict(spec)


def alone(name: str) -> Line:
    """A solitaire for the bot."""
    spec = referee_pb2.GameSpec(
        attempt_id=f"game-{name}",
        config=codec.config_message(SolitaireConfig(Variant.OPEN_FIRST), DealMode.INDEPENDENT),
        budgets=codec.budgets_message(PATIENT),
        seats=[referee_pb2.SeatSpec(bot_id=BOT)],
        seed=sha256(name.encode()).digest(),
    )
    return json_format.MessageToDict(spec)


# -- scenes ------------------------------------------------------------------------------------------------------------

Scene = Callable[[Recorder], Awaitable[None]]
SCENES: dict[str, tuple[Line, Scene]] = {}


def scene(about: str, **header: Any) -> Callable[[Scene], Scene]:
    def register(function: Scene) -> Scene:
        SCENES[function.__name__] = ({"about": about, **header}, function)
        return function

    return register


def _failure(failure: object) -> None:
    raise AssertionError(failure)


def _player(name: str) -> Player:
    return Player(SDK_BOTS[name], _failure)


async def _whole_game(recorder: Recorder, name: str, bot: str, **table: int) -> None:
    await recorder.connect()
    await recorder.site("start", game=game(name, **table))
    await recorder.play(_player(bot))


@scene("a whole game for two, one turn each a round", bot="throws")
async def whole_game(recorder: Recorder) -> None:
    await _whole_game(recorder, "whole", "throws")


@scene("a whole game for four in which the bot takes the upcard and throws in one reply", bot="takes")
async def upcards(recorder: Recorder) -> None:
    await _whole_game(recorder, "upcards", "takes", houses=3)


@scene("a whole game for three in which everybody goes out when they can", bot="default", house="greedy")
async def going_out(recorder: Recorder) -> None:
    await _whole_game(recorder, "going-out", "default", houses=2, turn_cap=3)


@scene("a solitaire, variant open_first, in which the first card is refused", bot="alone")
async def solitaire(recorder: Recorder) -> None:
    await recorder.connect(formats=(bot_pb2.GAME_FORMAT_TABLE, bot_pb2.GAME_FORMAT_SOLITAIRE))
    await recorder.site("start", game=alone("solitaire"))
    await recorder.play(_player("alone"))


@scene("the line breaks while a decision is open: the game is told again, and the decision asked again", bot="throws")
async def reconnect(recorder: Recorder) -> None:
    player = _player("throws")
    await recorder.connect()
    await recorder.site("start", game=game("reconnect"))
    await recorder.play(player, decisions=2)
    await recorder.cut()
    await recorder.connect(2)
    await recorder.play(player, stream=2)


@scene("a stream idle for long is pinged", bot="throws", settings={"ping_interval_s": 0.5})
async def ping(recorder: Recorder) -> None:
    await recorder.connect()
    ping = await recorder.hear_until("ping")
    await recorder.say(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=ping.ping.number)))
    await recorder.cut()


async def _started(recorder: Recorder, name: str, **table: Any) -> bot_pb2.DecisionRequest:
    """A game up to the first decision of the bot."""
    await recorder.connect()
    await recorder.site("start", game=game(name, **table))
    start = await recorder.hear_until("game_start")
    await recorder.say(bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=start.game_start.game_id)))
    return (await recorder.hear_until("decision")).decision


Reply = Callable[[bot_pb2.DecisionRequest], bot_pb2.BotMessage]
DRAW, DISCARD = bot_pb2.DECISION_KIND_DRAW, bot_pb2.DECISION_KIND_DISCARD


async def _wrong_replies(recorder: Recorder, name: str, replies: Iterable[tuple[bot_pb2.DecisionKind, Reply]]) -> None:
    """Each to the next decision of its kind. The fifth wrong reply retires the seat, which ends a game for two."""
    request = await _started(recorder, name)
    for number, (kind, reply) in enumerate(replies, start=1):
        while request.kind != kind:
            await recorder.say(bot_pb2.BotMessage(decision=default_reply(request)))
            request = (await recorder.hear_until("decision")).decision
        await recorder.say(reply(request))
        if number < 5:
            request = (await recorder.hear_until("decision")).decision
    await recorder.hear_until("game_end")


@scene("five replies that cannot be read as an action")
async def malformed(recorder: Recorder) -> None:
    def numbered(number: int) -> Reply:
        return lambda request: bot_pb2.BotMessage(decision=malformed_reply(request, number))

    kinds = (DRAW, DISCARD, DRAW, DISCARD, DRAW)
    await _wrong_replies(recorder, "malformed", [(kind, numbered(number)) for number, kind in enumerate(kinds)])


@scene(
    "five actions that the rules forbid: a discard before the draw, a draw after it, a card not held, two wrong claims"
)
async def illegal(recorder: Recorder) -> None:
    def reply(request: bot_pb2.DecisionRequest, **action: Any) -> bot_pb2.BotMessage:
        ids = {"game_id": request.game_id, "decision_id": request.decision_id}
        return bot_pb2.BotMessage(decision=bot_pb2.DecisionReply(**ids, **action))

    def discard(face: int, *, go_out: bool = False) -> game_pb2.Discard:
        return game_pb2.Discard(face=face, go_out=go_out)

    def not_held(request: bot_pb2.DecisionRequest) -> int:
        return next(card.code for card in CARDS if card.code not in request.hand)

    def all_but_drawn(request: bot_pb2.DecisionRequest) -> list[game_pb2.Meld]:
        kept = list(request.hand)
        kept.remove(request.drawn_face)
        return [game_pb2.Meld(faces=kept)]

    await _wrong_replies(
        recorder,
        "illegal",
        [
            (DRAW, lambda request: reply(request, discard=discard(request.hand[0]))),
            (DISCARD, lambda request: reply(request, draw=game_pb2.Draw(source=game_pb2.DRAW_SOURCE_PILE))),
            (DISCARD, lambda request: reply(request, discard=discard(not_held(request)))),
            (DISCARD, lambda request: reply(request, discard=discard(request.drawn_face, go_out=True))),
            (
                DISCARD,
                lambda request: reply(
                    request, discard=discard(request.drawn_face, go_out=True), melds=all_but_drawn(request)
                ),
            ),
        ],
    )


@scene("the bot reports an error of its own, and gives the game up at its next decision")
async def error_and_resignation(recorder: Recorder) -> None:
    request = await _started(recorder, "error")
    error = bot_pb2.BotError(game_id=request.game_id, decision_id=request.decision_id, message="division by zero")
    await recorder.say(bot_pb2.BotMessage(bot_error=error))
    request = (await recorder.hear_until("decision")).decision
    await _resign(recorder, request)


async def _resign(recorder: Recorder, request: bot_pb2.DecisionRequest) -> None:
    await recorder.say(bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id=request.game_id)))
    await recorder.hear_until("game_end")


HASTY = replace(PATIENT, start_ms=1_000, decision_ms=1_000, bank_ms=0)


@scene("no answer within a second, twice; an answer that comes too late changes nothing")
async def timeout(recorder: Recorder) -> None:
    request = await _started(recorder, "timeout", budgets=HASTY)
    late = bot_pb2.BotMessage(decision=default_reply(request))
    await recorder.hear_until("decision")
    await recorder.say(late)
    await _resign(recorder, (await recorder.hear_until("decision")).decision)


@scene("no GameReady within a second")
async def start_timeout(recorder: Recorder) -> None:
    await recorder.connect()
    await recorder.site("start", game=game("start-timeout", budgets=HASTY))
    await recorder.hear_until("game_end")


@scene(
    "answers to decisions of the past, of the future, of another game, and twice: only the first to the open one counts"
)
async def answers_that_do_not_count(recorder: Recorder) -> None:
    request = await _started(recorder, "answers")
    good = default_reply(request)
    strays = []
    for changes in ({"decision_id": request.decision_id - 1}, {"decision_id": 999}, {"game_id": "another-game"}):
        stray = bot_pb2.DecisionReply()
        stray.CopyFrom(good)
        for name, value in changes.items():
            setattr(stray, name, value)
        strays.append(bot_pb2.BotMessage(decision=stray))
    await recorder.say(*strays, *[bot_pb2.BotMessage(decision=good)] * 2)
    await _resign(recorder, (await recorder.hear_until("decision")).decision)


@scene("the game is called off")
async def cancelled(recorder: Recorder) -> None:
    request = await _started(recorder, "cancelled")
    await recorder.site("cancel", attemptId=request.game_id)
    await recorder.hear_until("game_end")


# -- how streams begin and end -----------------------------------------------------------------------------------------


@scene("a second stream of the same bot: the first is sent away and must not come back")
async def superseded(recorder: Recorder) -> None:
    await recorder.connect()
    await recorder.connect(2)
    await recorder.hear_the_end(1)


@scene("the token is replaced by a newer one")
async def rotated(recorder: Recorder) -> None:
    await recorder.connect()
    await recorder.site("rotate")
    await recorder.hear_the_end()
    await recorder.open(2)
    await recorder.say(bot_pb2.BotMessage(hello=HELLO), stream=2)
    await recorder.hear_the_end(2)


@scene("the referee shuts down: no new streams while a game goes on, then a goodbye", settings={"drain_s": 2.0})
async def drain(recorder: Recorder) -> None:
    await _started(recorder, "drained")
    await recorder.site("stop")
    await recorder.open(2)
    await recorder.say(bot_pb2.BotMessage(hello=HELLO), stream=2)
    await recorder.hear_the_end(2)
    await recorder.hear_the_end(1)


@scene("more messages that answer nothing than the referee bears", settings={"max_ignored_messages": 3})
async def junk(recorder: Recorder) -> None:
    await recorder.connect()
    await recorder.say(*[bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id="another-game"))] * 4)
    await recorder.hear_the_end()


@scene("the referee does not know its bots yet", synced=False)
async def not_ready(recorder: Recorder) -> None:
    await recorder.open()
    await recorder.say(bot_pb2.BotMessage(hello=HELLO))
    await recorder.hear_the_end()


@scene("every other way not to be let in, each on a stream of its own")
async def refusals(recorder: Recorder) -> None:
    attempts: list[tuple[str, dict[str, Any]]] = [
        ("none", {}),
        ("garbage", {}),
        ("expired", {}),
        ("unknown", {}),
        ("good", {"protocol_version": 2}),
        ("good", {"rules_version": 9}),
        ("good", {"bot_version": ""}),
        ("good", {"bot_version": "x" * 41}),
        ("good", {"max_games": 0}),
        ("good", {"seats": [15]}),
        ("crowded", {}),
    ]
    for stream, (token, changes) in enumerate(attempts, start=1):
        hello = bot_pb2.Hello()
        hello.CopyFrom(HELLO)
        for name, value in changes.items():
            if isinstance(value, list):
                getattr(hello, name).extend(value)
            else:
                setattr(hello, name, value)
        await recorder.open(stream, token)
        await recorder.say(bot_pb2.BotMessage(hello=hello), stream=stream)
        await recorder.hear_the_end(stream)
    stream = len(attempts) + 1
    await recorder.open(stream)
    await recorder.say(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=1)), stream=stream)
    await recorder.hear_the_end(stream)


# -- files -------------------------------------------------------------------------------------------------------------


def read(path: Path) -> tuple[Line, list[Line]]:
    """The header of a transcript, and its lines."""
    header, *lines = (json.loads(line) for line in path.read_text().splitlines())
    return header, lines


def frame_of(line: Line) -> bot_pb2.PlayRequest | bot_pb2.PlayResponse:
    kind = bot_pb2.PlayRequest if line["from"] == "bot" else bot_pb2.PlayResponse
    return kind.FromString(base64.b64decode(line["bytes"]))


def comparable(message: bot_pb2.RefereeMessage, *, is_asked_again: bool = False) -> bot_pb2.RefereeMessage:
    """Without clocks and without words for people, which may change. A decision asked for again has less time."""
    masked = without_clocks(message)
    match masked.WhichOneof("message"):
        case "refusal":
            masked.refusal.message = ""
        case "goodbye":
            masked.goodbye.message = ""
        case "decision":
            masked.decision.last_fault.ClearField("detail")
            if is_asked_again:
                masked.decision.ClearField("deadline_ms")
    return masked


@dataclass
class Replay:
    """Plays a transcript's bot against a referee of today. Raises AssertionError where that says something else."""

    stage: Stage
    _unheard: dict[int, list[bot_pb2.RefereeMessage]] = field(default_factory=dict)

    async def play(self, lines: Sequence[Line]) -> None:
        for number, line in enumerate(lines, start=2):
            try:
                await self._play(line)
            except AssertionError as error:
                raise AssertionError(f"line {number}: {error}") from error

    async def _play(self, line: Line) -> None:
        match line:
            case {"event": "site", "does": does, **what}:
                await self.stage.site(does, **what)
            case {"event": "open", "stream": stream, "token": token}:
                await self.stage.open(stream, token)
            case {"event": "cut", "stream": stream}:
                await self.stage.cut(stream)
            case {"event": "end", "stream": stream}:
                assert not self._unheard.get(stream), self._unheard[stream]
                frame = await self.stage.receive(stream)
                assert frame is None, f"{frame} instead of the end"
            case {"from": "bot", "stream": stream}:
                await self.stage.send(stream, frame_of(line))
            case {"from": "referee", "stream": stream}:
                for message in frame_of(line).messages:
                    await self._hear(stream, message)

    async def _hear(self, stream: int, expected: bot_pb2.RefereeMessage) -> None:
        """How messages share frames is a matter of time, so one is compared after the other."""
        unheard = self._unheard.setdefault(stream, [])
        if not unheard:
            frame = await self.stage.receive(stream)
            assert frame is not None, f"the end instead of {expected}"
            unheard += frame.messages
        heard, told = (comparable(each, is_asked_again=stream > 1) for each in (unheard.pop(0), expected))
        assert heard == told, f"{heard} instead of {told}"


async def record(name: str) -> None:
    header, play = SCENES[name]
    async with stage(header) as set_up:
        recorder = Recorder(set_up)
        await play(recorder)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *recorder.lines))
    (FOLDER / f"{name}.jsonl").write_text(text)


async def record_all(names: Sequence[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or SCENES:
        await record(name)
        print(name)


if __name__ == "__main__":
    asyncio.run(record_all(sys.argv[1:]))
