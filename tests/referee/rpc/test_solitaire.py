"""Solitaires over real streams: given to bots that say they play them, watched, called off, and not lost with the process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from bots.reference.random_bot import RandomBot
from bots.sdk import Card, Pile, SolitaireView
from bots.sdk.client import Client
from bots.sdk.login import Login
from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.record import codec
from referee.record.conditions import Budgets
from referee.record.entries import ActionEntry, Cause
from referee.record.game_record import read_record
from referee.record.messages import DecisionReply, SolitaireRequest
from referee.record.verify import verify_record
from referee.rules.solitaire import Add, Refuse, SolitaireConfig, Variant
from tests.support.referee import RawBot, bot_token, fault_names, game_spec, running_referee, solitaire_spec
from tests.support.referee_process import SiteByHand, referee_process

TABLE, SOLITAIRE = bot_pb2.GAME_FORMAT_TABLE, bot_pb2.GAME_FORMAT_SOLITAIRE
TIGHT = Budgets(start_ms=4_000, decision_ms=3_000, bank_ms=0, thinking_ms=60_000)
"""A process that is away for some seconds would cost the bot its game if any clock ran."""
KILLED_AT = 15
"""Cards left then."""


class Held(RandomBot):
    """Thinks at one card until the test lets it go."""

    asked: list[int]
    reached: threading.Event
    let_go: threading.Event

    def solitaire(self, view: SolitaireView) -> tuple[Pile, Card]:
        self.asked.append(view.cards_left)
        if view.cards_left == KILLED_AT:
            self.reached.set()
            assert self.let_go.wait(60)
        return super().solitaire(view)


async def test_a_solitaire_goes_on_when_the_referee_was_killed_in_the_middle(tmp_path: Path) -> None:
    Held.asked, Held.reached, Held.let_go = [], threading.Event(), threading.Event()
    spec, said = solitaire_spec("b1", Variant.OPEN_FIRST, budgets=TIGHT), []
    async with referee_process(tmp_path, ["b1"]) as referee:
        login = Login(f"127.0.0.1:{referee.bots_port}", bot_token("b1"), "1")
        running = asyncio.create_task(Client(Held, login, said.append).run())
        try:
            await referee.wait_connected(["b1"])
            await referee.start_games([spec])
            assert await asyncio.to_thread(Held.reached.wait, 30)
            await referee.kill()
            assert referee.process is not None
            assert referee.process.returncode == -9
            await referee.start()
            state = (await referee.states([spec.attempt_id]))[spec.attempt_id]
            used = 27 - KILLED_AT
            assert (state.status, state.is_paused, state.hands_sent) == (referee_pb2.GAME_STATUS_RUNNING, True, True)
            assert (state.solitaire.cards_used, state.turn) == (used, used + 1)
            Held.let_go.set()
            await referee.wait_connected(["b1"])
            site = SiteByHand(referee, {spec.attempt_id: spec})
            await site.drive(within_s=30)
        finally:
            Held.let_go.set()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    result = site.results[spec.attempt_id]
    verdict = verify_record(result.record, spec.seed)
    assert (verdict.replays, verdict.record is not None, list(result.faults)) == (True, True, [])
    record = read_record(result.record)
    assert [entry.cause for entry in record.entries if isinstance(entry, ActionEntry)] == [Cause.BOT] * 28
    assert codec.scores_message(record.footer.scores) == result.scores
    assert result.scores.solitaire.cards_used == 28
    assert Held.asked == list(range(27, -1, -1)), "no card was put to the bot twice, and none left out"
    assert f"game {spec.attempt_id}: solitaire, variant open_first" in said


def adds(_bot: RawBot, request: SolitaireRequest) -> DecisionReply:
    """The card turned up goes out again."""
    return DecisionReply(
        request.game_id, request.decision_id, Add(request.view.open_piles[0].size, request.view.turned)
    )


def silent(port: int, bot_id: str, formats: Sequence[bot_pb2.GameFormat] = ()) -> RawBot:
    return RawBot(port, bot_id, lambda _bot, _request: None, formats=formats)


def raw(port: int, bot_id: str, answer: object = adds, *formats: bot_pb2.GameFormat) -> RawBot:
    return RawBot(port, bot_id, answer, formats=formats or (TABLE, SOLITAIRE))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formats", "plays"),
    [
        ((), {TABLE}),
        ((TABLE,), {TABLE}),
        ((SOLITAIRE,), {SOLITAIRE}),
        ((TABLE, SOLITAIRE, 99), {TABLE, SOLITAIRE}),
        ((99,), set()),
    ],
    ids=["nothing said", "table", "solitaire", "both and a newer one", "a newer one alone"],
)
async def test_a_bot_is_given_what_it_says_it_plays(
    tmp_path: Path, formats: tuple[bot_pb2.GameFormat, ...], plays: set[bot_pb2.GameFormat]
) -> None:
    async with running_referee(tmp_path) as site:
        await site.sync(["b1", "b2"])
        port = site.referee.bots_port
        bots = [silent(port, "b1", formats), silent(port, "b2")]
        async with bots[0].connected(), bots[1].connected():
            listed = await site.stub.ListBots(referee_pb2.ListBotsRequest(), metadata=site.metadata)
            (found,) = [set(bot.formats) for bot in listed.bots if bot.bot_id == "b1"]
            assert found == plays
            for kind, spec in ((SOLITAIRE, solitaire_spec("b1")), (TABLE, game_spec(["b2", "b1"]))):
                (state,) = await site.start(spec)
                if kind in plays:
                    assert state.status in (referee_pb2.GAME_STATUS_STARTING, referee_pb2.GAME_STATUS_RUNNING)
                    continue
                assert state.refused_reason == referee_pb2.REFUSED_REASON_FORMAT_NOT_PLAYED
                assert list(state.bot_ids) == ["b1"]
                assert "b1" in state.message


async def test_what_the_referee_replaces_over_the_wire(tmp_path: Path) -> None:
    """Illegal, malformed, an error of the bot, a draw: each costs its play alone."""

    def stumbles(bot: RawBot, request: SolitaireRequest) -> DecisionReply | bot_pb2.BotMessage:
        game_id, decision_id = request.game_id, request.decision_id
        match decision_id:
            case 2:
                return DecisionReply(game_id, decision_id, Refuse())
            case 3:
                return bot_pb2.BotMessage(decision=bot_pb2.DecisionReply(game_id=game_id, decision_id=decision_id))
            case 4:
                return bot_pb2.BotMessage(bot_error=bot_pb2.BotError(game_id=game_id, decision_id=decision_id))
        return adds(bot, request)

    spec = solitaire_spec("b1")
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        async with raw(site.referee.bots_port, "b1", stumbles).connected():
            await site.start(spec)
            result = await site.result(spec.attempt_id)
    assert fault_names(result) == ["ILLEGAL", "MALFORMED", "BOT_ERROR"]
    assert verify_record(result.record, spec.seed).replays
    assert list(result.scores.retired_in_round) == [0]


async def test_watched_and_called_off(tmp_path: Path) -> None:
    def stops(bot: RawBot, request: SolitaireRequest) -> DecisionReply | None:
        return adds(bot, request) if request.decision_id <= 5 else None

    spec = solitaire_spec("b1")
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        bot = raw(site.referee.bots_port, "b1", stops)
        async with bot.connected(), asyncio.timeout(30):
            await site.start(spec)
            watch = site.stub.Watch(referee_pb2.WatchRequest(attempt_ids=[spec.attempt_id]), metadata=site.metadata)
            async for told in watch:
                if any(state.solitaire.cards_used == 5 for state in told.games):
                    (state,) = told.games
                    break
            assert (state.turn, state.game_round, state.status) == (6, 1, referee_pb2.GAME_STATUS_RUNNING)
            watch.cancel()
            request = referee_pb2.CancelGamesRequest(attempt_ids=[spec.attempt_id])
            answer = await site.stub.CancelGames(request, metadata=site.metadata)
            assert answer.games[0].status == referee_pb2.GAME_STATUS_CANCELLED
            while not bot.messages("game_end"):
                await asyncio.sleep(0.02)
    (end,) = bot.messages("game_end")
    assert end.reason == bot_pb2.GAME_END_REASON_CANCELLED  # type: ignore[attr-defined]


@pytest.mark.parametrize(("seats", "turn_cap"), [(2, 28), (1, 40)])
async def test_a_specification_that_is_no_solitaire(tmp_path: Path, seats: int, turn_cap: int) -> None:
    spec = solitaire_spec("b1")
    spec.config.seats, spec.config.turn_cap = seats, turn_cap
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        async with raw(site.referee.bots_port, "b1").connected():
            (state,) = await site.start(spec)
    assert state.refused_reason == referee_pb2.REFUSED_REASON_BAD_SPEC
    assert f"1 seat and {SolitaireConfig().turn_cap} turns" in state.message
