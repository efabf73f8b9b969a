"""What a seat sees: its own hand and what lies open, never a hidden card (RULES 14-16)."""

from __future__ import annotations

import pytest

from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import cards_text, parse_card, parse_cards
from referee.rules.events import (
    Discarded,
    Drew,
    Event,
    GameEnded,
    Reshuffled,
    RoundEnded,
    RoundStarted,
    SeatRetired,
)
from referee.rules.layout import best_layout
from referee.rules.state import GameState, Phase, apply
from referee.rules.views import public_events, view_for
from tests.support.builders import after, having_drawn, table

THREE = table(
    "JK 4h 6h 8h", "4d 6d 8d Td", "9s 9h 9d Kc", seat=0, lanes=["7s", "8s", "Ks Qs"], discard="Qd Kd", totals=[5, 60, 7]
)


def test_a_view_is_all_that_lies_open() -> None:
    view = view_for(THREE, 0)
    assert (view.seat, view.seats, view.phase) == (0, 3, Phase.DRAW)
    assert (view.game_round, view.wild_rank, view.dealer, view.starter) == (2, 4, 1, 2)
    assert (view.turn, view.turn_cap) == (2, 40)
    assert cards_text(view.hand) == "4h 6h 8h JK"
    assert cards_text(view.discard_pile).endswith("Qd Kd")
    assert view.upcard == parse_card("Kd")
    assert (view.draw_pile_size, view.hand_sizes, view.totals) == (4, (4, 4, 4), (5, 60, 7))
    assert (view.drawn, view.drawn_from, view.went_out, view.went_out_hand) == (None, None, None, ())
    assert not view.is_last_turn


def test_the_drawer_sees_its_card() -> None:
    view = view_for(having_drawn(THREE), 0)
    assert (view.phase, view.drawn, view.drawn_from) == (Phase.DISCARD, parse_card("7s"), Source.PILE)
    assert cards_text(view.hand) == "7s 4h 6h 8h JK"
    assert (view.hand_sizes, view.draw_pile_size) == ((5, 4, 4), 3)


@pytest.mark.parametrize("seat", [1, 2])
def test_nobody_else_sees_a_card_from_the_pile(seat: int) -> None:
    state, events = apply(THREE, Draw(Source.PILE))
    view = view_for(state, seat, events)
    assert (view.drawn, view.events) == (None, (Drew(0, Source.PILE, None),))
    assert (view.hand, view.discard_pile) == (view_for(THREE, seat).hand, view_for(THREE, seat).discard_pile)
    assert (view.hand_sizes, view.draw_pile_size) == ((5, 4, 4), 3)


def test_there_is_no_upcard_while_the_only_discard_is_held() -> None:
    state = having_drawn(table("4h 6h 8h", "9s Ts Qc", discard="Kd"), Source.DISCARD)
    assert view_for(state, 0).upcard is None


@pytest.mark.parametrize("seat", [1, 2])
def test_the_hand_of_who_went_out_is_open(seat: int) -> None:
    """RULES 16: from then on."""
    hands = ("8s 8h 8d", "4d 6d Td", "9s Jh Kc")
    state = table(*hands, seat=0, lanes=["Kd", "7h", "7d"])
    assert view_for(having_drawn(state), seat).went_out_hand == ()
    state = after(state, "pile Kd out")
    view = view_for(state, seat)
    assert (view.went_out, view.is_last_turn) == (0, True)
    assert cards_text(view.went_out_hand) == "8s 8h 8d"
    state = after(state, "pile 7h")
    assert cards_text(view_for(state, 2).went_out_hand) == "8s 8h 8d"


def test_a_second_hand_that_melds_all_is_not_shown() -> None:
    """Only the seat that went out shows its cards; the others are scored at the end of the round."""
    state = table("8s 8h 8d", "9s 9h 9d", "4c Jh Kc", lanes=["Kd", "7h", "7d"])
    view = view_for(after(state, "pile Kd out", "pile 7h out"), 2)
    assert (view.went_out, cards_text(view.went_out_hand)) == (0, "8s 8h 8d")


STARTED = RoundStarted(1, 0, 1, (parse_cards("3h 4h 5h"), parse_cards("9s Ts Js")), parse_card("Kd"))
ENDED = RoundEnded(1, (0, 30), (0, 30), tuple(best_layout(hand, 3) for hand in STARTED.hands), 0)


@pytest.mark.parametrize(
    ("event", "seen"),
    [
        pytest.param(Drew(1, Source.PILE, parse_card("9s")), Drew(1, Source.PILE, None), id="a card from the pile"),
        pytest.param(Drew(1, Source.DISCARD, parse_card("9s")), Drew(1, Source.DISCARD, parse_card("9s")), id="upcard"),
        pytest.param(Discarded(1, parse_card("9s"), True), Discarded(1, parse_card("9s"), True), id="a discard"),
        pytest.param(Reshuffled(24), Reshuffled(24), id="a reshuffle"),
        pytest.param(SeatRetired(2), SeatRetired(2), id="a retirement"),
        pytest.param(STARTED, None, id="the hands of a deal"),
        pytest.param(ENDED, None, id="the layouts of a round"),
        pytest.param(GameEnded((0, 30), (1, 2)), None, id="the end is told by a message of its own"),
    ],
)
def test_what_everybody_saw_of_an_event(event: Event, seen: Event | None) -> None:
    assert public_events([event]) == (() if seen is None else (seen,))
    assert view_for(THREE, 0, [event]).events == public_events([event])


def events_of(state: GameState, *actions: Draw | Discard) -> tuple[Event, ...]:
    events: list[Event] = []
    for action in actions:
        state, happened = apply(state, action)
        events += happened
    return tuple(events)


def test_events_come_in_the_order_in_which_they_happened() -> None:
    events = events_of(THREE, Draw(Source.DISCARD), Discard(parse_card("8h")), Draw(Source.PILE))
    assert view_for(THREE, 0, events).events == (
        Drew(0, Source.DISCARD, parse_card("Kd")),
        Discarded(0, parse_card("8h"), went_out=False),
        Drew(1, Source.PILE, None),
    )
