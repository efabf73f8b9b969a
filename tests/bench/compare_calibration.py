"""How often `crowns compare` is right: `python -m tests.bench.compare_calibration`, some minutes on two cores.

Its own code plays bots whose difference is known, again and again with other seeds. The careless bots are greedy ones that
throw any card now and then, so two of the same kind are equal without playing alike, and a careful one is better than a
careless one by about the least gap, where errors are likeliest. How much it is, is measured first, over a fixed number of sets.
"""

from __future__ import annotations

import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import fmean

import click

from bots.cli.compare import Comparison
from bots.cli.figures import estimate
from bots.cli.local_play import Entrant
from bots.cli.many_games import cores
from bots.cli.swapped_sets import SwappedSets
from bots.compare import Measure, Plan, Verdict, progress_of
from bots.reference import GreedyBot
from bots.sdk import Bot, Card, SeatView

GOAL = 0.9
"""Right at least so often: at error bounds of 5 % chance alone makes 11 of 100 wrong once in a hundred times."""
BASE_SEED = 20_000


class Careful(GreedyBot):
    """Greedy under the name of this comparison."""


class Careless(GreedyBot):
    """Throws any card in one of fifty turns."""

    def discard(self, view: SeatView) -> Card:
        return self.random.choice(view.hand) if self.random.random() < 0.02 else super().discard(view)


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    a: type[Bot]
    b: type[Bot]
    measure: Measure
    right: Verdict


CASES = (
    Case("better by about the least gap", Careless, Careful, Measure.MARGIN, Verdict.STRONGER),
    Case("worse by about the least gap", Careful, Careless, Measure.MARGIN, Verdict.NOT_STRONGER),
    Case("equal", Careless, Careless, Measure.MARGIN, Verdict.NOT_STRONGER),
    Case("equal, by wins", Careless, Careless, Measure.WINS, Verdict.NOT_STRONGER),
)


@dataclass(frozen=True, slots=True)
class End:
    """How one repeat ended."""

    verdict: Verdict | None
    sets: int
    is_held: bool
    """Whether the interval holds the difference that is known."""


def comparison(case: Case, seed: int, plan: Plan | None = None) -> Comparison:
    entrants = [Entrant("A", case.a), Entrant("B", case.b)]
    return Comparison(("A", "B"), entrants, SwappedSets(2, has_field=False), plan or Plan(case.measure), seed)


def one_end(case: Case, seed: int, known: float) -> End:
    played = comparison(case, seed)
    progress = progress_of(played.plan, played.play())
    low, high = progress.interval or (0.0, 0.0)
    return End(progress.verdict, progress.sets, low <= known <= high)


def some_sets(case: Case, seed: int, sets: int) -> list[float]:
    """The results of so many sets, whatever they say."""
    return comparison(case, seed, Plan(case.measure, least_sets=sets, most_sets=sets)).play()


def row(case: Case, repeats: int, sets: int, pool: Executor) -> tuple[str, int]:
    """A line of the table, and how many repeats were right."""
    known, shown = 0.0, "0"
    if case.a is not case.b:
        parts = [pool.submit(some_sets, case, BASE_SEED - 1 - part, sets // 10) for part in range(10)]
        measured = estimate([result for part in parts for result in part.result()])
        known, shown = measured.mean, f"{measured.mean:+.1f} ± {measured.half_width:.1f}"
    repeated = [pool.submit(one_end, case, BASE_SEED + repeat, known) for repeat in range(repeats)]
    ends = [end.result() for end in repeated]
    right = sum(end.verdict is case.right for end in ends)
    held = sum(end.is_held for end in ends)
    sets_taken = [end.sets for end in ends]
    counted = f"{right} of {repeats} | {held} of {repeats} | {fmean(sets_taken):.0f} | {max(sets_taken)}"
    return f"| {case.name} | {shown} | {counted} |", right


@click.command()
@click.option("--repeats", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--sets", type=click.IntRange(min=100), default=1000, show_default=True, help="To measure a difference by."
)
def main(repeats: int, sets: int) -> None:
    """Count how often crowns compare is right, at error bounds of 5 %; exit code 1 if less than nine times in ten."""
    click.echo("| B against A | difference, 95 % | right | interval holds it (90 %) | sets, mean | most |")
    click.echo("|---|---|---|---|---|---|")
    is_good = True
    with ProcessPoolExecutor(cores(), get_context("spawn")) as pool:
        for case in CASES:
            line, right = row(case, repeats, sets, pool)
            click.echo(line)
            is_good &= right >= GOAL * repeats
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
