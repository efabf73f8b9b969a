"""How measurements become rows."""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.report import paired, single


def figures(*values: float) -> Callable[[], float]:
    """One after the other; one more call is an error."""
    return iter(values).__next__


def test_the_median_of_the_ratios() -> None:
    row = paired("n", "u", figures(10, 21, 30, 40, 51), figures(5, 10, 15, 20, 25), goal=2.0)
    assert (row.ours, row.reference, row.ratio, row.goal, row.holds) == (30, 15, 2.0, 2.0, True)
    assert row.spread is not None
    assert abs(row.spread - 0.05) < 1e-9


def test_a_wide_spread_is_measured_once_more_and_stated() -> None:
    ones = [1.0] * 5
    calm = paired("n", "u", figures(1, 1, 1, 1, 2, 3, 3, 3, 3, 3), figures(*ones, *ones), goal=2.0)
    assert (calm.ratio, calm.spread, calm.holds) == (3, 0, True)
    wild = paired("n", "u", figures(1, 1, 1, 1, 2, 1, 1, 1, 1, 3), figures(*ones, *ones), goal=2.0)
    assert (wild.ratio, wild.spread, wild.holds) == (1, 2, False)


def test_a_ceiling() -> None:
    for ratio, holds in ((1.35, True), (1.36, False)):
        row = paired("n", "u", figures(ratio), figures(1), goal=1.35, at_most=True, repeats=1)
        assert row.holds is holds


def test_without_a_goal_every_figure_holds() -> None:
    assert paired("n", "u", figures(1), figures(9), goal=None, repeats=1).holds
    row = single("n", "u", figures(4, 5, 6, 5, 5), note="so")
    assert (row.ours, row.reference, row.ratio, row.goal, row.holds, row.note) == (5, None, None, None, True, "so")
    assert row.spread == 0.4


def test_a_bound_of_a_figure_that_is_compared_with_nothing() -> None:
    assert single("n", "u", figures(1, 2, 3), goal=2, repeats=3).holds
    assert not single("n", "u", figures(1, 2, 3), goal=2.1, repeats=3).holds
    assert not single("n", "u", figures(3), goal=2, at_most=True, repeats=1).holds
    assert single("n", "u", figures(2), goal=2, at_most=True, repeats=1).spread is None
