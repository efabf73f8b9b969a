"""The evidence as a walk between two bounds: what is likely of the difference, given that the walk may have ended early.

A test that stops when it likes what it sees flatters the winner: its plain mean is too far out, and the usual interval
fails too often. Here results are put in an order instead, from the worst for B (an early end at the lower bound) over ends
at the limit to the best (an early end at the upper bound), and for each true difference the chance of a result so bad or
worse is that of a Brownian motion between the bounds. The estimate is the difference at which that chance is one half (it
errs on either side equally often), an end of the interval the one at which it is as small, or as large, as the level says.
So the interval at the level of the error bounds lies above 0 when the verdict is `stronger` and below the gap when it is
`not stronger`.

Where the walk has hardly begun to wander (its own variance below 1; bounds lie 3 and more away) an end at a bound is
next to impossible without a huge difference, and no correction is needed: the plain normal interval is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import cos, exp, expm1, inf, pi, sin, sqrt
from statistics import NormalDist

from bots.compare.margins import Sample

NORMAL = NormalDist()
_WANDERING = 1.0
"""Variance of the walk from which on the series is used; below it its terms would cancel too badly for floats."""
_FAR = 9.0
"""Standard errors around the mean within which an end of an interval is looked for."""
_NEGLIGIBLE = 40.0
"""exp(-40) is nothing beside the chances asked for."""
_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk from 0 with constant drift and a variance of 1 a unit of time, ended at `lower` < 0 or `upper` > 0."""

    lower: float
    upper: float

    def chance_as_bad(self, drift: float, time: float, at: float) -> float:
        """The chance to end at the lower bound before `time`, or to be under way then and no higher than `at`.

        At the upper bound this is the chance of everything but an earlier end there. For times of 1 and more.
        """
        width, start, reached = self.upper - self.lower, -self.lower, at - self.lower
        lower_ever = _chance_at_lower(drift, start, width)
        lower_later = under_way = 0.0
        for k in count(1):
            wave = k * pi / width
            decay = (wave * wave + drift * drift) / 2
            if wave * wave / 2 * time > _NEGLIGIBLE:
                break
            weight = sin(wave * start) / width * exp(-drift * start - decay * time)
            lower_later += wave * weight / decay
            swing = exp(drift * reached) * (drift * sin(wave * reached) - wave * cos(wave * reached)) + wave
            under_way += weight * swing / decay
        return min(max(lower_ever - lower_later + under_way, 0.0), 1.0)

    def time_left(self, drift: float, at: float) -> float:
        """The expected time until the walk ends, from a place within the bounds."""
        width, start = self.upper - self.lower, at - self.lower
        if abs(drift) * width < 1e-6:
            return start * (width - start)
        at_lower = _chance_at_lower(drift, start, width)
        return (width * (1 - at_lower) - start) / drift


Steps = Callable[[float], tuple[float, float]]
"""What a set adds to the evidence, by the true difference: mean and variance."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a comparison went."""

    walk: Walk
    steps: Steps
    llr: float
    sample: Sample
    is_first_look: bool
    """Then nothing can have ended before, and the plain interval of a mean holds."""
    range: tuple[float, float] = (-inf, inf)
    """Where differences can lie, the ends excluded."""

    def difference_at(self, chance: float) -> float:
        """The true difference at which results as bad as these have this chance."""
        sample = self.sample
        error = sample.spread / sqrt(sample.sets)
        at = min(max(self.llr, self.walk.lower), self.walk.upper)
        sets = sample.sets * (at / self.llr if abs(at) < abs(self.llr) else 1.0)  # the bound was passed on the way
        low, high = (self._within(sample.mean + reach * error) for reach in (-_FAR, _FAR))
        _, variance = self.steps(self._within(sample.mean))
        if self.is_first_look or sets * variance < _WANDERING:
            return self._within(sample.mean - _student(chance, sample.sets - 1) * error)

        def excess(true: float) -> float:
            drift, variance = self.steps(true)
            return self.walk.chance_as_bad(drift / variance, sets * variance, at) - chance

        return _falling(excess, low, high)

    def sets_left(self) -> float:
        """Expected, if the truth is the mean so far."""
        drift, variance = self.steps(self._within(self.sample.mean))
        at = min(max(self.llr, self.walk.lower), self.walk.upper)
        return self.walk.time_left(drift / variance, at) / variance

    def _within(self, difference: float) -> float:
        low, high = self.range
        return min(max(difference, low), high)


def _chance_at_lower(drift: float, start: float, width: float) -> float:
    """The chance to end at the lower bound, whenever; `start` and `width` are counted from there."""
    if abs(drift) * width < 1e-9:
        return 1 - start / width
    if drift < 0:
        return 1 - _chance_at_lower(-drift, width - start, width)
    return exp(-2 * drift * start) * expm1(-2 * drift * (width - start)) / expm1(-2 * drift * width)


def _falling(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, between low and high."""
    for _ in range(_HALVINGS):
        half = (low + high) / 2
        if function(half) > 0:
            low = half
        else:
            high = half
    return (low + high) / 2


def _student(chance: float, freedom: int) -> float:
    """The quantile of Student's t from a dozen degrees of freedom on, by the Cornish-Fisher expansion."""
    z = NORMAL.inv_cdf(chance)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
