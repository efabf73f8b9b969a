"""Strength: made-up leagues whose truth is known, and published fits."""

import math
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.ranking.bradley_terry import bradley_terry
from tournaments.ranking.strength import (
    LEAST_SETS,
    DealtGame,
    Lead,
    Strengths,
    Verdict,
    margin_strengths,
    pair_strengths,
)

Measured = Callable[..., Strengths]

SEED = b"seed of the resamples"
BOTH = pytest.mark.parametrize("measured", [margin_strengths, pair_strengths], ids=["margin", "pairs"])


def dealt(
    deal_set: int, entrants: Sequence[int], *game_rounds: Sequence[int], retired_in_round: int | None = None
) -> DealtGame:
    """A game by its game rounds, each by seat."""
    totals = [sum(column) for column in zip(*game_rounds, strict=True)]
    places = tuple(1 + sum(other < own for other in totals) for own in totals)
    return DealtGame(deal_set, tuple(entrants), places, tuple(map(tuple, game_rounds)), retired_in_round)


def league(chance: random.Random, skills: Mapping[int, float], rounds: int, *, shared: bool = True) -> list[DealtGame]:
    """Tables of four drawn each round. The luck of a seat is three times that of play; skill is points saved a game round."""
    games: list[DealtGame] = []
    for number in range(rounds):
        order = chance.sample(sorted(skills), len(skills))
        luck = [[chance.gauss(0, 15) for _ in range(4)] for _ in range(11)]
        for start in range(0, len(order), 4):
            seated = order[start : start + 4]
            if not shared:
                luck = [[chance.gauss(0, 15) for _ in range(4)] for _ in range(11)]
            scores = [
                [round(30 + deal[seat] + chance.gauss(0, 5) - skills[entrant]) for seat, entrant in enumerate(seated)]
                for deal in luck
            ]
            games.append(dealt(number if shared else len(games), seated, *scores))
    return games


def value_of(strengths: Strengths, entrant: int) -> float:
    return next(each.value for each in strengths.estimates if each.entrant == entrant)


# Margins


def test_margins_are_compared_with_those_of_the_same_seat() -> None:
    """Seat 0 has 10, 25 and -20 over two game rounds, so the first is 10 - 2.5 = 7.5 better: 3.75 a game round."""
    games = [
        dealt(1, [1, 2, 3], [10, 20, 0], [0, 0, 20]),
        dealt(1, [4, 5, 6], [5, 20, 30], [5, 20, 0]),
        dealt(1, [7, 8, 9], [60, 10, 70], [0, 0, 0]),
    ]
    strengths = margin_strengths(games, SEED)
    values = {each.entrant: each.value for each in strengths.estimates}
    assert values == {1: 3.75, 2: -11.25, 3: 7.5, 4: 15.0, 5: -22.5, 6: 7.5, 7: -18.75, 8: 33.75, 9: -15.0}


def test_a_deal_of_ones_own_counts_by_the_plain_margin() -> None:
    strengths = margin_strengths([dealt(1, [1, 2], [10, 30]), dealt(2, [1, 2], [0, 4])], SEED)
    assert [(each.entrant, each.value) for each in strengths.estimates] == [(1, 12.0), (2, -12.0)]


def test_a_rotated_deal_counts_by_its_totals() -> None:
    """The seats go round: 30 against 70 over two game rounds."""
    strengths = margin_strengths([dealt(1, [1, 2], [10, 20]), dealt(1, [2, 1], [50, 20])], SEED)
    assert [(each.entrant, each.value) for each in strengths.estimates] == [(1, 20.0), (2, -20.0)]


def test_only_game_rounds_before_a_retirement_count() -> None:
    """And only they are compared with the other tables'."""
    games = [
        dealt(1, [1, 2], [10, 20], [0, 500], retired_in_round=2),
        dealt(1, [3, 4], [10, 60], [70, 0]),
        dealt(1, [5, 6], [0, 0], [0, 0], retired_in_round=1),
    ]
    strengths = margin_strengths(games, SEED)
    values = {each.entrant: each.value for each in strengths.estimates}
    # 10 - 50 in the first game round; the second table has nobody to compare with over two.
    assert values == {1: -40.0, 2: 40.0, 3: -10.0, 4: 10.0}
    assert {each.entrant for each in pair_strengths(games, SEED).estimates} == {1, 2, 3, 4}


def test_a_retirement_decides_no_pair_but_the_game_rounds_before_it_do() -> None:
    games = [DealtGame(1, (1, 2), (2, 1), ((0, 9), (50, 0)), retired_in_round=2)]
    assert value_of(pair_strengths(games, SEED), 1) > 0


# The fit


def test_a_published_fit() -> None:
    """Three engines, 75 %, 75 % and 90 %: the ideal is +191, 0, -191.

    Source: the comparison of EloStat, Bayeselo and Ordo on a chess programmers' board; Ordo gives 190.1.
    """
    wins = np.array([[0, 75, 90], [25, 0, 75], [10, 25, 0]], dtype=np.float64)
    assert bradley_terry(wins, 0) == pytest.approx([191, 0, -191], abs=1.0)
    assert bradley_terry(wins / 100, 0) == pytest.approx([190.85, 0, -190.85], abs=0.01)


def test_virtual_draws_shrink_what_few_games_say() -> None:
    """The published values have the prior of Bayeselo, so only their order can be compared: 158 of 90 games, 166 of 360."""
    wins = np.array([[0, 0.75, 0.9], [0.25, 0, 0.75], [0.1, 0.25, 0]])
    few, many = bradley_terry(wins * 30, 2), bradley_terry(wins * 120, 2)
    assert 150 < few[0] < many[0] < 190.85
    assert few[1] == pytest.approx(0, abs=1e-6)


def test_who_won_everything_has_a_rating_all_the_same() -> None:
    ratings = bradley_terry(np.array([[0.0, 5.0], [0.0, 0.0]]), 1)
    assert 100 < ratings[0] == -ratings[1] < 1000


def test_two_have_the_rating_their_score_says() -> None:
    """The inverse of Elo's expectation: 3 of 4 is 400 log10(3)."""
    ratings = bradley_terry(np.array([[0.0, 3.0], [1.0, 0.0]]), 0)
    assert ratings[0] - ratings[1] == pytest.approx(400 * math.log10(3), abs=1e-4)


# What is said of it


@BOTH
def test_the_truth_is_found(measured: Measured) -> None:
    skills = {entrant: 3.0 * (entrant - 4) for entrant in range(8)}
    strengths = measured(league(random.Random(1), skills, 400), SEED)
    assert [each.entrant for each in strengths.estimates] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert strengths.lead().verdict is Verdict.CLEAR
    assert strengths.lead().entrants == (7,)
    assert {each.entrant: each.could_be for each in strengths.estimates} == {
        7 - at: (at + 1, at + 1) for at in range(8)
    }


@BOTH
def test_equals_are_not_separated(measured: Measured) -> None:
    strengths = measured(league(random.Random(2), dict.fromkeys(range(8), 0.0), 20), SEED)
    lead = strengths.lead()
    assert lead.verdict is Verdict.TIE
    assert set(lead.entrants) == set(range(8))


@BOTH
def test_too_few_deals_say_nothing(measured: Measured) -> None:
    """However large the difference, five deals with one winner could be chance."""
    games = [dealt(number, [1, 2], [0, 50 + number]) for number in range(LEAST_SETS - 1)]
    strengths = measured(games, SEED)
    assert strengths.lead() == Lead(Verdict.TOO_FEW, ())
    assert [each.could_be for each in strengths.estimates] == [None, None]
    difference = strengths.difference(1, 2)
    assert not difference.is_separated
    assert difference.more_sets is not None
    one_deal = measured(games[:1], SEED)
    assert math.isinf(one_deal.estimates[0].high)
    assert one_deal.difference(1, 2).more_sets is None


def test_who_won_every_game_is_not_certain_of_its_rating() -> None:
    """Every resample says the same; the likelihood does not."""
    games = [dealt(number, [1, 2], [0, 10]) for number in range(8)]
    best = pair_strengths(games, SEED).estimates[0]
    assert best.high - best.low > 100


def test_shared_deals_tell_apart_what_independent_ones_do_not() -> None:
    skills = {entrant: 1.5 * (entrant % 2) for entrant in range(16)}
    shared = margin_strengths(league(random.Random(3), skills, 15), SEED)
    independent = margin_strengths(league(random.Random(3), skills, 15, shared=False), SEED)

    def width(strengths: Strengths) -> float:
        return float(np.mean([each.high - each.low for each in strengths.estimates]))

    assert width(shared) < width(independent) / 1.5


def test_whole_deal_sets_are_drawn() -> None:
    """Ten copies of every game within its deal set say no more than one: only new deals do."""
    games = league(random.Random(4), dict.fromkeys(range(8), 0.0), 12)
    copies = [each for game in games for each in [game] * 10]
    once, often = pair_strengths(games, SEED, virtual_draws=1), pair_strengths(copies, SEED, virtual_draws=10)
    for each, other in zip(once.estimates, often.estimates, strict=True):
        assert other.high - other.low > 0.7 * (each.high - each.low)


@BOTH
def test_what_the_interval_promises_holds(measured: Measured) -> None:
    """Of equals, 0 lies outside of a 95 % interval about once in twenty: 30 leagues of 8, seven deals each."""
    chance = random.Random(5)
    missed = separated = 0
    for _ in range(30):
        strengths = measured(league(chance, dict.fromkeys(range(8), 0.0), 7), SEED, resamples=100)
        missed += sum(not each.low <= 0 <= each.high for each in strengths.estimates)
        separated += sum(strengths.difference(*pair).is_separated for pair in combinations(range(8), 2))
    assert missed <= 0.08 * 30 * 8
    assert separated <= 0.08 * 30 * 28


@BOTH
def test_nobody_and_nothing(measured: Measured) -> None:
    empty = measured([], SEED)
    assert empty.estimates == ()
    assert empty.lead().verdict is Verdict.TOO_FEW
    with pytest.raises(KeyError):
        empty.difference(1, 2)


@BOTH
@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([DealtGame(3, (1, 2), (1, 2), ((1, 2, 3),))], r"deal set 3: rows that do not run by the seats of \(1, 2\)"),
        ([DealtGame(3, (1,), (1,), ((1,),))], "deal set 3: rows that do not run"),
        ([dealt(3, [1, 2], [1, 2]), dealt(3, [4, 5, 6], [1, 2, 3])], "deal set 3: tables of different sizes"),
    ],
    ids=["rows", "alone", "sizes"],
)
def test_games_that_cannot_be(measured: Measured, games: list[DealtGame], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        measured(games, SEED)


@BOTH
@settings(max_examples=15, deadline=None)
@given(number=st.integers(0, 10**6), rounds=st.integers(1, 12))
def test_every_number_agrees_with_every_other(measured: Measured, number: int, rounds: int) -> None:
    chance = random.Random(number)
    games = league(chance, {entrant: entrant / 2 for entrant in range(8)}, rounds)
    strengths = measured(games, SEED, resamples=40)
    values = [each.value for each in strengths.estimates]
    assert values == sorted(values, reverse=True)
    for place, each in enumerate(strengths.estimates, start=1):
        assert each.low <= each.value <= each.high
        assert each.deal_sets == rounds
        assert (each.could_be is not None) == (rounds >= LEAST_SETS)
        if each.could_be:
            assert each.could_be[0] <= place <= each.could_be[1]
    for first, second in combinations(range(8), 2):
        one, other = strengths.difference(first, second), strengths.difference(second, first)
        assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
        assert one.above + other.above == pytest.approx(1)
        # A difference that is nothing against its uncertainty may be exactly as likely above as below.
        assert one.above >= other.above if one.value > 0 else one.above <= other.above
        assert one.is_separated == other.is_separated == (rounds >= LEAST_SETS and not one.low <= 0 <= one.high)
        assert not one.is_separated or not 0.025 < one.above < 0.975
    chance.shuffle(games)
    again = measured(games, SEED, resamples=40)
    assert again.estimates == strengths.estimates


@BOTH
def test_another_seed_is_another_draw_and_the_same_seed_is_not(measured: Measured) -> None:
    games = league(random.Random(6), dict.fromkeys(range(4), 0.0), 8)
    first, second, other = (measured(games, seed, resamples=50).estimates for seed in (SEED, SEED, b"another"))
    assert first == second
    assert [each.value for each in first] == [each.value for each in other]
    assert [each.low for each in first] != [each.low for each in other]


def test_standings_and_elo_load_no_numpy() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, tournaments.ranking; print(sorted({'numpy', 'scipy', 'choix'} & set(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "[]\n"
