"""A bot on the network: a stream to every referee process, dialled again whenever one is lost."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import FrameType

from bots.sdk.bot import Bot, formats_of, table_sizes_of
from bots.sdk.login import Login
from bots.sdk.player import BotFailure, Player
from bots.sdk.site import SiteNews
from bots.sdk.stream import Ending, Stream
from bots.sdk.worker import Worker
from fivecrowns.bot.v1 import bot_pb2
from referee.record.conditions import Fault
from referee.record.messages import (
    BotMessage,
    DecisionRequest,
    GameEnd,
    GameEndReason,
    GameStart,
    RefereeMessage,
    SolitaireRequest,
)
from referee.rules.solitaire import PILES, STACK_SIZE, Score, SolitaireConfig

FIRST_RETRY_S = 0.2
LAST_RETRY_S = 5.0
STEADY_AFTER_S = 10.0
"""A stream that lasted so long starts the waiting anew when it is lost."""
RESULT_AFTER_S = 4.0
"""From the end of a game until its result may be on the site."""

Say = Callable[[str], None]


class Client:
    """Plays with one bot class until the referee sends it away for good. `run` it once.

    `say` gets lines for people, from several threads. `on_failure` is called in the bot's thread with whatever the bot raises;
    by default its traceback is said.
    """

    def __init__(
        self,
        bot_class: type[Bot],
        login: Login,
        say: Say,
        on_failure: Callable[[BotFailure], None] | None = None,
    ) -> None:
        self._login = replace(login, formats=formats_of(bot_class), seats=table_sizes_of(bot_class))
        self._say = say
        self._player = Player(bot_class, on_failure or self._say_failure)
        self._site = SiteNews(login.token, say)
        self._site_url = ""
        self._shards: set[str] = set()
        self._serving: dict[str, asyncio.Task[Ending]] = {}
        self._last_fault: dict[str, Fault | None] = {}

    async def run(self) -> str:
        """Plays on, and comes back with the referee's last word. Raises Refused."""
        self._worker = Worker(self._receive, self._say)
        self._open(self._login.address.place)
        try:
            return await self._serve_all()
        finally:
            self._worker.stop()
            for serving in self._serving.values():
                serving.cancel()
            await asyncio.gather(*self._serving.values(), return_exceptions=True)

    async def _serve_all(self) -> str:
        """Waits until no stream is left; new ones may come while it waits."""
        last = ""
        while waiting := [serving for serving in self._serving.values() if not serving.done()]:
            await asyncio.wait({*waiting, self._worker.failure}, return_when=asyncio.FIRST_COMPLETED)
            if self._worker.failure.done():
                self._worker.failure.result()
            for serving in waiting:
                last = serving.result().message if serving.done() else last
        return last

    # -- streams, in the event loop ------------------------------------------------------------------------------------

    def _open(self, address: str) -> None:
        self._serving[address] = asyncio.create_task(self._serve(address))

    async def _serve(self, address: str) -> Ending:
        """Keeps a stream to one referee process, and answers how its last one ended."""
        loop, wait_s, is_first = asyncio.get_running_loop(), FIRST_RETRY_S, True
        while True:
            dialled_at = loop.time()
            stream = Stream(address, self._login, self._welcomed, self._arrived)
            ending = await stream.run()
            if not ending.reconnect:
                return ending
            if self._is_gone(address):
                del self._serving[address]  # dialled anew if it is listed again
                return ending
            if ending.was_welcome or is_first:
                verb = "lost" if ending.was_welcome else "cannot reach"
                self._say(f"{verb} {address} ({ending.message}): connecting again until it is there")
            is_first = False
            if loop.time() - dialled_at > STEADY_AFTER_S:
                wait_s = FIRST_RETRY_S
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))  # noqa: S311 - so that not all come at once
            wait_s = min(2 * wait_s, LAST_RETRY_S)

    def _is_gone(self, address: str) -> bool:
        """The referee no longer lists it."""
        return bool(self._shards) and address not in self._shards and address != self._login.address.place

    def _welcomed(self, welcome: bot_pb2.Welcome) -> None:
        login, limits = self._login, welcome.limits
        games = "1 game" if limits.max_games == 1 else f"{limits.max_games} games"
        self._say(f"connected as {welcome.bot_name}, version {login.version}, {games} at a time")
        if limits.max_games < login.max_games:
            self._say(f"the site allows {limits.max_games} of {login.max_games} games at a time")
        wanted = list(welcome.versions_wanted)
        if wanted and login.version not in wanted:
            self._say(f"open tournaments wait for version {' or '.join(wanted)}: connect it with that --version")
        self._site_url = welcome.site_url
        self._ask_site()
        self._shards = set(welcome.shards)
        if len(self._shards) > 1:
            for address in self._shards - self._serving.keys():
                self._open(address)

    def _arrived(self, messages: Sequence[bot_pb2.RefereeMessage], stream: Stream) -> None:
        self._worker.post(messages, stream.send)

    def _ask_site(self, after_s: float = 0.0) -> None:
        if self._site_url:
            self._site.ask(self._site_url, after_s)

    # -- games, in the bot's thread ------------------------------------------------------------------------------------

    def _receive(self, message: RefereeMessage) -> list[BotMessage]:
        match message:
            case GameStart() if message.game_id not in self._last_fault:
                self._last_fault[message.game_id] = None
                self._say(f"game {message.game_id}: {_where(message)} {message.page_url}".rstrip())
            case DecisionRequest(last_fault=fault) | SolitaireRequest(last_fault=fault) if (
                fault and fault != self._last_fault.get(message.game_id)
            ):
                self._last_fault[message.game_id] = fault
                is_solitaire = isinstance(message, SolitaireRequest)
                self._say(f"game {message.game_id}: {fault_line(fault, is_solitaire=is_solitaire)}")
            case GameEnd():
                self._last_fault.pop(message.game_id, None)
                self._say(f"game {message.game_id}: {_end_line(message, self._player.seat_in(message.game_id))}")
                self._ask_site(RESULT_AFTER_S)
        return self._player.receive(message)

    def _say_failure(self, failure: BotFailure) -> None:
        self._say(f"{failure.summary}\n{failure.details}")


def fault_line(fault: Fault, *, is_solitaire: bool = False) -> str:
    """`MOVE_TIMEOUT in round 3, turn 5: no answer within 2000 ms`; of a solitaire `... in play 5: ...`."""
    reply = f" (the reply: {fault.reply})" if fault.reply else ""
    where = f"play {fault.turn}" if is_solitaire else f"round {fault.game_round}, turn {fault.turn}"
    return f"{fault.type.value} in {where}: {fault.detail}{reply}"


def _where(start: GameStart) -> str:
    if isinstance(start.config, SolitaireConfig):
        return f"solitaire, variant {start.config.variant.value}"
    return f"seat {start.seat} of {start.config.seats}"


def _solitaire_line(score: Score) -> str:
    if score.won:
        return f"won with {STACK_SIZE - score.cards_used} cards left"
    return f"{score.piles_closed} of {PILES} piles closed"


def _end_line(end: GameEnd, seat: int | None) -> str:
    if end.scores is None or seat is None:
        return "called off" if end.reason is GameEndReason.CANCELLED else "over"
    scores, gone = end.scores, end.scores.retired_in_round[seat]
    if scores.solitaire is not None:
        return _solitaire_line(scores.solitaire) + (", retired" if gone else "")
    line = f"place {scores.places[seat]} of {len(scores.places)} with {scores.totals[seat]} points"
    return f"{line}, retired in round {gone}" if gone else line


def play_until_stopped(client: Client) -> str:
    """Runs a client to its end, or until Ctrl-C or SIGTERM; answers the last word. Raises Refused."""

    async def run() -> str:
        with _ending_on_sigterm():
            return await client.run()

    try:
        return asyncio.run(run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return "stopped"


@contextlib.contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """SIGTERM cancels the task at work, as asyncio lets Ctrl-C do, on every system."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(task.cancel)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
