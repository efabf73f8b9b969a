"""`crowns compare`: is one bot stronger than another? Games until the answer is clear, and no more."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from bots.cli.local_play import Entrant, PlayedGame
from bots.cli.many_games import ManyGames, entrants_of
from bots.cli.play import EXIT_INTERRUPTED, Problems, stop_by_ctrl_c
from bots.cli.seeds import random_seed
from bots.cli.swapped_sets import SwappedSets
from bots.compare import Measure, Plan, Progress, Verdict, progress_of, verdict_of, verdict_sentence
from bots.compare.plan import LEAST_SETS, USUAL_GAP, USUAL_MOST_SETS
from bots.compare.words import UNITS, difference_text
from referee.record.conditions import DealMode
from referee.rules.state import MIN_SEATS, MOST_SEATS_OF_ONE_GAME

EXIT_CODES = {Verdict.STRONGER: 0, Verdict.NOT_STRONGER: 3, Verdict.UNDECIDED: 4}
BAR = 24


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is played, and how it is read."""

    bots: tuple[str, ...]
    """A, B, then the field, as they were named."""
    entrants: Sequence[Entrant]
    sets: SwappedSets
    plan: Plan
    seed: int
    jobs: int | None = 1

    @property
    def names(self) -> tuple[str, str]:
        return self.entrants[0].name, self.entrants[1].name

    def play(
        self,
        is_stopped: Callable[[], bool] = lambda: False,
        on_game: Callable[[PlayedGame], None] = lambda game: None,
        on_set: Callable[[Sequence[float]], None] = lambda results: None,
    ) -> list[float]:
        """The result of each whole set, in their order, until they decide. Games of a set that was not finished, or that were at
        work when it was decided, do not count, so the answer is the same however many are played at a time."""
        games = self.plan.most_sets * self.sets.games
        many = ManyGames(
            self.bots, self.entrants, games, self.seed, DealMode.ROTATED, self.jobs, play_one=self.sets.play
        )
        results: list[float] = []
        begun: list[PlayedGame] = []
        with contextlib.closing(many.play(is_stopped)) as played:
            for game in played:
                on_game(self._by_entrant(game))
                begun.append(replace(game, record=b"", failures=()))
                if len(begun) < self.sets.games:
                    continue
                results.append(self._result(begun))
                begun = []
                on_set(results)
                if verdict_of(self.plan, results):
                    break
        return results

    def _result(self, games: Sequence[PlayedGame]) -> float:
        return self.sets.result(self.plan.measure, games, [self._seating(game) for game in games])

    def _seating(self, game: PlayedGame) -> tuple[int, ...]:
        return self.sets.seating(len(self.entrants), game.number, self.seed)

    def _by_entrant(self, game: PlayedGame) -> PlayedGame:
        """With the faults of each entrant, wherever it sat."""
        seating = self._seating(game)
        faults = (
            tuple(fault for seat, sits in enumerate(seating) if sits == bot for fault in game.faults[seat])
            for bot in range(len(self.entrants))
        )
        return replace(game, faults=tuple(faults))


@click.command("compare", short_help="Is bot B stronger than bot A? Plays until the answer is clear.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--field", multiple=True, metavar="BOT", help="Who else sits at the table; give it once for each bot.")
@click.option(
    "--seats",
    type=click.IntRange(MIN_SEATS, MOST_SEATS_OF_ONE_GAME),
    help="Seats of the table. If not given: one for A or B and one for each of the field; without a field 2.",
)
@click.option(
    "--by",
    type=click.Choice([measure.value for measure in Measure]),
    default=Measure.MARGIN.value,
    show_default=True,
    help="margin: points a game. wins: who is placed before whom, by however little.",
)
@click.option(
    "--least-gap",
    type=float,
    default=USUAL_GAP,
    show_default=True,
    metavar="X",
    help="The gain that must not be missed: points a game, or wins in a hundred. Half of it takes four times the games.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="How often a B no better than A may be called stronger.",
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="How often a B better by the least gap may be missed."
)
@click.option(
    "--max-sets",
    type=click.IntRange(min=LEAST_SETS),
    default=USUAL_MOST_SETS,
    show_default=True,
    help="Deal sets at the most.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="A number that decides the deals; drawn if not given, and said."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Games at a time, each in a process; if not given, one for the first second, then one for each core.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON object.")
def command(
    a: str,
    b: str,
    field: tuple[str, ...],
    seats: int | None,
    by: str,
    least_gap: float,
    alpha: float,
    beta: float,
    max_sets: int,
    seed: int | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Is B stronger than A? A is what you have, B is what you hope is better; both are named as for crowns play.

    Both play the same cards at the same seats, deal after deal, until the answer is clear: a clear difference takes some dozens
    of games, a small one hundreds. After every whole deal set the evidence is weighed; at its upper bound B is stronger, at
    its lower one it is not, or by less than the least gap.

    \b
    Examples:
      crowns compare old.py new.py
      crowns compare old.py new.py --least-gap 2              a small gain counts too: six times the games
      crowns compare old.py new.py --seats 4                  A and B by turns at a table of four
      crowns compare old.py new.py --field greedy --field planner
                                                              one of the two among others, as in a league
      crowns compare mybot.py:Old mybot.py:New --by wins      wins count, not points

    \b
    Exit code:
      0    B is stronger
      3    B is not stronger by the least gap
      4    undecided: the limit of --max-sets is reached
      130  stopped by Ctrl-C; what was found so far is printed
      1    a bot could not be loaded, 2 the arguments make no sense
    So: crowns compare old.py new.py && cp new.py old.py

    The interval allows for the early stop. On the way it holds with 99 %, at the end with 90 % (all but alpha and beta), so that
    it never contradicts the verdict. The same seed gives the same answer, however many games are played at a time.
    """
    comparison = Comparison(
        bots=(a, b, *field),
        entrants=entrants_of((a, b, *field)),
        sets=SwappedSets(_seats(seats, len(field)), has_field=bool(field)),
        plan=_plan(Measure(by), least_gap, alpha, beta, max_sets),
        seed=random_seed() if seed is None else seed,
        jobs=jobs,
    )
    problems = Problems(comparison.entrants)
    with _live(comparison) as show, stop_by_ctrl_c() as is_stopped:
        results = comparison.play(is_stopped, problems.add, show)
    for line in problems.lines():
        click.echo(line, err=True)
    progress = progress_of(comparison.plan, results)
    if as_json:
        click.echo(json.dumps(_as_json(comparison, progress)))
    else:
        for line in _answer(comparison, progress):
            click.echo(line)
    sys.exit(EXIT_INTERRUPTED if progress.verdict is None else EXIT_CODES[progress.verdict])


def live_line(comparison: Comparison, progress: Progress) -> str:
    """`-2.9 ···········|····●······ +2.9  difference ...  84 sets, 168 games, about 120 to go`."""
    games = comparison.sets.games
    share = (progress.llr - progress.lower) / (progress.upper - progress.lower)
    bar = ["·"] * (BAR + 1)
    bar[round(BAR * -progress.lower / (progress.upper - progress.lower))] = "|"
    bar[round(BAR * min(max(share, 0.0), 1.0))] = "●"
    about = difference_text(comparison.plan, progress) if progress.sets else "no deal set yet"
    return (
        f"{progress.lower:.1f} {''.join(bar)} {progress.upper:+.1f}  evidence {progress.llr:+.2f}  {about}  "
        f"{progress.sets * games} games, about {progress.sets_left * games} to go"
    )


def _seats(seats: int | None, field: int) -> int:
    if seats is not None:
        return seats
    if field >= MOST_SEATS_OF_ONE_GAME:
        raise click.UsageError(f"{field} bots in the field: give --seats, then some are drawn for each deal.")
    return field + 1 if field else MIN_SEATS


def _plan(measure: Measure, least_gap: float, alpha: float, beta: float, max_sets: int) -> Plan:
    try:
        return Plan(measure, least_gap, alpha, beta, most_sets=max_sets)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error


@contextlib.contextmanager
def _live(comparison: Comparison) -> Iterator[Callable[[Sequence[float]], None]]:
    """A line on stderr that follows the games, if somebody can see it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda results: None
        return
    latest: list[float] = []

    def line() -> Text:
        return Text(live_line(comparison, progress_of(comparison.plan, latest)))

    # The line asks for what it shows when it is drawn, four times a second: not after every set.
    with Live(console=console, get_renderable=line, transient=True):
        yield lambda results: latest.__setitem__(slice(None), results)


def _answer(comparison: Comparison, progress: Progress) -> Iterator[str]:
    a, b = comparison.names
    sets, games = progress.sets, progress.sets * comparison.sets.games
    if progress.verdict is None:
        yield "Stopped before the answer was clear."
    yield verdict_sentence(comparison.plan, progress, a, b)
    yield (
        f"{sets} deal sets, {games} games, seed {comparison.seed}; plain mean {progress.mean:+.1f} "
        f"{UNITS[comparison.plan.measure]}, spread of a set {progress.spread:.1f}; "
        f"evidence {progress.llr:+.2f} between {progress.lower:+.2f} and {progress.upper:+.2f}"
    )


def _as_json(comparison: Comparison, progress: Progress) -> dict[str, object]:
    plan, (a, b) = comparison.plan, comparison.names
    low, high = progress.interval or (None, None)
    return {
        "a": a,
        "b": b,
        "field": [entrant.name for entrant in comparison.entrants[2:]],
        "seats": comparison.sets.seats,
        "verdict": progress.verdict.value if progress.verdict else "stopped",
        "sentence": verdict_sentence(plan, progress, a, b),
        "by": plan.measure.value,
        "difference": {
            "estimate": round(progress.estimate, 4),
            "low": None if low is None else round(low, 4),
            "high": None if high is None else round(high, 4),
            "level": round(progress.level, 4),
            "mean": round(progress.mean, 4),
        },
        "evidence": round(progress.llr, 4),
        "lower": round(progress.lower, 4),
        "upper": round(progress.upper, 4),
        "least_gap": plan.least_gap,
        "alpha": plan.alpha,
        "beta": plan.beta,
        "sets": progress.sets,
        "games": progress.sets * comparison.sets.games,
        "max_sets": plan.most_sets,
        "seed": comparison.seed,
    }
