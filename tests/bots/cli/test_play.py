"""`crowns play`: whole games in this process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.cli import main, many_games
from bots.cli.local_play import Entrant, play_games
from bots.cli.seeds import deal_seed, seating
from bots.reference import REFERENCE_BOTS
from bots.sdk import Bot, Card, SeatView
from referee.record.conditions import DealMode, FaultType
from referee.record.game_record import read_record
from referee.record.verify import verify_record
from referee.rules.shuffle import commitment
from referee.rules.state import GameConfig
from tests.support.waiting import wait_until

CROWNS = [sys.executable, "-m", "bots.cli"]

CRASHING = """
from bots.sdk import Bot

class Crashing(Bot):
    def draw(self, view):
        print("thinking aloud")
        return "pile"

    def discard(self, view):
        if view.game_round == 2:
            return self.cards[0]
        return super().discard(view)
"""

TELLING = """
import os
from pathlib import Path
from bots.sdk import Bot

class Telling(Bot):
    def game_start(self, start):
        folder = Path("played")
        folder.mkdir(exist_ok=True)
        (folder / f"{os.getpid()}-{start.game_id}").touch()
"""

STUCK = """
import time
from pathlib import Path
from bots.sdk import Bot

class Stuck(Bot):
    def draw(self, view):
        Path("stuck").touch()
        while True:
            time.sleep(60)
"""

QUITTING = """
import os
from bots.sdk import Bot

class Quitting(Bot):
    def draw(self, view):
        os._exit(3)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def crowns(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="crowns")


def entrants(*names: str) -> list[Entrant]:
    return [Entrant(f"{name}{index}", REFERENCE_BOTS[name]) for index, name in enumerate(names)]


# -- whole games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [*range(2, 9), 14])
def test_games_of_every_size_are_whole_and_verify(seats: int) -> None:
    (game,) = play_games(entrants(*(["simple", "greedy"] * 7)[:seats]), 1, seed=3)
    verdict = verify_record(game.open_record())
    assert verdict.ok
    record = read_record(game.record)
    assert len(record.footer.scores.rounds) == 11
    assert sorted(record.footer.scores.totals) == sorted(game.scores)
    assert record.faults == ()
    assert record.header.started_at_ms == record.footer.ended_at_ms == 0, "no clock, so no time in the record"


@pytest.mark.parametrize("flag", [[], ["--playoff"]], ids=["shared", "played off"])
def test_playoffs_are_played_if_asked_for(folder: Path, flag: list[str]) -> None:
    """RULES 20."""
    assert crowns("play", "random", "random", "--games", "1", "--seed", "1", "--out", "out", *flag).exit_code == 0
    (path,) = (folder / "out").iterdir()
    assert read_record(path.read_bytes()).header.config == GameConfig(2, playoff=bool(flag))


def test_a_bot_says_if_it_plays_large_tables(folder: Path) -> None:
    (folder / "old.py").write_text(CRASHING)
    result = crowns("play", *["greedy"] * 7, "old.py", "--games", "1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "old does not say that it plays tables of 8: if it does, write  table_sizes = range(2, 15)" in result.stderr


def test_scores_are_the_entrants_own() -> None:
    games = play_games(entrants("random", "greedy"), 4, seed=5)
    for game in games:
        record, sits = read_record(game.record), seating(5, 2, game.number)
        assert [record.header.seats[seat].bot for seat in (0, 1)] == [("random0", "greedy1")[bot] for bot in sits]
        assert [game.scores[bot] for bot in sits] == list(record.footer.scores.totals)
        assert game.scores[1] < game.scores[0]


def test_same_seed_same_bytes() -> None:
    def records(seed: int) -> list[bytes]:
        return [game.record for game in play_games(entrants("random", "planner"), 2, seed)]

    first = records(8)
    assert first == records(8)
    assert not set(first) & set(records(9))


def test_more_games_begin_with_the_same_ones() -> None:
    few = play_games(entrants("random", "simple"), 2, seed=8)
    many = play_games(entrants("random", "simple"), 4, seed=8)
    assert [game.record for game in few] == [game.record for game in many[:2]]


def test_rotated_deals_share_their_cards() -> None:
    games = play_games(entrants("simple", "greedy", "simple"), 6, seed=2, deal_mode=DealMode.ROTATED)
    assert [game.deal_set for game in games] == [1, 1, 1, 2, 2, 2]
    for game in games:
        record = read_record(game.record)
        assert record.header.commitment == commitment(deal_seed(2, game.deal_set))
        assert record.header.deal_mode is DealMode.ROTATED
    assert {seating(2, 3, game.number).index(0) for game in games[:3]} == {0, 1, 2}


@pytest.mark.parametrize("name", REFERENCE_BOTS)
def test_no_reference_bot_faults(name: str) -> None:
    for game in play_games(entrants(name, name), 1, seed=4):
        assert game.failures == ()
        assert game.faults == ((), ())


# -- faults ------------------------------------------------------------------------------------------------------------


class Illegal(Bot):
    """Throws what it does not hold, once."""

    def discard(self, view: SeatView) -> Card | str:
        others = [text for text in ("3s", "4s", "5s", "6s") if all(card.text != text for card in view.hand)]
        return others[0] if view.game_round == 2 else super().discard(view)


def test_faults_are_those_of_the_server() -> None:
    seats = [Entrant("illegal", Illegal), *entrants("simple", "simple")]
    (game,) = play_games(seats, 1, seed=1)
    kinds = {fault.type for fault in game.faults[0]}
    assert kinds == {FaultType.ILLEGAL}
    assert len(game.faults[0]) <= 5
    assert [faults for faults in game.faults[1:] if faults] == []
    assert verify_record(game.open_record()).ok


def test_the_fifth_fault_retires_and_the_game_goes_on() -> None:
    result = crowns("play", "faulty:crash", "simple", "simple", "--games", "2", "--seed", "1", "--json")
    assert result.exit_code == 0
    crash, *others = json.loads(result.stdout)["bots"]
    assert (crash["faults"], crash["retired"], crash["place"]["mean"]) == (10, 2, 3)
    assert all(bot["faults"] == 0 for bot in others)
    assert "CrashBot.discard: RuntimeError: this bot crashes on purpose (bots.py, line " in result.stderr
    assert ": 10 times, first in game 1, round 1, turn " in result.stderr
    assert "faulty:crash: BOT_ERROR 10 times, first in game 1: the bot reports: CrashBot.discard" in result.stderr


def test_resigning_ends_a_game_of_two() -> None:
    result = crowns("play", "faulty:resign", "simple", "--games", "1", "--json")
    assert [bot["place"]["mean"] for bot in json.loads(result.stdout)["bots"]] == [2, 1]


def test_what_a_bot_raises_is_shown_with_its_line(folder: Path) -> None:
    (folder / "crashing.py").write_text(CRASHING)
    result = crowns("play", "crashing.py", "simple", "--games", "1", "--seed", "3", "--json")
    assert json.loads(result.stdout)["bots"][0]["faults"], "what a bot prints does not mix with the answer"
    assert "thinking aloud" in result.stderr
    assert (
        "Crashing.discard: AttributeError: 'Crashing' object has no attribute 'cards' (crashing.py, line 11)"
        in result.stderr
    )
    assert 'File "crashing.py", line 11, in discard' in result.stderr
    assert "player.py" not in result.stderr


# -- the command -------------------------------------------------------------------------------------------------------


def test_table() -> None:
    result = crowns("play", "random", "greedy", "greedy", "--games", "6", "--seed", "2")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [word for word in lines[1].split() if word.isalpha()] == ["bot", "score", "place", "wins", "margin"]
    assert sorted(line.split("│")[1].strip() for line in lines[3:6]) == ["greedy #1", "greedy #2", "random"]
    assert lines[-1] == "6 games, seed 2: means with 95 % intervals"
    assert result.stderr == ""


def test_json_says_what_the_table_says() -> None:
    result = crowns("play", "random", "greedy", "--games", "4", "--seed", "2", "--deals", "rotated", "--json")
    answer = json.loads(result.stdout)
    assert (answer["games"], answer["seed"], answer["deals"], answer["records"]) == (4, 2, "rotated", [])
    random, greedy = answer["bots"]
    assert (random["bot"], greedy["bot"]) == ("random", "greedy")
    assert greedy["margin"]["mean"] == -random["margin"]["mean"] > 0
    assert greedy["margin"]["low"] < greedy["margin"]["mean"] < greedy["margin"]["high"]
    assert greedy["wins"] + random["wins"] == 4
    played = play_games(
        [Entrant("random", REFERENCE_BOTS["random"]), Entrant("greedy", REFERENCE_BOTS["greedy"])],
        4,
        2,
        DealMode.ROTATED,
    )
    assert greedy["score"]["mean"] == sum(game.scores[1] for game in played) / 4


def test_seed_is_drawn_and_said() -> None:
    first, second = (json.loads(crowns("play", "random", "random", "--games", "1", "--json").stdout) for _ in range(2))
    assert first["seed"] != second["seed"]
    again = crowns("play", "random", "random", "--games", "1", "--json", "--seed", str(first["seed"]))
    assert json.loads(again.stdout) == first


def test_records_one_file_a_game(folder: Path) -> None:
    out = folder / "deep/games"
    out.mkdir(parents=True)
    (out / "notes.txt").write_text("mine")
    result = crowns("play", "simple", "greedy", "--games", "3", "--seed", "6", "--out", "deep/games", "--json")
    names = [f"game-000{number}.5cgr" for number in (1, 2, 3)]
    assert sorted(path.name for path in out.iterdir()) == [*names, "notes.txt"]
    assert json.loads(result.stdout)["records"] == [f"deep/games/{name}" for name in names]
    assert (out / "notes.txt").read_text() == "mine"
    for name in names:
        assert verify_record((out / name).read_bytes()).ok
    assert crowns("verify", *(str(out / name) for name in names)).exit_code == 0


def test_an_existing_record_is_never_overwritten(folder: Path) -> None:
    out = folder / "games"
    out.mkdir()
    (out / "game-0002.5cgr").write_bytes(b"dear to me")
    result = crowns("play", "simple", "greedy", "--games", "3", "--out", "games")
    assert result.exit_code == 1
    assert (
        result.stderr
        == "Error: games/game-0002.5cgr exists already: nothing was played. Choose another --out or move it.\n"
    )
    assert result.stdout == ""
    assert [path.name for path in out.iterdir()] == ["game-0002.5cgr"]
    assert (out / "game-0002.5cgr").read_bytes() == b"dear to me"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["greedy"], 2, "1 bots: a table has 2 to 14 seats, name one bot for each."),
        (["greedy"] * 15, 2, "15 bots: a table has 2 to 14 seats, name one bot for each."),
        ([], 2, "Missing argument 'BOT BOT...'"),
        (["greedy", "nobody"], 2, "no bot is called 'nobody': choose from random, simple, greedy, planner"),
        (["greedy", "away.py"], 2, "away.py does not exist"),
        (["greedy", "faulty:stall"], 2, "faulty:stall misuses the connection itself, so it cannot play here"),
        (["greedy", "broken.py"], 1, "broken.py, line 1: "),
        (["greedy", "greedy", "--games", "0"], 2, "0 is not in the range x>=1"),
        (["greedy", "greedy", "--games", "ten"], 2, "'ten' is not a valid integer"),
        (["greedy", "greedy", "--seed", "-1"], 2, "-1 is not in the range x>=0"),
        (["greedy", "greedy", "--jobs", "0"], 2, "0 is not in the range x>=1"),
        (["greedy", "greedy", "--deals", "same"], 2, "'same' is not one of 'independent', 'rotated'"),
        (
            ["greedy"] * 3 + ["--deals", "rotated", "--games", "10"],
            2,
            "--games 10 does not rotate 3 bots: give a multiple, as 12.",
        ),
        (["greedy", "greedy", "--out", "file"], 1, "file cannot be used as a folder: "),
        (["greedy", "greedy", "--out", "file/games"], 1, "file/games cannot be used as a folder: "),
    ],
)
def test_bad_arguments(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "file").write_text("")
    (folder / "broken.py").write_text("class:")
    before = sorted(folder.iterdir())
    result = crowns("play", *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert sorted(folder.iterdir()) == before


def test_help_teaches() -> None:
    text = crowns("play", "--help").stdout
    for words in ("crowns play mybot.py greedy", "random, simple, greedy or planner", "more is better", "--deals"):
        assert words in text


@pytest.mark.parametrize("jobs", [[], ["--jobs", "1"], ["--jobs", "2"]], ids=["as it likes", "one", "two"])
def test_ctrl_c_shows_what_was_played(folder: Path, jobs: list[str]) -> None:
    command = [*CROWNS, "play", "simple", "simple", "--games", "50000", "--out", "games", "--json", *jobs]
    with in_a_terminal(command) as process:
        wait_until((folder / "games/game-00003.5cgr").exists, "the third record")
        os.killpg(process.pid, signal.SIGINT)
        out, error = process.communicate(timeout=60)
    answer = json.loads(out)
    assert process.returncode == 130
    assert error == f"stopped after {answer['games']} of 50000 games\n"
    assert len(answer["records"]) == len(list((folder / "games").iterdir())) == answer["games"] >= 3


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_second_ctrl_c_ends_a_bot_that_never_answers(folder: Path, jobs: str) -> None:
    (folder / "stuck.py").write_text(STUCK)
    with in_a_terminal([*CROWNS, "play", "stuck.py", "simple", "--jobs", jobs]) as process:
        wait_until((folder / "stuck").exists, "a bot that thinks")
        os.killpg(process.pid, signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)  # the first one waits for the bot
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=60) == 1


# -- several games at a time -------------------------------------------------------------------------------------------


def test_however_many_play_at_a_time_the_games_are_the_same(folder: Path) -> None:
    answers = []
    for jobs in ("1", "3"):
        arguments = ["greedy", "random", "simple", "--games", "9", "--seed", "5", "--deals", "rotated", "--json"]
        result = crowns("play", *arguments, "--out", f"by{jobs}", "--jobs", jobs)
        assert (result.exit_code, result.stderr) == (0, "")
        answers.append({**json.loads(result.stdout), "records": None})
    assert answers[0] == answers[1]
    names = [path.name for path in sorted((folder / "by1").iterdir())]
    assert [path.name for path in sorted((folder / "by3").iterdir())] == names
    for name in names:
        assert (folder / "by1" / name).read_bytes() == (folder / "by3" / name).read_bytes()


@pytest.mark.parametrize("jobs", [["--jobs", "2"], []], ids=["told to", "out of patience"])
def test_other_processes_play(folder: Path, monkeypatch: pytest.MonkeyPatch, jobs: list[str]) -> None:
    monkeypatch.setattr(many_games, "PATIENCE_S", 0.0)
    monkeypatch.setattr(many_games, "cores", lambda: 2)
    (folder / "telling.py").write_text(TELLING)
    assert crowns("play", "telling.py", "simple", "--games", "12", *jobs).exit_code == 0
    players = [path.name.partition("-")[0] for path in (folder / "played").iterdir()]
    assert len(players) == 12
    assert str(os.getpid()) not in players
    assert 1 <= len(set(players)) <= 2


def test_few_games_are_played_here(folder: Path) -> None:
    (folder / "telling.py").write_text(TELLING)
    assert crowns("play", "telling.py", "simple", "--games", "1").exit_code == 0
    assert [path.name.partition("-")[0] for path in (folder / "played").iterdir()] == [str(os.getpid())]


def test_what_bots_raise_elsewhere_is_shown_as_here(folder: Path) -> None:
    (folder / "crashing.py").write_text(CRASHING)
    here, elsewhere = (
        crowns("play", "crashing.py", "simple", "--games", "4", "--seed", "3", "--json", "--jobs", jobs)
        for jobs in "12"
    )
    assert here.stdout == elsewhere.stdout
    assert here.stderr.replace("thinking aloud\n", "") == elsewhere.stderr


def test_a_bot_that_ends_its_process(folder: Path) -> None:
    (folder / "quitting.py").write_text(QUITTING)
    result = crowns("play", "quitting.py", "simple", "--games", "4", "--jobs", "2")
    assert result.exit_code == 1
    assert result.stderr == "Error: a process that played games ended by itself: try --jobs 1.\n"


@contextlib.contextmanager
def in_a_terminal(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A process group of its own, to which Ctrl-C goes as a whole."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        yield process
