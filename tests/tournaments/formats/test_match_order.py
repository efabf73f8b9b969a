"""Ties inside a match of a bracket."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats import Tie, finishing_order

BY_SEED = (1, 2, 3, 4, 5, 6, 7)


def order(points: str, go_on: int, *games: dict[int, int], most: int = 2) -> str:
    """Points of entrants 1, 2, ...; `1 2 3`, or `tie 1 2`."""
    given_points = {entrant: Fraction(each) for entrant, each in enumerate(points.split(), start=1)}
    found = finishing_order(given_points, BY_SEED, go_on, games, most_more_games=most)
    return f"tie {' '.join(map(str, found.entrants))}" if isinstance(found, Tie) else " ".join(map(str, found))


@pytest.mark.parametrize(
    ("points", "go_on", "games", "expected"),
    [
        pytest.param("0 1", 1, [], "2 1", id="decided"),
        pytest.param("1/2 1/2", 1, [], "tie 1 2", id="level: one more game"),
        pytest.param("1/2 1/2", 1, [{1: 2, 2: 1}], "2 1", id="which decides"),
        pytest.param("1/2 1/2", 1, [{1: 1, 2: 1}], "tie 1 2", id="or not"),
        pytest.param("1/2 1/2", 1, [{1: 1, 2: 1}] * 2, "1 2", id="at last the higher seed"),
        pytest.param("1/2 1/2", 1, [{2: 1}], "2 1", id="who does not come is last"),
        pytest.param("1/2 1/2", 1, [{}], "tie 1 2", id="neither came"),
        pytest.param("1 1 0 0", 2, [], "1 2 3 4", id="a tie above the cut is no matter"),
        pytest.param("1 1/2 1/2 0", 2, [], "tie 2 3", id="only those at the cut play on"),
        pytest.param("1 1/2 1/2 0", 2, [{2: 2, 3: 1}], "1 3 2 4", id="and change nobody else's place"),
        pytest.param("1/2 1/2 1/2 1/2", 2, [{1: 1, 2: 2, 3: 2, 4: 4}], "tie 2 3", id="fewer are left tied"),
        pytest.param("1/2 1/2 1/2 1/2", 2, [{1: 1, 2: 2, 3: 2, 4: 4}, {2: 2, 3: 1}], "1 3 2 4", id="two games on"),
        pytest.param("1/2 1/2 1/2", 1, [{1: 3, 2: 1, 3: 1}, {2: 1, 3: 1}], "2 3 1", id="games come before seeds"),
        pytest.param("0 0", 2, [], "1 2", id="all go on"),
    ],
)
def test_orders(points: str, go_on: int, games: list[dict[int, int]], expected: str) -> None:
    assert order(points, go_on, *games) == expected


def test_no_more_games_are_asked_for_than_allowed() -> None:
    assert order("1/2 1/2", 1, most=0) == "1 2"
    assert order("1/2 1/2", 1, {1: 2, 2: 1}, most=0) == "1 2"


@given(
    st.lists(st.integers(0, 2), min_size=2, max_size=7),
    st.integers(1, 4),
    st.lists(st.dictionaries(st.integers(1, 7), st.integers(1, 3)), max_size=3),
    st.permutations(BY_SEED),
)
def test_an_order_never_puts_fewer_points_first_and_a_tie_is_at_the_cut(
    earned: list[int], go_on: int, games: list[dict[int, int]], by_seed: list[int]
) -> None:
    points = {entrant: Fraction(each) for entrant, each in enumerate(earned, start=1)}
    found = finishing_order(points, by_seed, go_on, games, most_more_games=2)
    if isinstance(found, Tie):
        better = sum(points[entrant] > points[found.entrants[0]] for entrant in points)
        assert len({points[entrant] for entrant in found.entrants}) == 1
        assert better < go_on
        assert sum(points[entrant] >= points[found.entrants[0]] for entrant in points) > go_on
        assert len(games) < 2
        assert list(found.entrants) == sorted(found.entrants, key=by_seed.index)
        return
    assert sorted(found) == sorted(points)
    assert all(points[a] >= points[b] for a, b in product(found, found) if found.index(a) < found.index(b))
