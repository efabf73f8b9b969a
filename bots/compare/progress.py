"""A comparison at one moment: evidence, estimate, interval, how far to go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from bots.compare.counts import logistic_llr
from bots.compare.margins import Sample, normal_llr, sample_of
from bots.compare.plan import Measure, Plan, Verdict
from bots.compare.walk import Walk, difference_at

LIVE_TAIL = 0.005
"""While a comparison runs somebody looks again and again, and would stop believing at the first odd figure: each end of the
interval is then at 0.5 %, together 99 %."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Differences are B's less A's, in the unit of the plan's measure, above 0 if B is better."""

    sets: int
    llr: float
    """Evidence: at `upper` B is stronger, at `lower` it is not."""
    lower: float
    upper: float
    mean: float
    """The plain mean of the sets, for who wants to check."""
    spread: float
    """Standard deviation of one set."""
    estimate: float
    """As likely too high as too low, with the early stop allowed for; the plain mean before the first look."""
    interval: tuple[float, float] | None
    """None before the first look: too few sets to tell the spread."""
    level: float
    """What the interval holds with this chance: 1 - alpha - beta at the end, 0.99 on the way."""
    verdict: Verdict | None
    sets_left: int
    """Expected if it goes on as so far; 0 at the end."""


def progress_of(plan: Plan, results: Sequence[float]) -> Progress:
    """What whole sets show, in any order. A margin is given in points a game, B's less A's; a win share of B in 0..1, one
    half for equals. Raises ValueError for a share outside."""
    if plan.measure is Measure.MARGIN:
        sample = sample_of(results)
        llr = normal_llr(sample, 0.0, plan.least_gap)
    else:
        for share in results:
            if not 0 <= share <= 1:
                raise ValueError(f"win share {share}: give a number from 0 to 1")
        sample = sample_of([100 * share - 50 for share in results])
        llr = logistic_llr(Counter(results), 0.5, 0.5 + plan.least_gap / 100)
    verdict = plan.verdict(llr, sample.sets)
    low_tail, high_tail = (LIVE_TAIL, LIVE_TAIL) if verdict is None else (plan.alpha, plan.beta)
    is_shown = sample.sets >= plan.least_sets
    return Progress(
        sets=sample.sets,
        llr=llr,
        lower=plan.lower,
        upper=plan.upper,
        mean=sample.mean,
        spread=sample.spread,
        estimate=_difference(plan, sample, llr, 0.5) if is_shown else sample.mean,
        interval=_interval(plan, sample, llr, (low_tail, high_tail)) if is_shown else None,
        level=1 - low_tail - high_tail,
        verdict=verdict,
        sets_left=0 if verdict else _sets_left(plan, sample, llr),
    )


def first_end(plan: Plan, results: Sequence[float]) -> int | None:
    """After how many of these sets, one after the other, the comparison has its verdict; None if it goes on. What was played
    beyond it, because several are at work at a time, must not count."""
    for sets in range(plan.least_sets, len(results) + 1):
        if progress_of(plan, results[:sets]).verdict:
            return sets
    return None


def _interval(plan: Plan, sample: Sample, llr: float, tails: tuple[float, float]) -> tuple[float, float]:
    low_tail, high_tail = tails
    return _difference(plan, sample, llr, 1 - low_tail), _difference(plan, sample, llr, high_tail)


def _difference(plan: Plan, sample: Sample, llr: float, chance: float) -> float:
    return difference_at(
        chance,
        walk=Walk(plan.lower, plan.upper),
        gap=plan.least_gap,
        sets=sample.sets,
        mean=sample.mean,
        spread=sample.spread,
        llr=llr,
        is_first_look=sample.sets <= plan.least_sets,
    )


def _sets_left(plan: Plan, sample: Sample, llr: float) -> int:
    most = plan.most_sets - sample.sets
    if sample.sets < 2:
        return most
    at = min(max(llr, plan.lower), plan.upper)
    time = Walk(plan.lower, plan.upper).time_left(sample.mean / plan.least_gap - 0.5, at)
    sets = ceil(time * (sample.spread / plan.least_gap) ** 2)
    return min(max(sets, plan.least_sets - sample.sets, 1), most)
