"""How far apart the reference bots are: `python -m bots.cli.ladder` plays each step and prints the table of the README.

Every step is played at tables of two and at tables of four (stronger and weaker by turns), each deal once for every rotation of the
seats. A deal set is one observation: how much less the stronger bots scored in it, a game, on average.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import click

from bots.cli.figures import Estimate, estimate, set_means
from bots.cli.local_play import Entrant, PlayedGame, play_games
from bots.reference import REFERENCE_BOTS
from referee.record.conditions import DealMode


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison of two neighbours of the ladder."""

    weaker: str
    stronger: str
    seats: int
    games: int
    margin: Estimate
    """Mean score of the weaker bots less that of the stronger ones, a game."""

    @property
    def is_separated(self) -> bool:
        return self.margin.low is not None and self.margin.low > 0


def play_step(weaker: str, stronger: str, seats: int, deal_sets: int, seed: int) -> Step:
    """Plays `deal_sets` deals in every rotation at a table where the two bots sit by turns; an even number of seats."""
    names = (stronger, weaker) * (seats // 2)
    entrants = [Entrant(f"{name} #{seat}", REFERENCE_BOTS[name]) for seat, name in enumerate(names)]
    games = play_games(entrants, deal_sets * seats, seed, DealMode.ROTATED)
    return Step(weaker, stronger, seats, len(games), estimate(set_means(games, list(map(_margin, games)))))


def _margin(game: PlayedGame) -> float:
    return fmean(game.scores[1::2]) - fmean(game.scores[0::2])


def steps(deal_sets: int, seed: int) -> Iterator[Step]:
    """Every step, at tables of two and of four."""
    for weaker, stronger in pairwise(REFERENCE_BOTS):
        for seats in (2, 4):
            yield play_step(weaker, stronger, seats, 2 * deal_sets // seats, seed)


@click.command()
@click.option(
    "--deals",
    type=click.IntRange(min=4),
    default=100,
    show_default=True,
    help="Deals a step at tables of two; half at four.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="As of crowns play.")
def main(deals: int, seed: int) -> None:
    """Play every step of the ladder of reference bots and print it as a table."""
    click.echo("| step | seats | games | margin a game, 95 % |")
    click.echo("|---|---|---|---|")
    for step in steps(deals, seed):
        margin = f"{step.margin.mean:+.1f} ± {step.margin.half_width:.1f}"
        click.echo(f"| {step.stronger} over {step.weaker} | {step.seats} | {step.games} | {margin} |")


if __name__ == "__main__":
    main()
