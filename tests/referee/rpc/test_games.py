"""Whole games over real connections."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2, referee_pb2_grpc
from referee.record.conditions import Budgets
from referee.record.messages import DecisionReply, DecisionRequest
from referee.record.verify import verify_record
from referee.rules.actions import Discard
from referee.rules.cards import CARDS
from referee.rules.state import Phase
from tests.support.referee import (
    RawBot,
    Site,
    bot_token,
    fault_names,
    game_spec,
    running_referee,
    safe_default,
    sync_request,
)

QUICK = Budgets(start_ms=300, decision_ms=80, bank_ms=100, thinking_ms=5_000)


async def seated(stack: AsyncExitStack, site: Site, *bots: RawBot) -> None:
    await site.sync([bot.bot_id for bot in bots])
    for bot in bots:
        bot.port = site.referee.bots_port
        await stack.enter_async_context(bot.connected())


def bots_named(*names: str) -> list[RawBot]:
    return [RawBot(0, name) for name in names]


async def test_a_game_ends_with_a_signed_record_that_replays(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        bots = bots_named("b1", "b2", "b3")
        await seated(stack, site, *bots)
        spec = game_spec(["b1", "b2", "b3"])
        (state,) = await site.start(spec)
        assert state.status in (referee_pb2.GAME_STATUS_STARTING, referee_pb2.GAME_STATUS_RUNNING)
        result = await site.result(spec.attempt_id)
        assert result.status == referee_pb2.GAME_STATUS_FINISHED
        assert list(result.faults) == []
        verdict = verify_record(result.record, spec.seed)
        assert verdict.problems == ()
        assert verdict.fingerprint
        ends = [bot.messages("game_end") for bot in bots]
        assert [len(end) for end in ends] == [1, 1, 1]
        assert all(spec.seed not in message.SerializeToString() for bot in bots for message in bot.received)


async def test_two_versions_of_one_bot_meet_at_a_table(tmp_path: Path) -> None:
    """As a comparison seats them (DESIGN 5): each hears its own seat alone."""
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        old, new = RawBot(0, "b1", version="1"), RawBot(0, "b1", version="2")
        known = sync_request(["b1"])
        known.bots[0].versions_known.extend(["1", "2"])
        await site.stub.Sync(known, metadata=site.metadata)
        for bot in (old, new):
            bot.port = site.referee.bots_port
            await stack.enter_async_context(bot.connected())
        spec = game_spec(["b1", "b1"])
        for seat, version in zip(spec.seats, ("2", "1"), strict=True):
            seat.bot_version = version
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        assert (result.status, list(result.faults)) == (referee_pb2.GAME_STATUS_FINISHED, [])
        starts = [bot.messages("game_start") for bot in (new, old)]
        assert [[start.seat for start in heard] for heard in starts] == [[0], [1]]  # type: ignore[attr-defined]


async def test_starting_an_attempt_again_plays_it_once(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        bots = bots_named("b1", "b2")
        await seated(stack, site, *bots)
        spec = game_spec(["b1", "b2"])
        await asyncio.gather(*(site.start(spec) for _ in range(5)))
        await site.result(spec.attempt_id)
        (state,) = await site.start(spec)
        assert state.status == referee_pb2.GAME_STATUS_FINISHED
        await site.stub.AcknowledgeResults(
            referee_pb2.AcknowledgeResultsRequest(attempt_ids=[spec.attempt_id]), metadata=site.metadata
        )
        (state,) = await site.start(spec)
        assert state.status == referee_pb2.GAME_STATUS_FINISHED
        assert [len(bot.messages("game_start")) for bot in bots] == [1, 1]


async def test_results_survive_the_process_until_acknowledged(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, *bots_named("b1", "b2"))
        spec = game_spec(["b1", "b2"])
        await site.start(spec)
        first = await site.result(spec.attempt_id)
    async with running_referee(tmp_path) as site:
        again = await site.result(spec.attempt_id)
        assert again.record == first.record
        acknowledge = referee_pb2.AcknowledgeResultsRequest(attempt_ids=[spec.attempt_id])
        assert (await site.stub.AcknowledgeResults(acknowledge, metadata=site.metadata)).forgotten == 1
        assert (await site.stub.AcknowledgeResults(acknowledge, metadata=site.metadata)).forgotten == 0
    async with running_referee(tmp_path) as site:
        answer = await site.stub.CollectResults(referee_pb2.CollectResultsRequest(limit=10), metadata=site.metadata)
        assert list(answer.results) == []


def silent(_bot: RawBot, _request: DecisionRequest) -> None:
    return None


def not_held(bot: RawBot, request: DecisionRequest) -> DecisionReply:
    if request.view.phase is Phase.DRAW:
        return safe_default(bot, request)
    missing = next(card for card in CARDS if card not in request.view.hand)
    return DecisionReply(request.game_id, request.decision_id, Discard(missing))


def no_action(_bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
    reply = bot_pb2.DecisionReply(game_id=request.game_id, decision_id=request.decision_id)
    return bot_pb2.BotMessage(decision=reply)


def unknown_face(_bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
    reply = bot_pb2.DecisionReply(
        game_id=request.game_id, decision_id=request.decision_id, discard=game_pb2.Discard(face=99)
    )
    return bot_pb2.BotMessage(decision=reply)


def own_error(_bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
    error = bot_pb2.BotError(game_id=request.game_id, decision_id=request.decision_id, message="division by zero")
    return bot_pb2.BotMessage(bot_error=error)


def resigns(_bot: RawBot, request: DecisionRequest) -> bot_pb2.BotMessage:
    return bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id=request.game_id))


@pytest.mark.parametrize(
    ("answer", "faults"),
    [
        pytest.param(silent, ["MOVE_TIMEOUT"] * 5, id="stalls"),
        pytest.param(not_held, ["ILLEGAL"] * 5, id="throws what it does not hold"),
        pytest.param(no_action, ["MALFORMED"] * 5, id="answers without an action"),
        pytest.param(unknown_face, ["MALFORMED"] * 5, id="throws a face that does not exist"),
        pytest.param(own_error, ["BOT_ERROR"] * 5, id="reports its own errors"),
        pytest.param(resigns, ["RESIGN"], id="resigns"),
    ],
)
async def test_a_faulty_bot_is_last_and_harms_nobody(tmp_path: Path, answer: object, faults: list[str]) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, RawBot(0, "bad", answer), *bots_named("b1", "b2"))
        spec = game_spec(["bad", "b1", "b2"], budgets=QUICK)
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        assert fault_names(result) == faults
        assert {fault.seat for fault in result.faults} == {0}
        assert [fault.retires for fault in result.faults] == [False] * (len(faults) - 1) + [True]
        assert result.scores.places[0] == 3
        assert result.scores.retired_in_round[0] > 0
        assert len(result.scores.rounds) == 11
        assert verify_record(result.record, spec.seed).problems == ()


async def test_a_timeout_says_budget_and_time_used(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, RawBot(0, "bad", silent), *bots_named("b1"))
        spec = game_spec(["b1", "bad"], budgets=QUICK)
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        first, second = result.faults[:2]
        assert first.budget_ms == QUICK.decision_ms + QUICK.bank_ms
        assert first.used_ms >= first.budget_ms
        assert second.budget_ms == QUICK.decision_ms
        assert "no answer within 180 ms" in first.detail


@pytest.mark.parametrize("names", [["b1", "absent1"], ["absent1", "b1", "b2"]])
async def test_a_bot_that_did_not_come_is_retired_before_the_first_card(tmp_path: Path, names: list[str]) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, *bots_named(*(name for name in names if name.startswith("b"))))
        spec = game_spec(names)
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        absent = names.index("absent1")
        assert fault_names(result) == ["NO_SHOW"]
        assert result.scores.places[absent] == len(names)
        assert verify_record(result.record, spec.seed).problems == ()


async def test_a_bot_that_never_says_ready_costs_the_start_budget(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, RawBot(0, "bad", is_ready=False), *bots_named("b1", "b2"))
        spec = game_spec(["b1", "bad", "b2"], budgets=QUICK)
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        assert fault_names(result) == ["START_TIMEOUT"]
        assert result.faults[0].used_ms >= QUICK.start_ms


async def test_a_dropped_bot_comes_back_to_the_same_decision(tmp_path: Path) -> None:
    calls = 0

    def stop_at_tenth(bot: RawBot, request: DecisionRequest) -> DecisionReply | None:
        nonlocal calls
        calls += 1
        return None if calls == 10 else safe_default(bot, request)

    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, *bots_named("b1"))
        await site.sync(["b1", "b2"])
        spec = game_spec(["b1", "b2"])
        first = RawBot(site.referee.bots_port, "b2", stop_at_tenth)
        async with first.connected():
            await site.start(spec)
            async with asyncio.timeout(10):
                while calls < 10:
                    await asyncio.sleep(0.01)
        open_decision = first.messages("decision")[-1]
        second = RawBot(site.referee.bots_port, "b2")
        async with second.connected():
            result = await site.result(spec.attempt_id)
        assert fault_names(result) == []
        asked_again = second.messages("decision")[0]
        assert asked_again.decision_id == open_decision.decision_id
        assert list(asked_again.hand) == list(open_decision.hand)
        assert len(second.messages("game_start")) == 1


async def test_a_bot_that_stays_away_is_retired_when_its_bank_is_spent(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, *bots_named("b1", "b3"))
        await site.sync(["b1", "b2", "b3"])
        spec = game_spec(["b1", "b2", "b3"], budgets=QUICK)
        dropped = RawBot(site.referee.bots_port, "b2", silent)
        async with dropped.connected():
            await site.start(spec)
            async with asyncio.timeout(10):
                while not dropped.messages("decision"):
                    await asyncio.sleep(0.005)
        result = await site.result(spec.attempt_id)
        assert fault_names(result) == ["DISCONNECT"]
        assert result.scores.places[1] == 3


async def test_the_newer_connection_wins(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await site.sync(["b1"])
        older, newer = RawBot(site.referee.bots_port, "b1"), RawBot(site.referee.bots_port, "b1")
        playing = asyncio.create_task(older.play())
        async with asyncio.timeout(10):
            while not older.messages("welcome"):
                await asyncio.sleep(0.005)
            async with newer.connected():
                await playing
                bots = await site.stub.ListBots(referee_pb2.ListBotsRequest(), metadata=site.metadata)
        (goodbye,) = older.messages("goodbye")
        assert goodbye.reason == bot_pb2.GOODBYE_REASON_SUPERSEDED
        assert not goodbye.reconnect
        assert len(bots.bots) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"token": "nonsense"}, "BAD_TOKEN", id="no token at all"),
        pytest.param({"token": bot_token("b1", lifetime_s=-10)}, "BAD_TOKEN", id="expired"),
        pytest.param({"token": bot_token("b1", generation=0)}, "TOKEN_ROTATED", id="rotated"),
        pytest.param({"token": bot_token("stranger")}, "UNKNOWN_BOT", id="unknown bot"),
        pytest.param({"version": ""}, "BAD_HELLO", id="no version"),
        pytest.param({"version": "x" * 41}, "BAD_HELLO", id="long version"),
        pytest.param({"max_games": 0}, "BAD_HELLO", id="no games"),
    ],
)
async def test_refusals_name_the_reason(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        bot = RawBot(site.referee.bots_port, "b1", **change)
        async with asyncio.timeout(10):
            await bot.play()
        (refusal,) = bot.messages("refusal")
        assert bot_pb2.RefusalReason.Name(refusal.reason) == f"REFUSAL_REASON_{reason}"
        assert refusal.message
        assert not refusal.retry


async def test_no_bot_comes_in_before_the_first_sync(tmp_path: Path) -> None:
    async with running_referee(tmp_path) as site:
        bot = RawBot(site.referee.bots_port, "b1")
        async with asyncio.timeout(10):
            await bot.play()
        (refusal,) = bot.messages("refusal")
        assert refusal.reason == bot_pb2.REFUSAL_REASON_NOT_READY
        assert refusal.retry


async def test_a_rotated_token_ends_the_stream(tmp_path: Path) -> None:
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        bot = RawBot(site.referee.bots_port, "b1")
        playing = asyncio.create_task(bot.play())
        async with asyncio.timeout(10):
            while not bot.messages("welcome"):
                await asyncio.sleep(0.005)
            await site.sync(["b1"], revision=2, generation=2)
            await playing
        (goodbye,) = bot.messages("goodbye")
        assert goodbye.reason == bot_pb2.GOODBYE_REASON_TOKEN_ROTATED


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"attempt_id": "x"}, "BAD_SPEC", id="short id"),
        pytest.param({"seed": b"short"}, "BAD_SPEC", id="short seed"),
        pytest.param({"config": game_pb2.GameConfig(seats=9)}, "BAD_SPEC", id="nine seats"),
    ],
)
async def test_a_game_that_cannot_be_played_is_refused(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        bots = bots_named("b1", "b2")
        await seated(stack, site, *bots)
        (state,) = await site.start(game_spec(["b1", "b2"], **change))
        assert state.status == referee_pb2.GAME_STATUS_REFUSED
        assert referee_pb2.RefusedReason.Name(state.refused_reason) == f"REFUSED_REASON_{reason}"
        assert not bots[0].messages("game_start")


async def test_absent_and_busy_bots_are_named(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, RawBot(0, "b1", silent, max_games=1), *bots_named("b2"))
        (state,) = await site.start(game_spec(["b1", "gone"]))
        assert (state.refused_reason, list(state.bot_ids)) == (referee_pb2.REFUSED_REASON_BOT_NOT_CONNECTED, ["gone"])
        await site.start(game_spec(["b1", "b2"]))
        (state,) = await site.start(game_spec(["b1", "b2"]))
        assert (state.refused_reason, list(state.bot_ids)) == (referee_pb2.REFUSED_REASON_BOT_BUSY, ["b1"])


async def test_a_cancelled_game_counts_for_nothing_and_cannot_be_started(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        bots = [RawBot(0, "b1", silent), RawBot(0, "b2")]
        await seated(stack, site, *bots)
        running, never_started = game_spec(["b1", "b2"]), game_spec(["b1", "b2"])
        await site.start(running)
        request = referee_pb2.CancelGamesRequest(attempt_ids=[running.attempt_id, never_started.attempt_id])
        await site.stub.CancelGames(request, metadata=site.metadata)
        states = await site.start(running, never_started)
        assert [state.status for state in states] == [referee_pb2.GAME_STATUS_CANCELLED] * 2
        answer = await site.stub.CollectResults(referee_pb2.CollectResultsRequest(limit=5), metadata=site.metadata)
        assert not answer.results


@pytest.mark.parametrize("named", [True, False], ids=["one game", "all games"])
async def test_watch_tells_of_a_game_that_ends_between_two_looks(tmp_path: Path, named: bool) -> None:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path))
        await seated(stack, site, *bots_named("b1", "b2"))
        spec, earlier = game_spec(["b1", "b2"]), game_spec(["b1", "b2"])
        await site.start(earlier)
        await site.result(earlier.attempt_id)
        request = referee_pb2.WatchRequest(attempt_ids=[spec.attempt_id, earlier.attempt_id] if named else [])
        watch = site.stub.Watch(request, metadata=(("authorization", "Bearer watch-secret"),))
        await watch.initial_metadata()
        await site.start(spec)
        told: dict[str, int] = {}
        async with asyncio.timeout(20):
            async for update in watch:
                told |= {game.attempt_id: game.status for game in update.games}
                if told.get(spec.attempt_id) == referee_pb2.GAME_STATUS_FINISHED:
                    break
        watch.cancel()
        assert (earlier.attempt_id in told) is named


METHODS = ["StartGames", "GetGames", "CancelGames", "CollectResults", "AcknowledgeResults", "Sync", "ListBots"]


def request_for(method: str) -> object:
    return getattr(referee_pb2, f"{method}Request")()


@pytest.mark.parametrize("method", METHODS)
async def test_the_bot_port_serves_no_control_method(tmp_path: Path, method: str) -> None:
    async with (
        running_referee(tmp_path) as site,
        grpc.aio.insecure_channel(f"127.0.0.1:{site.referee.bots_port}") as channel,
    ):
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await getattr(stub, method)(request_for(method), metadata=site.metadata)
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


async def test_the_bot_port_serves_no_watch(tmp_path: Path) -> None:
    async with (
        running_referee(tmp_path) as site,
        grpc.aio.insecure_channel(f"127.0.0.1:{site.referee.bots_port}") as channel,
    ):
        call = referee_pb2_grpc.RefereeServiceStub(channel).Watch(referee_pb2.WatchRequest(), metadata=site.metadata)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call.read()
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("secret", ["", "wrong", "watch-secret"])
async def test_control_needs_its_secret(tmp_path: Path, method: str, secret: str) -> None:
    async with running_referee(tmp_path) as site:
        call = getattr(site.stub, method)
        may_look = secret == "watch-secret" and method in ("GetGames", "ListBots")
        metadata = (("authorization", f"Bearer {secret}"),)
        if may_look:
            await call(request_for(method), metadata=metadata)
            return
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(request_for(method), metadata=metadata)
        expected = grpc.StatusCode.PERMISSION_DENIED if secret == "watch-secret" else grpc.StatusCode.UNAUTHENTICATED
        assert caught.value.code() == expected


async def test_junk_that_answers_nothing_ends_the_stream(tmp_path: Path) -> None:
    def junk(bot: RawBot, request: DecisionRequest) -> DecisionReply:
        return safe_default(bot, DecisionRequest(request.game_id, 999, request.view, 0, 0, 0, None))

    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(tmp_path, max_ignored_messages=0))
        bad = RawBot(0, "bad", junk)
        await seated(stack, site, bad, *bots_named("b1", "b2"))
        spec = game_spec(["bad", "b1", "b2"], budgets=QUICK)
        await site.start(spec)
        result = await site.result(spec.attempt_id)
        assert fault_names(result) == ["DISCONNECT"]
        (goodbye,) = bad.messages("goodbye")
        assert goodbye.reason == bot_pb2.GOODBYE_REASON_PROTOCOL_ERROR
