"""The solver compiled against the same files as source, and its worst hands against ordinary ones.

    python -m tests.bench.solver            prints the rows

Each figure is CPU time of a process of its own, as `python -m tests.bench.solver MEASUREMENT FUNCTION` in one of the builds:

- `cold`: seconds a hand, in a new process, each hand for the first time; imports are not counted. The solver keeps no cache, so
  what is cold is the processor and the interpreter.
- `warm`: seconds a hand, the least of five passes over the same hands after a first one.
- `median`: seconds of the median hand; `worst`: of the hand that 99 of 100 of the worst family stay below. Of five
  passes the least time of each hand counts.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from statistics import median

from referee.rules.cards import JOKER, RANKS, Card, CardId, Suit, card_of, card_of_id, deck_ids
from referee.rules.layout import best_discards, best_layout, best_points
from tests.bench.processes import PURE, compiled, measured
from tests.bench.report import Row, paired

SIZE = 13
HANDS = 1000
COLD_HANDS = 5000
Hand = tuple[Sequence[Card], int]
Solve = Callable[[Sequence[Card], int], object]
FUNCTIONS: dict[str, Solve] = {"best_points": best_points, "best_layout": best_layout, "best_discards": best_discards}
GOALS = {"best_points": (4.0, 3.5), "best_layout": (4.0, 3.5), "best_discards": (None, None)}
"""Warm and cold, for what the referee calls: for a claim to go out, and at the end of a round."""
MOST_WORST = 60.0


def random_hands(count: int = HANDS) -> list[Hand]:
    dice = random.Random(1)
    return [
        (tuple(card_of_id(CardId(number)) for number in dice.sample(deck_ids(), SIZE)), dice.choice(RANKS))
        for _ in range(count)
    ]


def worst_hands() -> list[Hand]:
    """One suit, up to four copies of a face, three jokers; of all its ranks or of few neighbours."""
    return list(chain.from_iterable(_one_suit(span, HANDS // 4) for span in (3, 5, 8, 10)))


def _one_suit(span: int, count: int) -> Iterator[Hand]:
    dice = random.Random(span)
    for _ in range(count):
        wild_rank, suit = dice.choice(RANKS), dice.choice(list(Suit))
        naturals = [rank for rank in RANKS if rank != wild_rank]
        lowest = dice.randrange(len(naturals) - span + 1)
        faces = [card_of(suit, rank) for rank in naturals[lowest : lowest + span]] * 4
        yield (*dice.sample(faces, SIZE - 3), JOKER, JOKER, JOKER), wild_rank


def cold(solve: Solve) -> float:
    return _pass(solve, random_hands(COLD_HANDS))


def warm(solve: Solve) -> float:
    hands = random_hands()
    _pass(solve, hands)
    return min(_pass(solve, hands) for _ in range(5))


def median_hand(solve: Solve) -> float:
    return median(_each(solve, random_hands()))


def worst_hand(solve: Solve) -> float:
    return sorted(_each(solve, worst_hands()))[HANDS * 99 // 100]


MEASUREMENTS = {"cold": cold, "warm": warm, "median": median_hand, "worst": worst_hand}


def _pass(solve: Solve, hands: Sequence[Hand]) -> float:
    began = time.process_time()
    for cards, wild_rank in hands:
        solve(cards, wild_rank)
    return (time.process_time() - began) / len(hands)


def _each(solve: Solve, hands: Sequence[Hand]) -> list[float]:
    """Of five passes the least time of each hand: what disturbs one pass has gone by the next."""
    passes = [[_pass(solve, [hand]) for hand in hands] for _ in range(5)]
    return list(map(min, *passes))


def rows() -> Iterator[Row]:
    build = compiled()

    def seconds(build: str, measurement: str, function: str) -> float:
        return measured(build, "tests.bench.solver", measurement, function)

    def speed(build: str, measurement: str, function: str) -> float:
        return 1 / seconds(build, measurement, function)

    for function, goals in GOALS.items():
        for measurement, hands, goal in zip(("warm", "cold"), (HANDS, COLD_HANDS), goals, strict=True):
            yield paired(
                f"solver: {function}, {measurement}, compiled against source",
                "hands/CPU s",
                partial(speed, build, measurement, function),
                partial(speed, PURE, measurement, function),
                goal,
                note=f"{hands} random hands of {SIZE} cards",
            )
    for function in FUNCTIONS:
        for name, which in (("compiled", build), ("source", PURE)):
            yield paired(
                f"solver: {function}, {name}, p99 of the worst family against the random median",
                "CPU s",
                partial(seconds, which, "worst", function),
                partial(seconds, which, "median", function),
                MOST_WORST,
                at_most=True,
                note=f"{HANDS} hands of one suit, up to four copies of a face, three jokers",
            )


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        for row in rows():
            print(row)
        return
    measurement, function = arguments
    print(MEASUREMENTS[measurement](FUNCTIONS[function]))


if __name__ == "__main__":
    main(sys.argv[1:])
