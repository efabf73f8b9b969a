"""What is played for a faulted decision, and what retiring does (RULES 21)."""

from __future__ import annotations

import pytest

from referee.rules.actions import Discard, Draw, IllegalAction, IllegalReason, Retire, Source
from referee.rules.cards import card_of_id, parse_card
from referee.rules.events import Drew, GameEnded, Reshuffled, RoundEnded, SeatRetired
from referee.rules.state import GameState, Phase, apply, default_action, places
from referee.rules.views import view_for
from tests.support.builders import after, all_card_ids, having_drawn, play, table
from tests.support.scripted import thrower

THREE = table("4h 6h 8h", "4d 6d 8d", "4c 6c 8c", seat=1, lanes=["7s 8s", "9s Ts", "Js Qs"], discard="Kd")


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        pytest.param(THREE, Draw(Source.PILE), id="a draw: from the pile"),
        pytest.param(table("4h 6h 8h", "4d 6d 8d", discard="JK"), Draw(Source.PILE), id="even if a joker lies open"),
        pytest.param(having_drawn(THREE), Discard(parse_card("9s")), id="a discard: the card just drawn"),
        pytest.param(having_drawn(THREE, Source.DISCARD), Discard(parse_card("Kd")), id="the upcard goes back"),
        pytest.param(
            having_drawn(table("8h 8d 8s", "4d 6d 9d", lanes=["JK", ""])),
            Discard(parse_card("JK")),
            id="a wild too, and nobody goes out",
        ),
    ],
)
def test_a_faulted_decision_is_replaced(state: GameState, expected: Draw | Discard) -> None:
    assert default_action(state) == expected
    apply(state, default_action(state))


def test_the_replaced_discard_is_the_drawn_card_by_face() -> None:
    """The face counts, so the held copy with the lowest id goes: it is the same card to everybody."""
    state = having_drawn(table("8h Qd Ks", "4d 6d 9d", lanes=["8h", ""]))
    assert state.drawn is not None
    held = min(card_id for card_id in state.hands[0] if card_of_id(card_id).text == "8h")
    assert held != state.drawn
    state, _ = apply(state, default_action(state))
    assert state.discard_pile[-1] == held


def test_a_default_draw_reshuffles_when_it_must() -> None:
    state = table("4h 6h 8h", "4d 6d 8d", lanes=["", ""])
    _, events = apply(state, default_action(state))
    assert [type(event) for event in events] == [Reshuffled, Drew]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("phase", ["draw", "discard"])
def test_a_seat_can_retire_at_any_time_and_the_turn_stays(seat: int, phase: str) -> None:
    """RULES 21: nothing moves but the mark; the seat in turn, retired or not, goes on."""
    before = THREE if phase == "draw" else having_drawn(THREE)
    state, events = apply(before, Retire((seat,)))
    assert events == (SeatRetired(seat),)
    assert state.retired_in_round == tuple(int(number == seat) for number in range(3))
    assert (state.seat, state.phase, state.hands, state.lanes) == (1, Phase(phase), before.hands, before.lanes)
    assert all_card_ids(state) == list(range(116))


def test_the_round_of_the_retirement_is_kept() -> None:
    state = table("4h 6h 8h Th", "4d 6d 8d Td", "4c 6c 8c Tc", game_round=2, seat=0)
    state, _ = apply(state, Retire((1,)))
    assert state.retired_in_round == (0, 2, 0)


def test_a_seat_retires_once() -> None:
    state, _ = apply(THREE, Retire((2,)))
    with pytest.raises(IllegalAction, match="2") as caught:
        apply(state, Retire((2,)))
    assert caught.value.reason is IllegalReason.RETIRED


def test_a_retired_seat_is_played_to_the_end() -> None:
    """RULES 21: its cards stay in play, its lane is its own, and it is scored like the others."""
    state, _ = apply(table("4h 6h 8h", "9h 9d 9s", "4c 6c 8c", seat=1, turn_cap=1), Retire((1,)))
    ends = []
    while not ends:
        state, events = apply(state, default_action(state))
        ends = [event for event in events if isinstance(event, RoundEnded)]
    assert ends[0].scores == (18, 0, 18)
    assert state.game_round == 2


def test_the_others_have_their_last_turns_though_one_is_retired() -> None:
    """RULES 17 with a retired seat among them: it has its last turn by default actions."""
    state = table("8h 8d 8s", "4d 6d Kd", "4c 6c 8c", lanes=["Ks", "JK", "Qs"])
    state, _ = apply(after(state, "pile Ks out"), Retire((1,)))
    state, events = play(state, "pile JK", "pile Qs")
    ended = events[-2]
    assert isinstance(ended, RoundEnded)
    assert ended.scores == (0, 23, 18)


@pytest.mark.parametrize("seats", range(2, 8))
def test_the_game_ends_at_once_with_one_seat_left(seats: int) -> None:
    """RULES 21."""
    hands = [f"4{suit} 6{suit} 8{suit}" for suit in "shdc*sh"][:seats]
    state = table(*hands)
    for seat in range(seats - 2):
        state, events = apply(state, Retire((seat,)))
        assert (events, state.is_over) == ((SeatRetired(seat),), False)
    state, events = apply(state, Retire((seats - 2,)))
    assert events == (SeatRetired(seats - 2), GameEnded((0,) * seats, (2,) * (seats - 1) + (1,)))
    assert (state.is_over, state.phase) == (True, Phase.OVER)


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        pytest.param((0, 1), (2, 2, 1), id="two of three: they share the last place"),
        pytest.param((2, 1, 0), (1, 1, 1), id="all of them: nobody is the last one by its number"),
    ],
)
def test_seats_that_retire_at_one_moment_share_their_place(seats: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """RULES 21: at most one seat is left, perhaps none."""
    state, events = apply(THREE, Retire(seats))
    assert events == (*map(SeatRetired, seats), GameEnded((0, 0, 0), expected))
    assert state.retired_in_round == tuple(int(seat in seats) for seat in range(3))


@pytest.mark.parametrize("seats", [(0, 3), (1, 1)], ids=["one that is not there", "twice the same"])
def test_seats_retire_all_or_none(seats: tuple[int, ...]) -> None:
    with pytest.raises(IllegalAction):
        apply(THREE, Retire(seats))
    assert THREE.retired_in_round == (0, 0, 0)


def test_the_round_that_was_not_finished_does_not_count() -> None:
    state = table("JK 5h 9c 7s", "4d 6d 8d Td", "4c 6c 8c Tc", seat=2, totals=[10, 90, 20])
    state, _ = apply(state, Retire((0,)))
    state, events = apply(having_drawn(state), Retire((2,)))
    assert events[-1] == GameEnded(totals=(10, 90, 20), places=(2, 1, 2))
    assert len(state.round_scores) == 1


def test_the_later_retirement_is_better_and_no_score_helps() -> None:
    state = table("JK 5h 9c", "4d 6d 8d", "4c 6c 8c", seat=1, turn_cap=1)
    state, _ = apply(state, Retire((0,)))
    while state.game_round == 1:
        state, _ = apply(state, default_action(state))
    state, events = apply(state, Retire((2,)))
    assert state.retired_in_round == (1, 0, 2)
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.places == (3, 1, 2) == places(state.totals, state.retired_in_round)


def test_the_default_is_what_a_thrower_plays() -> None:
    """The golden games and the sessions of these tests rest on it."""
    assert default_action(THREE) == thrower(view_for(THREE, 1))
    assert default_action(having_drawn(THREE)) == thrower(view_for(having_drawn(THREE), 1))
