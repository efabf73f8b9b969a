"""The field of a Swiss round: order, cut, sizes, and what past rounds did."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import Swiss, swisses
from tournaments.formats import Bye, Pairing, PastRound, RoundPairing, swiss_entrants, table_sizes
from tournaments.formats.swiss_field import folded, in_order


@pytest.mark.parametrize(
    ("n", "seats", "sizes"),
    [
        (3, 3, [3]),
        (3, 7, [3]),
        (4, 3, [4]),
        (5, 3, [5]),
        (5, 4, [5]),
        (8, 3, [4, 4]),
        (6, 4, [3, 3]),
        (7, 4, [4, 3]),
        (9, 4, [3, 3, 3]),
        (10, 4, [4, 3, 3]),
        (16, 4, [4, 4, 4, 4]),
        (17, 4, [4, 4, 3, 3, 3]),
        (8, 7, [4, 4]),
        (9, 7, [5, 4]),
        (15, 7, [5, 5, 5]),
    ],
    ids=str,
)
def test_sizes_of_tables(n: int, seats: int, sizes: list[int]) -> None:
    assert table_sizes(n, seats) == sizes


@given(st.integers(3, 3000), st.integers(3, 7))
def test_sizes_differ_by_one_and_none_is_below_three(n: int, seats: int) -> None:
    sizes = table_sizes(n, seats)
    assert sum(sizes) == n
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 3
    assert max(sizes) <= seats or len(sizes) == n // 3 or n < 6
    assert max(sizes) <= min(seats + 2, 7)


@pytest.mark.parametrize(
    ("points", "sizes", "tables"),
    [
        ("00000000", (4, 4), "0246 1357"),
        ("11110000", (2, 2, 2, 2), "02 13 46 57"),
        ("111000", (2, 2, 2), "01 23 45"),
        ("2110", (2, 2), "01 23"),
        ("222111000", (3, 3, 3), "012 345 678"),
        ("2222211110", (4, 3, 3), "0123 456 789"),
        ("0000000", (4, 3), "0246 135"),
        ("3210", (4,), "0123"),
    ],
    ids=str,
)
def test_the_folded_cut(points: str, sizes: Sequence[int], tables: str) -> None:
    assert folded([int(each) for each in points], sizes) == [[int(each) for each in table] for table in tables.split()]


@given(st.lists(st.integers(0, 3), min_size=3, max_size=40), st.integers(3, 7))
def test_the_cut_seats_everybody_once_and_keeps_the_groups_in_order(points: list[int], seats: int) -> None:
    points.sort(reverse=True)
    sizes = table_sizes(len(points), seats)
    tables = folded(points, sizes)
    assert [len(table) for table in tables] == sizes
    assert sorted(place for table in tables for place in table) == list(range(len(points)))
    assert [points[place] for table in tables for place in sorted(table)] == points


def test_what_the_past_rounds_did() -> None:
    past = [
        PastRound(RoundPairing((Pairing((1, 2, 3, 4)), Pairing((5, 6, 7))), byes=(Bye(8),))),
        PastRound(RoundPairing((Pairing((2, 1, 5, 6)), Pairing((7, 3, 4)))), games=2, walkovers=(8,)),
    ]
    one, five, seven, eight, new = swiss_entrants(
        [(1, 70, 1), (5, 70, 2), (7, 71, 3), (8, 72, 4), (9, 73, 5)], {1: Fraction(5, 3)}, past
    )
    assert (one.points, one.owner, one.seed) == (Fraction(5, 3), 70, 1)
    assert dict(one.met) == {2: 2, 3: 1, 4: 1, 5: 1, 6: 1}
    assert one.sat(4) == (1, 1, 1, 0)
    assert one.sat(3) == (0, 0, 0)
    assert (five.short_tables, dict(five.sittings)) == (1, {3: (1, 0, 0), 4: (0, 0, 1, 1)})
    assert (seven.short_tables, seven.sat(3)) == (2, (1, 1, 1))
    assert (eight.byes, dict(eight.met)) == (2, {})
    assert (new.points, new.byes, new.short_tables, dict(new.met), dict(new.sittings)) == (0, 0, 0, {}, {})


@settings(max_examples=50)
@given(swisses(most=12))
def test_meetings_are_mutual(swiss: Swiss) -> None:
    entrants = {entrant.id: entrant for entrant in swiss.entrants}
    for entrant in entrants.values():
        assert entrant.id not in entrant.met
        for other, times in entrant.met.items():
            assert other not in entrants or entrants[other].met[entrant.id] == times


@settings(max_examples=50)
@given(swisses(most=12))
def test_the_order_is_by_points_then_seed(swiss: Swiss) -> None:
    keys = [(-entrant.points, entrant.seed) for entrant in in_order(swiss.entrants)]
    assert keys == sorted(keys)
    assert in_order(reversed(swiss.entrants)) == in_order(swiss.entrants)
