"""Evidence from results of which there are few kinds: win, draw, loss; or the five pair scores of two games on one deal.

The generalised sequential probability ratio test: the log-likelihood ratio between the likeliest distributions under either
hypothesis, over the kinds of result that were counted. Under `logistic` a hypothesis is a mean result; under `normalized`
it is the mean above one half in standard deviations of a result, which makes tests of equal length whatever the share of draws.

**Zero counts.** A kind that never came counts as `UNSEEN`: with no result at either end of the scale there might be no
distribution with the mean asked for. What is told by such counts alone (only draws, only wins) depends on this choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum, log, sqrt

UNSEEN = 1e-3
_EXACT = 1e-12
_STEPS = 200

Distribution = list[tuple[float, float]]
"""(result, probability), probabilities above 0."""


def logistic_llr(counts: Mapping[float, float], mean0: float, mean1: float) -> float:
    """Evidence for a mean result of `mean1` against `mean0`; results in 0..1, means strictly within. Without counts 0."""
    return _llr(counts, lambda seen: _with_mean(seen, mean0), lambda seen: _with_mean(seen, mean1))


def normalized_llr(counts: Mapping[float, float], t0: float, t1: float) -> float:
    """Evidence for (mean - 1/2) / standard deviation = `t1` against `t0`; results in 0..1. Without counts 0."""
    return _llr(counts, lambda seen: _with_t(seen, t0), lambda seen: _with_t(seen, t1))


def logistic_steps(counts: Mapping[float, float], mean0: float, mean1: float) -> Callable[[float], tuple[float, float]]:
    """What one more result adds to `logistic_llr` if the true mean is the argument: mean and variance. Needs counts."""
    _, seen = _shares(counts)
    ratios = _ratios(_with_mean(seen, mean0), _with_mean(seen, mean1))

    def step(true: float) -> tuple[float, float]:
        chances = [p for _, p in _with_mean(seen, true)]
        mean = fsum(p * ratio for p, ratio in zip(chances, ratios, strict=True))
        return mean, fsum(p * (ratio - mean) ** 2 for p, ratio in zip(chances, ratios, strict=True))

    return step


def _llr(
    counts: Mapping[float, float],
    under0: Callable[[Distribution], Distribution],
    under1: Callable[[Distribution], Distribution],
) -> float:
    if not any(counts.values()):
        return 0.0
    total, seen = _shares(counts)
    ratios = _ratios(under0(seen), under1(seen))
    return total * fsum(p * ratio for (_, p), ratio in zip(seen, ratios, strict=True))


def _shares(counts: Mapping[float, float]) -> tuple[float, Distribution]:
    """How many results there are, and the share of each kind, sorted, for order must not matter."""
    # Both ends of the scale belong to it, seen or not: every mean within can then be had.
    held = {0.0: 0.0, 1.0: 0.0, **counts}
    kept = [(result, held[result] or UNSEEN) for result in sorted(held)]
    total = fsum(count for _, count in kept)
    return total, [(result, count / total) for result, count in kept]


def _ratios(under0: Distribution, under1: Distribution) -> list[float]:
    return [log(p1 / p0) for (_, p0), (_, p1) in zip(under0, under1, strict=True)]


def _with_mean(seen: Distribution, mean: float) -> Distribution:
    """The likeliest distribution over the same results with this mean."""
    if not 0 < mean < 1:
        raise ValueError(f"mean {mean}: give a number above 0 and below 1")
    return _tilted(seen, [result - mean for result, _ in seen])


def _with_t(seen: Distribution, t: float) -> Distribution:
    """The likeliest one whose mean lies t of its own standard deviations above one half: each round solves for the deviation
    of the round before, until nothing moves."""
    likely = [(result, 1 / len(seen)) for result, _ in seen]
    for _ in range(_STEPS):
        mean, deviation = _moments(likely)
        aims = [result - 0.5 - 0.5 * t * deviation * (1 + ((result - mean) / deviation) ** 2) for result, _ in seen]
        before, likely = likely, _tilted(seen, aims)
        if max(abs(new - old) for (_, new), (_, old) in zip(likely, before, strict=True)) < _EXACT:
            break
    return likely


def _tilted(seen: Distribution, aims: Sequence[float]) -> Distribution:
    """p / (1 + x aim) with the x at which the mean of the aims is 0; the aims must have both signs."""
    low, high = -1 / max(aims), -1 / min(aims)
    for _ in range(_STEPS):
        x = (low + high) / 2
        if fsum(p * aim / (1 + x * aim) for (_, p), aim in zip(seen, aims, strict=True)) > 0:
            low = x
        else:
            high = x
        if high - low <= _EXACT * max(1.0, abs(x)):
            break
    x = (low + high) / 2
    return [(result, p / (1 + x * aim)) for (result, p), aim in zip(seen, aims, strict=True)]


def _moments(of: Distribution) -> tuple[float, float]:
    mean = fsum(p * result for result, p in of)
    return mean, sqrt(fsum(p * (result - mean) ** 2 for result, p in of))
