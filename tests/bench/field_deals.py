"""How many games shared deals save: the tables of a set play one deal, and who held the same seat is compared (DESIGN 6).

    python -m tests.bench.field_deals        prints the rows

Reference bots, played locally. The tables of a deal are all ways to seat four of them, each once: so every seat is held by each
kind equally often, what a kind is better by lies in its mean, and no game is played twice. A margin is the mean of the table
opponents' scores less one's own. `alone` is its variance, as a game on a deal of its own has it; `compared` that of the margin less
its mean for the same seat at the other tables of the deal. Both are around the mean of each kind. The standard error of a mean over
N games is the root of variance / N, so alone / compared is how many games on independent deals say as much as one on a shared deal.

`python -m tests.bench.field_deals FIELD NUMBERS` plays the deals of these numbers (JSON) and prints their tables.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, permutations

from bots.cli.local_play import Entrant, PlannedGame, play_game
from bots.cli.many_games import cores
from bots.cli.seeds import attempt_id, deal_seed
from bots.reference import REFERENCE_BOTS
from referee.play.spec import GameSpec
from referee.record.conditions import DealMode, SeatName
from referee.rules.state import GameConfig
from tests.bench.processes import compiled, told
from tests.bench.report import Row

FIELDS: dict[str, tuple[tuple[str, ...], float | None]] = {
    "unlike": (("greedy", "simple", "simple", "simple"), 2.5),
    "similar": (("greedy", "greedy", "planner", "planner"), 5.0),
    "partly random": (("greedy", "simple", "simple", "random"), None),
}
"""Who sits at each table, and how many games they have to save. What a bot does by lot no deal takes away."""
DEALS = 150
RESAMPLES = 2_000
SEED = 4

Table = Sequence[tuple[str, float]]
"""By seat: which bot, and its margin."""


def played(field: str, deal: int) -> list[Table]:
    """The tables of one deal."""
    tables = sorted(set(permutations(FIELDS[field][0])))
    return [_table(seats, deal, len(tables) * deal + number) for number, seats in enumerate(tables)]


def _table(seats: Sequence[str], deal: int, game: int) -> Table:
    entrants = [Entrant(f"{kind} {seat}", REFERENCE_BOTS[kind]) for seat, kind in enumerate(seats)]
    names = tuple(SeatName(each.name, each.bot_class.version) for each in entrants)
    seed = deal_seed(SEED, deal)
    spec = GameSpec(attempt_id(SEED, game), GameConfig(len(seats)), names, seed, deal_mode=DealMode.FIELD)
    scores = play_game(PlannedGame(game, deal, seed, tuple(range(len(seats))), spec), entrants).scores
    return [(kind, (sum(scores) - score) / (len(seats) - 1) - score) for kind, score in zip(seats, scores, strict=True)]


# -- what they say -----------------------------------------------------------------------------------------------------

Sums = Mapping[str, tuple[float, ...]]
"""Of one deal, by bot: how many seats, then sum and sum of squares of the margins alone, and of those compared."""


def sums(tables: Sequence[Table]) -> Sums:
    found: dict[str, list[float]] = {}
    for table in tables:
        for seat, (kind, margin) in enumerate(table):
            others = [other[seat][1] for other in tables if other is not table]
            compared = margin - sum(others) / len(others)
            own = found.setdefault(kind, [0.0] * 5)
            for at, value in enumerate((1.0, margin, margin**2, compared, compared**2)):
                own[at] += value
    return {kind: tuple(own) for kind, own in found.items()}


def games_saved(deals: Sequence[Sums]) -> float:
    """Variance alone over variance compared, each around the mean of each bot."""
    alone = compared = 0.0
    for kind in {kind for deal in deals for kind in deal}:
        own = [deal[kind] for deal in deals if kind in deal]
        count, margin, margin_squares, less, less_squares = map(sum, zip(*own, strict=True))
        alone += margin_squares - margin**2 / count
        compared += less_squares - less**2 / count
    return alone / compared


def interval(deals: Sequence[Sums]) -> tuple[float, float]:
    """95 %, by bootstrap over the deals: the games of one are no independent ones."""
    dice = random.Random(SEED)
    drawn = sorted(games_saved(dice.choices(deals, k=len(deals))) for _ in range(RESAMPLES))
    return drawn[RESAMPLES // 40], drawn[-RESAMPLES // 40]


def rows() -> Iterator[Row]:
    for field, (bots, goal) in FIELDS.items():
        deals = [sums(tables) for tables in _all_played(field)]
        saved = games_saved(deals)
        low, high = interval(deals)
        yield Row(
            f"field deals: games saved by {field} bots ({', '.join(bots)})",
            "times",
            saved,
            None,
            None,
            goal,
            holds=goal is None or saved >= goal,
            note=f"95 % interval {low:.1f} to {high:.1f}, by bootstrap over {len(deals)} deals",
        )


def _all_played(field: str) -> list[list[Table]]:
    """In as many processes as there are cores."""
    parts = [json.dumps([*range(start, DEALS + 1, cores())]) for start in range(1, cores() + 1)]
    play = partial(told, compiled(), "tests.bench.field_deals", field)
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(chain.from_iterable(map(json.loads, pool.map(play, parts))))


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        for row in rows():
            print(row)
        return
    field, numbers = arguments
    print(json.dumps([played(field, number) for number in json.loads(numbers)]))


if __name__ == "__main__":
    main(sys.argv[1:])
