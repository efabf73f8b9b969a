"""Who is late and gains, and what comparing seats takes out of the spread."""

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ranking.fairness import Appearance, Lag, lags, latenesses, spread_removed


def appearances(entrant: int, pairs: Sequence[tuple[float, float]]) -> list[Appearance]:
    return [Appearance(entrant, lateness, points) for lateness, points in pairs]


@pytest.mark.parametrize(
    ("finished", "expected"),
    [
        ([10, 30, 20], (0.0, 1.0, 0.5)),
        ([5, 5, 5], (0.5, 0.5, 0.5)),
        ([1, 2, 2, 9], (0.0, 0.5, 0.5, 1.0)),
    ],
)
def test_lateness_is_the_share_of_others_that_were_over_before(
    finished: list[float], expected: tuple[float, ...]
) -> None:
    assert latenesses(finished) == expected


@given(st.lists(st.integers(0, 5), min_size=2, max_size=16))
def test_lateness_is_a_half_on_average(finished: list[int]) -> None:
    assert sum(latenesses(finished)) == pytest.approx(len(finished) / 2)


LATE_AND_GAINS = [(1.0, 0.9), (0.8, 0.8), (0.9, 1.0), (0.9, 0.9), (1.0, 1.0), (0.1, 0.2), (0.7, 0.7), (0.2, 0.1)]
LATE_AND_LOSES = [(lateness, 1 - points) for lateness, points in LATE_AND_GAINS]
EARLY_AND_GAINS = [(1 - lateness, points) for lateness, points in LATE_AND_GAINS]
SELDOM_LATE = [(0.0, 0.1), (0.1, 0.1), (0.0, 0.0), (0.2, 0.2), (0.1, 0.1), (0.9, 0.9), (0.05, 0.05), (0.15, 0.15)]
ONE: dict[str, tuple[list[tuple[float, float]], bool]] = {
    "late and gains": (LATE_AND_GAINS, True),
    "late and loses": (LATE_AND_LOSES, False),
    "early and gains": (EARLY_AND_GAINS, False),
    "gains when late, which is seldom": (SELDOM_LATE, False),
    "too few deals": (LATE_AND_GAINS[:5], False),
    "always last": ([(1.0, 0.5 + number / 20) for number in range(8)], False),
    "always the same points": ([(number / 8, 0.5) for number in range(8)], False),
}


@pytest.mark.parametrize(("pairs", "stands_out"), ONE.values(), ids=ONE)
def test_who_stands_out(pairs: list[tuple[float, float]], stands_out: bool) -> None:
    (found,) = lags(appearances(1, pairs))
    assert found.stands_out == stands_out
    assert found.deals == len(pairs)
    assert found.lateness == pytest.approx(sum(lateness for lateness, _ in pairs) / len(pairs))


def test_gain_by_hand() -> None:
    (found,) = lags(appearances(1, [(0.9, 1.0), (0.6, 0.5), (0.5, 0.25), (0.1, 0.25)]))
    assert found == Lag(1, 4, pytest.approx(0.525), pytest.approx(0.5), None, False)
    (always,) = lags(appearances(1, [(0.9, 1.0)]))
    assert always.gain is None


def test_chance_by_hand() -> None:
    """r = 0.5 over seven deals: Fisher's z is atanh(0.5) sqrt(4) = 1.0986, above which lie 13.6 % of the normal distribution."""
    x = [0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0]
    mean_free = [value - 0.5 for value in x]
    other = [0.3, -0.2, -0.2, 0.2, -0.2, -0.2, 0.3]  # across x: neither grows nor falls along it
    scale = math.sqrt(sum(value**2 for value in mean_free) / sum(value**2 for value in other))
    y = [0.5 + 0.5 * a + math.sqrt(0.75) * scale * b for a, b in zip(mean_free, other, strict=True)]
    assert sum(a * b for a, b in zip(mean_free, other, strict=True)) == pytest.approx(0)
    assert sum(other) == pytest.approx(0)
    (found,) = lags(appearances(1, list(zip(x, y, strict=True))))
    assert found.chance == pytest.approx(0.1359, abs=2e-4)


def test_many_looked_at_need_a_smaller_chance() -> None:
    """What is rare for one is not for one of a hundred."""
    chance = random.Random(4)
    one = appearances(0, [*LATE_AND_GAINS[:6], (0.9, 0.2), (0.3, 0.5)])
    others = [
        each
        for entrant in range(1, 100)
        for each in appearances(entrant, [(chance.random(), chance.random()) for _ in range(8)])
    ]
    (alone,) = lags(one)
    among = next(each for each in lags([*one, *others]) if each.entrant == 0)
    assert (alone.stands_out, among.stands_out) == (True, False)
    assert alone.chance == among.chance


def test_of_a_field_in_which_nobody_cheats_hardly_anybody_stands_out() -> None:
    """Less than one field in twenty, by the number of entrants in it; here 60 fields."""
    chance = random.Random(7)
    fields = 0
    for _ in range(60):
        found = lags(
            each
            for entrant in range(20)
            for each in appearances(entrant, [(chance.random(), chance.random()) for _ in range(10)])
        )
        fields += any(each.stands_out for each in found)
    assert fields <= 6


def test_order_means_nothing_and_who_stands_out_comes_first() -> None:
    every = [*appearances(3, LATE_AND_LOSES), *appearances(2, LATE_AND_GAINS), *appearances(1, LATE_AND_GAINS[:3])]
    found = lags(every)
    assert [each.entrant for each in found] == [2, 3, 1]
    assert [each.entrant for each in lags(reversed(every))] == [2, 3, 1]


def test_spread_by_hand() -> None:
    """Margins of seat 0: 10, 40, 10 at the three tables of the first deal, all 20 less in the second: less the mean of the
    others -15, 30, -15 both times. Each has the same seat twice, so all the spread is the deal's: 20 / sqrt(2)."""
    deals = [[{0: (entrant, margin - low)} for entrant, margin in ((1, 10.0), (2, 40.0), (3, 10.0))] for low in (0, 20)]
    found = spread_removed(deals)
    assert found is not None
    assert found.deals == 2
    assert found.alone == pytest.approx(20 / math.sqrt(2))
    assert found.compared == pytest.approx(0)
    assert found.games_saved is None


def test_nothing_is_said_of_those_seen_once() -> None:
    assert spread_removed([]) is None
    assert spread_removed([[{0: (1, 1.0)}, {0: (2, 2.0)}, {0: (3, 3.0)}]]) is None


@pytest.mark.parametrize(("luck", "play"), [(50.0, 20.0), (20.0, 20.0), (0.0, 20.0)])
def test_the_luck_of_the_cards_is_taken_out(luck: float, play: float) -> None:
    """Of a seat the luck is the same at all eight tables: what is left is the play, and that of the seven compared with."""
    chance = random.Random(3)
    deals = []
    for _ in range(150):
        of_seat = [chance.gauss(0, luck) for _ in range(4)]
        entrants = chance.sample(range(32), 32)
        deals.append(
            [
                {seat: (entrants[4 * table + seat], of_seat[seat] + chance.gauss(0, play)) for seat in range(4)}
                for table in range(8)
            ]
        )
    found = spread_removed(deals)
    assert found is not None
    assert found.alone == pytest.approx(math.hypot(luck, play), rel=0.08)
    assert found.compared == pytest.approx(play * math.sqrt(1 + 1 / 7), rel=0.05)
    assert found.games_saved == pytest.approx((found.alone / found.compared) ** 2)
