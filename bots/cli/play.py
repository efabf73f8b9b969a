"""`crowns play`: games between bots in this process."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bots.cli.figures import BotFigures, Estimate, bot_figures
from bots.cli.local_play import Entrant, PlayedGame
from bots.cli.many_games import ManyGames, entrants_of
from bots.cli.seeds import random_seed
from referee.record.conditions import DealMode
from referee.rules.state import MAX_SEATS, MIN_SEATS

DEALS = {"independent": DealMode.INDEPENDENT, "rotated": DealMode.ROTATED}
RECORD_SUFFIX = ".5cgr"
SHOWN_FAILURES = 3
EXIT_INTERRUPTED = 130
"""What shells answer for a command ended by Ctrl-C."""
TABLE_WIDTH = 100
"""Where no terminal says how wide it is."""


@click.command("play", short_help="Games between bots, here and at full speed.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="How many games.")
@click.option(
    "--seed", type=click.IntRange(min=0), help="A number that decides deals and seats; drawn if not given, and said."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write a record of each game into this folder."
)
@click.option(
    "--deals",
    type=click.Choice(list(DEALS)),
    default="independent",
    show_default=True,
    help="rotated: the same cards again until every bot has sat everywhere; the same precision with far fewer games.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Games at a time, each in a process; if not given, one for the first second, then one for each core.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
def command(
    bots: tuple[str, ...],
    games: int,
    seed: int | None,
    out: Path | None,
    deals: str,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Play BOTs against each other, one at each seat of a table of 2 to 7.

    BOT is random, simple, greedy or planner, weakest first, or a file: mybot.py, or mybot.py:MyBot where it defines several
    bots. The same one may be named twice. Games run on this machine by the rules and the fault policy of the server, but no
    clock runs. The same seed gives the same games, byte by byte in their records, however many run at a time.

    \b
    Examples:
      crowns play mybot.py greedy
      crowns play mybot.py greedy greedy planner --games 200 --seed 7
      crowns play mybot.py planner --deals rotated --games 400
      crowns play mybot.py simple --games 1 --out games     then: crowns verify games/*.5cgr

    The table shows means with 95 % intervals. Score: lower is better. Margin: the mean of the opponents' scores less one's
    own, so more is better; an interval that does not hold 0 separates a bot from its table.
    """
    if not MIN_SEATS <= len(bots) <= MAX_SEATS:
        raise click.UsageError(
            f"{len(bots)} bots: a table has {MIN_SEATS} to {MAX_SEATS} seats, name one bot for each."
        )
    if deals == "rotated" and games % len(bots):
        more = games + len(bots) - games % len(bots)
        raise click.UsageError(f"--games {games} does not rotate {len(bots)} bots: give a multiple, as {more}.")
    entrants = entrants_of(bots)
    files = _record_files(out, games) if out else None
    seed = random_seed() if seed is None else seed
    problems = Problems(entrants)
    many = ManyGames(bots, entrants, games, seed, DEALS[deals], jobs)
    played = _play(many, files, problems)
    for line in problems.lines():
        click.echo(line, err=True)
    if len(played) < games:
        click.echo(f"stopped after {len(played)} of {games} games", err=True)
    if played:
        figures = bot_figures([entrant.name for entrant in entrants], played)
        if as_json:
            click.echo(json.dumps(_as_json(figures, len(played), seed, deals, files)))
        else:
            _print_table(figures, len(played), seed, deals, out)
    if len(played) < games:
        sys.exit(EXIT_INTERRUPTED)


class Problems:
    """What went wrong with each bot, the same thing once, with what its author needs to mend it."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self._entrants = entrants
        self._failures: Counter[str] = Counter()
        self._faults: Counter[tuple[str, str]] = Counter()
        self._first: dict[object, str] = {}

    def add(self, game: PlayedGame) -> None:
        for failure in game.failures:
            self._failures[failure.summary] += 1
            if failure.summary not in self._first:
                where = f"game {game.number}, {failure.where}".rstrip(", ")
                self._first[failure.summary] = f"{where}\n{failure.details}"
        for entrant, faults in zip(self._entrants, game.faults, strict=True):
            for fault in faults:
                kind = (entrant.name, fault.type.value)
                self._faults[kind] += 1
                self._first.setdefault(kind, f"game {game.number}: {fault.detail}")

    def lines(self) -> Iterator[str]:
        for summary, times in self._failures.most_common(SHOWN_FAILURES):
            yield f"{summary}: {_times(times)}, first in {self._first[summary]}"
        for kind, times in self._faults.items():
            name, fault = kind
            yield f"{name}: {fault} {_times(times)}, first in {self._first[kind]}"


def _record_files(folder: Path, games: int) -> list[Path]:
    """A file for each game. The folder is made; if any of the files is there already, nothing is played."""
    digits = max(4, len(str(games)))
    files = [folder / f"game-{number:0{digits}}{RECORD_SUFFIX}" for number in range(1, games + 1)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        existing = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise click.ClickException(
            f"{folder} cannot be used as a folder: {error.strerror}. Choose another --out."
        ) from error
    for path in files:
        if path.name in existing:
            raise click.ClickException(f"{path} exists already: nothing was played. Choose another --out or move it.")
    return files


def _play(many: ManyGames, files: Sequence[Path] | None, problems: Problems) -> list[PlayedGame]:
    """All games, or fewer if Ctrl-C asks to stop."""
    played: list[PlayedGame] = []
    with _progress(many.games) as advance, stop_by_ctrl_c() as is_stopped:
        for game in many.play(is_stopped):
            if files:
                _write_record(files[game.number - 1], game.open_record())
            problems.add(game)
            # Bytes and tracebacks are dealt with: a long run need not hold them.
            played.append(replace(game, record=b"", failures=()))
            advance()
    return played


@contextlib.contextmanager
def stop_by_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks to stop after the games at work; the second one ends them there and then."""
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def _write_record(path: Path, record: bytes) -> None:
    try:
        with path.open("xb") as file:
            file.write(record)
    except OSError as error:
        raise click.ClickException(
            f"{path} cannot be written: {error.strerror}. The games before it are kept."
        ) from error


@contextlib.contextmanager
def _progress(games: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, if somebody can see it."""
    console = Console(stderr=True)
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=games)
        yield lambda: progress.advance(task)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _print_table(figures: Sequence[BotFigures], games: int, seed: int, deals: str, out: Path | None) -> None:
    console = Console(width=None if sys.stdout.isatty() else TABLE_WIDTH)
    faulted = any(bot.faults for bot in figures)
    table = Table("bot", *(("score", "place", "wins", "margin")), *(("faults", "retired") if faulted else ()))
    for column in table.columns[1:]:
        column.justify = "right"
    for bot in sorted(figures, key=lambda bot: bot.score.mean):
        row = [bot.name, _shown(bot.score), _shown(bot.place, 2), f"{bot.wins:.4g}", _shown(bot.margin, sign="+")]
        table.add_row(*row, *((str(bot.faults), str(bot.retirements)) if faulted else ()))
    console.print(table)
    kind = "" if deals == "independent" else f", {deals} deals"
    click.echo(f"{games} {'game' if games == 1 else 'games'}{kind}, seed {seed}: means with 95 % intervals")
    if out:
        click.echo(f"records in {out}: crowns verify {out / ('*' + RECORD_SUFFIX)}")


def _shown(value: Estimate, digits: int = 1, sign: str = "") -> str:
    mean = f"{value.mean:{sign}.{digits}f}"
    return mean if value.half_width is None else f"{mean} ± {value.half_width:.{digits}f}"


def _as_json(
    figures: Sequence[BotFigures], games: int, seed: int, deals: str, files: Sequence[Path] | None
) -> dict[str, object]:
    return {
        "games": games,
        "seed": seed,
        "deals": deals,
        "bots": [
            {
                "bot": bot.name,
                "score": _estimate_json(bot.score),
                "place": _estimate_json(bot.place),
                "wins": bot.wins,
                "margin": _estimate_json(bot.margin),
                "faults": bot.faults,
                "retired": bot.retirements,
            }
            for bot in figures
        ],
        "records": [str(path) for path in files[:games]] if files else [],
    }


def _estimate_json(value: Estimate) -> dict[str, float | None]:
    """Rounded: the figures are means of whole numbers."""
    low, high = value.low, value.high
    return {
        "mean": round(value.mean, 4),
        "low": None if low is None else round(low, 4),
        "high": None if high is None else round(high, 4),
    }
