"""From what is typed to a bot class."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from bots.cli.bot_spec import BotFileError, BotSpecError, is_raw_bot, load_bot, short_names
from bots.faulty import FAULTY_BOTS, RAW_NAMES
from bots.faulty.raw import RAW_BOTS
from bots.reference import REFERENCE_BOTS

ONE = "from bots.sdk import Bot\nclass One(Bot): ...\n"
TWO = ONE + "class Two(One): ...\nclass Other: ...\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, where paths are relative."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # put back afterwards, with what the loader appends
    return tmp_path


def test_short_names() -> None:
    for name, bot_class in REFERENCE_BOTS.items():
        assert load_bot(name).bot_class is bot_class
        assert load_bot(name).name == name
    for name, bot_class in FAULTY_BOTS.items():
        assert load_bot(f"faulty:{name}").bot_class is bot_class
    assert list(RAW_BOTS) == list(RAW_NAMES)
    assert [name for name in short_names() if is_raw_bot(name)] == [f"faulty:{name}" for name in RAW_NAMES]


@pytest.mark.parametrize(
    ("text", "source", "name", "bot_class"),
    [
        ("mine.py", ONE, "mine", "One"),
        ("./mine.py", ONE, "mine", "One"),
        ("mine.py:One", ONE, "mine:One", "One"),
        ("mine.py:Two", TWO, "mine:Two", "Two"),
        ("mine.py", "from bots.reference import REFERENCE_BOTS\n" + ONE, "mine", "One"),
    ],
)
def test_files(folder: Path, text: str, source: str, name: str, bot_class: str) -> None:
    (folder / "mine.py").write_text(source)
    loaded = load_bot(text)
    assert (loaded.name, loaded.bot_class.__name__) == (name, bot_class)


def test_imported_bots_do_not_count(folder: Path) -> None:
    (folder / "mine.py").write_text("from bots.reference.greedy_bot import GreedyBot\nclass Mine(GreedyBot): ...\n")
    assert load_bot("mine.py").bot_class.__name__ == "Mine"


def test_twice_the_same_class(folder: Path) -> None:
    (folder / "mine.py").write_text(ONE)
    assert load_bot("mine.py").bot_class is load_bot("./mine.py").bot_class


def test_helper_beside_the_file_and_dataclasses(folder: Path) -> None:
    (folder / "helper_of_mine.py").write_text("LUCKY = 7\n")
    (folder / "mine.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom helper_of_mine import LUCKY\n"
        + ONE
        + "@dataclass\nclass Kept:\n    lucky: int = LUCKY\n"
    )
    assert load_bot("mine.py").name == "mine"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "nobody",
            BotSpecError,
            "no bot is called 'nobody': choose from random, simple, greedy, planner, solitaire, or name a file",
        ),
        ("mine", BotSpecError, "no bot is called 'mine': for the file write mine.py."),
        ("", BotSpecError, "no bot is called ''"),
        ("faulty:nice", BotSpecError, "no faulty bot is called 'faulty:nice': choose from crash, illegal, "),
        ("faulty:stall", BotSpecError, "faulty:stall misuses the connection itself, so it cannot play here"),
        ("away.py", BotSpecError, "away.py does not exist: check the path, or write the bot with crowns new away."),
        ("folder.py", BotSpecError, "folder.py is not a file: name the .py file that holds the bot."),
        ("mine.py", BotSpecError, "mine.py defines several bots (One, Two): say which, as in mine.py:Two."),
        ("mine.py:", BotSpecError, "mine.py: names no class after the colon"),
        ("mine.py:Three", BotSpecError, "mine.py has no class 'Three': it defines One, Two."),
        ("mine.py:Other", BotSpecError, "Other in mine.py is no bot: it must be a subclass of Bot"),
        ("empty.py", BotSpecError, "empty.py defines no bot: write a class like  class MyBot(Bot):  there."),
        ("syntax.py", BotFileError, "syntax.py, line 2: invalid syntax: class = 3"),
        ("raises.py", BotFileError, "raises.py, line 3: ZeroDivisionError: division by zero"),
        ("exits.py", BotFileError, "exits.py, line 1: SystemExit: 3"),
        ("missing.py", BotFileError, "missing.py, line 1: ModuleNotFoundError: No module named 'not_installed_here'"),
        ("binary.py", BotFileError, "binary.py"),
    ],
)
def test_what_is_no_bot(folder: Path, text: str, error: type[click.ClickException], message: str) -> None:
    (folder / "mine.py").write_text(TWO)
    (folder / "empty.py").write_text("")
    (folder / "syntax.py").write_text("x = 1\nclass = 3\n")
    (folder / "raises.py").write_text("def f():\n    # here\n    return 1 / 0\nf()\n")
    (folder / "exits.py").write_text("raise SystemExit(3)\n")
    (folder / "missing.py").write_text("import not_installed_here\n")
    (folder / "binary.py").write_bytes(b"\x00\xff\xfe")
    (folder / "folder.py").mkdir()
    with pytest.raises(error) as raised:
        load_bot(text)
    assert message in raised.value.message
    assert "\n" not in raised.value.message
    assert raised.value.exit_code == (2 if error is BotSpecError else 1)
