"""Brackets as drawn: who meets whom if the better always wins, byes, and how late two can meet again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.bracket_play import BRACKETS, FOLDER, play, stored
from tournaments.formats import Bracket, FromMatch, FromSeed, NotEnoughEntrants, Side, elimination_bracket
from tournaments.formats.bracket_pairs import seed_order
from tournaments.formats.bracket_tables import final_seats, round_tables
from tournaments.formats.brackets import Source


@st.composite
def brackets(draw: st.DrawFn, most: int = 40) -> Bracket:
    """Any bracket there is."""
    seats = draw(st.integers(2, 7))
    n = draw(st.integers(min(seats, 3), most))
    go_on = draw(st.sampled_from([None, 2])) if seats > 2 else None
    double = draw(st.booleans())
    return elimination_bracket(
        n, seats, double=double, go_on=go_on, third_place=seats == 2 and not double and draw(st.booleans())
    )


def sources(bracket: Bracket, side: Side) -> list[Source]:
    return [source for match in bracket.matches if match.side is side for source in match.sources]


@pytest.mark.parametrize("name", BRACKETS)
def test_stored_brackets(name: str) -> None:
    assert stored(name) == (FOLDER / f"{name}.txt").read_text()


def test_no_stored_bracket_is_forgotten() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(BRACKETS)


@settings(max_examples=150)
@given(brackets())
def test_every_bracket_is_sound(bracket: Bracket) -> None:
    assert [match.number for match in bracket.matches] == list(range(1, len(bracket.matches) + 1))
    assert sorted({match.round for match in bracket.matches}) == list(range(1, bracket.rounds + 1))
    taken = Counter(source for match in bracket.matches if match.side is not Side.RESET for source in match.sources)
    assert set(taken.values()) == {1}
    assert {FromSeed(seed) for seed in range(1, bracket.entrants + 1)} <= set(taken)
    for match in bracket.matches:
        feeding = [bracket.match(source.match) for source in match.sources if isinstance(source, FromMatch)]
        assert all(each.round < match.round and each.number < match.number for each in feeding)
        assert 1 <= match.go_on < len(match.sources)
        is_last = match.side in (Side.FINAL, Side.RESET) or not any(
            isinstance(s, FromMatch) and s.match == match.number and s.place == 1
            for other in bracket.matches
            for s in other.sources
        )
        assert len(match.sources) <= (max(bracket.seats, 4) if is_last or bracket.seats == 3 else bracket.seats)


@settings(max_examples=100)
@given(brackets())
def test_the_seeds_finish_in_order_if_the_better_always_wins(bracket: Bracket) -> None:
    by_seed = range(101, 101 + bracket.entrants)
    progress, _ = play(bracket, by_seed, lambda playing: playing)
    places = [progress.places[entrant].first for entrant in by_seed]
    assert places[:2] == [1, 2]
    # In the losers' side at tables, keeping old opponents apart may cost a place.
    assert places == sorted(places) or (bracket.seats > 2 and bracket.reset)


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("n", range(3, 65, 5))
def test_the_two_best_meet_in_the_last_main_match_and_the_byes_are_of_the_best(n: int, seats: int) -> None:
    bracket = elimination_bracket(n, seats)
    progress, results = play(bracket, range(1, n + 1), lambda playing: playing)
    assert [number for number, order in results.items() if {1, 2} <= set(order)] == [bracket.matches[-1].number]
    first = {source for match in bracket.matches if match.round == 1 for source in match.sources}
    byes = [seed for seed in range(1, n + 1) if FromSeed(seed) not in first]
    assert byes == list(range(1, len(byes) + 1))
    # Whoever had a bye sits in the second round.
    second = {source for match in bracket.matches if match.round == 2 for source in match.sources}
    assert {FromSeed(seed) for seed in byes} <= second
    assert progress.is_decided


@pytest.mark.parametrize("n", range(2, 34))
def test_how_many_matches_two_seats_need(n: int) -> None:
    depth = (n - 1).bit_length()
    single = elimination_bracket(n, third_place=True)
    assert len(single.matches) == n - 1 + (n >= 4)
    assert single.rounds == depth
    assert len(sources(single, Side.THIRD_PLACE)) == 2 * (n >= 4)
    double = elimination_bracket(n, double=True)
    assert len(double.matches) == 2 * n - 1
    main = [match for match in double.matches if match.side is Side.MAIN]
    assert len(main) == n - 1
    assert len([match for match in main if match.round == 1]) == n - 2 ** (depth - 1)


def test_the_order_of_the_seeds() -> None:
    assert [seed_order(depth) for depth in range(4)] == [[1], [1, 2], [1, 4, 2, 3], [1, 8, 4, 5, 2, 7, 3, 6]]


# A model of its own of who can meet whom again: the chance that two entrants of a match of the losers' side have met,
# if every match is a coin.


def rematch_chances(bracket: Bracket) -> dict[int, Fraction]:
    """Match of the losers' side -> how many of its pairs have met, on average."""
    lost_in: dict[Source, dict[int, Fraction]] = {}
    above: dict[int, dict[int, Fraction]] = {}
    chances = {}
    for match in bracket.matches:
        if match.side is Side.MAIN:
            # Where whoever sits here has been before, going up.
            before: Counter[int] = Counter()
            for source in match.sources:
                if isinstance(source, FromMatch):
                    for number, chance in {**above[source.match], source.match: Fraction(1)}.items():
                        before[number] += chance / 2  # type: ignore[assignment]
            above[match.number] = dict(before)  # type: ignore[arg-type]
            lost_in[FromMatch(match.number, 2)] = {match.number: Fraction(1)}
        elif match.side is Side.LOSERS:
            a, b = (lost_in[source] for source in match.sources)
            chances[match.number] = sum(
                (a[m] * b[o] * (above[o].get(m, 0) + above[m].get(o, 0)) / 2 for m, o in product(a, b)), Fraction(0)
            )
            lost_in[FromMatch(match.number, 1)] = {m: (a.get(m, Fraction(0)) + b.get(m, 0)) / 2 for m in {**a, **b}}
    return chances


def by_round(bracket: Bracket) -> list[Fraction]:
    """The chances of second meetings, summed by round of the losers' side."""
    chances = rematch_chances(bracket)
    rounds = max(match.side_round for match in bracket.matches if match.side is Side.LOSERS)
    return [
        sum(
            (chances[m.number] for m in bracket.matches if m.side is Side.LOSERS and m.side_round == number),
            Fraction(0),
        )
        for number in range(1, rounds + 1)
    ]


def other_ways_in(bracket: Bracket) -> Iterator[Bracket]:
    """The same bracket with those who lose in the main side sent to the losers' side in every order, round by round."""
    entering: dict[int, list[Source]] = {}
    for match in bracket.matches:
        for source in match.sources:
            is_main = isinstance(source, FromMatch) and bracket.match(source.match).side is Side.MAIN
            if match.side is Side.LOSERS and match.side_round > 1 and is_main:
                entering.setdefault(match.side_round, []).append(source)
    for orders in product(*(permutations(group) for group in entering.values())):
        new = dict(zip(chain(*entering.values()), chain(*orders), strict=True))
        yield replace(
            bracket,
            matches=tuple(
                replace(m, sources=tuple(new.get(s, s) for s in m.sources)) if m.side is Side.LOSERS else m
                for m in bracket.matches
            ),
        )


@pytest.mark.parametrize("n", [4, 8, 16])
def test_no_other_way_into_the_losers_side_keeps_old_opponents_apart_longer(n: int) -> None:
    bracket = elimination_bracket(n, double=True)
    best = min(by_round(other) for other in other_ways_in(bracket))
    assert by_round(bracket) == best


def test_in_a_field_of_64_old_opponents_meet_late_in_the_losers_side() -> None:
    chances = by_round(elimination_bracket(64, double=True))
    assert chances[:6] == [0] * 6
    assert 0 < chances[6] < Fraction(1, 2)


@pytest.mark.parametrize("n", range(6, 34))
def test_nobody_meets_again_in_the_first_round_of_the_losers_side(n: int) -> None:
    assert by_round(elimination_bracket(n, double=True))[0] == 0


def at_one_table(bracket: Bracket, side: Side) -> Iterator[tuple[int, int, int]]:
    """(side round, match, how many of it sit at one table next)."""
    for match in bracket.matches:
        if match.side is side:
            together = Counter(source.match for source in match.sources if isinstance(source, FromMatch))
            yield from ((match.side_round, number, count) for number, count in together.items() if count > 1)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize(("seats", "go_on"), [(3, 1), (3, 2), (4, 2), (5, 2), (6, 2), (6, 3), (7, 3)])
def test_tablemates_are_parted_where_there_are_tables_enough(seats: int, go_on: int, double: bool) -> None:
    for n in range(3, 41):
        bracket = elimination_bracket(n, seats, double=double, go_on=go_on)
        for side in (Side.MAIN, Side.LOSERS):
            of_side = [match for match in bracket.matches if match.side is side]
            for number, together, _ in at_one_table(bracket, side):
                tables = [match for match in of_side if match.side_round == number]
                coming = [s for m in tables for s in m.sources if isinstance(s, FromMatch) and s.match == together]
                assert len(coming) > len(tables)


@pytest.mark.parametrize(
    ("n", "seats", "go_on", "sizes"),
    [
        (4, 4, None, [[4]]),
        (5, 4, None, [[3], [4]]),
        (9, 4, None, [[3], [4, 4], [4]]),
        (16, 4, None, [[4] * 4, [4, 4], [4]]),
        (12, 6, None, [[6, 6], [6]]),
        (10, 5, None, [[5, 5], [4]]),
        (27, 3, None, [[3] * 9, [3] * 3, [3]]),
        (4, 3, None, [[2], [3]]),
        (6, 3, 2, [[3, 3], [4]]),
        (36, 6, 2, [[5, 5, 6, 6, 6], [6, 6, 6], [6]]),
    ],
    ids=str,
)
def test_sizes_of_tables(n: int, seats: int, go_on: int | None, sizes: list[list[int]]) -> None:
    bracket = elimination_bracket(n, seats, go_on=go_on)
    found = [[len(m.sources) for m in bracket.matches if m.round == number] for number in range(1, bracket.rounds + 1)]
    assert found == sizes


@pytest.mark.parametrize(("seats", "go_on"), [(3, 1), (4, 2), (5, 2), (6, 2), (6, 3), (7, 2), (7, 3)])
def test_only_the_first_round_of_the_main_side_has_byes(seats: int, go_on: int) -> None:
    for n in range(seats + 1, 400):
        sizes = round_tables(n, seats, go_on)
        left = n - sum(sizes) + go_on * len(sizes)
        while left > final_seats(seats, go_on):
            sizes = round_tables(left, seats, go_on)
            assert sum(sizes) == left
            left = go_on * len(sizes)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (FromSeed(3), "seed 3"),
        (FromMatch(1, 1), "winner of match 1"),
        (FromMatch(1, 2), "second of match 1"),
        (FromMatch(2, 4), "fourth of match 2"),
    ],
    ids=str,
)
def test_words(source: Source, words: str) -> None:
    assert elimination_bracket(16, 4).words(source) == words
    assert elimination_bracket(4).words(FromMatch(1, 2)) == "loser of match 1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 1}, "tables of 1 seats: 2 to 7"),
        ({"seats": 8}, "tables of 8 seats: 2 to 7"),
        ({"seats": 2, "go_on": 2}, "2 of 2 go on: 1 to 1"),
        ({"seats": 6, "go_on": 4}, "4 of 6 go on: 1 to 3"),
        ({"seats": 3, "go_on": 0}, "0 of 3 go on: 1 to 2"),
        ({"seats": 4, "third_place": True}, "only in single elimination at two seats"),
        ({"double": True, "third_place": True}, "only in single elimination at two seats"),
    ],
)
def test_what_cannot_be_drawn(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        elimination_bracket(8, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "seats", "needed"), [(0, 2, 2), (1, 2, 2), (2, 3, 3), (2, 7, 3)])
def test_too_few_entrants_are_refused_with_the_number_needed(n: int, seats: int, needed: int) -> None:
    with pytest.raises(NotEnoughEntrants, match=f"{n} active entrants: a round needs at least {needed}"):
        elimination_bracket(n, seats)
