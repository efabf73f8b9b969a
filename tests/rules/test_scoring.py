"""What a round costs, and who wins (RULES 2, 18, 20, 21)."""

from __future__ import annotations

import pytest

from referee.rules.cards import cards_text
from referee.rules.events import GameEnded, RoundEnded
from referee.rules.state import GameState, places
from tests.support.builders import play, some_hand, table


def last_of_a_round(hand: str, drawn: str, **changes: object) -> GameState:
    """Seat 0 has the last turn before the cap; `drawn` is its next card."""
    return table(hand, some_hand(len(hand.split())), seat=0, turn=2, turn_cap=1, lanes=[drawn, ""], **changes)


def round_end(state: GameState, *turns: str) -> RoundEnded:
    _, events = play(state, *turns)
    (ended,) = [event for event in events if isinstance(event, RoundEnded)]
    return ended


def score(hand: str, drawn: str, thrown: str) -> int:
    return round_end(last_of_a_round(hand, drawn), f"pile {thrown}").scores[0]


@pytest.mark.parametrize(
    ("hand", "drawn", "thrown", "points"),
    [
        pytest.param("JK 5h 9c", "Kd", "JK", 27, id="3s wild: the right last discard is the joker"),
        pytest.param("JK 5h 9c", "Kd", "Kd", 64, id="a joker costs 50"),
        pytest.param("JK 5h 9c", "Kd", "9c", 68, id="the discard is not counted"),
        pytest.param("3h 5d 9c", "Kd", "Kd", 34, id="the current wild costs 20 whatever its rank"),
        pytest.param("3h 5d 9c", "Kd", "3h", 27, id="a wild thrown costs nothing"),
        pytest.param("4h 5d 9c Kc", "7s", "7s", 47, id="4s are wild in the second round"),
        pytest.param("4h 5d 9c Kc", "4c", "Kc", 5, id="two wilds make a book of a nine"),
        pytest.param("5h 6h 9c Kc", "4c", "Kc", 9, id="a wild makes a run"),
        pytest.param("4h 6d 9c", "Td", "4h", 25, id="T is 10"),
        pytest.param("Jh Qd Kc", "4d", "4d", 36, id="J 11, Q 12, K 13"),
        pytest.param("Ks 3s 4h 5d 6c 7s 8h 9d Tc Jh 3d 5c Qs", "Jd", "Jd", 72, id="Ks are wild in the last round"),
        pytest.param("8s 8h 8d", "Kd", "Kd", 0, id="all melded without saying so"),
        pytest.param("8s 8h Kd", "8d", "8d", 29, id="only the cards kept count"),
        pytest.param("9s Ts Js Jh Jd", "Kd", "Kd", 19, id="the smallest sum: the book, not the run"),
        pytest.param("9s Ts Js 9h 9d", "Kd", "Kd", 18, id="the smallest sum: the run, not the book"),
        pytest.param("8s 8h 8d Qs Kh JK", "4c", "4c", 25, id="a joker that helps nobody lies in the book"),
        pytest.param("8s 8h Qs Kh Jd JK", "4c", "4c", 36, id="the joker makes a book of a pair"),
        pytest.param("Qh Kh JK", "4c", "4c", 0, id="the joker is the jack"),
    ],
)
def test_a_round_costs_the_smallest_sum_of_unmelded_cards(hand: str, drawn: str, thrown: str, points: int) -> None:
    """RULES 18."""
    assert score(hand, drawn, thrown) == points


def test_the_right_last_discard_is_the_best_there_is() -> None:
    """RULES 18: with 3s wild and JK 5h 9c Kd no other discard leaves 27."""
    assert {card: score("JK 5h 9c", "Kd", card) for card in ("5h", "9c", "Kd")} == {"5h": 72, "9c": 68, "Kd": 64}


def test_the_layout_of_each_seat_shows_its_score() -> None:
    ended = round_end(last_of_a_round("9s Ts Js Jh Jd", "Kd"), "pile Kd")
    layout = ended.layouts[0]
    assert cards_text(layout.leftover) == "9s Ts"
    assert [sorted(cards_text(meld).split()) for meld in layout.melds] == [["Jd", "Jh", "Js"]]
    assert [layout.points for layout in ended.layouts] == list(ended.scores)


def test_a_weak_declaration_costs_nothing() -> None:
    """RULES 18: whoever says nothing is laid out by the referee."""
    state = table("8s 8h 8d", "Qh Kh JK", lanes=["Ks", "4c"])
    ended = round_end(state, "pile Ks out", "pile 4c")
    assert ended.scores == (0, 0)


def test_scores_are_added_up() -> None:
    ended = round_end(last_of_a_round("JK 5h 9c Kh", "4c", totals=[100, 7]), "pile 4c")
    assert ended.game_round == 2
    assert ended.scores == (77, 0)
    assert ended.totals == (177, 7)


@pytest.mark.parametrize(
    ("totals", "retired", "expected"),
    [
        pytest.param([10, 20], [0, 0], [1, 2], id="RULES 20: the lowest total wins"),
        pytest.param([20, 10, 15], [0, 0, 0], [3, 1, 2], id="by total, not by seat"),
        pytest.param([10, 10, 15], [0, 0, 0], [1, 1, 3], id="RULES 20: the first place is shared"),
        pytest.param([5, 10, 10, 15], [0, 0, 0, 0], [1, 2, 2, 4], id="RULES 20: lower ties share the place"),
        pytest.param([7, 7, 7, 7, 7, 7, 7], [0] * 7, [1] * 7, id="all equal"),
        pytest.param([10, 10, 20, 20, 30], [0] * 5, [1, 1, 3, 3, 5], id="two ties"),
        pytest.param([0, 500, 400], [3, 0, 0], [3, 2, 1], id="RULES 21: retired is last whatever its score"),
        pytest.param([0, 500, 300], [3, 0, 5], [3, 1, 2], id="RULES 21: the later retirement is better"),
        pytest.param([0, 500, 300], [5, 0, 5], [2, 1, 2], id="RULES 21: the same round is shared, scores do not count"),
        pytest.param([0, 9, 9, 8, 7], [1, 0, 0, 11, 2], [5, 1, 1, 3, 4], id="ties above, retirements below"),
        pytest.param([1, 2, 3, 4], [1, 1, 1, 0], [2, 2, 2, 1], id="one seat left"),
        pytest.param([1, 2, 3], [2, 2, 2], [1, 1, 1], id="nobody left"),
    ],
)
def test_places(totals: list[int], retired: list[int], expected: list[int]) -> None:
    assert list(places(totals, retired)) == expected


@pytest.mark.parametrize(
    ("totals", "expected"),
    [((50, 50), (1, 1)), ((50, 40), (2, 1)), ((0, 300), (1, 2))],
    ids=["tie", "1 wins", "0 wins"],
)
def test_the_last_round_ends_the_game_with_the_places_of_its_totals(
    totals: tuple[int, int], expected: tuple[int, int]
) -> None:
    """RULES 20: here both seats score 0 in the last round, with Ks wild."""
    books = "8* 8h 8d 8c 9* 9h 9d 9c T* Th Td Tc Ts"
    runs = "3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks 3h 4h"
    state, events = play(table(books, runs, seat=1, lanes=["4d", "5h"], totals=totals), "pile Ks out", "pile 4d")
    assert isinstance(events[-2], RoundEnded)
    assert (events[-2].game_round, events[-2].scores) == (11, (0, 0))
    assert events[-1] == GameEnded(totals, expected)
    assert state.is_over
