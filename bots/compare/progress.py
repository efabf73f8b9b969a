"""A comparison at one moment: evidence, estimate, interval, how far to go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from bots.compare.counts import logistic_llr, logistic_steps
from bots.compare.margins import normal_llr, normal_steps, sample_of
from bots.compare.plan import Measure, Plan, Verdict
from bots.compare.walk import Course, Walk

LIVE_TAIL = 0.005
"""While a comparison runs somebody looks again and again, and would stop believing at the first odd figure: each end of the
interval is then at 0.5 %, together 99 %."""

_MOST_WINS = 49.99
"""Of a hundred, above equals: no distribution has winning always for its mean and still knows a loss."""


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


def verdict_of(plan: Plan, results: Sequence[float]) -> Verdict | None:
    """The verdict alone, in a fraction of the time."""
    return plan.verdict(evidence(plan, results), len(results))


def progress_of(plan: Plan, results: Sequence[float]) -> Progress:
    """What whole sets show, in any order. A margin is given in points a game, B's less A's; a win share of B in 0..1, one
    half for equals. Raises ValueError for a share outside."""
    llr, course = evidence(plan, results), _course(plan, results)
    sample, verdict = course.sample, plan.verdict(llr, len(results))
    low_tail, high_tail = (LIVE_TAIL, LIVE_TAIL) if verdict is None else (plan.alpha, plan.beta)
    is_shown = sample.sets >= plan.least_sets
    return Progress(
        sets=sample.sets,
        llr=llr,
        lower=plan.lower,
        upper=plan.upper,
        mean=sample.mean,
        spread=sample.spread,
        estimate=course.difference_at(0.5) if is_shown else sample.mean,
        interval=(course.difference_at(1 - low_tail), course.difference_at(high_tail)) if is_shown else None,
        level=1 - low_tail - high_tail,
        verdict=verdict,
        sets_left=0 if verdict else _sets_left(plan, course),
    )


def evidence(plan: Plan, results: Sequence[float]) -> float:
    """The log-likelihood ratio alone."""
    if plan.measure is Measure.MARGIN:
        return normal_llr(sample_of(results), 0.0, plan.least_gap)
    for share in results:
        if not 0 <= share <= 1:
            raise ValueError(f"win share {share}: give a number from 0 to 1")
    return logistic_llr(Counter(results), *_shares(plan))


def _course(plan: Plan, results: Sequence[float]) -> Course:
    """In the unit of the plan's measure."""
    walk, llr, is_first_look = Walk(plan.lower, plan.upper), evidence(plan, results), len(results) <= plan.least_sets
    if plan.measure is Measure.MARGIN:
        sample = sample_of(results)
        return Course(walk, normal_steps(sample, 0.0, plan.least_gap), llr, sample, is_first_look)
    sample = sample_of([100 * share - 50 for share in results])
    steps = logistic_steps(Counter(results), *_shares(plan))
    return Course(walk, lambda true: steps(0.5 + true / 100), llr, sample, is_first_look, (-_MOST_WINS, _MOST_WINS))


def _shares(plan: Plan) -> tuple[float, float]:
    return 0.5, 0.5 + plan.least_gap / 100


def _sets_left(plan: Plan, course: Course) -> int:
    sets = course.sample.sets
    most = plan.most_sets - sets
    if sets < 2:
        return most
    return min(max(ceil(course.sets_left()), plan.least_sets - sets, 1), most)
