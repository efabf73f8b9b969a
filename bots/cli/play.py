"""`crowns play`: games between bots in this process, or one bot alone at solitaire."""

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
from click.core import ParameterSource
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bots.cli.figures import BotFigures, Estimate, bot_figures
from bots.cli.local_play import Entrant, PlayedGame
from bots.cli.many_games import ManyGames, PlayOne, entrants_of, play_planned, play_with_playoff
from bots.cli.seeds import random_seed
from bots.cli.solitaire import playing, require_one_player, show
from referee.record.conditions import DealMode
from referee.rules.solitaire import Variant
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
    "--out",
    "--record",
    "out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a record of each game into this folder.",
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
@click.option("--playoff", is_flag=True, help="Ties for the first place are played off, in three more rounds at most.")
@click.option("--solitaire", "is_solitaire", is_flag=True, help="One BOT alone, a solitaire a game.")
@click.option(
    "--variant",
    type=click.Choice([variant.value for variant in Variant]),
    default=Variant.STANDARD.value,
    show_default=True,
    help="Of solitaire. open_first: the first card may be refused for the hidden one below it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
@click.pass_context
def command(
    context: click.Context,
    bots: tuple[str, ...],
    games: int,
    seed: int | None,
    out: Path | None,
    deals: str,
    jobs: int | None,
    playoff: bool,
    is_solitaire: bool,
    variant: str,
    as_json: bool,
) -> None:
    """Play BOTs against each other, one at each seat of a table of 2 to 14 (from 8 on with two games combined); or one BOT at
    solitaire.

    BOT is random, simple, greedy or planner, weakest first, or a file: mybot.py, or mybot.py:MyBot where it defines several
    bots. The same one may be named twice. Games run on this machine by the rules and the fault policy of the server, but no
    clock runs. The same seed gives the same games, byte by byte in their records, however many run at a time.

    \b
    Examples:
      crowns play mybot.py greedy
      crowns play mybot.py greedy greedy planner --games 200 --seed 7
      crowns play mybot.py planner --deals rotated --games 400
      crowns play mybot.py simple --games 1 --out games     then: crowns verify games/*.5cgr

    With --solitaire one BOT, random or solitaire or a file whose bot has a method `solitaire`, plays alone: eleven open piles of
    3 to 13 cards, the wild rank of each is its size, and 28 cards to turn up. Each goes to an open pile, and one card of that pile
    goes out; a pile that can be laid out whole closes. --games 1 prints every play.

    
      crowns play --solitaire solitaire --games 1
      crowns play --solitaire mybot.py --games 500 --seed 7 --variant open_first

    The table shows means with 95 % intervals. Score: lower is better. Margin: the mean of the opponents' scores less one's
    own, so more is better; an interval that does not hold 0 separates a bot from its table.
    """
    if is_solitaire:
        entrants, play_one = _alone(bots, variant, deals, playoff=playoff)
    else:
        if context.get_parameter_source("variant") is ParameterSource.COMMANDLINE:
            raise click.UsageError("--variant belongs to solitaire: add --solitaire, or leave it out.")
        entrants, play_one = _at_a_table(bots, games, deals, playoff=playoff)
    files = _record_files(out, games) if out else None
    seed = random_seed() if seed is None else seed
    problems = Problems(entrants)
    many = ManyGames(bots, entrants, games, seed, DEALS[deals], jobs, play_one)
    played = _play(many, files, problems)
    for line in problems.lines():
        click.echo(line, err=True)
    if len(played) < games:
        click.echo(f"stopped after {len(played)} of {games} games", err=True)
    if played and is_solitaire:
        show(entrants[0].name, played, seed, Variant(variant), files, as_json=as_json)
    elif played:
        figures = bot_figures([entrant.name for entrant in entrants], played)
        if as_json:
            click.echo(json.dumps(_as_json(figures, len(played), seed, deals, files)))
        else:
            _print_table(figures, len(played), seed, deals, out)
    if len(played) < games:
        sys.exit(EXIT_INTERRUPTED)


def _at_a_table(bots: Sequence[str], games: int, deals: str, *, playoff: bool) -> tuple[list[Entrant], PlayOne]:
    if not MIN_SEATS <= len(bots) <= MAX_SEATS:
        raise click.UsageError(
            f"{len(bots)} bots: a table has {MIN_SEATS} to {MAX_SEATS} seats, name one bot for each."
        )
    if deals == "rotated" and games % len(bots):
        more = games + len(bots) - games % len(bots)
        raise click.UsageError(f"--games {games} does not rotate {len(bots)} bots: give a multiple, as {more}.")
    entrants = entrants_of(bots)
    _check_table_size(entrants)
    return entrants, play_with_playoff if playoff else play_planned


def _alone(bots: Sequence[str], variant: str, deals: str, *, playoff: bool) -> tuple[list[Entrant], PlayOne]:
    if deals != "independent":
        raise click.UsageError(f"--deals {deals}: a solitaire has one seat, there is nothing to rotate.")
    if playoff:
        raise click.UsageError("--playoff: a solitaire has one seat, there is no tie.")
    entrants = entrants_of(bots)
    require_one_player(entrants)
    return entrants, playing(Variant(variant))


def _check_table_size(entrants: Sequence[Entrant]) -> None:
    """Raises UsageError for a bot that does not say it plays a table of so many."""
    for entrant in entrants:
        if len(entrants) not in entrant.bot_class.table_sizes:
            raise click.UsageError(
                f"{entrant.name} does not say that it plays tables of {len(entrants)}: if it does, write"
                f"  table_sizes = range(2, {MAX_SEATS + 1})  in its class."
            )


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
            played.append(replace(game, record=game.record if many.games == 1 else b"", failures=()))
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
