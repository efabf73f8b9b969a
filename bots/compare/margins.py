"""Evidence from one real number a deal set: the mean margin of its games.

The log-likelihood ratio of two normal distributions with means 0 and `gap` whose common spread is not known: the estimate
around the results' own mean stands in for it. (To fit a spread to each hypothesis instead is no use here: results far beyond
both would be put down to chance under either, and the clearer the difference, the weaker the evidence.) A set of few games
is a sum over dozens of hands, so it is near enough to normal; what the estimate costs is held by the least number of sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

LEAST_SPREAD = 1.0
"""In the unit of the results. Bots that play alike tie in every set: a spread of 0 would make any evidence infinite."""
LOST_BY = 60.0
"""Points by which a bot that retired has lost a game at the least, about one spread of a game: its score stops counting where
it gave up, and might look like a close one."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What of the results matters, whatever their order."""

    sets: int
    mean: float
    """0 without results."""
    spread: float
    """Standard deviation of one set, never below `LEAST_SPREAD`."""


def counted_gap(gap: float, *, a_retired: bool, b_retired: bool) -> float:
    """By how much B did better in a game, if one of the two, or both, gave it up."""
    if a_retired and b_retired:
        return 0.0
    if b_retired:
        return min(gap, -LOST_BY)
    return max(gap, LOST_BY) if a_retired else gap


def sample_of(results: Sequence[float]) -> Sample:
    if not results:
        return Sample(0, 0.0, LEAST_SPREAD)
    mean = fsum(results) / len(results)
    if len(results) == 1:
        return Sample(1, mean, LEAST_SPREAD)
    variance = fsum((result - mean) ** 2 for result in results) / (len(results) - 1)
    return Sample(len(results), mean, max(sqrt(variance), LEAST_SPREAD))


def normal_llr(sample: Sample, mean0: float, mean1: float) -> float:
    """Evidence for `mean1` against `mean0`."""
    if not sample.sets:
        return 0.0
    return sample.sets * (mean1 - mean0) * (sample.mean - (mean0 + mean1) / 2) / sample.spread**2


def normal_steps(sample: Sample, mean0: float, mean1: float) -> Callable[[float], tuple[float, float]]:
    """What one more set adds to `normal_llr` if the true mean is the argument: mean and variance."""
    gap, variance = mean1 - mean0, sample.spread**2
    return lambda true: (gap * (true - (mean0 + mean1) / 2) / variance, gap * gap / variance)
