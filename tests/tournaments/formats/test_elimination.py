"""Elimination as played: what is ready, who goes on, who came where, and what may still be corrected."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.bracket_play import play, upset
from tests.tournaments.formats.test_brackets import brackets
from tournaments.formats import (
    Bracket,
    BracketProgress,
    MatchState,
    Pairing,
    Placing,
    bracket_progress,
    correction_blocked_by,
    elimination_bracket,
    seated_matches,
)

Results = dict[int, tuple[int, ...]]


def shuffled(chance: random.Random, playing: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(chance.sample(playing, len(playing)))


def finishers(progress: BracketProgress) -> str:
    """`1: 7, 2: 3, 3-4: 1 2`."""
    by_place: dict[Placing, list[int]] = {}
    for entrant, placing in progress.places.items():
        by_place.setdefault(placing, []).append(entrant)
    return ", ".join(
        f"{p.first if p.first == p.last else f'{p.first}-{p.last}'}: {' '.join(map(str, sorted(by_place[p])))}"
        for p in sorted(by_place, key=lambda placing: placing.first)
    )


def states(progress: BracketProgress) -> str:
    return " ".join(each.state.value for each in progress.matches)


def ready(progress: BracketProgress) -> dict[int, tuple[int, ...]]:
    return {each.match.number: each.playing for each in progress.next_round}


@settings(max_examples=150)
@given(brackets(), st.randoms(use_true_random=False), st.booleans())
def test_any_results_lead_to_one_place_each(bracket: Bracket, chance: random.Random, withdraws: bool) -> None:
    """Nobody sits twice in a round, nobody plays after falling out, and the places are 1 to n."""
    by_seed = [7 * number for number in range(bracket.entrants)]
    results: Results = {}
    gone: dict[int, int] = {}
    rounds = []
    while True:
        progress = bracket_progress(bracket, by_seed, results, gone=gone)
        if not progress.next_round:
            break
        playing = [entrant for each in progress.next_round for entrant in each.playing]
        assert len(set(playing)) == len(playing)
        assert not set(playing) & (gone.keys() | progress.places.keys())
        rounds.append(progress.next_round[0].match.round)
        if not gone:
            unsettled = [m for m in bracket.matches if m.round == rounds[-1]]
            assert [each.match for each in progress.next_round] == unsettled
        for each in progress.next_round:
            results[each.match.number] = shuffled(chance, each.playing)
        if withdraws and chance.random() < 0.4:
            gone.setdefault(chance.choice(by_seed), rounds[-1] + 1)
    assert progress.is_decided
    assert rounds == sorted(set(rounds))
    assert sorted(progress.places) == by_seed
    shared = Counter(progress.places.values())
    assert all(placing.last - placing.first + 1 == count for placing, count in shared.items())
    taken = sorted(place for placing in shared for place in range(placing.first, placing.last + 1))
    assert taken == list(range(1, bracket.entrants + 1))


@settings(max_examples=100)
@given(st.integers(2, 33), st.booleans(), st.randoms(use_true_random=False))
def test_out_is_who_has_lost_once_or_twice(n: int, double: bool, chance: random.Random) -> None:
    progress, results = play(
        elimination_bracket(n, double=double), range(n), lambda playing: shuffled(chance, tuple(playing))
    )
    losses = Counter(order[-1] for order in results.values())
    champion = next(entrant for entrant, placing in progress.places.items() if placing == Placing(1, 1))
    assert losses[champion] <= double
    assert all(losses[entrant] == 1 + double for entrant in range(n) if entrant != champion)


def test_eight_single() -> None:
    bracket = elimination_bracket(8, third_place=True)
    progress = bracket_progress(bracket, range(1, 9), {})
    assert ready(progress) == {1: (1, 8), 2: (4, 5), 3: (2, 7), 4: (3, 6)}
    assert not progress.places
    progress = bracket_progress(bracket, range(1, 9), {1: (1, 8), 2: (5, 4)})
    # The second round can be begun, but the first is not over.
    assert [each.match.number for each in progress.ready] == [3, 4, 5]
    assert ready(progress) == {3: (2, 7), 4: (3, 6)}
    assert finishers(progress) == "5-8: 4 8"
    progress, _ = play(bracket, range(1, 9), upset(2, 5))
    assert finishers(progress) == "1: 2, 2: 5, 3: 1, 4: 3, 5-8: 4 6 7 8"


def test_who_sits_out_the_first_round_is_not_out() -> None:
    progress = bracket_progress(elimination_bracket(5), "abcde", {})  # type: ignore[arg-type]
    assert ready(progress) == {1: ("d", "e")}


def test_a_grand_final_won_by_the_unbeaten_is_not_played_again() -> None:
    progress, results = play(elimination_bracket(4, double=True), range(1, 5), upset())
    assert progress.matches[-1].state is MatchState.NOT_NEEDED
    assert len(results) == 6
    assert finishers(progress) == "1: 1, 2: 2, 3: 3, 4: 4"


@pytest.mark.parametrize(("again", "places"), [((1, 2), "1: 1, 2: 2"), ((2, 1), "1: 2, 2: 1")])
def test_a_grand_final_won_from_the_losers_side_is_played_again(again: tuple[int, int], places: str) -> None:
    bracket = elimination_bracket(4, double=True)
    _, results = play(bracket, range(1, 5), upset(6))
    results.pop(7)
    progress = bracket_progress(bracket, range(1, 5), results)
    assert ready(progress) == {7: (1, 2)}
    assert finishers(progress) == "3: 3, 4: 4"
    assert finishers(bracket_progress(bracket, range(1, 5), {**results, 7: again})).startswith(places)


def test_a_grand_final_at_a_table() -> None:
    """Two who have not lost, two who have: if one of these wins, he plays again with those who lost for the first time."""
    bracket = elimination_bracket(8, 4, double=True)
    _, results = play(bracket, range(1, 9), upset())
    final = bracket.matches[-2].number
    won = bracket_progress(bracket, range(1, 9), results)
    assert won.matches[-1].state is MatchState.NOT_NEEDED
    assert finishers(won).startswith("1: 1, 2: 2, 3: 3, 4: 4")
    progress = bracket_progress(bracket, range(1, 9), {**results, final: (3, 1, 4, 2)})
    assert ready(progress) == {final + 1: (1, 2, 3)}
    assert finishers(progress).startswith("4: 4")
    progress = bracket_progress(bracket, range(1, 9), {**results, final: (3, 1, 4, 2), final + 1: (2, 3, 1)})
    assert finishers(progress).startswith("1: 2, 2: 3, 3: 1, 4: 4")


def test_tables_send_their_best_half_on() -> None:
    bracket = elimination_bracket(16, 4)
    first = {1: (16, 9, 8, 1), 2: (2, 7, 10, 15), 3: (3, 6, 11, 14), 4: (4, 5, 12, 13)}
    progress = bracket_progress(bracket, range(1, 17), first)
    assert ready(progress) == {5: (4, 6, 7, 16), 6: (2, 3, 5, 9)}
    assert finishers(progress) == "9-12: 8 10 11 12, 13-16: 1 13 14 15"


# Withdrawals (CASES B11, B14, B25).


def test_a_withdrawn_entrant_is_passed_by_in_both_sides() -> None:
    """Seed 4 leaves after losing to 5: who would have met it in the losers' side goes on, in the next round at once."""
    bracket = elimination_bracket(4, double=True)
    results: Results = {1: (1, 4), 2: (2, 3)}
    assert ready(bracket_progress(bracket, range(1, 5), results)) == {3: (1, 2), 4: (3, 4)}
    progress = bracket_progress(bracket, range(1, 5), results, gone={4: 2})
    assert ready(progress) == {3: (1, 2)}
    assert states(progress) == "played played ready walkover waiting waiting waiting"
    assert progress.matches[3].order == (3, 4)
    assert finishers(progress) == "4: 4"
    progress = bracket_progress(bracket, range(1, 5), {**results, 3: (1, 2)}, gone={4: 2})
    assert ready(progress) == {5: (2, 3)}


def test_a_result_stands_when_the_winner_withdraws() -> None:
    results: Results = {1: (4, 1)}
    progress = bracket_progress(elimination_bracket(4), range(1, 5), {**results, 2: (2, 3)}, gone={4: 2})
    assert finishers(progress) == "1: 2, 2: 4, 3-4: 1 3"
    assert states(progress) == "played played walkover"


def test_if_everybody_leaves_nothing_is_paired() -> None:
    progress = bracket_progress(
        elimination_bracket(6, double=True), range(1, 7), {}, gone=dict.fromkeys(range(1, 7), 1)
    )
    assert progress.is_decided
    assert progress.next_round == ()
    assert len(progress.places) == 6


def test_a_table_with_no_more_than_go_on_is_not_played_but_a_final_is() -> None:
    bracket = elimination_bracket(8, 4)
    progress = bracket_progress(bracket, range(1, 9), {}, gone={1: 1, 4: 1})
    assert states(progress) == "walkover ready waiting"
    assert progress.matches[0].order == (5, 8, 1, 4)
    final = bracket_progress(bracket, range(1, 9), {2: (2, 3, 6, 7)}, gone={1: 1, 4: 1, 2: 2, 3: 2})
    assert ready(final) == {3: (5, 8)}


def test_nobody_came() -> None:
    """A match settled without anyone there: the higher seed has the better place."""
    progress = bracket_progress(elimination_bracket(2), range(1, 3), {1: ()})
    assert finishers(progress) == "1: 1, 2: 2"


# Corrections (DESIGN 7, last point).


@pytest.mark.parametrize(
    ("begun", "corrected", "blocked"),
    [
        pytest.param({1, 2, 3, 4}, {1: (8, 1)}, (), id="the next match has not begun"),
        pytest.param({1, 2, 3, 4, 5}, {1: (8, 1)}, (5,), id="it has begun"),
        pytest.param({1, 2, 3, 4, 6}, {1: (8, 1)}, (), id="another has begun"),
        pytest.param({1, 2, 3, 4, 5}, {1: (1, 8)}, (), id="the same goes on"),
        pytest.param({1, 2, 3, 4, 5}, {1: None}, (5,), id="taken back"),
        pytest.param({1, 2, 3, 4, 5, 6}, {1: (8, 1), 4: (6, 3)}, (5, 6), id="two at once"),
    ],
)
def test_a_correction_is_refused_once_the_next_match_has_begun(
    begun: set[int], corrected: Results, blocked: tuple[int, ...]
) -> None:
    results: Results = {1: (1, 8), 2: (4, 5), 3: (2, 7), 4: (3, 6)}
    assert correction_blocked_by(elimination_bracket(8), range(1, 9), results, begun, corrected) == blocked


def test_a_correction_is_refused_by_the_losers_side_too() -> None:
    bracket = elimination_bracket(4, double=True)
    results: Results = {1: (1, 4), 2: (2, 3)}
    assert correction_blocked_by(bracket, range(1, 5), results, {1, 2, 4}, {1: (4, 1)}) == (4,)
    assert correction_blocked_by(bracket, range(1, 5), results, {1, 2}, {1: (4, 1)}) == ()


def test_a_correction_is_seen_through_a_match_that_was_not_played() -> None:
    """3 passed 4, who had left, and has begun against 2: it cannot have beaten 2 before."""
    bracket = elimination_bracket(4, double=True)
    results: Results = {1: (1, 4), 2: (2, 3), 3: (1, 2)}
    blocked = correction_blocked_by(bracket, range(1, 5), results, {1, 2, 3, 5}, {2: (3, 2)}, gone={4: 2})
    assert blocked == (3, 5)
    blocked = correction_blocked_by(bracket, range(1, 5), results, {1, 2, 3, 5}, {3: (2, 1)}, gone={4: 2})
    assert blocked == (5,)


def test_a_grand_final_is_not_corrected_under_its_reset() -> None:
    bracket = elimination_bracket(2, double=True)
    results: Results = {1: (1, 2), 2: (2, 1)}
    assert correction_blocked_by(bracket, (1, 2), results, {1, 2, 3}, {2: (1, 2)}) == (3,)
    assert correction_blocked_by(bracket, (1, 2), results, {1, 2}, {2: (1, 2)}) == ()
    assert correction_blocked_by(bracket, (1, 2), {1: (1, 2), 2: (1, 2)}, {1, 2}, {2: (2, 1)}) == ()


def test_who_goes_on_may_change_places_if_they_meet_anyway() -> None:
    bracket = elimination_bracket(8, 4)
    results: Results = {1: (1, 4, 5, 8), 2: (2, 3, 6, 7)}
    assert correction_blocked_by(bracket, range(1, 9), results, {1, 2, 3}, {1: (4, 1, 8, 5)}) == ()
    assert correction_blocked_by(bracket, range(1, 9), results, {1, 2, 3}, {1: (4, 5, 1, 8)}) == (3,)


@settings(max_examples=150)
@given(brackets(most=20), st.randoms(use_true_random=False))
def test_a_correction_let_through_changes_nobody_in_a_match_begun(bracket: Bracket, chance: random.Random) -> None:
    by_seed = range(bracket.entrants)
    results: Results = {}
    begun: set[int] = set()
    for _ in range(chance.randrange(1, bracket.rounds + 1)):
        for each in bracket_progress(bracket, by_seed, results).ready:
            begun.add(each.match.number)
            if chance.random() < 0.8:
                results[each.match.number] = shuffled(chance, each.playing)
    if not results:
        return
    number = chance.choice(sorted(results))
    corrected = {**results, number: shuffled(chance, results[number])}
    blocked = correction_blocked_by(bracket, by_seed, results, begun, {number: corrected[number]})
    before = bracket_progress(bracket, by_seed, results)
    if blocked:
        assert number not in blocked
        assert set(blocked) <= begun
        # The first of them would be played by others, whatever comes later.
        until = {each: order for each, order in corrected.items() if each < blocked[0]}
        after = bracket_progress(bracket, by_seed, until).matches[blocked[0] - 1]
        old = before.matches[blocked[0] - 1]
        assert set(old.holders) != set(after.holders) or after.state is MatchState.NOT_NEEDED
        return
    after_all = bracket_progress(bracket, by_seed, corrected)
    for each in begun:
        assert set(before.matches[each - 1].holders) == set(after_all.matches[each - 1].holders)


# Seats, a top cut, and what is refused.


def test_seats_even_out_over_the_rounds() -> None:
    progress = bracket_progress(elimination_bracket(4), range(1, 5), {})
    sittings = {1: {2: (2, 0)}, 4: {2: (0, 0)}, 3: {2: (1, 0)}}
    assert seated_matches(progress.next_round, sittings) == {1: Pairing((4, 1)), 2: Pairing((2, 3))}


def test_seats_of_equals_are_drawn_by_lot() -> None:
    progress = bracket_progress(elimination_bracket(4, 4), range(1, 5), {})
    drawn = {seated_matches(progress.next_round, {}, lots=bytes([lots]))[1].entrants for lots in range(20)}
    assert len(drawn) > 8
    assert all(sorted(order) == [1, 2, 3, 4] for order in drawn)


def test_a_top_cut_is_seeded_by_the_standings() -> None:
    standings = [31, 12, 45, 20, 17, 8]
    progress = bracket_progress(elimination_bracket(4, third_place=True), standings[:4], {})
    assert ready(progress) == {1: (31, 20), 2: (12, 45)}


@pytest.mark.parametrize(
    ("by_seed", "results", "message"),
    [
        ([1, 2, 3], {}, "3 entrants for a bracket of 4"),
        ([1, 2, 3, 2], {}, "entrant 2 is given twice"),
        ([1, 2, 3, 4], {9: (1, 2)}, "there is no match 9: 1 to 3"),
        ([1, 2, 3, 4], {1: (1, 2)}, r"match 1: result \(1, 2\) for \(1, 4\)"),
        ([1, 2, 3, 4], {1: (1, 1)}, r"match 1: result \(1, 1\) for \(1, 4\)"),
        ([1, 2, 3, 4], {1: (1, 4), 3: (1, 2)}, r"match 3: result \(1, 2\) for \(1, None\)"),
    ],
)
def test_what_is_no_result(by_seed: list[int], results: Results, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bracket_progress(elimination_bracket(4), by_seed, results)
