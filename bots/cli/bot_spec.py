"""Which bot is meant: a short name, or `FILE.py` with an optional `:CLASS`."""

from __future__ import annotations

import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import click

from bots.faulty import FAULTY_BOTS, RAW_NAMES
from bots.reference import REFERENCE_BOTS, SOLITAIRE_BOTS
from bots.sdk import Bot

HOUSE_BOTS = REFERENCE_BOTS | SOLITAIRE_BOTS
FAULTY = "faulty:"
_FILE = re.compile(r"(?P<file>.+\.py)(?::(?P<bot_class>[^:/\\]*))?")
"""The colon after `.py` only: a drive letter has one too."""


class BotSpecError(click.UsageError):
    """The argument names no bot."""


class BotFileError(click.ClickException):
    """The file is there, but its code does not load."""


@dataclass(frozen=True, slots=True)
class LoadedBot:
    name: str
    """For tables and records."""
    bot_class: type[Bot]


def load_bot(text: str) -> LoadedBot:
    """The bot that a short name or `FILE.py[:CLASS]` means. Raises BotSpecError or BotFileError, one line that says what to do."""
    if match := _FILE.fullmatch(text):
        path = Path(match["file"]).expanduser()
        bot_class = _class_in(_load_module(path), path, match["bot_class"])
        name = path.stem if match["bot_class"] is None else f"{path.stem}:{bot_class.__name__}"
        return LoadedBot(name, bot_class)
    if text in HOUSE_BOTS:
        return LoadedBot(text, HOUSE_BOTS[text])
    if is_raw_bot(text):
        raise BotSpecError(f"{text} misuses the connection itself, so it cannot play here: use it with crowns connect.")
    faulty = text.removeprefix(FAULTY)
    if text.startswith(FAULTY) and faulty in FAULTY_BOTS:
        return LoadedBot(text, FAULTY_BOTS[faulty])
    raise BotSpecError(_unknown(text))


def is_raw_bot(text: str) -> bool:
    """Whether the text names a faulty bot that speaks the protocol by itself (`bots.faulty.raw`)."""
    return text.startswith(FAULTY) and text.removeprefix(FAULTY) in RAW_NAMES


def short_names() -> list[str]:
    return [*HOUSE_BOTS, *(f"{FAULTY}{name}" for name in (*FAULTY_BOTS, *RAW_NAMES))]


def _unknown(text: str) -> str:
    if Path(f"{text}.py").is_file():
        return f"no bot is called {text!r}: for the file write {text}.py."
    if text.startswith(FAULTY):
        return f"no faulty bot is called {text!r}: choose from {', '.join((*FAULTY_BOTS, *RAW_NAMES))}."
    return f"no bot is called {text!r}: choose from {', '.join(HOUSE_BOTS)}, or name a file as in mybot.py."


def _load_module(path: Path) -> ModuleType:
    """Runs a bot's file. Its folder comes last on the import path, so a helper beside it is found and hides nothing else."""
    if not path.exists():
        raise BotSpecError(f"{path} does not exist: check the path, or write the bot with crowns new {path.stem}.")
    if not path.is_file():
        raise BotSpecError(f"{path} is not a file: name the .py file that holds the bot.")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    module = ModuleType(f"bot file {path.resolve()}")
    module.__file__ = str(path)
    if module.__name__ in sys.modules:
        return sys.modules[module.__name__]
    sys.modules[module.__name__] = module  # dataclasses and pickle look their module up
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)  # noqa: S102 - running the file is what was asked
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        raise BotFileError(_why_not_loaded(path, error)) from error
    return module


def _why_not_loaded(path: Path, error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename == str(path):
        return f"{path} cannot be read: {error.strerror}"
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}, line {error.lineno}: {error.msg}: {(error.text or '').strip()}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f", line {lines[-1]}" if lines else ""
    return f"{path}{where}: {type(error).__name__}: {error}"


def _class_in(module: ModuleType, path: Path, name: str | None) -> type[Bot]:
    own = [value for value in vars(module).values() if _is_own_bot(value, module)]
    names = ", ".join(bot_class.__name__ for bot_class in own)
    if name is None:
        if len(own) == 1:
            return own[0]
        if own:
            raise BotSpecError(f"{path} defines several bots ({names}): say which, as in {path}:{own[-1].__name__}.")
        raise BotSpecError(f"{path} defines no bot: write a class like  class MyBot(Bot):  there.")
    if not name:
        raise BotSpecError(f"{path}: names no class after the colon: write {path}:CLASS, or leave the colon out.")
    found = vars(module).get(name)
    if found is None:
        raise BotSpecError(f"{path} has no class {name!r}: it defines {names or 'no bot'}.")
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise BotSpecError(f"{name} in {path} is no bot: it must be a subclass of Bot, as in  class {name}(Bot):")
    return found


def _is_own_bot(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
