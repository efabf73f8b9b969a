"""Seats: balanced where tables are known ahead, least spread where they are not."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats import Pairing
from tournaments.formats.seats import cheapest_assignment, equitable_seats, fairest_order, sittings_after, spread


@st.composite
def tables_of_one_size(draw: st.DrawFn) -> list[list[int]]:
    seats = draw(st.integers(2, 7))
    entrants = range(draw(st.integers(seats, 12)))
    return draw(st.lists(st.permutations(entrants).map(lambda order: list(order[:seats])), max_size=25))


@given(tables_of_one_size())
def test_any_tables_can_be_seated_within_one_all_along(tables: list[list[int]]) -> None:
    seated = equitable_seats(tables)
    assert [sorted(order) for order in seated] == [sorted(table) for table in tables]
    sat: dict[int, Counter[int]] = {}
    for order in seated:
        for seat, entrant in enumerate(order):
            sat.setdefault(entrant, Counter())[seat] += 1
        for entrant in order:
            assert spread([sat[entrant][seat] for seat in range(len(order))]) <= 1


@given(st.integers(2, 7), st.integers(1, 20), st.data())
def test_sittings_follow_the_seat_orders(size: int, games: int, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, size - 1))
    table = Pairing(tuple(range(size)))
    counted = Counter(table.seat_order(game).index(seat) for game in range(1, games + 1))
    assert sittings_after((0,) * size, seat, games) == tuple(counted[other] for other in range(size))


@given(
    st.integers(2, 5).flatmap(
        lambda size: st.lists(st.tuples(*[st.integers(0, 4)] * size), min_size=size, max_size=size)
    ),
    st.integers(1, 5),
    st.binary(max_size=2),
)
def test_no_order_leaves_a_smaller_spread(sittings: list[tuple[int, ...]], games: int, lots: bytes) -> None:
    def spreads(order: tuple[int, ...]) -> list[int]:
        after = (spread(sittings_after(sittings[entrant], seat, games)) for seat, entrant in enumerate(order))
        return sorted(after, reverse=True)

    order = fairest_order(dict(enumerate(sittings)), games, lots)
    assert sorted(order) == list(range(len(sittings)))
    assert spreads(order) == min(spreads(other) for other in permutations(range(len(sittings))))


def test_equals_are_seated_by_lot() -> None:
    equals = dict.fromkeys((11, 12, 13, 14), (0, 0, 0, 0))
    orders = {fairest_order(equals, 1, bytes([lots])) for lots in range(40)}
    assert len(orders) > 15
    assert fairest_order(equals, 1, b"a") == fairest_order(dict(reversed(equals.items())), 1, b"a")


@pytest.mark.parametrize(
    ("sittings", "seat", "games", "after"),
    [((1, 0), 1, 1, (1, 1)), ((0, 0, 0), 2, 2, (1, 0, 1)), ((2, 1, 1, 1), 1, 5, (3, 3, 2, 2))],
)
def test_a_match_begun_in_a_seat(sittings: tuple[int, ...], seat: int, games: int, after: tuple[int, ...]) -> None:
    assert sittings_after(sittings, seat, games) == after


@given(
    st.integers(1, 6).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 5) | st.integers(1 << 160, 1 << 170), min_size=size, max_size=size),
            min_size=size,
            max_size=size,
        )
    )
)
def test_no_assignment_is_cheaper(cost: list[list[int]]) -> None:
    def total(rows: tuple[int, ...] | list[int]) -> int:
        return sum(cost[row][column] for column, row in enumerate(rows))

    assigned = cheapest_assignment(cost)
    assert sorted(assigned) == list(range(len(cost)))
    assert total(assigned) == min(map(total, permutations(range(len(cost)))))


@pytest.mark.parametrize("size", [8, 14])
def test_a_large_table_balances_its_seats(size: int) -> None:
    """Round after round of the same table: nobody sits anywhere a second time before sitting everywhere once."""
    sat = dict.fromkeys(range(size), (0,) * size)
    for number in range(size + 1):
        order = fairest_order(sat, 1, bytes([number]))
        sat = {entrant: sittings_after(sat[entrant], seat, 1) for seat, entrant in enumerate(order)}
        assert max(map(spread, sat.values())) <= 1
