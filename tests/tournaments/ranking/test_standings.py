"""Standings and tiebreaks."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import places
from tournaments.ranking import (
    DEFAULT_TIEBREAKS,
    GameResult,
    Result,
    StandingsRow,
    Term,
    Tiebreak,
    absent,
    bye,
    margins,
    not_entered,
    played,
    standings,
    void,
    walkover,
)
from tournaments.ranking.tiebreaks import decimal_text

OPPONENTS, FIRSTS, MARGIN, DIRECT = DEFAULT_TIEBREAKS


def game(number: int, line: str) -> Result:
    """A table of one game, best place first: `4 7=2` is 4 before 7 and 2, who tie; scores are 10 times the places."""
    placed: dict[int, int] = {}
    for group in line.split():
        place = len(placed) + 1
        placed |= dict.fromkeys(map(int, group.split("=")), place)
    entrants = sorted(placed)
    at = tuple(placed[entrant] for entrant in entrants)
    return played(number, entrants, [GameResult(at, tuple(10 * place for place in at))])


def row_of(rows: Sequence[StandingsRow], entrant: int) -> StandingsRow:
    return next(row for row in rows if row.entrant == entrant)


def cell_of(rows: Sequence[StandingsRow], entrant: int, index: int = 0) -> tuple[str, str]:
    cell = row_of(rows, entrant).tiebreaks[index]
    return str(cell.value), cell.explanation


def test_points_add_up_and_say_how() -> None:
    results = [
        game(1, "1 2 3 4"),
        game(2, "2=1 3"),
        bye(2, 4),
        void(3, [1, 3]),
        walkover(3, [2, 4], 2),
        absent(4, 1),
    ]
    rows = standings([1, 2, 3, 4, 5], results, tiebreaks=())
    assert [
        (row.place_text, row.entrant, str(row.points.value), row.points.explanation, row.matches) for row in rows
    ] == [
        ("1", 2, "29/12", "2/3 + 3/4 + 1 (walkover)", 3),
        ("2", 1, "9/4", "1 + 3/4 + 1/2 (void) + 0 (absent)", 4),
        ("3", 4, "1", "0 + 1 (bye) + 0 (walkover)", 2),
        ("4", 3, "5/6", "1/3 + 0 + 1/2 (void)", 3),
        ("5", 5, "0", "no match yet", 0),
    ]


def test_shared_places() -> None:
    rows = standings([1, 2, 3, 4], [game(1, "4 1=2 3")], tiebreaks=(FIRSTS,))
    assert [(row.entrant, row.place_text) for row in rows] == [(4, "1"), (1, "=2"), (2, "=2"), (3, "4")]


def test_mean_opponents_points() -> None:
    results = [game(1, "1 2"), game(1, "3 4"), game(2, "1 3"), game(2, "2 4")]
    rows = standings([1, 2, 3, 4], results, tiebreaks=(OPPONENTS,))
    assert cell_of(rows, 1) == ("1", "(1 + 1) / 2")
    assert cell_of(rows, 4) == ("1", "(1 + 1) / 2")
    assert cell_of(rows, 2) == ("1", "(2 + 0) / 2")


def test_a_published_case_with_a_withdrawn_opponent() -> None:
    """Opponents on 5, 1 1/2, 2, 1 (who missed four rounds, so counts 3), 4 and 2 of six rounds add up to 17 1/2.

    Source: blog.chessforkids.in 2025/06, parts 2 and 3; 15 1/2 is the wrong answer.
    """
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    against_me = [one, one, none, none, one, none]
    elsewhere = [[one, one, one, one], [half, none, none, none], [one, one, none, none], [one]]
    elsewhere += [[one, one, one, none], [one, one, none, none]]
    results: list[Result] = []
    for number in range(6):
        opponent = 10 + number
        results.append(_scored(number + 1, [1, opponent], [1 - against_me[number], against_me[number]]))
        for round_, points in zip([n for n in range(1, 7) if n != number + 1], elsewhere[number], strict=False):
            stranger = 100 + 10 * number + round_
            results.append(_scored(round_, [opponent, stranger], [points, 1 - points]))
    # All but the withdrawn one played six rounds: the rest of their games were lost.
    for number in (0, 1, 2, 4, 5):
        missing = [n for n in range(1, 7) if n != number + 1][len(elsewhere[number]) :]
        results += [_scored(n, [10 + number, 100 + 10 * number + n], [none, one]) for n in missing]
    everybody = {entrant for result in results for entrant in result.entrants}
    rows = standings(everybody, results, tiebreaks=(OPPONENTS,))
    assert [str(row_of(rows, 10 + n).points.value) for n in range(6)] == ["5", "3/2", "2", "1", "4", "2"]
    assert cell_of(rows, 1) == (str(Fraction(35, 12)), "(5 + 1 1/2 + 2 + 3 + 4 + 2) / 6")


def _scored(number: int, entrants: list[int], points: list[Fraction]) -> Result:
    return played(number, entrants, [GameResult((1, 1), (0, 0))], points)


def test_byes_and_what_was_not_played_leave_the_means_alone() -> None:
    results = [game(1, "1 2"), bye(1, 3), game(2, "1 3"), bye(2, 2), game(3, "2 3"), void(3, [1, 4])]
    rows = standings([1, 2, 3, 4], results, tiebreaks=(OPPONENTS,))
    # 2 and 3: the bye counts 1/2 for those who met them.
    assert cell_of(rows, 1) == ("1", "(1 1/2 + 1/2) / 2")
    assert cell_of(rows, 4) == ("None", "no opponent met")


def test_first_places_and_margins() -> None:
    games = [GameResult((1, 2, 3), (20, 50, 80)), GameResult((1, 1, 3), (30, 30, 90))]
    rows = standings([1, 2, 3], [played(1, [1, 2, 3], games)], tiebreaks=(FIRSTS, MARGIN))
    assert cell_of(rows, 1, 0) == ("3/2", "1 + 1/2")
    assert cell_of(rows, 2, 0) == ("1/2", "1/2")
    assert cell_of(rows, 3, 0) == ("0", "no game won")
    assert cell_of(rows, 1, 1) == ("75/2", "(45 + 30) / 2")
    assert cell_of(rows, 3, 1) == ("-105/2", "(-45 - 60) / 2")


@pytest.mark.parametrize(
    ("scores", "retired", "expected"),
    [
        ((10, 20, 30), (), ("15", "0", "-15")),
        ((10, 20, 300), (False, False, True), ("10", "-10", "-285")),
        # Even a retired seat that was ahead has the worst margin of its table.
        ((50, 60, 10), (False, False, True), ("10", "-10", "-30")),
        ((10, 20, 30), (False, True, True), ("None", "-15", "-15")),
        ((40, 90), (False, True), ("None", "-50")),
    ],
    ids=["nobody retired", "retired last", "retired ahead", "one left", "two seats"],
)
def test_margins_beside_retired_seats(
    scores: tuple[int, ...], retired: tuple[bool, ...], expected: tuple[str, ...]
) -> None:
    places = tuple(range(1, len(scores) + 1))
    assert tuple(map(str, margins(GameResult(places, scores, retired)))) == expected


def duel(number: int, text: str) -> Result:
    """A game of two, `A>B` or `A=B`, that leaves the points even: whatever it decides, direct comparison decides it."""
    (first, second), places = text.replace("=", ">").split(">"), (1, 1) if "=" in text else (1, 2)
    return played(number, [ord(first), ord(second)], [GameResult(places, (0, 0))], [Fraction(1, 2)] * 2)


def direct_of(*games: str) -> dict[str, tuple[str, str, str]]:
    """Entrant -> place, value and explanation of the direct comparison, when nothing else tells them apart."""
    results = [duel(number, text) for number, text in enumerate(games)]
    everybody = {entrant for result in results for entrant in result.entrants}
    rows = standings(everybody, results, tiebreaks=(DIRECT,))
    return {chr(row.entrant): (row.place_text, *cell_of(rows, row.entrant)) for row in rows}


def test_direct_comparison_is_applied_again_among_those_it_leaves_tied() -> None:
    """The mini-table of a published round robin: one on 3 1/2, four on 2 1/2, one on 1 1/2.

    Source: axicon.no, on FIDE's article 6 (the games between the four are our own).
    """
    among_the_four = ["B>C", "B>D", "E>B", "C>D", "E=C", "D=E"]
    with_the_others = ["D>A", "D>F", "A=B", "F>B", "A>E", "E=F", "A>C", "C>F", "A>F"]
    assert direct_of(*among_the_four, *with_the_others) == {
        "A": ("1", "7/2", "1/2 + 1 + 0 + 1 + 1 against those tied"),
        "E": ("2", "1", "1 against those tied"),
        "B": ("3", "0", "0 against those tied"),
        "C": ("4", "3/2", "0 + 1 + 1/2 against those tied"),
        "D": ("5", "1/2", "0 + 0 + 1/2 against those tied"),
        "F": ("6", "3/2", "0 + 1 + 0 + 0 + 1/2 against those tied"),
    }


def test_direct_comparison_that_goes_round_leaves_the_tie() -> None:
    assert direct_of("A>B", "B>C", "C>A") == {
        "A": ("=1", "1", "1 + 0 against those tied"),
        "B": ("=1", "1", "0 + 1 against those tied"),
        "C": ("=1", "1", "1 + 0 against those tied"),
    }


def test_direct_comparison_needs_everybody_to_have_met() -> None:
    not_met = ("=1", "None", "not possible: not all of those tied have met")
    assert direct_of("A>B", "C>D", "B>D", "A>C") == dict.fromkeys("ABCD", not_met)


def test_a_walkover_counts_in_direct_comparison() -> None:
    results = [walkover(1, [1, 2], 2), walkover(2, [1, 3], 1)]
    rows = standings([1, 2, 3], results, tiebreaks=(DIRECT,))
    assert [(row.entrant, row.place_text) for row in rows] == [(2, "1"), (1, "2"), (3, "3")]


def test_a_void_match_is_no_meeting() -> None:
    rows = standings([1, 2], [void(1, [1, 2])], tiebreaks=(DIRECT,))
    assert cell_of(rows, 1) == ("None", "not possible: not all of those tied have met")


def test_means_a_match_where_numbers_differ() -> None:
    results = [game(1, "1 2 3"), game(2, "2 1 4"), game(3, "4 2 3"), absent(3, 1), bye(4, 3)]
    rows = standings([1, 2, 3, 4], results, tiebreaks=(OPPONENTS, FIRSTS), per_match=True, withdrawn=[1])
    assert [(row.entrant, str(row.points.value), row.points.explanation, row.is_withdrawn) for row in rows] == [
        (2, "2/3", "(1/2 + 1 + 1/2) / 3", False),
        (4, "1/2", "(0 + 1) / 2", False),
        (1, "1/2", "(1 + 1/2 + 0 (absent)) / 3", True),
        (3, "0", "(0 + 0) / 2", False),
    ]
    # The opponents' means are over what they played, so a withdrawal does not pull them down.
    assert cell_of(rows, 3) == ("31/48", "(3/4 + 2/3 + 2/3 + 1/2) / 4")
    assert cell_of(rows, 2, 1) == ("1/3", "(0 + 1 + 0) / 3")


def test_a_cell_carries_its_arithmetic_as_numbers() -> None:
    results = [game(1, "1 2=3"), bye(1, 4), game(2, "2 3 4"), void(2, [1])]
    row = row_of(standings([1, 2, 3, 4], results, tiebreaks=(OPPONENTS, DIRECT)), 2)
    assert row.points.terms == (Term(Fraction(1, 4), 1), Term(Fraction(1), 2))
    assert row.points.worked(decimal_text) == "0.25 + 1 = 1.25"
    opponents = row.tiebreaks[0]
    assert [(term.opponent, str(term.value), term.tournament_round) for term in opponents.terms] == [
        (1, "3/2", 1),
        (3, "3/4", 1),
        (3, "3/4", 2),
        (4, "1/2", 2),
    ]
    assert opponents.worked() == "(1 1/2 + 3/4 + 3/4 + 1/2) / 4 = 7/8"
    assert opponents.worked(decimal_text) == "(1.5 + 0.75 + 0.75 + 0.5) / 4 = 0.875"
    assert row.tiebreaks[1].worked(decimal_text) == "not needed: tied with nobody"


def test_who_came_late_has_no_points_before() -> None:
    results = [game(1, "1 2"), not_entered(1, 3), game(2, "3 1"), bye(2, 2)]
    rows = standings([1, 2, 3], results, tiebreaks=(OPPONENTS,))
    late = row_of(rows, 3)
    assert (str(late.points.value), late.points.explanation, late.matches) == ("1", "0 (not entered) + 1", 1)
    # For whoever meets it, the round before counts 1/2 as any round it did not play.
    assert cell_of(rows, 1) == ("1", "(1/2 + 1 1/2) / 2")
    mean = row_of(standings([1, 2, 3], results, tiebreaks=(), per_match=True), 3)
    assert (str(mean.points.value), mean.points.explanation) == ("1/2", "(0 (not entered) + 1) / 2")


def test_leaving_and_coming_back_gains_nothing() -> None:
    """CASES B12."""
    stayed = [game(1, "1 2"), game(2, "2 1"), game(3, "1 2")]
    left = [game(1, "1 2"), absent(2, 1), bye(2, 2), game(3, "1 2")]
    for results, points in ((stayed, "2"), (left, "2")):
        assert str(row_of(standings([1, 2], results, tiebreaks=()), 1).points.value) == points


def test_withdrawing_does_not_move_earlier_tables() -> None:
    """CASES B15."""
    results = [game(1, "1 2 3"), game(2, "3 2 1")]
    before = standings([1, 2, 3], results)
    after = standings([1, 2, 3], results, withdrawn=[3])
    assert [(row.entrant, row.place, row.points, row.tiebreaks) for row in after] == [
        (row.entrant, row.place, row.points, row.tiebreaks) for row in before
    ]
    assert [row.entrant for row in after if row.is_withdrawn] == [3]


def dealt(number: int, entrants: Sequence[int], *scores: Sequence[int], retired: Sequence[int] = ()) -> Result:
    """A table of the round's first deal set, entrants by seat; all points are even."""
    gone = tuple(entrant in retired for entrant in entrants)
    games = []
    for deal_set, row in enumerate(scores, start=1):
        at = tuple(1 + sum(other < own for other in row) for own in row)
        games.append(GameResult(at, tuple(row), gone, tuple(range(len(row))), deal_set))
    return played(number, entrants, games, [Fraction(1, 2)] * len(entrants))


def test_margins_are_means_over_deal_sets() -> None:
    rotated = GameResult((1, 2), (10, 30), (), (0, 1), 7), GameResult((2, 1), (50, 10), (), (1, 0), 7)
    alone = GameResult((1, 2), (0, 90))
    rows = standings([1, 2], [played(1, [1, 2], [*rotated, alone])], tiebreaks=(MARGIN,))
    assert cell_of(rows, 1) == ("40", "(-10 + 90) / 2")


def test_a_retired_seat_counts_as_the_worst_of_its_deal_set() -> None:
    results = [dealt(1, [1, 2], [10, 20], retired=[1]), dealt(1, [3, 4], [0, 200])]
    rows = standings([1, 2, 3, 4], results, tiebreaks=(MARGIN,))
    assert [(row.entrant, str(row.tiebreaks[0].value)) for row in rows] == [
        (3, "200"),
        (1, "-200"),
        (4, "-200"),
        (2, "None"),
    ]


def test_sets_of_one_number_in_two_rounds_are_two_deals() -> None:
    results = [dealt(1, [1, 2], [10, 20]), dealt(2, [1, 2], [50, 20])]
    assert cell_of(standings([1, 2], results, tiebreaks=(MARGIN,)), 1) == ("-10", "(10 - 30) / 2")


def test_direct_comparison_on_deals_shared_from_table_to_table() -> None:
    """1 and 3 held the same seat and never met: 30 points ahead against 20."""
    results = [dealt(1, [1, 2], [10, 40]), dealt(1, [3, 4], [10, 30])]
    rows = standings([1, 3], [], tiebreaks=(DIRECT,))
    assert cell_of(rows, 1) == ("None", "not possible: not all of those tied have met")
    rows = standings([1, 2, 3, 4], results, tiebreaks=(FIRSTS, DIRECT))
    assert [(row.entrant, row.place_text, row.tiebreaks[1].explanation) for row in rows] == [
        (1, "1", "1 against those tied"),
        (3, "2", "0 against those tied"),
        (4, "3", "1 against those tied"),
        (2, "4", "0 against those tied"),
    ]
    assert row_of(rows, 1).tiebreaks[1].terms == (Term(Fraction(1), opponent=3),)


def test_another_seat_of_the_same_deal_is_no_comparison() -> None:
    results = [dealt(1, [1, 2], [10, 40]), dealt(1, [3, 4], [30, 10])]
    rows = standings([1, 2, 3, 4], results, tiebreaks=(FIRSTS, DIRECT))
    assert cell_of(rows, 1, 1) == cell_of(rows, 4, 1) == ("None", "not possible: not all of those tied have met")


def test_direct_comparison_counts_every_shared_deal_once() -> None:
    """Two won at their own table in round 1, one lost by margin from table to table in round 2."""
    results = [
        dealt(1, [1, 2], [10, 20], [10, 20]),
        dealt(2, [1, 3], [10, 20]),
        dealt(2, [2, 4], [10, 50]),
    ]
    rows = standings([1, 2, 3, 4], results, tiebreaks=(DIRECT,))
    assert cell_of(rows, 1) == ("2/3", "2/3 against those tied")
    assert cell_of(rows, 2) == ("1/3", "1/3 against those tied")


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([game(1, "1 9")], "round 1: 9 is not an entrant"),
        ([game(1, "1 2"), bye(1, 2)], "round 1: entrant 2 has two results"),
    ],
    ids=["stranger", "twice"],
)
def test_results_that_cannot_be(results: list[Result], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        standings([1, 2, 3], results)


@st.composite
def some_results(draw: st.DrawFn) -> tuple[list[int], list[Result]]:
    entrants = list(range(1, draw(st.integers(2, 9)) + 1))
    results: list[Result] = []
    for number in range(1, draw(st.integers(0, 4)) + 1):
        left = list(draw(st.permutations(entrants)))
        while len(left) >= 2:
            size = draw(st.integers(2, min(len(left), 4)))
            table, left = left[:size], left[size:]
            results.append(draw(st.one_of(some_games(number, table), st.just(void(number, table)))))
        results += [bye(number, entrant) for entrant in left]
    return entrants, results


def some_games(number: int, table: list[int]) -> st.SearchStrategy[Result]:
    """One or two games; tables of one size share the deals of their round, or do not."""
    size = len(table)
    scores = st.tuples(*[st.integers(0, 300)] * size)
    retired = st.one_of(st.just(()), st.tuples(*[st.booleans()] * size))
    seats = st.permutations(range(size)).map(tuple)

    def a_game(deal_set: int) -> st.SearchStrategy[GameResult]:
        return st.builds(GameResult, places(size), scores, retired, seats, st.sampled_from([None, deal_set]))

    games = st.one_of(st.tuples(a_game(size)), st.tuples(a_game(size), a_game(10 + size)))
    return games.map(lambda drawn: played(number, table, drawn))


@settings(max_examples=80)
@given(some_results(), st.permutations(DEFAULT_TIEBREAKS), st.booleans(), st.randoms(use_true_random=False))
def test_standings_are_an_order_that_no_order_of_arguments_changes(
    drawn: tuple[list[int], list[Result]], tiebreaks: list[Tiebreak], per_match: bool, chance: random.Random
) -> None:
    entrants, results = drawn
    rows = standings(entrants, results, tiebreaks=tiebreaks, per_match=per_match)
    assert sorted(row.entrant for row in rows) == entrants
    for cell in (cell for row in rows for cell in (row.points, *row.tiebreaks) if cell.terms):
        assert cell.value == sum(term.value for term in cell.terms) / cell.divisor
    values = [row.points.value for row in rows]
    assert values == sorted(values, key=lambda value: value or 0, reverse=True)
    for index, row in enumerate(rows, start=1):
        sharing = [other for other in rows if other.place == row.place]
        assert row.place <= index < row.place + len(sharing)
        assert row.is_shared == (len(sharing) > 1)
        assert len({(each.points.value, *(cell.value for cell in each.tiebreaks)) for each in sharing}) == 1
    chance.shuffle(entrants)
    chance.shuffle(results)
    assert standings(entrants, results, tiebreaks=tiebreaks, per_match=per_match) == rows
