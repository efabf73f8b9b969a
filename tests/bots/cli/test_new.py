"""`crowns new`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.cli import main
from bots.cli.bot_spec import load_bot
from bots.cli.new import class_name


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def crowns(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="crowns")


def test_writes_a_bot_of_ten_lines_that_plays(folder: Path) -> None:
    result = crowns("new", "my_bot")
    assert result.exit_code == 0
    assert result.output.startswith("wrote my_bot.py. Next:\n  crowns play my_bot.py simple")
    assert load_bot("my_bot.py").bot_class.__name__ == "MyBot"
    lines = (folder / "my_bot.py").read_text().splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    assert len(code) <= 10
    played = crowns("play", "my_bot.py", "random", "--games", "2", "--seed", "1")
    assert played.exit_code == 0
    assert "faults" not in played.output


def test_in_a_folder(folder: Path) -> None:
    (folder / "mine").mkdir()
    assert crowns("new", "mine/first.py").exit_code == 0
    assert "class First(Bot)" in (folder / "mine/first.py").read_text()


def test_never_overwrites(folder: Path) -> None:
    (folder / "mine.py").write_text("dear to me")
    result = crowns("new", "mine")
    assert result.exit_code == 1
    assert result.stderr == "Error: mine.py exists already: choose another name, it is not overwritten.\n"
    assert (folder / "mine.py").read_text() == "dear to me"


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("my-bot", 2, "'my-bot' is no name for a Python file: use letters, digits and _, as in my_bot."),
        ("class", 2, "'class' is no name for a Python file"),
        ("1st", 2, "'1st' is no name for a Python file"),
        ("", 2, "'' is no name for a Python file"),
        ("random", 2, "'random' is taken, by Python itself or by a house bot: choose another name."),
        ("greedy", 2, "'greedy' is taken"),
        ("away/mine", 1, "away/mine.py cannot be written: No such file or directory."),
    ],
)
def test_bad_names(folder: Path, name: str, code: int, message: str) -> None:
    result = crowns("new", name)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("stem", "name"), [("my_bot", "MyBot"), ("MyBot", "MyBot"), ("x", "X"), ("_", "MyBot")])
def test_class_name(stem: str, name: str) -> None:
    assert class_name(stem) == name
