"""What bots get over real connections, and what the process logs, tells no hidden card: twins as in tests/referee/play/twins.py."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from fivecrowns.bot.v1 import bot_pb2
from referee.play.session import Session
from referee.record import codec
from referee.record.conditions import Budgets
from referee.record.messages import BotMessage, DecisionReply, DecisionRequest, MalformedReply, RefereeMessage
from referee.rpc import games
from referee.rules.state import GameState
from tests.referee.play.twins import Dealer, Erratic, StepLog, choosing, dealing, dice, logging_into
from tests.support.bot_farm import Dropped
from tests.support.clockless import without_clocks
from tests.support.referee import RawBot, Site, game_spec, running_referee
from tests.support.scripted import HangUp

BOTS = ("b1", "b2", "b3")
GAMES = 12
WITHIN_S = 30.0
PATIENT = Budgets(start_ms=30_000, decision_ms=30_000, bank_ms=0, thinking_ms=300_000)
"""Nobody is late, on a busy machine either."""


class NotedSession(Session):
    """Notes to whom it sends in which step."""

    dealer: Dealer
    sent: list[tuple[int, int]]

    def take_outgoing(self) -> list[tuple[int, RefereeMessage]]:
        outgoing = super().take_outgoing()
        self.sent += [(self.dealer.step, seat) for seat, _ in outgoing]
        return outgoing


@pytest.fixture
def dealer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dealer]:
    """Deals in every session of this process."""
    with dealing() as dealer:
        monkeypatch.setattr(games, "Session", NotedSession)
        monkeypatch.setattr(NotedSession, "dealer", dealer, raising=False)
        yield dealer


@dataclass(frozen=True, slots=True)
class Course:
    """One game over real connections."""

    states: list[GameState]
    shown: dict[int, int]
    sent: list[tuple[int, int]]
    """(step, seat) of every message."""
    received: dict[int, list[bytes]]
    """By seat, without clocks and digest."""
    logged: list[tuple[int, str]]


@dataclass
class Bot:
    """What the bot of one seat does in the game that is played now."""

    erratic: Erratic | None = None

    def __call__(self, _bot: RawBot, request: DecisionRequest) -> DecisionReply | bot_pb2.BotMessage:
        assert self.erratic is not None
        said: list[BotMessage | HangUp] = []
        while not said:  # one that would be silent is asked again
            said = [move for _, move in self.erratic(request)]
        if isinstance(said[-1], HangUp):
            raise Dropped
        if isinstance(said[-1], MalformedReply):
            return bot_pb2.BotMessage(
                decision=bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
            )
        return codec.bot_message(said[-1])


async def stay_connected(bot: RawBot, site: Site) -> None:
    """Comes back when the referee has seen it go, so that the log is written in one order."""
    while True:
        try:
            await bot.play()
        except Dropped:
            async with asyncio.timeout(WITHIN_S):
                while site.referee.lobby.connection((bot.bot_id, bot.version)) is not None:
                    await asyncio.sleep(0.001)


async def courses(
    dealer: Dealer, folder: Path, twins: list[Course] | None, monkeypatch: pytest.MonkeyPatch
) -> list[Course]:
    """All games, one after the other, on a referee of their own."""
    played: list[Course] = []
    minds = [Bot() for _ in BOTS]
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(folder))
        bots = [RawBot(site.referee.bots_port, name, mind) for name, mind in zip(BOTS, minds, strict=True)]
        await site.sync(BOTS)
        tasks = [asyncio.create_task(stay_connected(bot, site)) for bot in bots]
        stack.callback(lambda: [task.cancel() for task in tasks])
        async with asyncio.timeout(WITHIN_S):
            while len(list(site.referee.lobby)) < len(bots):
                await asyncio.sleep(0.001)
        for number in range(GAMES):
            sent: list[tuple[int, int]] = []
            monkeypatch.setattr(NotedSession, "sent", sent, raising=False)
            dealer.begin(choosing(f"wire {number}"), twins[number].states if twins is not None else None)
            for mind in minds:
                mind.erratic = Erratic(f"wire {number}", dealer, slips=7)
            with logging_into(StepLog(dealer), "referee") as log:
                received = await _received(site, bots, number)
            played.append(Course(dealer.states, dealer.shown, sent, received, log.lines))
    return played


async def _received(site: Site, bots: list[RawBot], number: int) -> dict[int, list[bytes]]:
    spec = game_spec(BOTS, budgets=PATIENT, attempt_id=f"twins-{number:04}", seed=dice("wire", number))
    spec.config.turn_cap = 1
    for bot in bots:
        bot.received.clear()
    await site.start(spec)
    await site.result(spec.attempt_id)
    async with asyncio.timeout(WITHIN_S):
        while not all(bot.messages("game_end") for bot in bots):
            await asyncio.sleep(0.01)
    return {
        seat: [
            without_clocks(message).SerializeToString(deterministic=True)
            for message in bot.received
            if message.WhichOneof("message") != "welcome"  # after every reconnect
        ]
        for seat, bot in enumerate(bots)
    }


async def test_hidden_cards_change_neither_what_bots_get_nor_what_is_logged(
    dealer: Dealer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await courses(dealer, tmp_path / "one", None, monkeypatch)
    other = await courses(dealer, tmp_path / "other", one, monkeypatch)
    compared = logged = 0
    for course, twin in zip(one, other, strict=True):
        common = min(len(course.states), len(twin.states))
        shown = [twin.shown.get(seat, common) for seat in range(len(BOTS))]
        for seat, shows in enumerate(shown):
            counts = [sum(step < shows and to == seat for step, to in each.sent) for each in (course, twin)]
            assert counts[0] == counts[1]
            assert course.received[seat][: counts[0]] == twin.received[seat][: counts[0]]
            compared += counts[0]
        lines, twin_lines = ([line for step, line in each.logged if step < max(shown)] for each in (course, twin))
        assert lines == twin_lines
        logged += len(lines)
    assert compared > 20 * GAMES
    assert logged > GAMES, "bots came and went, which is logged"
