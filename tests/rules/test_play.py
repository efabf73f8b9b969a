"""Turns, lanes, going out, last turns and the cap (RULES 14-17, 19)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.actions import Action, Discard, Draw, IllegalAction, IllegalReason, Retire, Source
from referee.rules.cards import CardId, card_of_id, cards_of_ids, parse_card
from referee.rules.events import Discarded, Drew, GameEnded, Reshuffled, RoundEnded, RoundStarted
from referee.rules.state import GameConfig, GameState, Phase, apply, new_game
from tests.support.builders import (
    SEED,
    after,
    all_card_ids,
    discards_text,
    hand_text,
    having_drawn,
    lane_text,
    lanes_of,
    melds_of,
    play,
    some_hand,
    table,
    turn_of,
)
from tests.support.scripted import game_steps, thrower
from tests.support.shuffle_reference import order_of

PILE, UP = Draw(Source.PILE), Draw(Source.DISCARD)


def refusal(state: GameState, action: Action) -> IllegalAction:
    """Why the rules forbid the action; the state must be what it was."""
    before = repr(state)
    with pytest.raises(IllegalAction) as caught:
        apply(state, action)
    assert repr(state) == before
    return caught.value


# -- a turn (RULES 14) -------------------------------------------------------------------------------------------------


def test_a_turn_is_a_draw_and_a_discard() -> None:
    state = table("4h 6h 8h", "9s Ts Qc", lanes=["7s", "8s"], discard="Kd")
    state, events = apply(state, PILE)
    assert (state.phase, state.seat, state.drawn_from) == (Phase.DISCARD, 0, Source.PILE)
    assert hand_text(state, 0) == "7s 4h 6h 8h"
    assert events == (Drew(0, Source.PILE, parse_card("7s")),)
    state, events = apply(state, Discard(parse_card("8h")))
    assert (state.phase, state.seat, state.drawn, state.drawn_from) == (Phase.DRAW, 1, None, None)
    assert events == (Discarded(0, parse_card("8h"), went_out=False),)
    assert discards_text(state).endswith("Kd 8h")


def test_the_upcard_and_only_it_can_be_taken() -> None:
    state = having_drawn(table("4h 6h 8h", "9s Ts Qc", discard="Kd Qd Jd"), Source.DISCARD)
    assert state.drawn is not None
    assert card_of_id(state.drawn).text == "Jd"
    assert discards_text(state) == "Kd Qd"


def test_the_upcard_may_be_thrown_back() -> None:
    """RULES 14: taking the upcard and throwing the same card back is legal."""
    before = table("4h 6h 8h", "9s Ts Qc", discard="Qd Kd")
    state = after(before, "up Kd")
    assert (state.hands, state.discard_pile, state.lanes) == (before.hands, before.discard_pile, before.lanes)
    assert state.seat == 1


def test_the_only_discard_can_be_taken() -> None:
    state = having_drawn(table("4h 6h 8h", "9s Ts Qc", discard="Kd"), Source.DISCARD)
    assert state.discard_pile == ()
    assert discards_text(apply(state, Discard(parse_card("4h")))[0]) == "4h"


@pytest.mark.parametrize(
    "card", ["JK", "3h", "7s", "8h"], ids=["a joker", "a rotating wild", "the drawn card", "any card"]
)
def test_any_card_may_be_thrown(card: str) -> None:
    """RULES 14: wilds too."""
    state = after(table("JK 3h 8h", "9s Ts Qc", lanes=["7s", "8s"]), f"pile {card}")
    assert discards_text(state).endswith(card)


def test_the_held_copy_with_the_lowest_id_is_thrown() -> None:
    state = having_drawn(table("8h 8h Ks", "9s Ts Qc", lanes=["7s", ""]))
    low, high = (card_id for card_id in state.hands[0] if card_of_id(card_id).text == "8h")
    state, _ = apply(state, Discard(parse_card("8h")))
    assert (state.discard_pile[-1], high in state.hands[0]) == (min(low, high), True)


@pytest.mark.parametrize("seats", [*range(2, 9), 14])
def test_turns_pass_clockwise(seats: int) -> None:
    steps = game_steps(GameConfig(seats, turn_cap=3), SEED, thrower)
    discards = [event for state, _, events in steps for event in events if state.game_round == 1]
    turns = [event.seat for event in discards if isinstance(event, Discarded)]
    assert turns[: seats * 2] == [(1 + number) % seats for number in range(seats * 2)]


ONE_TO_DRAW = table("4h 6h 8h", "9s Ts Qc", lanes=["7s", "8s"], discard="Kd")
ONE_TO_THROW = having_drawn(ONE_TO_DRAW)


@pytest.mark.parametrize(
    ("state", "action", "reason", "names"),
    [
        pytest.param(ONE_TO_DRAW, Discard(parse_card("4h")), "not_now", ["seat 0"], id="RULES 14: draw first"),
        pytest.param(ONE_TO_THROW, PILE, "not_now", ["seat 0"], id="RULES 14: one card, not two"),
        pytest.param(ONE_TO_THROW, UP, "not_now", ["seat 0"], id="RULES 14: not the upcard as well"),
        pytest.param(
            ONE_TO_THROW, Discard(parse_card("Kd")), "not_held", ["seat 0", "Kd"], id="the upcard is not held"
        ),
        pytest.param(ONE_TO_THROW, Discard(parse_card("9s")), "not_held", ["9s"], id="another seat's card"),
        pytest.param(ONE_TO_THROW, Discard(parse_card("JK")), "not_held", ["JK"], id="no joker in hand"),
        pytest.param(ONE_TO_THROW, Discard(parse_card("Kd"), True), "not_held", ["Kd"], id="out with a card not held"),
        pytest.param(
            ONE_TO_THROW, Discard(parse_card("7s"), True), "cannot_go_out", ["7s"], id="RULES 16: out with 18"
        ),
        pytest.param(ONE_TO_DRAW, Retire((2,)), "no_such_seat", ["2"], id="seat 2 of two"),
        pytest.param(ONE_TO_DRAW, Retire((-1,)), "no_such_seat", ["-1"], id="seat -1"),
    ],
)
def test_what_the_rules_forbid(state: GameState, action: Action, reason: str, names: list[str]) -> None:
    illegal = refusal(state, action)
    assert illegal.reason is IllegalReason(reason)
    assert [name for name in names if name not in str(illegal)] == []


# -- lanes (RULES 15) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "lanes", "drawn", "left"),
    [
        pytest.param(0, ["7s 8s", "9s Ts"], "7s", ["8s", "9s Ts"], id="the next card of one's own lane"),
        pytest.param(1, ["7s 8s", "9s Ts"], "9s", ["7s 8s", "Ts"], id="the same for the other seat"),
        pytest.param(
            0, ["7s", "8s 9s Ts", "Js"], "7s", ["", "8s 9s Ts", "Js"], id="one's own though another is longer"
        ),
        pytest.param(0, ["", "7s", "8s 9s Ts"], "Ts", ["", "7s", "8s 9s"], id="empty: the bottom of the longest other"),
        pytest.param(2, ["7s 8s 9s", "Ts Js", ""], "9s", ["7s 8s", "Ts Js", ""], id="the longest, not the next"),
        pytest.param(
            0, ["", "7s 8s", "9s Ts"], "8s", ["", "7s", "9s Ts"], id="a tie: first clockwise after the drawer"
        ),
        pytest.param(1, ["7s 8s", "", "9s Ts"], "Ts", ["7s 8s", "", "9s"], id="a tie: clockwise from seat 1 is seat 2"),
        pytest.param(2, ["7s 8s", "9s Ts", ""], "8s", ["7s", "9s Ts", ""], id="a tie: clockwise round the corner"),
        pytest.param(2, ["8s", "9s Ts", "", "Js Qs"], "Qs", ["8s", "9s Ts", "", "Js"], id="a tie behind and ahead"),
        pytest.param(3, ["", "7s", "", ""], "7s", ["", "", "", ""], id="the very last card"),
    ],
)
def test_where_a_card_from_the_pile_comes_from(seat: int, lanes: list[str], drawn: str, left: list[str]) -> None:
    """RULES 15."""
    hands = ["4h 6h 8h", "4d 6d 8d", "4c 6c 8c", "4* 6* 8*"][: len(lanes)]
    state = having_drawn(table(*hands, seat=seat, lanes=lanes, discard="Kd"))
    assert state.drawn is not None
    assert card_of_id(state.drawn).text == drawn
    assert [lane_text(state, number) for number in range(len(lanes))] == left
    assert state.reshuffles == 0


def all_drawn(seat: int = 0, game_round: int = 1) -> GameState:
    """Three seats and no card left to draw."""
    return table("4h 6h 8h", "4d 6d 8d", "4c 6c 8c", seat=seat, lanes=["", "", ""], discard="Kd", game_round=game_round)


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("game_round", [1, 2, 3])
def test_all_lanes_empty_reshuffles_the_discards_below_the_top(seat: int, game_round: int) -> None:
    """RULES 15: cut by the same formula with the round's starter, whoever asks; the top stays."""
    before = all_drawn(seat, game_round)
    order = [CardId(card) for card in order_of(SEED, f"reshuffle|{game_round}|1", before.discard_pile[:-1])]
    state, events = apply(before, PILE)
    lanes = lanes_of(order, 3, game_round % 3)
    first = lanes[seat][-1]
    lanes[seat] = lanes[seat][:-1]
    assert (state.drawn, list(state.lanes)) == (first, lanes)
    assert state.discard_pile == before.discard_pile[-1:]
    assert events == (Reshuffled(len(order)), Drew(seat, Source.PILE, card_of_id(first)))
    assert state.reshuffles == 1
    assert all_card_ids(state) == list(range(116))


def test_only_who_asks_to_draw_makes_a_reshuffle() -> None:
    """RULES 15."""
    state, events = play(all_drawn(), "up 4h")
    assert (state.draw_pile_size, state.reshuffles) == (0, 0)
    assert not [event for event in events if isinstance(event, Reshuffled)]
    last_card = table("4h 6h 8h", "4d 6d 8d", lanes=["7s", ""], discard="Kd")
    assert after(last_card, "pile 7s").draw_pile_size == 0


def test_each_reshuffle_of_a_round_has_an_order_of_its_own() -> None:
    """The label counts them: the same cards come in another order."""
    first, second = (apply(replace(all_drawn(), reshuffles=number), PILE)[0] for number in (0, 1))
    order = order_of(SEED, "reshuffle|1|2", all_drawn().discard_pile[:-1])
    assert second.reshuffles == 2
    assert second.drawn == lanes_of([CardId(card) for card in order], 3, 1)[0][-1]
    assert first.lanes != second.lanes


def test_seven_seats_reshuffle_in_the_last_round_and_in_no_other() -> None:
    """RULES 15: 24 cards are left; the 25th draw from the pile reshuffles the 24 discards below the top."""
    config = GameConfig(7, turn_cap=4)
    happened = [
        (state.game_round, state.turn, event.draw_pile_size)
        for state, _, events in game_steps(config, SEED, thrower)
        for event in events
        if isinstance(event, Reshuffled)
    ]
    assert happened == [(11, 25, 24)]


def test_fourteen_seats_reshuffle_in_the_last_round() -> None:
    """RULES 4, 15: 49 cards are left; in lanes of three and four, lent by the longest, and the 50th draw reshuffles."""
    config = GameConfig(14, turn_cap=4)
    happened = [
        (state.game_round, state.turn, event.draw_pile_size)
        for state, _, events in game_steps(config, SEED, thrower)
        for event in events
        if isinstance(event, Reshuffled)
    ]
    assert happened == [(11, 50, 49)]


# -- going out (RULES 16) ----------------------------------------------------------------------------------------------


def with_hand(hand: str, drawn: str) -> GameState:
    """Two seats; seat 0 holds `hand` and has drawn one card more."""
    return having_drawn(table(hand, some_hand(len(hand.split())), lanes=[drawn, ""]))


@pytest.mark.parametrize(
    ("hand", "drawn", "thrown"),
    [
        pytest.param("8s 8h 8d", "Kd", "Kd", id="the drawn card is left over"),
        pytest.param("8s 8h Kd", "8d", "Kd", id="a held card is left over"),
        pytest.param("8s 8h 8d", "8c", "8c", id="the discard may be one that would fit"),
        pytest.param("8s 8h 8d", "JK", "JK", id="even a joker"),
        pytest.param("3h 4h 5h", "Kd", "Kd", id="a rotating wild stands for itself"),
        pytest.param("3h JK 3*", "Kd", "Kd", id="wilds alone are a meld"),
        pytest.param("Qh Kh JK", "4d", "4d", id="a joker as the jack"),
        pytest.param("8s 8h 8d Ks Kd Kh", "4c", "4c", id="two books"),
        pytest.param("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks", "4c", "4c", id="a run from 3 to K"),
    ],
)
def test_who_can_go_out(hand: str, drawn: str, thrown: str) -> None:
    """RULES 16: as many cards as were dealt lie in melds, and one is thrown."""
    state, events = apply(with_hand(hand, drawn), Discard(parse_card(thrown), go_out=True))
    assert state.went_out == 0
    assert events == (Discarded(0, parse_card(thrown), went_out=True),)
    assert (state.seat, state.is_last_turn) == (1, True)


@pytest.mark.parametrize(
    ("hand", "drawn"),
    [
        pytest.param("8s 8d 8h Ks Kd", "Kh", id="5s wild: all six can be melded, but no five"),
        pytest.param("4s 4h 6d", "6c", id="two pairs"),
        pytest.param("JK 5h 9c", "Kd", id="a joker and nothing to go with it"),
        pytest.param("Qh Kh 4h", "5h", id="no run round the corner"),
    ],
)
def test_who_cannot_go_out(hand: str, drawn: str) -> None:
    """RULES 16: the test is "some discard leaves 0", never "all can be melded"."""
    state = with_hand(hand, drawn)
    for card in set(cards_of_ids(state.hands[0])):
        illegal = refusal(state, Discard(card, go_out=True))
        assert illegal.reason is IllegalReason.CANNOT_GO_OUT


def test_going_out_with_the_wrong_discard_is_refused() -> None:
    """The claim is about the cards that are kept."""
    state = with_hand("8s 8h 8d", "Kd")
    assert refusal(state, Discard(parse_card("8s"), go_out=True)).reason is IllegalReason.CANNOT_GO_OUT


def test_going_out_is_optional_and_must_be_said() -> None:
    """RULES 16."""
    state = table("8s 8h 8d", "9s Ts Qc", lanes=["Kd 4d", "4c"])
    state, events = play(state, "pile Kd")
    assert events[-1] == Discarded(0, parse_card("Kd"), went_out=False)
    assert (state.went_out, state.is_last_turn) == (None, False)
    state = after(state, "pile 4c", "pile 4d out")
    assert state.went_out == 0


@pytest.mark.parametrize(
    "melds",
    [
        pytest.param("8s 8h 8d | 9s Ts JK", id="as laid"),
        pytest.param("JK 9s Ts | 8d 8s 8h", id="RULES 9: the order does not matter"),
        pytest.param("8h 8d JK | 8s 9s Ts", id="another layout is as good"),
    ],
)
def test_melds_that_come_with_the_claim(melds: str) -> None:
    state = with_hand("8s 8h 8d 9s Ts JK", "4c")
    assert apply(state, Discard(parse_card("4c"), True, melds_of(melds)))[0].went_out == 0


@pytest.mark.parametrize(
    ("melds", "names"),
    [
        pytest.param("8s 8h 8d", [], id="cards are missing"),
        pytest.param("8s 8h 8d | 9s Ts", [], id="a meld of two"),
        pytest.param("8s 8h 9s | 8d Ts JK", [], id="no meld"),
        pytest.param("8s 8h 8d | 9s Ts JK | 4c", [], id="the discard laid as well"),
        pytest.param("8s 8h 8d | 9s Ts Js", ["Js"], id="a card not held"),
        pytest.param("8s 8h 8d JK | 9s Ts JK", ["JK"], id="RULES 10: a card serves one meld"),
        pytest.param("8s 8h 8d | 9s Ts 6d", ["6d"], id="RULES 10: a wild is named by its own face"),
        pytest.param("8s 8h 8d 8s | 9s Ts JK", ["8s"], id="a second copy not held"),
    ],
)
def test_wrong_melds_are_refused_though_a_layout_exists(melds: str, names: list[str]) -> None:
    state = with_hand("8s 8h 8d 9s Ts JK", "4c")
    illegal = refusal(state, Discard(parse_card("4c"), True, melds_of(melds)))
    assert illegal.reason is IllegalReason.WRONG_MELDS
    assert [name for name in names if name not in str(illegal)] == []


def test_right_melds_for_another_discard_are_refused() -> None:
    state = with_hand("8s 8h 8d", "8c")
    illegal = refusal(state, Discard(parse_card("8c"), True, melds_of("8h 8d 8c")))
    assert illegal.reason is IllegalReason.WRONG_MELDS


# -- last turns (RULES 17) ---------------------------------------------------------------------------------------------

NOTHING = [f"4{suit} 9{suit} Q{suit}" for suit in "shdc*"] + ["7s 9h Jd", "7h Td Qc"]


def about_to_go_out(seats: int, out: int, **changes: object) -> GameState:
    """Seat `out` is in turn and can go out with Ks; each seat finds its own king in its lane."""
    hands = ["8s 8h 8d" if seat == out else NOTHING[seat] for seat in range(seats)]
    kings = ["Ks", "Kh", "Kd", "Kc", "K*", "Ks", "Kh"]
    lanes = [kings[(seat - out) % seats] for seat in range(seats)]
    return table(*hands, seat=out, lanes=lanes, **changes)


@pytest.mark.parametrize(("seats", "out"), [(2, 0), (2, 1), (3, 2), (4, 1), (5, 4), (7, 3)])
def test_every_other_seat_has_exactly_one_more_turn(seats: int, out: int) -> None:
    state, events = play(about_to_go_out(seats, out), "pile Ks out")
    for after_out in range(1, seats):
        assert (state.game_round, state.seat, state.is_last_turn) == (1, (out + after_out) % seats, True)
        state = having_drawn(state)
        assert state.drawn is not None
        state, events = apply(state, Discard(card_of_id(state.drawn)))
    ended, started = events[-2:]
    assert isinstance(ended, RoundEnded)
    assert isinstance(started, RoundStarted)
    assert ended.went_out == out
    assert ended.scores[out] == 0
    assert all(score > 0 for seat, score in enumerate(ended.scores) if seat != out)
    assert (state.game_round, state.went_out, state.is_last_turn) == (2, None, False)


def test_the_discard_of_who_went_out_can_be_taken() -> None:
    """RULES 17."""
    state = table("8s 8h 8d", "Kd Kh 5c", lanes=["Ks", "4c"])
    state, events = play(state, "pile Ks out", "up 5c")
    ended = events[-2]
    assert isinstance(ended, RoundEnded)
    assert ended.scores == (0, 0)


@pytest.mark.parametrize("says_so", ["", " out"], ids=["silently", "said"])
def test_who_melds_all_in_a_last_turn_scores_0_and_gives_nobody_a_second_turn(says_so: str) -> None:
    """RULES 17: seat 1 melds all too; seat 2 has its one turn, then the round is over."""
    state = table("8s 8h 8d", "9s 9h 9d", "4c 9c Qc", lanes=["Ks", "Kh", "Kd"])
    state, events = play(state, "pile Ks out", f"pile Kh{says_so}")
    assert (state.went_out, state.seat, state.game_round) == (0, 2, 1)
    state, events = play(state, "pile Kd")
    ended = events[-2]
    assert isinstance(ended, RoundEnded)
    assert (ended.went_out, ended.scores) == (0, (0, 0, 25))
    assert state.game_round == 2


def test_a_false_claim_in_a_last_turn_is_refused() -> None:
    state = having_drawn(after(table("8s 8h 8d", "9s 9h Td", lanes=["Ks", "Kh"]), "pile Ks out"))
    assert refusal(state, Discard(parse_card("Kh"), go_out=True)).reason is IllegalReason.CANNOT_GO_OUT


# -- the cap (RULES 19) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cap"), [(2, 1), (2, 40), (3, 2), (7, 3)])
def test_a_round_ends_when_a_turn_would_begin_beyond_the_cap(seats: int, cap: int) -> None:
    turns = 0
    for state, action, events in game_steps(GameConfig(seats, cap), SEED, thrower):
        turns += isinstance(action, Discard)
        for event in events:
            if isinstance(event, RoundEnded):
                assert turns == seats * cap
                assert event.went_out is None
                assert all(layout.points == score for layout, score in zip(event.layouts, event.scores, strict=True))
                assert state.is_over or state.game_round == event.game_round + 1
                turns = 0


def test_the_cap_is_40_turns_a_seat_if_not_said() -> None:
    assert GameConfig(4).turn_cap == 40


def test_a_round_at_its_cap_scores_what_everybody_holds() -> None:
    """RULES 18, 19."""
    state = table("8s 8h 8d", "9s 9h Td", seat=0, lanes=["Kd", ""], turn=2, turn_cap=1)
    _, events = play(state, "pile Kd")
    ended = events[-2]
    assert isinstance(ended, RoundEnded)
    assert (ended.went_out, ended.scores) == (None, (0, 28))


@pytest.mark.parametrize("turn", [1, 2, 3], ids=["first turn", "second turn", "last turn before the cap"])
def test_last_turns_are_played_beyond_the_cap(turn: int) -> None:
    """RULES 19: three seats with one turn each; whoever goes out, the two others have their last turn."""
    out = turn % 3
    state = after(about_to_go_out(3, out, turn=turn, turn_cap=1), "pile Ks out")
    for _ in range(2):
        assert (state.game_round, state.is_last_turn) == (1, True)
        state = having_drawn(state)
        assert state.drawn is not None
        state, events = apply(state, Discard(card_of_id(state.drawn)))
    ended = events[-2]
    assert isinstance(ended, RoundEnded)
    assert (ended.game_round, ended.went_out) == (1, out)


# -- the whole game (RULES 20) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [*range(2, 9), 14])
def test_a_game_has_eleven_rounds(seats: int) -> None:
    steps = list(game_steps(GameConfig(seats, turn_cap=1), SEED, thrower))
    ends = [event for _, _, events in steps for event in events if isinstance(event, RoundEnded)]
    assert [event.game_round for event in ends] == list(range(1, 12))
    for event, before in zip(ends[1:], ends, strict=False):
        assert event.totals == tuple(map(sum, zip(before.totals, event.scores, strict=True)))
    final, _, last_events = steps[-1]
    assert isinstance(last_events[-1], GameEnded)
    assert last_events[-1].totals == final.totals == ends[-1].totals
    assert (final.is_over, final.phase, len(final.round_scores)) == (True, Phase.OVER, 11)


@pytest.mark.parametrize("action", [PILE, UP, Discard(parse_card("4h")), Retire((0,)), Retire((9,))], ids=repr)
def test_nothing_can_be_done_after_the_end(action: Action) -> None:
    *_, (final, _, _) = game_steps(GameConfig(2, turn_cap=1), SEED, thrower)
    assert refusal(final, action).reason is IllegalReason.GAME_OVER


def test_the_same_seed_and_the_same_actions_are_the_same_game() -> None:
    one, other = (list(game_steps(GameConfig(3, turn_cap=2), SEED, thrower)) for _ in range(2))
    assert one == other
    assert new_game(GameConfig(3), SEED) == new_game(GameConfig(3), SEED)


def test_the_turn_notation_of_these_tests() -> None:
    assert turn_of("up 3h out: JK JK JK | 4h 5h 6h")[1].melds == melds_of("JK JK JK | 4h 5h 6h")
    with pytest.raises(ValueError, match="SOURCE CARD"):
        turn_of("pile 3h away")
