"""Swiss at tables of three seats or more."""

import random
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import Swiss, add_points, swisses
from tests.tournaments.formats.brute import check_round, clashes, partitions, tables_of
from tournaments.formats import (
    NoteKind,
    NotEnoughEntrants,
    PastRound,
    RoundPairing,
    SwissEntrant,
    pair_swiss,
    swiss_entrants,
    table_sizes,
)
from tournaments.formats.swiss_walk import THREES_WINDOW, Walk
from tournaments.formats.swiss_weights import weights_of

Places = Callable[[random.Random, Sequence[int]], list[int]]


def by_skill(chance: random.Random, table: Sequence[int]) -> list[int]:
    """Low ids are strong, with some luck."""
    order = sorted(table, key=lambda entrant: entrant + chance.gauss(0, 8))
    return [order.index(entrant) + 1 for entrant in table]


def by_luck(chance: random.Random, table: Sequence[int]) -> list[int]:
    return chance.sample(range(1, len(table) + 1), len(table))


def with_ties(chance: random.Random, table: Sequence[int]) -> list[int]:
    drawn = [chance.randint(1, 2) for _ in table]
    return [1 + sum(other < own for other in drawn) for own in drawn]


def play(
    count: int, owners: int, seats: int, rounds: int, *, seed: int, places: Places, trusted: bool = False
) -> list[tuple[RoundPairing, Swiss]]:
    """A whole Swiss; owner of entrant i is i mod owners."""
    chance = random.Random(seed)
    active = tuple((number, number % owners, number) for number in range(1, count + 1))
    points: dict[int, Fraction] = {}
    past: list[PastRound] = []
    played = []
    for number in range(1, rounds + 1):
        entrants = swiss_entrants(active, points, past)
        pairing = pair_swiss(entrants, seats, trusted=trusted, lots=bytes([seed]), rounds_after=rounds - number)
        played.append((pairing, Swiss(seats, trusted, active, tuple(past), dict(points))))
        past.append(PastRound(pairing))
        add_points(points, pairing, [places(chance, table.entrants) for table in pairing.tables])
    return played


@pytest.mark.parametrize("places", [by_skill, by_luck, with_ties])
@pytest.mark.parametrize("seed", range(5))
def test_32_bots_of_eight_owners_for_four_rounds(seed: int, places: Places) -> None:
    """No rematch, no owner twice at a table."""
    for pairing, swiss in play(32, 8, 4, 4, seed=seed, places=places):
        check_round(pairing, swiss)
        assert [table.size for table in pairing.tables] == [4] * 8
        assert pairing.notes == ()


@pytest.mark.parametrize("places", [by_skill, by_luck, with_ties])
@pytest.mark.parametrize("seed", range(5))
def test_16_trusted_bots_for_four_rounds(seed: int, places: Places) -> None:
    """There is room for five rounds in which nobody meets twice, but not after any three: this takes looking ahead."""
    for pairing, swiss in play(16, 8, 4, 4, seed=seed, places=places, trusted=True):
        check_round(pairing, swiss)
        assert pairing.notes == ()


def test_nine_at_tables_of_three_meet_all_others_in_four_rounds() -> None:
    played = play(9, 9, 3, 4, seed=1, places=by_skill)
    assert all(pairing.notes == () for pairing, _ in played)
    pairs = [
        frozenset(pair) for pairing, _ in played for table in pairing.tables for pair in combinations(table.entrants, 2)
    ]
    assert len(set(pairs)) == 36


def test_the_best_table_comes_first() -> None:
    entrants = [SwissEntrant(n, n, n, Fraction(n // 4)) for n in range(12)]
    tables = [set(table.entrants) for table in pair_swiss(entrants, 4).tables]
    assert tables == [{8, 9, 10, 11}, {4, 5, 6, 7}, {0, 1, 2, 3}]


def test_the_first_round_spreads_the_seeds() -> None:
    entrants = [SwissEntrant(n, n, n) for n in range(16)]
    tables = [sorted(table.entrants) for table in pair_swiss(entrants, 4).tables]
    assert tables == [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("seats", [3, 7])
def test_fewer_than_three_are_refused(count: int, seats: int) -> None:
    entrants = [SwissEntrant(n, n, n) for n in range(count)]
    with pytest.raises(NotEnoughEntrants, match=f"{count} active entrants: a round needs at least 3") as refusal:
        pair_swiss(entrants, seats)
    assert (refusal.value.active, refusal.value.needed) == (count, 3)


@pytest.mark.parametrize(("count", "seats"), [(4, 3), (5, 4), (5, 3), (8, 3)])
def test_a_table_may_exceed_its_seats_but_there_is_no_bye(count: int, seats: int) -> None:
    pairing = pair_swiss([SwissEntrant(n, n, n) for n in range(count)], seats)
    assert [table.size for table in pairing.tables] == table_sizes(count, seats)
    assert not pairing.byes
    assert not pairing.sitting_out


def weighed(tables: list[list[SwissEntrant]], swiss: Swiss) -> tuple[int, ...]:
    """Owners, rematches, short tables again, squared point spread."""
    largest = max(map(len, tables))
    again = sum(entrant.short_tables for table in tables if len(table) < largest for entrant in table)
    sixtieths = ([round(60 * entrant.points) for entrant in table] for table in tables)
    return (*clashes(tables, swiss.trusted), again, sum((max(each) - min(each)) ** 2 for each in sixtieths))


@settings(max_examples=100)
@given(swisses(seats=st.integers(3, 7), most=9, rounds=3))
def test_nothing_is_given_up_that_could_be_kept(swiss: Swiss) -> None:
    pairing = pair_swiss(swiss.entrants, swiss.seats, trusted=swiss.trusted)
    check_round(pairing, swiss)
    entrants = swiss.entrants
    sizes = tuple(table_sizes(len(entrants), swiss.seats))
    assert sorted(sizes) == sorted(table.size for table in pairing.tables)
    every = partitions(tuple(range(len(entrants))), sizes)
    best = min(weighed([[entrants[index] for index in table] for table in tables], swiss) for tables in every)
    assert weighed(tables_of(pairing, swiss), swiss) == best
    assert all(note.is_proved for note in pairing.notes if note.kind in ("same_owner", "rematch"))


@settings(max_examples=15)
@given(swisses(seats=st.integers(3, 7), least=10, most=20, rounds=2), st.booleans())
def test_larger_fields_are_sound(swiss: Swiss, looks_ahead: bool) -> None:
    pairing = pair_swiss(swiss.entrants, swiss.seats, trusted=swiss.trusted, rounds_after=int(looks_ahead))
    check_round(pairing, swiss)
    sizes = table_sizes(len(swiss.entrants), swiss.seats)
    assert sorted(table.size for table in pairing.tables) == sorted(sizes)
    proved = len(swiss.entrants) <= 12
    assert all(note.is_proved == proved for note in pairing.notes if note.kind in ("same_owner", "rematch"))
    check_no_exchange_gains(tables_of(pairing, swiss), swiss)


@pytest.mark.parametrize("seed", range(3))
def test_no_exchange_gains_in_a_field_beyond_looking_at_everything(seed: int) -> None:
    for pairing, swiss in play(44, 15, 4, 3, seed=seed, places=by_skill):
        check_no_exchange_gains(tables_of(pairing, swiss), swiss, apart=8)


def check_no_exchange_gains(tables: list[list[SwissEntrant]], swiss: Swiss, apart: int = 40) -> None:
    """No two at near tables could change places for less point spread or fairer short tables at no other cost."""
    *before, again, spread = weighed(tables, swiss)
    near = (pair for pair in combinations(range(len(tables)), 2) if pair[1] - pair[0] < apart)
    for one, other in ((tables[upper], tables[lower]) for upper, lower in near):
        for i, j in product(range(len(one)), range(len(other))):
            one[i], other[j] = other[j], one[i]
            *after, again_after, spread_after = weighed(tables, swiss)
            assert after > before or (again_after, spread_after) >= (again, spread)
            one[i], other[j] = other[j], one[i]


@settings(max_examples=15)
@given(swisses(seats=st.integers(3, 5), least=13, most=16, rounds=3))
def test_no_exchange_of_three_gains(swiss: Swiss) -> None:
    """Beyond the fields in which all pairings are looked at."""
    pairing = pair_swiss(swiss.entrants, swiss.seats, trusted=swiss.trusted)
    check_round(pairing, swiss)
    check_no_three_gain(tables_of(pairing, swiss), swiss)


def check_no_three_gain(tables: list[list[SwissEntrant]], swiss: Swiss) -> None:
    """No three at near tables could move on, each to the next one's table, for less of what weighs most."""
    before = weighed(tables, swiss)
    for triple in permutations(range(len(tables)), 3):
        if triple[0] != min(triple) or max(triple) - triple[0] > THREES_WINDOW:
            continue
        one, two, three = (tables[table] for table in triple)
        for i, j, k in product(range(len(one)), range(len(two)), range(len(three))):
            one[i], two[j], three[k] = three[k], one[i], two[j]
            assert weighed(tables, swiss) >= before
            one[i], two[j], three[k] = two[j], three[k], one[i]


@settings(max_examples=15)
@given(swisses(seats=st.integers(3, 7), most=18, rounds=2), st.randoms(use_true_random=False), st.binary(max_size=3))
def test_the_order_of_the_entrants_changes_nothing(swiss: Swiss, chance: random.Random, lots: bytes) -> None:
    shuffled = list(swiss.entrants)
    chance.shuffle(shuffled)
    paired = pair_swiss(swiss.entrants, swiss.seats, trusted=swiss.trusted, lots=lots)
    assert pair_swiss(shuffled, swiss.seats, trusted=swiss.trusted, lots=lots) == paired


def test_short_tables_go_round() -> None:
    """30 at tables of four leave two tables of three: with 22 others at hand nobody needs it twice in four rounds."""
    for pairing, swiss in play(30, 30, 4, 4, seed=3, places=by_skill):
        short = [entrant for table in tables_of(pairing, swiss) if len(table) == 3 for entrant in table]
        assert all(entrant.short_tables == 0 for entrant in short)
        assert not [note for note in pairing.notes if note.kind == "short_table_again"]


def test_a_short_table_again_is_said() -> None:
    """Six of seven owners' bots have met all but each other: the short table must take one that had it before."""
    entrants = [
        SwissEntrant(n, owner, n, short_tables=short)
        for n, (owner, short) in enumerate([(1, 1), (1, 1), (2, 0), (2, 0), (3, 0), (3, 0), (4, 0)])
    ]
    at_short = {e for table in pair_swiss(entrants, 4).tables if table.size == 3 for e in table.entrants}
    notes = [note for note in pair_swiss(entrants, 4).notes if note.kind == "short_table_again"]
    assert len(at_short & {0, 1}) == 1
    assert [note.entrants[0] for note in notes] == sorted(at_short & {0, 1})


def test_the_short_tables_move_up_to_those_who_have_not_had_one() -> None:
    """202 at tables of four: two tables of three. The lowest 80 have all sat at one."""
    entrants = [SwissEntrant(n, n, n, Fraction(-n // 8), short_tables=int(n >= 122)) for n in range(202)]
    pairing = pair_swiss(entrants, 4)
    short = [entrant for table in pairing.tables if table.size == 3 for entrant in table.entrants]
    assert len(short) == 6
    assert all(100 <= entrant < 122 for entrant in short)
    assert pairing.notes == ()


def test_the_short_table_stands_where_points_differ_least() -> None:
    entrants = [SwissEntrant(n, n, n, Fraction(int(n < 3 + 40))) for n in range(47)]
    tables = pair_swiss(entrants, 4).tables
    assert [table.size for table in tables] == [4] * 10 + [3] + [4]
    assert set(tables[10].entrants) <= set(range(43))


def test_a_walk_ends_where_no_exchange_between_near_tables_gains() -> None:
    points = [9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4]
    weights = weights_of(points, range(12), [{} for _ in points], [0] * 12)
    walk = Walk(weights, [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]])
    before = weights.total(walk.tables)
    walk.polish()
    assert weights.total(walk.tables) == 1 + 1 + 1 + 1 < before
    assert sorted(place for table in walk.tables for place in table) == list(range(12))


def test_three_are_exchanged_where_no_two_gain() -> None:
    """Places 2 and 3 have met."""
    met: list[dict[int, int]] = [{} for _ in range(9)]
    met[2], met[3] = {3: 1}, {2: 1}
    weights = weights_of([4, 4, 3, 3, 3, 2, 2, 1, 1], range(9), met, [0] * 9)
    walk = Walk(weights, [[3, 5, 6], [0, 1, 4], [2, 7, 8]])
    before = weights.total(walk.tables)
    for one, other in combinations(walk.tables, 2):
        for i, j in product(range(3), repeat=2):
            one[i], other[j] = other[j], one[i]
            assert weights.total(walk.tables) >= before
            one[i], other[j] = other[j], one[i]
    walk.polish()
    assert sorted(map(sorted, walk.tables)) == [[0, 1, 2], [3, 4, 6], [5, 7, 8]]
    assert (before, weights.total(walk.tables)) == (6, 3)


def test_a_seat_far_more_often_than_another_is_said() -> None:
    entrants = [SwissEntrant(n, n, n, sittings={3: (3, 0, 0)}) for n in range(3)]
    pairing = pair_swiss(entrants, 3)
    # One sits there a fourth time; the others have sat in their third seat never.
    assert [note.kind for note in pairing.notes] == [NoteKind.SEAT_SPREAD] * 3
    assert [note.entrants for note in pairing.notes] == [(entrant,) for entrant in pairing.tables[0].entrants]
    assert pair_swiss([SwissEntrant(n, n, n, sittings={3: (1, 0, 0)}) for n in range(3)], 3).notes == ()


@pytest.mark.parametrize(("seats", "owners"), [(4, 1000), (4, 10), (7, 200), (4, 3)])
def test_a_thousand_entrants_take_less_than_two_seconds(seats: int, owners: int) -> None:
    chance = random.Random(1)
    active = [(number, number % owners, number) for number in range(1, 1001)]
    points: dict[int, Fraction] = {}
    past: list[PastRound] = []
    for _ in range(3):
        entrants = swiss_entrants(active, points, past)
        started = time.process_time()
        pairing = pair_swiss(entrants, seats)
        assert time.process_time() - started < 2
        # Three owners cannot be kept apart at tables of four.
        assert owners == 3 or not [note for note in pairing.notes if note.kind != "seat_spread"]
        past.append(PastRound(pairing))
        add_points(points, pairing, [by_luck(chance, table.entrants) for table in pairing.tables])


@pytest.mark.parametrize(
    ("n", "seats", "sizes"), [(28, 14, [14, 14]), (13, 14, [13]), (14, 14, [14]), (30, 14, [10] * 3)]
)
def test_large_tables(n: int, seats: int, sizes: list[int]) -> None:
    past: list[PastRound] = []
    for number in range(2):
        field = swiss_entrants([(each, each // 2, each + 1) for each in range(n)], {}, past)
        pairing = pair_swiss(field, seats, rounds_after=1 - number)
        assert sorted((table.size for table in pairing.tables), reverse=True) == sizes
        assert sorted(each for table in pairing.tables for each in table.entrants) == list(range(n))
        past.append(PastRound(pairing))
