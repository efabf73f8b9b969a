"""Swiss at two seats."""

import random
import time
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import Swiss, add_points, swisses
from tests.tournaments.formats import trf
from tests.tournaments.formats.brute import check_round, clashes, partitions, tables_of
from tournaments.formats import (
    Bye,
    NotEnoughEntrants,
    PastRound,
    RoundPairing,
    SwissEntrant,
    pair_swiss,
    swiss_entrants,
)


def field(*lines: str) -> list[SwissEntrant]:
    """Entrants in order of seed, each `points met byes`, the last two where there are any: `1 2,3 0`; ids from 1."""
    entrants = []
    for number, line in enumerate(lines, start=1):
        points, met, byes = [*line.split(), "-", "0"][:3] if " " not in line else [*line.split(), "0"][:3]
        opponents = {} if met == "-" else dict.fromkeys(map(int, met.split(",")), 1)
        entrants.append(SwissEntrant(number, number, number, Fraction(points), opponents, int(byes)))
    return entrants


def pairs(pairing: RoundPairing) -> set[frozenset[int]]:
    return {frozenset(table.entrants) for table in pairing.tables}


def boards(text: str) -> set[frozenset[int]]:
    return {frozenset(map(int, board.split("-"))) for board in text.split()}


@pytest.mark.parametrize(
    ("entrants", "expected", "bye"),
    [
        pytest.param("0 | 0 | 0 | 0 | 0 | 0 | 0 | 0", "1-5 2-6 3-7 4-8", None, id="the top half meets the bottom half"),
        pytest.param("1 | 1 | 1 | 1 | 0 | 0 | 0 | 0", "1-3 2-4 5-7 6-8", None, id="in each points group"),
        pytest.param("2 | 1 | 1 | 0", "1-2 3-4", None, id="an odd group is filled with the best of the next"),
        pytest.param("2 2,3 | 1 1,4 | 1 4,1 | 0 3,2", "1-4 2-3", None, id="the one pairing left, where greedy repeats"),
        pytest.param("2 2 | 2 1 | 1 | 1", "1-3 2-4", None, id="the top two have met"),
        pytest.param("1 | 1 | 0", "1-2", 3, id="bye to the lowest"),
        pytest.param("1 | 1 | 0 | 0 | 0 - 1", "1-2 3-5", 4, id="the lowest has had its bye"),
        pytest.param("1 - 1 | 1 - 1 | 1 - 1", "1-2", 3, id="all have had one: the lowest again"),
        pytest.param("2 2 | 1 1 | 0", "1-3", 2, id="the bye goes up lest two meet again"),
    ],
)
def test_boards(entrants: str, expected: str, bye: int | None) -> None:
    pairing = pair_swiss(field(*entrants.split(" | ")), 2)
    assert pairs(pairing) == boards(expected)
    assert pairing.byes == ((Bye(bye),) if bye else ())
    assert pairing.notes == ()


def test_owners_come_before_rematches_and_those_before_the_bye() -> None:
    a1, a2 = SwissEntrant(1, 7, 1, met={3: 1}), SwissEntrant(2, 7, 2, met={3: 1})
    b = SwissEntrant(3, 8, 3, met={1: 1, 2: 1})
    untrusted = pair_swiss([a1, a2, b], 2)
    assert untrusted.byes == (Bye(2),)
    assert [note.text() for note in untrusted.notes] == ["rematch of 1 and 3: unavoidable"]
    trusted = pair_swiss([a1, a2, b], 2, trusted=True)
    assert trusted.byes == (Bye(3),)
    assert trusted.notes == ()


def test_seats_even_out_within_a_points_group() -> None:
    first = {2: (1, 0)}
    second = {2: (0, 1)}
    entrants = [SwissEntrant(id_, id_, id_, sittings=first if id_ in (1, 2, 5, 6) else second) for id_ in range(1, 9)]
    pairing = pair_swiss(entrants, 2)
    assert all(seated in (3, 4, 7, 8) for seated, _ in (table.entrants for table in pairing.tables))


def test_nobody_is_let_three_seats_out_of_balance_for_the_points() -> None:
    first, second = {2: (2, 0)}, {2: (0, 2)}
    leaders = [SwissEntrant(n, n, n, Fraction(1), sittings=first) for n in (1, 2)]
    others = [SwissEntrant(n, n, n, sittings=second) for n in (3, 4)]
    pairing = pair_swiss([*leaders, *others], 2)
    assert pairs(pairing) == boards("1-3 2-4")
    assert [table.entrants for table in pairing.tables] == [(3, 1), (4, 2)]


def test_a_walkover_counts_as_a_bye_and_meets_nobody() -> None:
    past = [PastRound(RoundPairing(()), walkovers=(3,))]
    entrants = swiss_entrants([(1, 1, 1), (2, 2, 2), (3, 3, 3)], {3: Fraction(1)}, past)
    assert pair_swiss(entrants, 2).byes == (Bye(2),)


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_are_refused(count: int) -> None:
    with pytest.raises(NotEnoughEntrants, match=f"{count} active entrants: a round needs at least 2"):
        pair_swiss(field(*["0"] * count), 2)


@pytest.mark.parametrize(
    ("entrants", "seats", "message"),
    [
        ([SwissEntrant(1, 1, 1), SwissEntrant(1, 2, 2)], 2, "id 1 is given to 2 entrants"),
        ([SwissEntrant(1, 1, 4), SwissEntrant(2, 2, 4)], 2, "seed 4 is given to 2 entrants"),
        ([SwissEntrant(1, 1, 1), SwissEntrant(2, 2, 2)], 1, "tables of 1 seats: 2 to 14"),
        ([SwissEntrant(1, 1, 1), SwissEntrant(2, 2, 2)], 15, "tables of 15 seats: 2 to 14"),
    ],
)
def test_what_cannot_be_paired(entrants: list[SwissEntrant], seats: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pair_swiss(entrants, seats)


def weighed(tables: list[list[SwissEntrant]], bye: list[SwissEntrant], swiss: Swiss) -> tuple[int, ...]:
    """Owners, rematches, how far the bye is from the lowest who may have it, seats out of balance, point differences."""
    by_rank = sorted(swiss.entrants, key=lambda each: (each.points, -each.seed))
    fewest = min(each.byes for each in by_rank)
    eligible = [each.id for each in by_rank if each.byes == fewest]
    out_of_balance = sum(min(three_apart(a, b), three_apart(b, a)) for a, b in tables)
    differences = sum(int(4 * (a.points - b.points) ** 2) for a, b in tables)
    ranks = sum(eligible.index(each.id) for each in bye)
    return (*clashes(tables, swiss.trusted), ranks, out_of_balance, differences)


def three_apart(first: SwissEntrant, second: SwissEntrant) -> int:
    """How many of the two sit in one seat three times more than in the other, seated so."""
    lead, other_lead = (each.sat(2)[0] - each.sat(2)[1] for each in (first, second))
    return (abs(lead + 1) >= 3) + (abs(other_lead - 1) >= 3)


def all_rounds(swiss: Swiss) -> Iterator[tuple[list[list[SwissEntrant]], list[SwissEntrant]]]:
    entrants = swiss.entrants
    fewest = min(each.byes for each in entrants)
    for resting in [[each] for each in entrants if each.byes == fewest] if len(entrants) % 2 else [[]]:
        playing = tuple(index for index, each in enumerate(entrants) if each not in resting)
        for tables in partitions(playing, (2,) * (len(playing) // 2)):
            yield [[entrants[index] for index in table] for table in tables], resting


@settings(max_examples=120)
@given(swisses(seats=st.just(2), most=8, rounds=5))
def test_nothing_is_given_up_that_could_be_kept(swiss: Swiss) -> None:
    pairing = pair_swiss(swiss.entrants, 2, trusted=swiss.trusted)
    check_round(pairing, swiss)
    by_id = {entrant.id: entrant for entrant in swiss.entrants}
    bye = [by_id[each.entrant] for each in pairing.byes]
    best = min(weighed(tables, resting, swiss) for tables, resting in all_rounds(swiss))
    assert weighed(tables_of(pairing, swiss), bye, swiss) == best
    assert all(note.is_proved for note in pairing.notes if note.kind in ("same_owner", "rematch"))


@settings(max_examples=60)
@given(swisses(seats=st.just(2), most=20), st.randoms(use_true_random=False), st.binary(max_size=3))
def test_the_order_of_the_entrants_changes_nothing(swiss: Swiss, chance: random.Random, lots: bytes) -> None:
    shuffled = list(swiss.entrants)
    chance.shuffle(shuffled)
    paired = pair_swiss(swiss.entrants, 2, trusted=swiss.trusted, lots=lots)
    assert pair_swiss(shuffled, 2, trusted=swiss.trusted, lots=lots) == paired


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [7, 12, 33])
def test_a_whole_swiss(count: int, seed: int) -> None:
    """No rematch, no second bye, seats within two, however the results fall."""
    chance = random.Random(seed)
    active = [(number, number, number) for number in range(1, count + 1)]
    points: dict[int, Fraction] = {}
    past: list[PastRound] = []
    rounds = 5 if count > 7 else 3
    for _ in range(rounds):
        entrants = swiss_entrants(active, points, past)
        pairing = pair_swiss(entrants, 2, lots=bytes([seed]))
        check_round(pairing, Swiss(2, False, tuple(active), tuple(past), points))
        assert pairing.notes == ()
        past.append(PastRound(pairing))
        add_points(points, pairing, [chance.choice([(1, 2), (2, 1), (1, 1)]) for _ in pairing.tables])
    byes = [bye.entrant for each in past for bye in each.pairing.byes]
    assert len(set(byes)) == len(byes) == rounds * (count % 2)
    assert all(abs(first - second) <= 2 for first, second in (e.sat(2) for e in swiss_entrants(active, points, past)))


@pytest.mark.parametrize("name", ["bbp_dutch_2025_C5.trf", "bbp_issue_7.trf"])
def test_real_tournaments_keep_the_absolute_rules(name: str) -> None:
    entrants = trf.read(name).field()
    pairing = pair_swiss(entrants, 2)
    by_id = {entrant.id: entrant for entrant in entrants}
    assert sorted(
        [e for table in pairing.tables for e in table.entrants] + [b.entrant for b in pairing.byes]
    ) == sorted(by_id)
    assert all(second not in by_id[first].met for first, second in (table.entrants for table in pairing.tables))
    assert all(by_id[bye.entrant].byes == 0 for bye in pairing.byes)
    assert pairing.notes == ()


def test_the_bye_of_a_real_tournament() -> None:
    pairing = pair_swiss(trf.read("bbp_dutch_2025_C5.trf").field(), 2)
    assert pairs(pairing) == boards("1-5 3-2")
    assert pairing.byes == (Bye(6),)


@pytest.mark.parametrize("name", ["py4swiss_no_legal_pairings.trf", "py4swiss_no_legal_pairings_odd.trf"])
def test_a_round_that_cannot_be_legal_says_so(name: str) -> None:
    entrants = trf.read(name).field()
    pairing = pair_swiss(entrants, 2)
    rematches = [note for note in pairing.notes if note.kind == "rematch"]
    assert rematches
    assert all(note.is_proved for note in rematches)
    assert all(next(e for e in entrants if e.id == bye.entrant).byes == 0 for bye in pairing.byes)


def test_points_are_counted_and_not_believed() -> None:
    with pytest.raises(ValueError, match="player 2 is said to have 4 points, its results give 3"):
        trf.read("py4swiss_incorrect_points.trf")


def test_clones_of_one_owner_are_spread_over_a_large_field() -> None:
    """400 bots of one owner, all with the points of the leaders: no slice of the order could keep them apart."""
    entrants = [SwissEntrant(n, 0 if n <= 400 else n, n, Fraction(n <= 500)) for n in range(1, 1001)]
    assert pair_swiss(entrants, 2).notes == ()


def test_a_thousand_entrants_take_less_than_two_seconds() -> None:
    chance = random.Random(1)
    active = [(number, number % 300, number) for number in range(1, 1002)]
    points: dict[int, Fraction] = {}
    past: list[PastRound] = []
    for _ in range(3):
        entrants = swiss_entrants(active, points, past)
        started = time.process_time()
        pairing = pair_swiss(entrants, 2)
        assert time.process_time() - started < 2
        assert pairing.notes == ()
        past.append(PastRound(pairing))
        add_points(points, pairing, [chance.choice([(1, 2), (2, 1)]) for _ in pairing.tables])
