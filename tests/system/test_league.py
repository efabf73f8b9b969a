"""Leagues between real processes on RabbitMQ and PostgreSQL, and on the embedded default."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.services import empty_database
from tests.system.arena import SystemArena, system_arena
from tournaments.queue import embedded_url

QUICK = {"decision_ms": 500, "bank_ms": 500, "start_ms": 2_000, "thinking_ms": 20_000, "join_wait_s": 3, "turn_cap": 12}


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, rabbitmq_url: str) -> Iterator[SystemArena]:
    """One site on RabbitMQ and PostgreSQL for the leagues of this module, which it has to keep apart."""
    with (
        empty_database(postgres_url) as database_url,
        system_arena(tmp_path_factory.mktemp("arena"), database_url, rabbitmq_url) as arena,
    ):
        yield arena


@pytest.fixture
def embedded_arena(tmp_path: Path) -> Iterator[SystemArena]:
    with system_arena(tmp_path, "", embedded_url(tmp_path / "broker.sqlite3")) as arena:
        yield arena


def play(arena: SystemArena, bots: list[dict[str, str]], stage: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A tournament of these bots from start to end, checked for what must hold in every one."""
    tournament = arena.call("start_league", stages=[stage], bots=[bot["bot_id"] for bot in bots], fields=QUICK | fields)
    status = arena.call("wait_ended", tournament=tournament, within_s=500)
    assert status == "finished", arena.logs()
    return sound_report(arena, tournament)


def sound_report(arena: SystemArena, tournament: str) -> dict[str, Any]:
    report: dict[str, Any] = arena.call("report", tournament=tournament)
    assert report["games_with_result"] == report["games"]
    assert report["records"] == report["games"]
    assert report["bad_records"] == []
    assert [times for _, times in report["finished_attempts_by_game"]] == [1]
    assert report["rating_rows_twice"] == 0
    assert report["rating_differences"] == 0
    return report


def make_bots(arena: SystemArena, prefix: str, owners: int, bots: int, **behaviours: str) -> list[dict[str, str]]:
    """Bots PREFIX 1, PREFIX 2, ...; `behaviours` names those that are not greedy, as in n1="stall"."""
    numbered = {name.removeprefix("n"): behaviour for name, behaviour in behaviours.items()}
    entries: list[dict[str, str]] = arena.call(
        "make_bots", prefix=prefix, owners=owners, bots=bots, behaviours=numbered
    )
    return entries


@pytest.mark.parametrize("kind", ["arena", "embedded_arena"])
def test_a_swiss_of_sixteen_and_a_round_robin_of_eight(kind: str, request: pytest.FixtureRequest) -> None:
    arena: SystemArena = request.getfixturevalue(kind)
    bots = make_bots(arena, "sixteen", owners=8, bots=16)
    arena.start_bots(bots, processes=2)
    swiss = play(arena, bots, {"format": "swiss", "seats": 4, "rounds": 4}, is_trusted=True)
    assert swiss["games"] == 16
    assert swiss["rating_rows"] == 16 * 4
    robin = play(arena, bots[:8], {"format": "round_robin", "seats": 2})
    assert robin["games"] == 28
    assert robin["meetings"] == {"1": 28}


def test_nine_bots_at_tables_of_three_meet_each_other_once(arena: SystemArena) -> None:
    bots = make_bots(arena, "nine", owners=9, bots=9)
    arena.start_bots(bots)
    report = play(arena, bots, {"format": "round_robin", "seats": 3})
    assert report["games"] == 12
    assert report["meetings"] == {"1": 36}


def test_a_swiss_of_thirty_two_keeps_owners_apart(arena: SystemArena) -> None:
    bots = make_bots(arena, "many", owners=8, bots=32)
    arena.start_bots(bots, processes=2)
    report = play(arena, bots, {"format": "swiss", "seats": 4, "rounds": 4})
    assert report["games"] == 32
    assert report["meetings"] == {"1": 32 * 6}
    assert report["same_owner_tables"] == 0


def test_a_killed_worker_and_a_killed_referee_cost_nothing_but_time(arena: SystemArena) -> None:
    bots = make_bots(arena, "eight", owners=4, bots=8)
    arena.start_bots(bots)
    tournament = arena.call(
        "start_league",
        stages=[{"format": "round_robin", "seats": 2}],
        bots=[bot["bot_id"] for bot in bots],
        fields=QUICK | {"turn_cap": 40},
    )
    for results in (3, 10):
        assert arena.call("wait_results", tournament=tournament, results=results, within_s=60) >= results, arena.logs()
        arena.children["worker"].kill()
        arena.start_worker()
    for results in (14, 20):
        assert arena.call("wait_results", tournament=tournament, results=results, within_s=60) >= results, arena.logs()
        arena.children["referee"].kill()
        arena.start_referee()
    assert arena.call("wait_ended", tournament=tournament, within_s=500) == "finished", arena.logs()
    report = sound_report(arena, tournament)
    assert report["meetings"] == {"1": 28}
    assert report["faults"] == {}


@pytest.mark.parametrize(
    ("behaviour", "faults"),
    [
        pytest.param("stall", {"No answer in time", "Thinking time used up"}, id="stalls"),
        pytest.param("garbage", {"Unreadable answer"}, id="answers garbage"),
        pytest.param("vanish", {"Connection lost", "Not connected"}, id="drops its connection"),
        pytest.param("absent", {"Not connected"}, id="never connects"),
    ],
)
def test_a_faulty_bot_harms_no_other(arena: SystemArena, behaviour: str, faults: set[str]) -> None:
    bots = make_bots(arena, behaviour, owners=6, bots=6, n1=behaviour)
    arena.start_bots(bots)
    report = play(arena, bots, {"format": "swiss", "seats": 3, "rounds": 3})
    culprit = f"{behaviour} 1"
    assert set(report["faults"]) == {culprit}
    assert set(report["faults"][culprit]) <= faults
    assert report["seconds"] <= report["worst_time_s"]
