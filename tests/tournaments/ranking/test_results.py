"""Points of a match."""

import doctest
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import places
from tournaments.ranking import (
    GameResult,
    Result,
    ResultKind,
    absent,
    bye,
    match_points,
    pair_scores,
    played,
    results,
    tiebreaks,
    void,
    walkover,
)


def some_games() -> st.SearchStrategy[list[tuple[int, ...]]]:
    return st.integers(2, 7).flatmap(lambda size: st.lists(places(size), min_size=1, max_size=4))


@pytest.mark.parametrize(
    ("games", "points"),
    [
        ([(1, 2)], "1 0"),
        ([(1, 1)], "1/2 1/2"),
        ([(1, 2, 3, 4)], "1 2/3 1/3 0"),
        ([(4, 1, 1, 3)], "0 5/6 5/6 1/3"),
        ([(1, 2, 2, 4)], "1 1/2 1/2 0"),
        ([(1, 1, 1, 1, 1, 1, 1)], "1/2 1/2 1/2 1/2 1/2 1/2 1/2"),
        ([(1, 2, 3), (3, 2, 1)], "1/2 1/2 1/2"),
        ([(1, 2), (1, 2), (2, 1)], "2/3 1/3"),
    ],
    ids=str,
)
def test_points_are_the_share_of_opponents_beaten(games: Sequence[Sequence[int]], points: str) -> None:
    assert match_points(games) == tuple(Fraction(each) for each in points.split())


@given(some_games())
def test_the_mean_at_a_table_is_a_half_whatever_its_size(games: list[tuple[int, ...]]) -> None:
    points = match_points(games)
    assert sum(points) == Fraction(len(points), 2)
    assert all(0 <= each <= 1 for each in points)


@given(some_games())
def test_a_pair_shares_one_point(games: list[tuple[int, ...]]) -> None:
    scores = pair_scores(games)
    assert all(scores[i][j] + scores[j][i] == 1 for i in range(len(scores)) for j in range(len(scores)))


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([], "no games"),
        ([(1,)], r"places \(1,\): expected 2 places, the best of them 1"),
        ([(2, 3)], r"places \(2, 3\): expected 2 places, the best of them 1"),
        ([(1, 2, 3), (1, 2)], r"places \(1, 2\): expected 3 places, the best of them 1"),
    ],
)
def test_places_that_make_no_game(games: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        match_points(games)


HALF, ONE, NONE = Fraction(1, 2), Fraction(1), Fraction(0)


@pytest.mark.parametrize(
    ("result", "kind", "entrants", "points"),
    [
        (bye(3, 7), ResultKind.BYE, (7,), (ONE,)),
        (absent(3, 7), ResultKind.ABSENT, (7,), (NONE,)),
        (void(3, [7, 8, 9]), ResultKind.VOID, (7, 8, 9), (HALF, HALF, HALF)),
        (walkover(3, [7, 8, 9], 8), ResultKind.WALKOVER, (7, 8, 9), (NONE, ONE, NONE)),
        (walkover(3, [7, 8], None), ResultKind.WALKOVER, (7, 8), (NONE, NONE)),
        (played(3, [7, 8], [GameResult((2, 1), (50, 20))]), ResultKind.PLAYED, (7, 8), (NONE, ONE)),
        (played(3, [7, 8], [GameResult((2, 1), (50, 20))], [HALF, HALF]), ResultKind.PLAYED, (7, 8), (HALF, HALF)),
    ],
    ids=["bye", "absent", "void", "walkover", "nobody came", "played", "points of a deal set"],
)
def test_what_a_round_gives(
    result: Result, kind: ResultKind, entrants: tuple[int, ...], points: tuple[Fraction, ...]
) -> None:
    assert (result.tournament_round, result.kind, result.entrants, result.points) == (3, kind, entrants, points)


def test_a_walkover_is_won_by_one_of_the_table() -> None:
    with pytest.raises(ValueError, match=r"entrant 5 is not at the table \(7, 8\)"):
        walkover(1, [7, 8], 5)


def test_the_examples_in_the_documentation() -> None:
    for module in (results, tiebreaks):
        outcome = doctest.testmod(module)
        assert outcome.attempted
        assert not outcome.failed


@pytest.mark.parametrize(
    "game",
    [GameResult((1, 2, 3), (1, 2)), GameResult((1, 2), (1, 2)), GameResult((1, 2, 3), (1, 2, 3), (True,))],
    ids=["scores", "places", "retired"],
)
def test_games_run_parallel_to_the_entrants(game: GameResult) -> None:
    with pytest.raises(ValueError, match="does not run parallel to the entrants"):
        played(1, [7, 8, 9], [game])
