"""`crowns compare`: who sits where, what a set says, and what is answered."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.cli import main, many_games
from bots.cli.compare import Comparison, live_line
from bots.cli.local_play import Entrant, PlayedGame
from bots.cli.many_games import entrants_of
from bots.cli.swapped_sets import SwappedSets
from bots.compare import Measure, Plan, progress_of
from bots.compare.margins import LOST_BY
from bots.reference import REFERENCE_BOTS
from referee.record.conditions import DealMode, Fault, FaultType
from referee.record.game_record import read_record
from tests.support.waiting import wait_until

OLD_AND_NEW = """
from pathlib import Path
from bots.reference.simple_bot import SimpleBot
from bots.reference.greedy_bot import GreedyBot

class Old(SimpleBot):
    pass

class New(GreedyBot):
    pass

class Broken(GreedyBot):
    def discard(self, view):
        if view.game_round >= 2:
            raise RuntimeError("lost its way")
        return super().discard(view)

class Telling(SimpleBot):
    def game_end(self, end):
        with Path("ended").open("a") as file:
            file.write("x")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots_here.py").write_text(OLD_AND_NEW)
    return tmp_path


def crowns(*arguments: str, environment: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, ["compare", *arguments], prog_name="crowns", env=environment)


def comparison(*bots: str, seats: int = 2, plan: Plan | None = None) -> Comparison:
    sets = SwappedSets(seats, has_field=len(bots) > 2)
    return Comparison(bots, entrants_of(bots), sets, plan or Plan(), seed=3)


# -- a set -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("field", [0, 1, 3, 8])
def test_in_a_set_both_hold_the_same_cards_at_the_same_seats(seats: int, field: int) -> None:
    sets = SwappedSets(seats, has_field=field > 0)
    for deal_set in (1, 2, 7):
        numbers = range((deal_set - 1) * sets.games + 1, deal_set * sets.games + 1)
        seatings = [sets.seating(2 + field, number, seed=5) for number in numbers]
        held: dict[int, Counter[int]] = {bot: Counter() for bot in range(2)}
        for seating in seatings:
            held[0].update(seat for seat, sits in enumerate(seating) if sits == 0)
            held[1].update(seat for seat, sits in enumerate(seating) if sits == 1)
        assert held[0] == held[1] == Counter(range(seats))
        if field:
            assert all((0 in seating) != (1 in seating) for seating in seatings)
            others = [[sits for sits in seating if sits > 1] for seating in seatings]
            assert all(sorted(table) == sorted(others[0]) for table in others), (
                "the same of the field all through a set"
            )
            assert [seat.index(0) for seat in seatings[::2]] == [seat.index(1) for seat in seatings[1::2]]


def test_a_field_that_is_too_large_is_drawn_from() -> None:
    sets = SwappedSets(3, has_field=True)
    seen = {bot for number in range(1, 400, sets.games) for bot in sets.seating(8, number, seed=1)}
    assert seen == {0, *range(2, 8)}


def test_the_games_of_a_set_share_their_deal() -> None:
    """And no bot or name of a game is the same twice, so nothing could be remembered."""
    sets = SwappedSets(2, has_field=False)
    entrants = [Entrant(name, REFERENCE_BOTS[name]) for name in ("simple", "greedy")]
    games = [sets.play(entrants, number, 3, DealMode.ROTATED) for number in range(1, 5)]
    assert [game.deal_set for game in games] == [1, 1, 2, 2]
    assert games[0].seed == games[1].seed != games[2].seed
    headers = [read_record(game.record).header for game in games]
    assert len({header.attempt_id for header in headers}) == 4
    assert [[seat.bot for seat in header.seats] for header in headers[:2]] == [
        ["simple", "greedy"],
        ["greedy", "simple"],
    ]


GIVEN_UP = Fault(FaultType.RESIGN, 0, 1, 0, 0, 0, 0, (), "gave up", retires=True)
GAME = PlayedGame(1, 1, (0, 0), (1, 2), ((), ()), (), b"", b"")
SWAP = ((0, 1), (1, 0))
TURNS = ((0, 1, 0, 1), (1, 0, 1, 0))


def game(*scores: int, retired: int | None = None) -> PlayedGame:
    places = tuple(1 + sum(other < score for other in scores) for score in scores)
    if retired is not None:
        places = tuple(len(scores) if seat == retired else place for seat, place in enumerate(places))
    faults = tuple((replace(GIVEN_UP, seat=seat),) if seat == retired else () for seat in range(len(scores)))
    return replace(GAME, scores=scores, places=places, faults=faults)


@pytest.mark.parametrize(
    ("games", "seatings", "margin", "share"),
    [
        ([game(100, 90), game(80, 100)], SWAP, 15.0, 1.0),
        ([game(100, 90), game(110, 100)], SWAP, 0.0, 0.5),
        ([game(100, 100), game(100, 130)], SWAP, 15.0, 0.75),
        ([game(10, 20, 30, 40), game(10, 40, 20, 50)], TURNS, 10.0, 0.625),
        ([game(5, 5, retired=1), game(5, 5, retired=0)], SWAP, -LOST_BY, 0.0),
        ([game(5, 5, retired=0), game(5, 5)], SWAP, LOST_BY / 2, 0.75),
    ],
)
def test_what_a_set_says(
    games: list[PlayedGame], seatings: tuple[tuple[int, ...], ...], margin: float, share: float
) -> None:
    sets = SwappedSets(len(seatings[0]), has_field=False)
    assert sets.result(Measure.MARGIN, games, seatings) == pytest.approx(margin)
    assert sets.result(Measure.WINS, games, seatings) == pytest.approx(share)


def test_what_a_set_says_in_a_field() -> None:
    sets = SwappedSets(2, has_field=True)
    seatings = [(0, 2), (1, 2), (2, 0), (2, 1)]
    games = [game(100, 90), game(80, 90), game(70, 90), game(70, 60)]  # margins -10, +10, -20, +10
    assert sets.result(Measure.MARGIN, games, seatings) == pytest.approx(25.0)
    assert sets.result(Measure.WINS, games, seatings) == pytest.approx(1.0)
    broken = [*games[:3], game(70, 60, retired=1)]
    assert sets.result(Measure.MARGIN, broken, seatings) == pytest.approx((10 - LOST_BY) / 2 + 15)


# -- the answer --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["bots_here.py:Old", "bots_here.py:New"], 0, "bots_here:New is stronger than bots_here:Old: the difference"),
        (["greedy", "simple"], 3, "simple is not stronger than greedy by as much as 5 points a game: the difference"),
        (["greedy", "greedy"], 3, "greedy #2 is not stronger than greedy #1 by as much as 5 points a game: "),
        (["simple", "greedy", "--by", "wins"], 0, "greedy is stronger than simple: the difference is about +"),
        (
            ["simple", "greedy", "--field", "simple", "--seats", "3"],
            0,
            "greedy is stronger than simple #1: the difference is about +",
        ),
        (["simple", "simple", "--field", "greedy", "--max-sets", "20"], 3, "simple #2 is not stronger than simple #1"),
        (["random", "random", "--least-gap", "0.1", "--max-sets", "20"], 4, "Undecided whether random #2 is stronger"),
    ],
)
def test_answers(arguments: list[str], code: int, sentence: str) -> None:
    result = crowns(*arguments, "--seed", "3", "--jobs", "1")
    assert (result.exit_code, result.stderr) == (code, "")
    said, figures = result.stdout.splitlines()
    assert said.startswith(sentence)
    assert "seed 3" in figures


def test_as_json() -> None:
    answer = json.loads(crowns("simple", "greedy", "--seed", "3", "--json", "--jobs", "1").stdout)
    assert answer["verdict"] == "stronger"
    assert answer["evidence"] >= answer["upper"] == 2.9444
    assert 0 < answer["difference"]["low"] < answer["difference"]["estimate"] < answer["difference"]["high"]
    assert (answer["sets"], answer["games"], answer["seats"], answer["field"]) == (20, 40, 2, [])
    assert answer["sentence"].startswith("greedy is stronger than simple: ")


def test_however_many_play_at_a_time_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was at work when it was decided does not count."""
    monkeypatch.setattr(many_games, "cores", lambda: 3)
    arguments = ["simple", "greedy", "--seed", "8", "--json"]
    answers = [crowns(*arguments, "--jobs", jobs) for jobs in ("1", "3")]
    assert answers[0].stdout == answers[1].stdout
    assert answers[0].exit_code == answers[1].exit_code == 0


def test_a_bot_that_breaks_is_no_close_one() -> None:
    """Its games end early at small scores; and its author hears why."""
    result = crowns("simple", "bots_here.py:Broken", "--seed", "1", "--jobs", "1")
    assert result.exit_code == 3
    assert "the difference is about -60.1 points a game" in result.stdout
    assert "RuntimeError: lost its way" in result.stderr


def test_a_line_for_who_watches() -> None:
    result = crowns(
        "simple", "greedy", "--seed", "3", "--jobs", "1", environment={"FORCE_COLOR": "1", "COLUMNS": "200"}
    )
    assert result.exit_code == 0
    assert "evidence" in result.stderr


def test_the_line() -> None:
    played = comparison("simple", "greedy")
    early, later = (progress_of(played.plan, [-30.0, 36.0] * half) for half in (2, 20))
    assert live_line(played, early) == (
        "-2.9 ············●············ +2.9  evidence +0.01  +3.0 points a game  8 games, about 980 to go"
    )
    assert "evidence +0.09  +3.0 points a game (99 %: -" in live_line(played, later)
    assert "no deal set yet" in live_line(played, progress_of(played.plan, []))


def test_ctrl_c_says_what_is_known_so_far(folder: Path) -> None:
    command = [sys.executable, "-m", "bots.cli", "compare", "bots_here.py:Telling", "simple", "--json", "--jobs", "2"]
    with subprocess.Popen(
        [*command, "--least-gap", "0.0001", "--max-sets", "90000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            ended = folder / "ended"
            wait_until(lambda: ended.exists() and ended.stat().st_size > 50, "some sets")
            os.killpg(process.pid, signal.SIGINT)
            out, error = process.communicate(timeout=60)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    answer = json.loads(out)
    assert (process.returncode, error, answer["verdict"]) == (130, "", "stopped")
    assert answer["games"] == 2 * answer["sets"] <= ended.stat().st_size, "whole sets alone"
    assert answer["sentence"].startswith("Not decided yet whether simple is stronger than ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["simple"], 2, "Missing argument 'B'"),
        (["simple", "nobody"], 2, "no bot is called 'nobody'"),
        (["simple", "greedy", "--least-gap", "0"], 2, "least gap 0.0: give a number above 0"),
        (["simple", "greedy", "--alpha", "0.7"], 2, "alpha 0.7: give a chance above 0 and below 0.5"),
        (["simple", "greedy", "--seats", "8"], 2, "--seats"),
        (["simple", "greedy", *["--field", "random"] * 7], 2, "7 bots in the field: give --seats"),
        (["simple", "broken.py"], 1, "broken.py, line 1"),
    ],
)
def test_bad_arguments(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "broken.py").write_text("class:")
    result = crowns(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_teaches() -> None:
    text = crowns("--help").stdout
    for words in (
        "crowns compare old.py new.py --least-gap 2",
        "3    B is not stronger",
        "--field greedy",
        "allows for",
    ):
        assert words in text
