"""Means and intervals of played games."""

from __future__ import annotations

import random

import pytest

from bots.cli.figures import bot_figures, estimate, margin, set_means
from bots.cli.local_play import PlayedGame


def game(number: int, deal_set: int, scores: tuple[int, ...], places: tuple[int, ...]) -> PlayedGame:
    return PlayedGame(number, deal_set, scores, places, tuple(() for _ in scores), (), b"", b"")


@pytest.mark.parametrize(
    ("scores", "bot", "expected"),
    [((10, 30), 0, 20), ((10, 30), 1, -20), ((10, 20, 60), 1, 15.0), ((0, 0, 0, 0), 2, 0)],
)
def test_margin(scores: tuple[int, ...], bot: int, expected: float) -> None:
    assert margin(scores, bot) == expected


def test_one_observation_has_no_interval() -> None:
    only = estimate([3.0])
    assert (only.mean, only.low, only.high) == (3.0, None, None)


@pytest.mark.parametrize(
    ("observations", "half_width"),
    [
        ([1.0, 3.0], 12.706),  # sd 1.4142, 1 degree of freedom
        ([2.0, 4.0, 6.0], 4.968),  # sd 2, 2 degrees
        ([0.0, 1.0] * 6, 0.3318),  # sd 0.5222, 11 degrees: t 2.201
        ([0.0, 1.0] * 50, 0.09971),  # sd 0.50252, 99 degrees: t 1.984
    ],
    ids=["2", "3", "12", "100"],
)
def test_interval_is_students(observations: list[float], half_width: float) -> None:
    assert estimate(observations).half_width == pytest.approx(half_width, rel=1e-3)


def test_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Of 2,000 samples of five, 95 % hold the mean; a normal interval would hold it in 88 %."""
    luck = random.Random(4)
    held = 0
    for _ in range(2000):
        found = estimate([luck.gauss(10, 3) for _ in range(5)])
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 10 <= found.high
    assert 0.93 < held / 2000 < 0.97


def test_a_deal_set_is_one_observation() -> None:
    games = [
        game(1, 1, (0, 10), (1, 2)),
        game(2, 1, (20, 0), (2, 1)),
        game(3, 2, (0, 30), (1, 2)),
        game(4, 2, (0, 10), (1, 2)),
    ]
    assert set_means(games, [float(game.scores[0]) for game in games]) == [10.0, 0.0]
    (first, second) = bot_figures(["a", "b"], games)
    assert (first.score.mean, first.margin.mean, first.place.mean) == (5.0, 7.5, 1.25)
    assert first.margin.half_width == pytest.approx(12.706 * 17.678 / 2**0.5, rel=1e-3)
    assert second.margin.mean == -7.5


def test_shared_wins_count_in_parts() -> None:
    games = [game(1, 1, (5, 5, 9), (1, 1, 3)), game(2, 2, (1, 2, 3), (1, 2, 3))]
    assert [figures.wins for figures in bot_figures(["a", "b", "c"], games)] == [1.5, 0.5, 0]
