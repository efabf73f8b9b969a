"""Leagues between real processes on RabbitMQ and PostgreSQL, and on the embedded default."""

from __future__ import annotations

import pytest

from tests.system.arena import SystemArena
from tests.system.leagues import ARENAS, QUICK, make_bots, play, sound_report


@pytest.mark.parametrize("kind", ARENAS)
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


@pytest.mark.embedded
def test_a_swiss_and_its_best_four(embedded_arena: SystemArena) -> None:
    """Two rounds, then single elimination of four with a match for third place."""
    bots = make_bots(embedded_arena, "cut", owners=8, bots=8)
    embedded_arena.start_bots(bots)
    tournament = embedded_arena.call(
        "start_league",
        stages=[
            {"format": "swiss", "seats": 4, "rounds": 2},
            {"format": "single_elimination", "seats": 2, "top_cut": 4, "has_third_place": True},
        ],
        bots=[bot["bot_id"] for bot in bots],
        fields=QUICK | {"min_entrants": 4},
    )
    assert embedded_arena.call("wait_ended", tournament=tournament, within_s=200) == "finished", embedded_arena.logs()
    report = sound_report(embedded_arena, tournament)
    assert report["matches"] == {"scored": 2 * 2 + 4}
    assert [line[0] for line in report["places"][:4]] == ["1", "2", "3", "4"]
    assert {line[1] for line in report["places"]} == {f"cut {number}" for number in range(1, 9)}


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
    assert set(report["attempts"]) == {"finished"}, "games went on where they were"


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


def test_a_swiss_at_tables_of_fourteen(arena: SystemArena) -> None:
    """RULES 4: two games of cards combined; ties for the first place are played off (RULES 20)."""
    bots = make_bots(arena, "wide", owners=28, bots=28)
    arena.start_bots(bots, processes=2)
    report = play(arena, bots, {"format": "swiss", "seats": 14, "rounds": 2}, has_playoff=True)
    assert report["games"] == 4
    assert report["rating_rows"] == 28 * 2
    assert sum(int(times) * pairs for times, pairs in report["meetings"].items()) == 4 * 14 * 13 // 2
