"""Round robin: who meets, how often, in which seats."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats import NotEnoughEntrants, RoundRobinPlan, round_robin_plan, round_robin_size
from tournaments.formats.designs import STARTERS, design_rounds
from tournaments.formats.even_meetings import rounds_needed, rounds_planned, searched
from tournaments.formats.galois import field_of
from tournaments.formats.round_robin import SEARCH_STEPS

# FIDE Handbook C.05, annex 1: Berger tables.
BERGER = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4"
    " | 4-8 5-3 6-2 7-1",
}

# (entrants, seats): rounds, how often every pair meets.
DESIGNS = {
    (8, 4): (7, 3),
    (9, 3): (4, 1),
    (12, 4): (11, 3),
    (13, 4): (13, 3),
    (15, 3): (7, 1),
    (16, 4): (5, 1),
    (25, 5): (6, 1),
    (27, 3): (13, 1),
    (49, 7): (8, 1),
    (64, 4): (21, 1),
    (5, 4): (5, 3),
    (6, 3): (10, 4),
    (7, 3): (7, 2),
    (9, 4): (9, 3),
    (11, 5): (11, 4),
    (13, 6): (13, 5),
    (28, 4): (9, 1),
}


def meetings(plan: RoundRobinPlan) -> Counter[tuple[int, int]]:
    tables = [table for each in plan.rounds for table in each.tables]
    return Counter(pair for table in tables for pair in combinations(sorted(table.entrants), 2))


def check_plan(plan: RoundRobinPlan, entrants: list[int]) -> None:
    """What holds of every plan."""
    met = meetings(plan)
    counts = [met[pair] for pair in combinations(sorted(entrants), 2)]
    assert (min(counts), max(counts)) == (plan.least_meetings, plan.most_meetings)
    assert sum(len(each.tables) for each in plan.rounds) == plan.matches
    for each in plan.rounds:
        seated = [entrant for table in each.tables for entrant in table.entrants]
        assert sorted([*seated, *each.sitting_out]) == sorted(entrants)
        assert not each.byes
    sittings: dict[int, Counter[int]] = {entrant: Counter() for entrant in entrants}
    for seat, entrant in (
        each for plan_round in plan.rounds for table in plan_round.tables for each in enumerate(table.entrants)
    ):
        sittings[entrant][seat] += 1
    seats = range(min(plan.seats, len(entrants)))
    spreads = [max(sat[seat] for seat in seats) - min(sat[seat] for seat in seats) for sat in sittings.values()]
    assert max(spreads) == plan.seat_spread <= 1


@pytest.mark.parametrize("n", BERGER)
def test_two_seats_are_the_berger_tables(n: int) -> None:
    plan = round_robin_plan(range(1, n + 1))
    rounds = [" ".join("-".join(map(str, table.entrants)) for table in each.tables) for each in plan.rounds]
    assert " | ".join(rounds) == BERGER[n]


@pytest.mark.parametrize("n", range(2, 23))
@pytest.mark.parametrize("laps", [1, 2, 3])
def test_two_seats_meet_once_a_lap(n: int, laps: int) -> None:
    entrants = [10 * index for index in range(n)]
    plan = round_robin_plan(entrants, 2, laps=laps)
    check_plan(plan, entrants)
    assert set(meetings(plan).values()) == {laps}
    assert plan.is_design
    assert len(plan.rounds) == laps * (n - 1 + n % 2)
    assert all(len(each.sitting_out) == n % 2 for each in plan.rounds)


def test_a_second_lap_swaps_the_seats() -> None:
    plan = round_robin_plan(range(6), 2, laps=2)
    tables = [table.entrants for each in plan.rounds for table in each.tables]
    assert sorted(tables) == sorted({*tables} | {table[::-1] for table in tables})


@pytest.mark.parametrize(("n", "seats"), DESIGNS, ids=str)
def test_designs_meet_equally_often(n: int, seats: int) -> None:
    entrants = list(range(1, n + 1))
    plan = round_robin_plan(entrants, seats)
    check_plan(plan, entrants)
    rounds, each_pair = DESIGNS[n, seats]
    assert (len(plan.rounds), plan.least_meetings, plan.most_meetings) == (rounds, each_pair, each_pair)
    assert plan.is_design
    assert all(len(each.tables) == n // seats for each in plan.rounds)


@pytest.mark.parametrize(
    ("n", "seats"),
    sorted(
        {*STARTERS} | {(n, seats) for seats in range(3, 8) for n in range(seats + 1, 51) if design_rounds(n, seats)}
    ),
    ids=str,
)
def test_every_design_that_is_stored_or_built_is_one(n: int, seats: int) -> None:
    rounds = design_rounds(n, seats)
    assert rounds is not None
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[int] = Counter()
    for tables in rounds:
        seated = [entrant for table in tables for entrant in table]
        assert len(set(seated)) == len(seated) == n // seats * seats
        assert {len(table) for table in tables} == {seats}
        sat.update(seated)
        met.update(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len({met[pair] for pair in combinations(range(n), 2)}) == 1
    assert len({sat[entrant] for entrant in range(n)}) == 1


@pytest.mark.parametrize("seats", range(3, 8))
def test_up_to_a_table_full_all_meet_at_one_table(seats: int) -> None:
    for n in range(3, seats + 1):
        plan = round_robin_plan(range(n), seats, laps=2)
        check_plan(plan, list(range(n)))
        assert (len(plan.rounds), plan.matches, plan.least_meetings, plan.most_meetings) == (2, 2, 2, 2)


@pytest.mark.parametrize(
    ("n", "seats", "rounds", "least", "most"),
    [(6, 4, 3, 1, 2), (8, 3, 8, 1, 2), (10, 4, 10, 2, 3), (11, 4, 11, 2, 3), (14, 4, 7, 1, 2), (12, 7, 12, 3, 4)],
    ids=str,
)
def test_without_a_design_meetings_are_as_even_as_the_search_gets(
    n: int, seats: int, rounds: int, least: int, most: int
) -> None:
    entrants = list(range(n))
    plan = round_robin_plan(entrants, seats)
    check_plan(plan, entrants)
    assert not plan.is_design
    assert (len(plan.rounds), plan.least_meetings, plan.most_meetings) == (rounds, least, most)
    assert len({sum(entrant in each.sitting_out for each in plan.rounds) for entrant in entrants}) == 1


@pytest.mark.parametrize(
    ("n", "seats"), [*DESIGNS, (14, 2), (15, 2), (3, 4), (4, 4), (10, 4), (11, 4), (61, 3)], ids=str
)
@pytest.mark.parametrize("laps", [1, 2])
def test_the_size_of_a_plan_is_known_before(n: int, seats: int, laps: int) -> None:
    size = round_robin_size(n, seats, laps=laps)
    plan = round_robin_plan(range(n), seats, laps=laps, steps=0)
    assert (size.rounds, size.matches, size.is_design) == (len(plan.rounds), plan.matches, plan.is_design)
    assert {len(each.tables) for each in plan.rounds} == {size.tables}
    assert {table.size for each in plan.rounds for table in each.tables} == {size.table_seats}


def test_the_size_of_a_large_field_is_known_before() -> None:
    size = round_robin_size(2401, 7)
    assert (size.rounds, size.matches, size.is_design) == (400, 400 * 343, True)


@pytest.mark.parametrize(("n", "seats"), [(10, 4), (12, 5), (14, 6), (18, 5), (15, 6)], ids=str)
def test_more_rounds_are_planned_only_where_a_pair_would_never_meet(n: int, seats: int) -> None:
    assert rounds_planned(n, seats) > rounds_needed(n, seats)
    assert searched(n, seats, rounds_needed(n, seats), SEARCH_STEPS).least_meetings() == 0
    assert searched(n, seats, rounds_planned(n, seats), SEARCH_STEPS).least_meetings() > 0


@pytest.mark.parametrize(("count", "seats", "needed"), [(1, 2, 2), (2, 3, 3)])
def test_no_size_for_too_few(count: int, seats: int, needed: int) -> None:
    with pytest.raises(NotEnoughEntrants, match=f"{count} active entrants: a round needs at least {needed}"):
        round_robin_size(count, seats)


@settings(max_examples=60)
@given(st.integers(3, 30), st.integers(2, 7), st.integers(1, 3))
def test_every_plan_is_sound(n: int, seats: int, laps: int) -> None:
    plan = round_robin_plan(range(n), seats, laps=laps, steps=2_000)
    check_plan(plan, list(range(n)))
    assert plan == round_robin_plan(range(n), seats, laps=laps, steps=2_000)


@pytest.mark.parametrize(
    ("entrants", "seats", "laps", "message"),
    [
        ([1, 2, 3], 1, 1, "tables of 1 seats: 2 to 14"),
        ([1, 2, 3], 15, 1, "tables of 15 seats: 2 to 14"),
        ([1, 2, 3], 2, 0, "laps is 0: at least 1"),
        ([1, 2, 3, 2], 2, 1, "entrant 2 is given twice"),
    ],
)
def test_what_cannot_be_planned(entrants: list[int], seats: int, laps: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        round_robin_plan(entrants, seats, laps=laps)


@pytest.mark.parametrize(("count", "seats", "needed"), [(0, 2, 2), (1, 2, 2), (2, 3, 3), (2, 7, 3)])
def test_too_few_entrants_are_refused_with_the_number_needed(count: int, seats: int, needed: int) -> None:
    with pytest.raises(NotEnoughEntrants, match=f"{count} active entrants: a round needs at least {needed}") as refusal:
        round_robin_plan(range(count), seats)
    assert (refusal.value.active, refusal.value.needed, refusal.value.code) == (count, needed, "not_enough_entrants")


@pytest.mark.parametrize("order", [4, 5, 7, 8, 9, 16, 25, 27, 49, 121])
def test_the_fields_are_fields(order: int) -> None:
    field = field_of(order)
    assert field is not None
    assert sorted(field.powers()) == list(range(1, order))
    assert all(sorted(field.add(a, b) for b in range(order)) == list(range(order)) for a in range(0, order, 7))
    # Multiplying by the generator distributes over addition.
    times_x = {0: 0} | dict(zip(field.powers(), [*field.powers()[1:], 1], strict=True))
    assert all(
        times_x[field.add(a, b)] == field.add(times_x[a], times_x[b]) for a in range(order) for b in range(0, order, 5)
    )


@pytest.mark.parametrize("order", [1, 6, 10, 12, 15, 100])
def test_other_orders_have_no_field(order: int) -> None:
    assert field_of(order) is None


@pytest.mark.parametrize(
    ("n", "seats", "rounds", "meetings"),
    [(64, 8, 9, 1), (81, 9, 10, 1), (9, 8, 9, 7), (29, 14, 29, 13), (14, 14, 1, 1)],
)
def test_designs_of_large_tables(n: int, seats: int, rounds: int, meetings: int) -> None:
    plan = round_robin_plan(range(n), seats)
    assert (len(plan.rounds), plan.least_meetings, plan.most_meetings, plan.is_design) == (
        rounds,
        meetings,
        meetings,
        True,
    )
    assert plan.seat_spread <= 1
    assert round_robin_size(n, seats).rounds == rounds
