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
from math import cos, exp, expm1, pi, sin, sqrt
from statistics import NormalDist

NORMAL = NormalDist()
_WANDERING = 1.0
"""Variance of the walk from which on the series is used; below it its terms would cancel too badly for floats."""
_FAR = 9.0
"""Standard errors around the mean within which an end of an interval is looked for."""
_NEGLIGIBLE = 40.0
"""exp(-40) is nothing beside the chances asked for."""
_HALVINGS = 50


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


def difference_at(
    chance: float, *, walk: Walk, gap: float, sets: int, mean: float, spread: float, llr: float, is_first_look: bool
) -> float:
    """The true difference at which results as bad as these have this chance.

    `mean` and `spread` are of the sets played, in the unit of the gap. At the first look nothing can have ended before, so
    the plain interval of a mean holds.
    """
    error = spread / sqrt(sets)
    pace = gap * gap / (spread * spread)
    """Variance of the walk a set."""
    at = min(max(llr, walk.lower), walk.upper)
    time = sets * pace * (at / llr if llr and abs(at) < abs(llr) else 1.0)  # the bound was passed on the way
    if is_first_look or time < _WANDERING:
        return mean - _student(chance, sets - 1) * error
    return _falling(lambda true: walk.chance_as_bad(true / gap - 0.5, time, at) - chance, mean, _FAR * error)


def _chance_at_lower(drift: float, start: float, width: float) -> float:
    """The chance to end at the lower bound, whenever; `start` and `width` are counted from there."""
    if abs(drift) * width < 1e-9:
        return 1 - start / width
    if drift < 0:
        return 1 - _chance_at_lower(-drift, width - start, width)
    return exp(-2 * drift * start) * expm1(-2 * drift * (width - start)) / expm1(-2 * drift * width)


def _falling(function: Callable[[float], float], middle: float, reach: float) -> float:
    """Where a falling function is 0, not farther away than the reach."""
    low, high = middle - reach, middle + reach
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
