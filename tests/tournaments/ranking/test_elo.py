"""Elo: published values, and what must hold of every fold."""

import csv
import math
import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

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
    k_factor,
    match_elo,
)

DATA = Path(__file__).parents[2] / "data" / "ratings"
FIDE_SCORES = list(csv.DictReader((DATA / "fide_expected_scores.csv").read_text().splitlines()))
FIDE_DIFFERENCES = list(csv.DictReader((DATA / "fide_differences.csv").read_text().splitlines()))


def match(entrants: Sequence[int], *games: tuple[int, ...], number: int = 1, closing_no: int = 1) -> RatedMatch:
    return RatedMatch(number, closing_no, tuple(entrants), games)


def rated(*ratings: float) -> dict[int, Rated]:
    return {entrant: Rated(rating, 0) for entrant, rating in enumerate(ratings, start=1)}


def deltas(rows: Sequence[RatingRow]) -> list[float]:
    return [row.delta for row in rows]


@pytest.mark.parametrize("row", FIDE_SCORES, ids=lambda row: row["expected"])
def test_expected_scores_are_near_fides_table(row: dict[str, str]) -> None:
    """The table is the normal curve, the formula the logistic one: they agree within 2 %."""
    expected = float(row["expected"])
    for difference in (float(row["least"]), float(row["most"] or 2000)):
        assert expected_score(1500 + difference, 1500) == pytest.approx(expected, abs=0.02)
        assert expected_score(1500, 1500 + difference) == pytest.approx(1 - expected, abs=0.02)


@pytest.mark.parametrize("row", FIDE_DIFFERENCES, ids=lambda row: row["score"])
def test_differences_are_near_fides_table(row: dict[str, str]) -> None:
    assert expected_score(float(row["difference"]), 0) == pytest.approx(float(row["score"]), abs=0.02)


@pytest.mark.parametrize(
    ("games", "score", "change"),
    [(8, "5.5", 15), (7, "1.5", -20), (9, "4.5", 0)],
    ids=["above", "below", "as expected"],
)
def test_published_changes_over_several_games(games: int, score: str, change: float) -> None:
    """Against equals half the games are expected. Source: chesselo.com, K 10 a game."""
    against = [OpponentTerm(number, 1500, Fraction(score) / games) for number in range(games)]
    assert elo_delta(1500, 10 * games, against) == pytest.approx(change)


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


def test_the_one_between_gains_what_is_published_of_both() -> None:
    """Source: as above; 1200 loses to 1000 and beats 1500: -24 + 27."""
    lost = elo_delta(1200, 32, [OpponentTerm(1, 1000, Fraction(0))])
    won = elo_delta(1200, 32, [OpponentTerm(3, 1500, Fraction(1))])
    assert lost + won == pytest.approx(3, abs=0.2)


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
        k=40.0,
        opponents=(OpponentTerm(20, 1500, Fraction(1)), OpponentTerm(30, 1600, Fraction(1))),
        delta=elo_delta(1400, 40.0, rows[0].opponents),
        after=1400 + rows[0].delta,
        number=4,
    )
    assert [row.entrant for row in rows] == [10, 20, 30]


def test_matches_of_a_round_use_the_ratings_from_before_it() -> None:
    folded = fold_ratings([match([1, 2], (1, 2), number=1), match([3, 4], (1, 2), number=2)])
    assert [row.before for row in folded.rows] == [1500.0] * 4
    later = fold_ratings([match([1, 3], (1, 2), number=3, closing_no=2)], before=folded.ratings)
    assert [row.before for row in later.rows] == [1520.0, 1520.0]
    assert later.ratings == {1: Rated(1540.0, 2), 2: Rated(1480.0, 1), 3: Rated(1500.0, 2), 4: Rated(1480.0, 1)}


@pytest.mark.parametrize(
    ("matches", "k"), [(0, 40), (29, 40), (30, 20), (299, 20), (300, 10), (5000, 10)], ids=lambda value: str(value)
)
def test_k_falls_with_the_matches_so_far(matches: int, k: float) -> None:
    assert k_factor(matches) == k
    folded = fold_ratings([match([1, 2], (1, 2))], before={1: Rated(1500, matches), 2: Rated(1500, 0)})
    assert deltas(folded.rows) == [k / 2, -20.0]


def test_where_ks_differ_the_changes_divided_by_k_add_up_to_nothing() -> None:
    ratings = {1: Rated(1500, 0), 2: Rated(1580, 30), 3: Rated(1490, 400)}
    rows = match_elo(match([1, 2, 3], (1, 3, 2)), ratings)
    assert [row.k for row in rows] == [40.0, 20.0, 10.0]
    assert math.fsum(row.delta / row.k for row in rows) == pytest.approx(0, abs=1e-9)


def test_a_new_version_starts_from_where_its_parent_is_then() -> None:
    """And with the K of a beginner; what the parent does later is its own affair."""
    matches = [
        match([1, 9], (1, 2), number=1, closing_no=1),
        match([2, 9], (1, 2), number=2, closing_no=2),
        match([1, 9], (2, 1), number=3, closing_no=3),
        match([2, 9], (1, 2), number=4, closing_no=4),
    ]
    rows = fold_ratings(matches, parents={2: 1}).rows
    own = [row for row in rows if row.entrant == 2]
    assert [row.before for row in own] == [1520.0, 1520.0 + own[0].delta]
    assert [row.number for row in own] == [1, 2]


@pytest.mark.parametrize(
    ("parents", "first"),
    [({}, 1500.0), ({5: 4, 4: 3, 3: 1}, 1700.0), ({5: 2}, 1300.0), ({5: 4}, 1500.0)],
    ids=["no parent", "nearest rated ancestor", "parent", "parent never rated"],
)
def test_where_a_new_version_starts(parents: dict[int, int], first: float) -> None:
    before = {1: Rated(1700, 50), 2: Rated(1300, 50)}
    rows = fold_ratings([match([2, 5], (1, 1))], before=before, parents=parents).rows
    assert rows[1].before == first


def test_a_parent_and_its_child_in_one_closing_do_not_see_each_others_result() -> None:
    matches = [match([1, 8], (1, 2), number=1), match([2, 9], (1, 2), number=2)]
    rows = fold_ratings(matches, before={1: Rated(1600, 1)}, parents={2: 1, 9: 8}).rows
    assert {row.entrant: row.before for row in rows} == {1: 1600.0, 8: 1500.0, 2: 1600.0, 9: 1500.0}


def test_nobody_is_its_own_ancestor() -> None:
    with pytest.raises(ValueError, match=r"entrant 1 is its own ancestor: \[1, 2\]"):
        fold_ratings([match([1, 9], (1, 2))], parents={1: 2, 2: 1})


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


PARENTS = {version: version - 4 for version in range(5, 13)}
"""Three generations of four bots."""


@settings(max_examples=60)
@given(histories(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_rows_bit_by_bit(matches: list[RatedMatch], chance: random.Random) -> None:
    folded = fold_ratings(matches, parents=PARENTS)
    chance.shuffle(matches)
    seated = [_reseated(each, chance) for each in matches]
    assert fold_ratings(seated, parents=PARENTS) == folded


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
        step = fold_ratings(
            [each for each in matches if each.closing_no == closing_no], before=ratings, parents=PARENTS
        )
        ratings = dict(step.ratings)
        rows += step.rows
    at_once = fold_ratings(matches, parents=PARENTS)
    assert tuple(rows) == at_once.rows
    assert ratings == at_once.ratings


@settings(max_examples=60)
@given(histories(), st.integers(0, 310))
def test_nothing_is_made_or_lost_at_a_table_and_rows_follow_from_their_inputs(
    matches: list[RatedMatch], so_far: int
) -> None:
    """With entrants on every K at one table."""
    before = {version: Rated(1500.0 + 17 * version, so_far * (version % 3)) for version in range(1, 7)}
    rows = fold_ratings(matches, before=before, parents=PARENTS).rows
    for each in matches:
        own = [row for row in rows if row.match == each.match]
        assert [row.entrant for row in own] == sorted(each.entrants)
        assert abs(math.fsum(row.delta / row.k for row in own)) < 1e-9
    for row in rows:
        assert row.delta == elo_delta(row.before, row.k, row.opponents)
        assert row.after == row.before + row.delta
