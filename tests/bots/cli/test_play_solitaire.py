"""`crowns play --solitaire`: one bot alone, here and at full speed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.cli import main
from bots.cli.solitaire import share_interval
from referee.record.conditions import FaultType
from referee.record.game_record import read_record
from referee.record.verify import verify_record
from referee.rules.solitaire import SolitaireConfig, Variant

OWN = """
from bots.sdk import Bot

class Own(Bot):
    def solitaire(self, view):
        if view.can_refuse:
            return "refuse"
        pile = view.open_piles[-1]
        return pile.size, str(view.turned)
"""

CRASHING = """
from bots.sdk import Bot

class Crashing(Bot):
    def solitaire(self, view):
        if view.cards_left == 20:
            raise RuntimeError("no idea")
        return view.open_piles[0], view.turned
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def crowns(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="crowns")


def test_one_solitaire_is_told_play_by_play() -> None:
    result = crowns("play", "--solitaire", "random", "--games", "1", "--seed", "7")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "Solitaire, variant standard; 28 cards to turn up."
    assert [line.split(":")[0].split() for line in lines[1:12]] == [["pile", str(size)] for size in range(3, 14)]
    assert re.fullmatch(r" 1\. \S+ to pile \d+, \S+ out\.", next(line for line in lines if line.startswith(" 1.")))
    assert re.fullmatch(r"(All 11 complete with \d+ cards? left|No cards left, \d+ piles? open)\.", lines[-2])
    assert lines[-1] == "1 deal, variant standard, seed 7"


def test_many_give_means_and_a_share() -> None:
    result = crowns("play", "--solitaire", "random", "--games", "30", "--seed", "7")
    assert result.exit_code == 0
    assert re.search(r"│ random +│ +\d\.\d\d ± \d\.\d\d │ +0 │ +0\.0 to 11\.4 % │", result.stdout)
    assert result.stdout.endswith(
        "30 deals, variant standard, seed 7: of 11 piles and 28 cards, means with 95 % intervals\n"
    )


def test_figures_as_json_and_records_that_verify(folder: Path) -> None:
    options = ("--games", "3", "--seed", "9", "--variant", "open_first", "--record", "kept", "--json")
    (folder / "own.py").write_text(OWN)
    result = crowns("play", "--solitaire", "own.py", *options)
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    (bot,) = answer["bots"]
    assert (answer["games"], answer["solitaire"], bot["bot"], bot["faults"]) == (3, "open_first", "own", 0)
    for path, deal in zip(map(Path, answer["records"]), bot["deals"], strict=True):
        data = path.read_bytes()
        record = read_record(data)
        assert record.header.config == SolitaireConfig(Variant.OPEN_FIRST)
        assert (len(record.entries), deal["cards_used"]) == (28, 28)
        assert verify_record(data).ok
    verified = json.loads(crowns("verify", "--json", *answer["records"]).stdout)
    assert [one["solitaire"] for one in verified] == bot["deals"]


def test_the_same_seed_gives_the_same_bytes_however_many_at_a_time(folder: Path) -> None:
    for jobs in ("1", "2"):
        assert (
            crowns(
                *("play", "--solitaire", "random", "--games", "4", "--seed", "5", "--jobs", jobs, "--out", jobs)
            ).exit_code
            == 0
        )
    for path in sorted((folder / "1").iterdir()):
        assert path.read_bytes() == (folder / "2" / path.name).read_bytes()


def test_what_a_bot_raises_is_shown_and_costs_one_play(folder: Path) -> None:
    (folder / "crashing.py").write_text(CRASHING)
    result = crowns("play", "--solitaire", "crashing.py", "--games", "2", "--seed", "1")
    assert result.exit_code == 0
    raised = "Crashing.solitaire: RuntimeError: no idea (crashing.py, line 7)"
    assert f"{raised}: 2 times, first in game 1, play 8" in result.stderr
    assert f"crashing: {FaultType.BOT_ERROR.value} 2 times" in result.stderr
    assert "faults" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--solitaire", "greedy"), "greedy plays no solitaire: write a method `solitaire`"),
        (("--solitaire", "random", "solitaire"), "2 bots: solitaire is for one"),
        (("--solitaire", "random", "--deals", "rotated"), "nothing to rotate"),
        (("random", "greedy", "--variant", "standard"), "--variant belongs to solitaire"),
        (("--solitaire", "random", "--variant", "thirteen"), "'thirteen' is not one of"),
    ],
)
def test_what_cannot_be_played(arguments: tuple[str, ...], words: str) -> None:
    result = crowns("play", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_the_help_teaches_it() -> None:
    said = " ".join(crowns("play", "--help").stdout.split())
    assert "eleven open piles of 3 to 13 cards" in said
    assert "crowns play --solitaire mybot.py" in said


@pytest.mark.parametrize(
    ("count", "total", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_the_interval_of_a_share(count: int, total: int, low: float, high: float) -> None:
    """Wilson's, which stays within 0 and 1 and says something of no wins too."""
    assert share_interval(count, total) == pytest.approx((low, high), abs=5e-5)
