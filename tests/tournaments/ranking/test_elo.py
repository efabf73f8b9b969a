"""Elo: published values, and what must hold of every fold."""

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import places
from tournaments.ranking import (
    OpponentTerm,
    Rated,
    RatedMatch,
    RatingRow,
    elo_delta,
    expected_score,
    fold_ratings,
    match_elo,
)

# FIDE Handbook B.02: the largest difference for each expected score of the higher rated, .50 to .92.
FIDE_TABLE = """
3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188 197 206 215 225 235 245 256 267 278 290
302 315 328 344 357 374 391 411
"""
FIDE_LAST_OF = [int(difference) for difference in FIDE_TABLE.split()]


def match(entrants: Sequence[int], *games: tuple[int, ...], number: int = 1, closing_no: int = 1) -> RatedMatch:
    return RatedMatch(number, closing_no, tuple(entrants), games)


def rated(*ratings: float) -> dict[int, Rated]:
    return {entrant: Rated(rating, 0) for entrant, rating in enumerate(ratings, start=1)}


def deltas(rows: Sequence[RatingRow]) -> list[float]:
    return [row.delta for row in rows]


@pytest.mark.parametrize("index", range(len(FIDE_LAST_OF)))
def test_expected_scores_are_near_fides_table(index: int) -> None:
    """The table is the normal curve, the formula the logistic one: they agree within 2 %."""
    first = FIDE_LAST_OF[index - 1] + 1 if index else 0
    for difference in (first, FIDE_LAST_OF[index]):
        assert expected_score(1500 + difference, 1500) == pytest.approx(0.50 + index / 100, abs=0.02)
        assert expected_score(1500, 1500 + difference) == pytest.approx(0.50 - index / 100, abs=0.02)


@pytest.mark.parametrize(("difference", "expected"), [(0, 0.5), (100, 0.6401), (200, 0.7597), (392, 0.9052)])
def test_expected_scores_by_the_formula(difference: float, expected: float) -> None:
    assert expected_score(difference, 0) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("winner", "loser", "change"),
    [(1000, 1200, 24.31), (1200, 1500, 27.16)],
    ids=["1000 beats 1200", "1200 beats 1500"],
)
def test_published_changes_of_two(winner: float, loser: float, change: float) -> None:
    """Source: tckerrigan.com, Multiplayer Elo, K 32, digits cut off; there only neighbours in the final order play each other."""
    rows = match_elo(match([1, 2], (1, 2)), rated(winner, loser), 32)
    assert deltas(rows) == [pytest.approx(change, abs=0.01), pytest.approx(-change, abs=0.01)]


def test_four_equals_at_a_table() -> None:
    rows = match_elo(match([1, 2, 3, 4], (1, 2, 3, 4)), rated(1500, 1500, 1500, 1500), 32)
    assert deltas(rows) == [pytest.approx(change, abs=1e-4) for change in (16, 5.3333, -5.3333, -16)]
    assert [row.after for row in rows] == [1500 + row.delta for row in rows]


def test_all_pairs_add_up_to_the_published_form() -> None:
    """E and S of sradack.blogspot.com (2008): shares of all pairs at the table, adding up to one each."""
    ratings = [1720.0, 1500.0, 1610.0, 1333.0]
    n, pairs = 4, 6
    rows = match_elo(match([1, 2, 3, 4], (2, 1, 4, 3)), rated(*ratings), 24)
    for row, place in zip(rows, (2, 1, 4, 3), strict=True):
        share_expected = sum(expected_score(row.before, term.rating) for term in row.opponents) / pairs
        share_scored = (n - place) / pairs
        assert row.delta == pytest.approx(24 / (n - 1) * pairs * (share_scored - share_expected))


def test_a_seven_way_tie_of_equals_changes_nothing() -> None:
    rows = match_elo(match(range(1, 8), (1,) * 7), rated(*[1500.0] * 7), 20)
    assert deltas(rows) == [0.0] * 7


def test_a_match_is_the_mean_of_its_games() -> None:
    rows = match_elo(match([1, 2], (1, 2), (1, 2), (2, 1), (1, 1)), rated(1500, 1500), 20)
    assert rows[0].opponents == (OpponentTerm(2, 1500.0, Fraction(5, 8)),)
    assert deltas(rows) == [2.5, -2.5]


def test_a_row_carries_its_inputs() -> None:
    rows = match_elo(
        match([30, 10, 20], (2, 1, 2), number=7, closing_no=9),
        {10: Rated(1400, 3), 20: Rated(1500, 0), 30: Rated(1600, 8)},
    )
    assert rows[0] == RatingRow(
        match=7,
        closing_no=9,
        entrant=10,
        before=1400,
        k=20.0,
        opponents=(OpponentTerm(20, 1500, Fraction(1)), OpponentTerm(30, 1600, Fraction(1))),
        delta=elo_delta(1400, 20.0, rows[0].opponents),
        after=1400 + rows[0].delta,
        number=4,
    )
    assert [row.entrant for row in rows] == [10, 20, 30]


def test_matches_of_a_round_use_the_ratings_from_before_it() -> None:
    folded = fold_ratings([match([1, 2], (1, 2), number=1), match([3, 4], (1, 2), number=2)])
    assert [row.before for row in folded.rows] == [1500.0] * 4
    later = fold_ratings([match([1, 3], (1, 2), number=3, closing_no=2)], before=folded.ratings)
    assert [row.before for row in later.rows] == [1510.0, 1510.0]
    assert later.ratings == {1: Rated(1520.0, 2), 2: Rated(1490.0, 1), 3: Rated(1500.0, 2), 4: Rated(1490.0, 1)}


def test_k_may_depend_on_the_matches_so_far() -> None:
    """Then what adds up to nothing is the change divided by K."""
    ratings = {1: Rated(1500, 0), 2: Rated(1580, 30), 3: Rated(1490, 400)}
    rows = match_elo(
        match([1, 2, 3], (1, 3, 2)), ratings, lambda matches: 40 if matches < 30 else 20 if matches < 300 else 10
    )
    assert [row.k for row in rows] == [40.0, 20.0, 10.0]
    assert math.fsum(row.delta / row.k for row in rows) == pytest.approx(0, abs=1e-9)


def test_nobody_plays_twice_in_a_closing() -> None:
    with pytest.raises(ValueError, match="entrant 2 plays twice in closing 5: one match a round"):
        fold_ratings([match([1, 2], (1, 2), closing_no=5), match([2, 3], (1, 2), number=2, closing_no=5)])


def test_places_run_parallel_to_the_entrants() -> None:
    with pytest.raises(ValueError, match=r"match 1: places .* do not run parallel to \(1, 2, 3\)"):
        fold_ratings([match([1, 2, 3], (1, 2))])


def test_a_start_of_ones_own() -> None:
    assert fold_ratings([match([1, 2], (1, 1))], start=1000).ratings == {1: Rated(1000, 1), 2: Rated(1000, 1)}


@st.composite
def histories(draw: st.DrawFn) -> list[RatedMatch]:
    """Closed rounds over twelve entrants at tables of two to seven."""
    matches: list[RatedMatch] = []
    for closing_no in range(1, draw(st.integers(1, 6)) + 1):
        left = list(draw(st.permutations(range(1, 13))))
        while len(left) >= 2 and draw(st.booleans()):
            size = draw(st.integers(2, min(7, len(left))))
            table, left = left[:size], left[size:]
            games = draw(st.lists(places(size), min_size=1, max_size=3))
            matches.append(match(table, *games, number=len(matches) + 1, closing_no=closing_no))
    return matches


@settings(max_examples=60)
@given(histories(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_rows_bit_by_bit(matches: list[RatedMatch], chance: random.Random) -> None:
    folded = fold_ratings(matches)
    chance.shuffle(matches)
    seated = [_reseated(each, chance) for each in matches]
    assert fold_ratings(seated) == folded


def _reseated(each: RatedMatch, chance: random.Random) -> RatedMatch:
    """The same match with its entrants named in another order."""
    order = chance.sample(range(len(each.entrants)), len(each.entrants))
    return RatedMatch(
        each.match,
        each.closing_no,
        tuple(each.entrants[index] for index in order),
        tuple(tuple(game[index] for index in order) for game in each.places),
    )


@settings(max_examples=60)
@given(histories())
def test_closing_by_closing_is_the_same_as_all_at_once(matches: list[RatedMatch]) -> None:
    ratings: dict[int, Rated] = {}
    rows: list[RatingRow] = []
    for closing_no in sorted({each.closing_no for each in matches}):
        step = fold_ratings([each for each in matches if each.closing_no == closing_no], before=ratings)
        ratings = dict(step.ratings)
        rows += step.rows
    at_once = fold_ratings(matches)
    assert tuple(rows) == at_once.rows
    assert ratings == at_once.ratings


@settings(max_examples=60)
@given(histories(), st.integers(1, 40))
def test_nothing_is_made_or_lost_at_a_table_and_rows_follow_from_their_inputs(
    matches: list[RatedMatch], k: int
) -> None:
    rows = fold_ratings(matches, k=k).rows
    for each in matches:
        own = [row for row in rows if row.match == each.match]
        assert [row.entrant for row in own] == sorted(each.entrants)
        assert abs(math.fsum(row.delta / row.k for row in own)) < 1e-9
    for row in rows:
        assert row.delta == elo_delta(row.before, row.k, row.opponents)
        assert row.after == row.before + row.delta
