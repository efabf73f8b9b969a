"""Verdicts, estimates and sentences."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.compare import Measure, Plan, Verdict, progress_of, verdict_of, verdict_sentence
from bots.compare.walk import Walk

PLAN = Plan()


def margins(sets: int, mean: float, spread: float = 27.0, seed: int = 1) -> list[float]:
    chance = random.Random(seed)
    return [chance.gauss(mean, spread) for _ in range(sets)]


def first_end(plan: Plan, results: list[float]) -> int | None:
    """After how many of these sets the comparison has its verdict; None if it goes on."""
    return next((sets for sets in range(len(results) + 1) if verdict_of(plan, results[:sets])), None)


def test_no_verdict_before_the_least_sets_however_clear() -> None:
    results = margins(20, 300.0)
    assert progress_of(PLAN, results[:19]).verdict is None
    assert progress_of(PLAN, results[:19]).interval is None
    assert progress_of(PLAN, results).verdict is Verdict.STRONGER


@pytest.mark.parametrize(
    ("results", "verdict", "sentence"),
    [
        (margins(60, 20.0), Verdict.STRONGER, "new is stronger than old: the difference is about +"),
        (margins(60, -20.0), Verdict.NOT_STRONGER, "new is not stronger than old by as much as 5 points a game: the "),
        ([0.0] * 20, Verdict.NOT_STRONGER, "new is not stronger than old by as much as 5 points a game: the "),
        (
            [-30.0, 35.0] * 30,
            None,
            "Not decided yet whether new is stronger than old: so far the difference is about +",
        ),
        ([2.0] * 3, None, "Too early to say whether new is stronger than old: 3 of at least 20 deal sets."),
        ([], None, "Too early to say whether new is stronger than old: 0 of at least 20 deal sets."),
    ],
)
def test_verdicts(results: list[float], verdict: Verdict | None, sentence: str) -> None:
    progress = progress_of(PLAN, results)
    assert progress.verdict is verdict
    assert verdict_sentence(PLAN, progress, "old", "new").startswith(sentence)
    assert (progress.sets_left == 0) is (verdict is not None)


def test_the_limit_ends_it_undecided() -> None:
    plan = Plan(most_sets=60)
    progress = progress_of(plan, [-30.0, 35.0] * 30)
    assert (progress.verdict, progress.sets_left) == (Verdict.UNDECIDED, 0)
    assert "the limit of 60 deal sets is reached" in verdict_sentence(plan, progress, "old", "new")
    assert progress_of(plan, [-30.0, 35.0] * 29).sets_left <= 2, "never more than the limit leaves"


def test_where_it_ends_is_the_first_whole_set_that_says_so() -> None:
    results = margins(400, 8.0)
    end = first_end(PLAN, results)
    assert end is not None
    assert progress_of(PLAN, results[:end]).verdict is Verdict.STRONGER
    assert all(progress_of(PLAN, results[:sets]).verdict is None for sets in range(end))
    assert first_end(PLAN, results[: end - 1]) is None


@settings(max_examples=60, deadline=None)
@given(
    st.integers(20, 400), st.floats(-40, 40), st.floats(0, 60), st.integers(0, 99), st.sampled_from([0.05, 0.01, 0.2])
)
def test_the_interval_belongs_to_the_verdict(sets: int, mean: float, spread: float, seed: int, error: float) -> None:
    """At an end the interval lies above 0, or below the gap, as the verdict says; the estimate lies in it."""
    plan = Plan(alpha=error, beta=error)
    results = margins(sets, mean, spread, seed)
    progress = progress_of(plan, results[: first_end(plan, results)])
    assert progress.interval is not None
    low, high = progress.interval
    assert low < progress.estimate < high
    if progress.verdict is Verdict.STRONGER:
        assert low > 0
        assert progress.level == pytest.approx(1 - 2 * error)
    if progress.verdict is Verdict.NOT_STRONGER:
        assert high < plan.least_gap
    if progress.verdict is None:
        assert progress.level == pytest.approx(0.99)


def test_the_estimate_allows_for_the_early_stop() -> None:
    """Who stops as soon as it looks good has seen luck: the estimate lies nearer to the hypotheses than the plain mean."""
    results = margins(400, 8.0)
    progress = progress_of(PLAN, results[: first_end(PLAN, results)])
    assert 0 < progress.estimate < progress.mean


def test_wins_count_in_hundreds() -> None:
    plan = Plan(Measure.WINS)
    better = progress_of(plan, [0.5, 1.0, 0.75, 0.5] * 20)
    assert (better.verdict, better.mean) == (Verdict.STRONGER, pytest.approx(18.75))
    assert "wins in a hundred" in verdict_sentence(plan, better, "old", "new")
    assert progress_of(plan, [0.5, 0.0, 0.25, 0.5] * 20).verdict is Verdict.NOT_STRONGER
    with pytest.raises(ValueError, match=r"win share 1\.5"):
        progress_of(plan, [1.5])


@pytest.mark.parametrize(
    "change",
    [
        {"least_gap": 0.0},
        {"least_gap": float("nan")},
        {"measure": Measure.WINS, "least_gap": 50.0},
        {"alpha": 0.5},
        {"beta": 0.0},
        {"least_sets": 1},
        {"most_sets": 19},
    ],
)
def test_plans_that_make_no_sense(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="give"):
        Plan(**change)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("drift", "at", "time"), [(0.0, -1.0, 3.0), (0.5, 2.944, 4.0), (-0.5, 0.7, 6.0), (3.0, 2.0, 2.0)]
)
def test_chances_of_the_walk(drift: float, at: float, time: float) -> None:
    """Against walks of small steps; 4000 of them tell chances to 0.03."""
    walk, chance, steps = Walk(-2.944, 2.944), random.Random(3), 100
    as_bad, ends = 0, []
    for _ in range(4000):
        place, step = 0.0, 0
        # An end between two steps is missed: the bounds are moved inwards by what a step overshoots on average.
        reach = 2.944 - 0.583 * (time / steps) ** 0.5
        while step < steps and abs(place) < reach:
            place += chance.gauss(drift * time / steps, (time / steps) ** 0.5)
            step += 1
        as_bad += place <= -reach or (place < reach and place <= at)
        ends.append(step * time / steps)
    assert walk.chance_as_bad(drift, time, at) == pytest.approx(as_bad / 4000, abs=0.03)
    assert sum(ends) / 4000 < walk.time_left(drift, 0.0) + 0.1


def test_expected_time_of_a_walk() -> None:
    """Wald: without drift the product of the ways; with much of it the way over the drift."""
    walk = Walk(-2.0, 3.0)
    assert walk.time_left(0.0, 0.0) == pytest.approx(6.0)
    assert walk.time_left(1e-5, 0.0) == pytest.approx(6.0, rel=1e-3)
    assert walk.time_left(10.0, 0.0) == pytest.approx(0.3, rel=1e-3)
    assert walk.time_left(-10.0, 1.0) == pytest.approx(0.3, rel=1e-3)
