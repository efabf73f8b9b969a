"""What evidence must do whatever the results: symmetry, no order, more of it for the better."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.compare import Measure, Plan, progress_of
from bots.compare.counts import logistic_llr, normalized_llr
from bots.compare.margins import normal_llr, sample_of

SHARES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=80)
MARGINS = st.lists(st.integers(-200, 200).map(lambda halves: halves / 2), min_size=2, max_size=80)
MEANS = st.floats(0.2, 0.8)
RATIOS = st.floats(-0.4, 0.4)


@given(SHARES, MEANS, MEANS)
def test_means_the_other_way_round(shares: list[float], mean0: float, mean1: float) -> None:
    """A against B is B against A with every result mirrored; evidence for one hypothesis is evidence against the other."""
    evidence = logistic_llr(Counter(shares), mean0, mean1)
    mirrored = logistic_llr(Counter(1 - share for share in shares), 1 - mean0, 1 - mean1)
    assert mirrored == pytest.approx(evidence, rel=1e-6, abs=1e-6)
    assert logistic_llr(Counter(shares), mean1, mean0) == pytest.approx(-evidence, rel=1e-6, abs=1e-6)


@given(SHARES, RATIOS, RATIOS)
def test_deviations_the_other_way_round(shares: list[float], t0: float, t1: float) -> None:
    evidence = normalized_llr(Counter(shares), t0, t1)
    mirrored = normalized_llr(Counter(1 - share for share in shares), -t0, -t1)
    assert mirrored == pytest.approx(evidence, rel=1e-5, abs=1e-5)
    assert normalized_llr(Counter(shares), t1, t0) == pytest.approx(-evidence, rel=1e-5, abs=1e-5)


@given(MARGINS, st.floats(-20, 20), st.floats(-20, 20))
def test_margins_the_other_way_round(margins: list[float], mean0: float, mean1: float) -> None:
    evidence = normal_llr(sample_of(margins), mean0, mean1)
    mirrored = normal_llr(sample_of([-margin for margin in margins]), -mean0, -mean1)
    assert mirrored == pytest.approx(evidence, rel=1e-9, abs=1e-9)
    assert normal_llr(sample_of(margins), mean1, mean0) == pytest.approx(-evidence, rel=1e-9, abs=1e-9)


@given(st.data(), st.sampled_from(list(Measure)))
def test_the_order_of_sets_says_nothing(data: st.DataObject, measure: Measure) -> None:
    results = data.draw(MARGINS if measure is Measure.MARGIN else SHARES)
    shuffled = data.draw(st.permutations(results))
    plan = Plan(measure, least_sets=12)
    assert progress_of(plan, shuffled) == progress_of(plan, results)


@given(MARGINS, st.floats(0.1, 500))
def test_better_margins_are_more_evidence(margins: list[float], better_by: float) -> None:
    """However far beyond the hypotheses: nothing is so good that it counts less."""
    before, after = (
        normal_llr(sample_of([margin + more for margin in margins]), 0.0, 5.0) for more in (0.0, better_by)
    )
    assert after > before


@given(SHARES, st.data())
def test_a_better_set_is_more_evidence(shares: list[float], data: st.DataObject) -> None:
    """Among results of all kinds; far from both hypotheses the likeliest distributions under either become odd ones."""
    place = data.draw(st.integers(0, len(shares) - 1))
    shares = [*shares, *[0.0, 0.25, 0.5, 0.75, 1.0] * len(shares)]
    better = [*shares[:place], min(shares[place] + 0.25, 1.0), *shares[place + 1 :]]
    before, after = (logistic_llr(Counter(results), 0.5, 0.55) for results in (shares, better))
    assert after >= before


def test_twice_the_sets_are_twice_the_evidence() -> None:
    counts = {0.0: 10.0, 0.25: 40.0, 0.5: 90.0, 0.75: 60.0, 1.0: 15.0}
    doubled = {share: 2 * count for share, count in counts.items()}
    assert logistic_llr(doubled, 0.5, 0.55) == pytest.approx(2 * logistic_llr(counts, 0.5, 0.55))
    assert normalized_llr(doubled, 0.0, 0.1) == pytest.approx(2 * normalized_llr(counts, 0.0, 0.1))


def test_ties_alone_speak_against_a_difference() -> None:
    """Twins: no spread at all, no win at all, and neither is an infinite number."""
    by_set = [normal_llr(sample_of([0.0] * sets), 0.0, 5.0) for sets in (0, 1, 2, 20, 200)]
    assert by_set[0] == 0.0
    assert all(more < less for less, more in pairwise(by_set))
    assert -10 < logistic_llr({0.5: 20}, 0.5, 0.55) < -1
    assert logistic_llr({}, 0.5, 0.55) == 0.0


def test_the_mean_asked_for_is_strictly_within() -> None:
    with pytest.raises(ValueError, match=r"mean 1\.0"):
        logistic_llr({0.5: 3}, 0.5, 1.0)


def test_models_agree_where_results_are_near_the_hypotheses() -> None:
    """Many sets near the middle: the normal model, the means and the deviations see the same."""
    chance = random.Random(7)
    shares = [sum(chance.random() < 0.52 for _ in range(4)) / 4 for _ in range(4000)]
    sample = sample_of([100 * share - 50 for share in shares])
    by_means = logistic_llr(Counter(shares), 0.5, 0.52)
    assert normal_llr(sample, 0.0, 2.0) == pytest.approx(by_means, rel=0.02)
    assert normalized_llr(Counter(shares), 0.0, 2.0 / sample.spread) == pytest.approx(by_means, rel=0.02)
