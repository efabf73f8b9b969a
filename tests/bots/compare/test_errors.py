"""How often a comparison is wrong, simulated: the bounds hold, and the interval holds what it says."""

from __future__ import annotations

import random

import pytest

from bots.compare import Plan, Verdict, progress_of
from bots.compare.margins import normal_llr, sample_of

REPEATS = 400
"""Of so many 20 are wrong at 5 %, by chance up to 33 (three standard deviations)."""
MOST_WRONG = 33
MOST_MISSED = 58
"""Of the intervals at 90 %."""


def one_test(plan: Plan, chance: random.Random, true: float, spread: float) -> tuple[Verdict, bool]:
    """The verdict, and whether the interval holds the truth."""
    results = [chance.gauss(true, spread) for _ in range(plan.least_sets)]
    while not plan.verdict(normal_llr(sample_of(results), 0.0, plan.least_gap), len(results)):
        results.append(chance.gauss(true, spread))
    progress = progress_of(plan, results)
    assert progress.verdict is not None
    assert progress.interval is not None
    return progress.verdict, progress.interval[0] <= true <= progress.interval[1]


@pytest.mark.parametrize("spread", [4.0, 9.0, 16.0, 30.0])
@pytest.mark.parametrize(("true", "right"), [(0.0, Verdict.NOT_STRONGER), (5.0, Verdict.STRONGER)])
def test_errors_keep_to_their_bounds(spread: float, true: float, right: Verdict) -> None:
    """At the two hypotheses themselves, where errors are likeliest, from bots told apart by the least sets to close ones."""
    chance = random.Random(int(spread))
    ends = [one_test(Plan(), chance, true, spread) for _ in range(REPEATS)]
    assert sum(verdict is not right for verdict, _ in ends) <= MOST_WRONG
    assert sum(not is_held for _, is_held in ends) <= MOST_MISSED
