"""Points and margins where several tables play one deal."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ranking import GameResult, margins, match_points, round_points, set_margins


def table(
    scores: Sequence[int], *, seats: Sequence[int] = (), deal_set: int | None = 1, retired: Sequence[int] = ()
) -> GameResult:
    """A game by its scores; who retired shares the last place."""
    gone = [at in retired for at in range(len(scores))]
    order = [(is_gone, 0 if is_gone else score) for is_gone, score in zip(gone, scores, strict=True)]
    places = tuple(1 + sum(other < own for other in order) for own in order)
    return GameResult(places, tuple(scores), tuple(gone), tuple(seats or range(len(scores))), deal_set)


def texts(points: Sequence[Sequence[Fraction | None]]) -> list[str]:
    return [" ".join(map(str, row)) for row in points]


def test_who_held_the_same_seat_is_compared_by_margin() -> None:
    """Seat 0 has margins 10, 25, -20; seat 1 -5, -20, 55; seat 2 -5, -5, -35."""
    matches = [[table([10, 20, 20])], [table([10, 40, 30])], [table([60, 10, 70])]]
    assert texts(margins(games[0]) for games in matches) == ["10 -5 -5", "25 -20 -5", "-20 55 -35"]
    assert texts(round_points(matches)) == ["1/2 1/2 3/4", "1 0 3/4", "0 1 0"]


def test_entrants_may_be_named_in_another_order_than_they_sit() -> None:
    named = [[table([20, 10, 20], seats=[2, 0, 1])], [table([40, 30, 10], seats=[1, 2, 0])], [table([60, 10, 70])]]
    assert texts(round_points(named)) == ["3/4 1/2 1/2", "0 3/4 1", "0 1 0"]


def test_two_tables_are_too_few() -> None:
    assert texts(round_points([[table([10, 20, 20])], [table([10, 40, 30])]])) == ["1 1/4 1/4", "1 0 1/2"]


def test_a_table_with_a_retired_seat_leaves_its_set() -> None:
    whole = [[table([10, 20, 20])], [table([10, 40, 30])], [table([60, 10, 70])]]
    fourth = [table([90, 5, 40], retired=[1])]
    assert texts(round_points([*whole, fourth])) == ["1/2 1/2 3/4", "1 0 3/4", "0 1 0", "1/2 0 1"]
    assert texts(round_points([*whole[:2], fourth])) == ["1 1/4 1/4", "1 0 1/2", "1/2 0 1"]


def test_a_game_with_a_deal_of_its_own_gives_the_share_at_its_table() -> None:
    """As after a replacement seed."""
    whole = [[table([10, 20, 20])], [table([10, 40, 30])], [table([60, 10, 70])]]
    assert texts(round_points([*whole, [table([10, 20, 30], deal_set=None)]]))[3] == "1 1/2 0"


def test_a_match_is_the_mean_of_its_games_in_their_sets() -> None:
    first, second = [[10, 20, 20], [10, 40, 30], [60, 10, 70]], [10, 20, 30]
    matches = [[table(scores), table(second, deal_set=2)] for scores in first]
    assert texts(round_points(matches)) == ["1/2 1/2 5/8", "3/4 1/4 5/8", "1/4 3/4 1/4"]


def test_a_rotated_deal_is_one_result() -> None:
    """50, 60, 60 in all: the games by themselves would give 1/2 each."""
    games = [table([10, 20, 30], seats=[0, 1, 2]), table([40, 40, 30], seats=[1, 2, 0])]
    assert texts(round_points([games])) == ["1 1/4 1/4"]


def test_a_rotated_deal_in_which_a_seat_retired_counts_game_by_game() -> None:
    """The other three games would be tables enough for a comparison of seats."""
    turned = [table([10, 20], seats=seats) for seats in ([0, 1], [1, 0], [0, 1])]
    assert texts(round_points([[*turned, table([90, 5], retired=[1])]])) == ["1 0"]


@pytest.mark.parametrize(
    "other",
    [table([10, 20]), GameResult((1, 2, 3), (10, 20, 30), deal_set=1)],
    ids=["another size", "seats not known"],
)
def test_tables_that_cannot_be_of_one_set(other: GameResult) -> None:
    with pytest.raises(ValueError, match="deal set 1: seats"):
        round_points([[table([10, 20, 20])], [table([10, 40, 30])], [other]])


def test_a_retired_seat_has_the_worst_margin_of_its_set() -> None:
    games = [table([10, 20, 30], retired=[1]), table([0, 0, 200])]
    assert texts(set_margins(games)) == ["20 -200 -20", "100 100 -200"]
    assert texts(set_margins(games[:1])) == ["20 -15 -20"]


@st.composite
def deals(draw: st.DrawFn) -> list[list[GameResult]]:
    size, tables = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    scores = st.lists(st.integers(0, 6), min_size=size, max_size=size)
    seats = st.permutations(range(size))
    return [[table(draw(scores), seats=draw(seats))] for _ in range(tables)]


@given(deals(), st.randoms(use_true_random=False))
def test_the_mean_of_a_set_is_a_half_and_order_means_nothing(
    matches: list[list[GameResult]], chance: random.Random
) -> None:
    points = round_points(matches)
    assert sum(sum(row) for row in points) == Fraction(sum(len(row) for row in points), 2)
    assert all(0 <= each <= 1 for row in points for each in row)
    order = chance.sample(range(len(matches)), len(matches))
    assert round_points([matches[at] for at in order]) == tuple(points[at] for at in order)
    if len(matches) < 3:
        assert points == tuple(match_points([games[0].places]) for games in matches)


@given(deals())
def test_the_margins_of_a_table_add_up_to_nothing(matches: list[list[GameResult]]) -> None:
    assert all(sum(each or 0 for each in margins(games[0])) == 0 for games in matches)


@given(deals(), st.data())
def test_who_leaves_a_set_changes_nothing_among_the_others(
    matches: list[list[GameResult]], data: st.DataObject
) -> None:
    """A table with a retired seat or a deal of its own gives the share at the table; the rest are as if it had not been."""
    leaves = data.draw(
        st.lists(st.sampled_from(["", "retired", "replaced"]), min_size=len(matches), max_size=len(matches))
    )
    left = [
        [replace(games[0], retired=(True, *[False] * (len(games[0].scores) - 1)))]
        if how == "retired"
        else [replace(games[0], deal_set=None)]
        if how == "replaced"
        else games
        for games, how in zip(matches, leaves, strict=True)
    ]
    points = round_points(left)
    staying = [at for at, how in enumerate(leaves) if not how]
    assert tuple(points[at] for at in staying) == round_points([matches[at] for at in staying])
    for at, how in enumerate(leaves):
        if how:
            assert points[at] == match_points([left[at][0].places])


@given(deals(), st.data())
def test_a_larger_margin_is_never_worth_less(matches: list[list[GameResult]], data: st.DataObject) -> None:
    """Whoever saves card points has as many points as before or more, those who held its seat elsewhere as many or fewer."""
    at = data.draw(st.integers(0, len(matches) - 1))
    game = matches[at][0]
    who = data.draw(st.integers(0, len(game.scores) - 1))
    saved = data.draw(st.integers(0, 6))
    scores = [score - saved * (other == who) for other, score in enumerate(game.scores)]
    better = table(scores, seats=game.seats)
    before, after = round_points(matches), round_points([*matches[:at], [better], *matches[at + 1 :]])
    assert after[at][who] >= before[at][who]
    held = game.seats[who]
    for number, games in enumerate(matches):
        if number != at:
            same_seat = games[0].seats.index(held)
            assert after[number][same_seat] <= before[number][same_seat]
