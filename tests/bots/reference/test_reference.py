"""The reference bots: what each does with a hand, and that every step of the ladder is one."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import fmean

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.cli.ladder import main as ladder
from bots.cli.ladder import play_step
from bots.reference import REFERENCE_BOTS
from bots.reference.next_seat import NextSeat
from bots.reference.outlook import expected_points, unseen_copies
from bots.sdk import Bot, Card, Discarded, Drew, SeatView, Source, cards_text, parse_card, parse_cards
from referee.rules.cards import CARDS, CardId, cards_of_ids, deck_ids
from referee.rules.layout import discard_points
from tests.bots.views import view


def bot(name: str) -> Bot:
    return REFERENCE_BOTS[name]()


# -- each step of the ladder -------------------------------------------------------------------------------------------

DEALS = {("random", "simple"): 3, ("simple", "greedy"): 12, ("greedy", "planner"): 8}
"""Deals a step, each played twice with the seats changed: enough for the interval to be clear of 0."""


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(REFERENCE_BOTS)))
def test_each_step_is_separated(weaker: str, stronger: str) -> None:
    step = play_step(weaker, stronger, seats=2, deal_sets=DEALS[weaker, stronger], seed=1)
    assert step.is_separated, step.margin


def test_a_bot_is_not_separated_from_itself() -> None:
    """Against its own kind the rotated deals give the same total to both, whatever luck did."""
    step = play_step("greedy", "greedy", seats=2, deal_sets=4, seed=1)
    assert (step.margin.mean, step.margin.half_width) == (0, 0)


def test_ladder_prints_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.cli.ladder.REFERENCE_BOTS", {name: REFERENCE_BOTS[name] for name in ("simple", "greedy")})
    result = CliRunner().invoke(ladder, ["--deals", "4", "--seed", "2"])
    lines = result.output.splitlines()
    assert lines[0] == "| step | seats | games | margin a game, 95 % |"
    assert [line.split(" | ")[:3] for line in lines[2:4]] == [
        ["| greedy over simple", "2", "8"],
        ["| greedy over simple", "4", "8"],
    ]
    assert len(lines) == 4


# -- single decisions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hand", "upcard", "source"),
    [
        ("simple", "8s 8d 4h Kc Qd", "8h", Source.DISCARD),
        ("simple", "8s 8d 4h Kc Qd", "5h", Source.DISCARD),
        ("simple", "8s 8d 4h Kc Qd", "Ks", Source.PILE),
        ("simple", "8s 9s 4h Kc Qd", "Ts", Source.PILE),
        ("greedy", "8s 9s 4h Kc Qd", "Ts", Source.DISCARD),
        ("greedy", "8s 9s 4h Kc Qd", "3s", Source.PILE),
        ("planner", "8s 9s 4h Kc Qd", "Ts", Source.DISCARD),
        ("planner", "8s 8d 8h 9c Td", "8c", Source.DISCARD),
        ("planner", "8s 8d 8h 9c 9d", "3c", Source.PILE),
    ],
)
def test_draw(name: str, hand: str, upcard: str, source: Source) -> None:
    assert bot(name).draw(view(hand, upcard)) is source


@pytest.mark.parametrize(
    ("name", "hand", "drawn", "discard"),
    [
        ("simple", "Ks Kd Kh 3c 4d JK", "4d", "4d"),
        ("simple", "Ks Kd 5h 3c 4d JK", "4d", "Kd"),
        ("greedy", "8s 9s Ts Kc Qd 3d", "3d", "Kc"),
        ("greedy", "Ks Kd 7h 3c 4d 9d", "4d", "Kd"),
        ("planner", "Ks Kd Qh 3c 9d 4s", "9d", "Qh"),
        ("planner", "8s 9s 8d 3c Kh JK", "3c", "Kh"),
    ],
)
def test_discard(name: str, hand: str, drawn: str, discard: str) -> None:
    thrown = bot(name).discard(view(hand, drawn=drawn))
    assert getattr(thrown, "rank", None) == parse_card(discard).rank


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_joker_goes_on_the_last_turn(name: str) -> None:
    """RULES 18: with 3s wild the right last discard of JK 5h 9c Kd is the joker; nothing can be melded with it."""
    assert bot(name).discard(view("JK 5h 9c Kd", drawn="Kd", last_turn=True)) == parse_card("JK")


def test_planner_keeps_its_wild_while_there_is_time() -> None:
    assert bot("planner").discard(view("JK 5h 9c Kd", drawn="Kd")) == parse_card("Kd")


@pytest.mark.parametrize("name", REFERENCE_BOTS)
@settings(max_examples=60)
@given(data=st.data())
def test_every_decision_is_legal(name: str, data: st.DataObject) -> None:
    """Whatever hand, upcard and moment: a source, and a card that is held."""
    dealt = data.draw(st.integers(3, 13))
    ids = data.draw(st.lists(st.sampled_from(list(deck_ids())), min_size=dealt + 2, max_size=dealt + 6, unique=True))
    cards = cards_of_ids(map(CardId, ids))
    hand, rest = cards[: dealt + 1], cards[dealt + 1 :]
    moment = data.draw(st.booleans())
    seen = view(cards_text(hand), cards_text(rest), drawn=hand[0].text, last_turn=moment)
    chosen = _chosen(name, view(cards_text(hand[:-1]), cards_text(rest), last_turn=moment), seen)
    assert chosen[0] in Source
    assert chosen[1] in hand


def _chosen(name: str, draw: SeatView, discard: SeatView) -> tuple[Source | str, Card | str]:
    one = bot(name)
    one.random = Random(1)
    return one.draw(draw), one.discard(discard)


# -- the planner's outlook ---------------------------------------------------------------------------------------------


def test_unseen_are_all_cards_but_those_in_sight() -> None:
    seen = view("8s 8s 5d Kc JK", "JK Td", last_turn=True)
    unseen = unseen_copies(seen)
    assert sum(unseen) == 116 - 5 - 2 - 5
    by_card = dict(zip(CARDS, unseen, strict=True))
    assert [by_card[parse_card(text)] for text in ("8s", "5d", "5s", "Td", "Ks", "JK")] == [0, 1, 2, 1, 1, 2]


def exact_points(hand: tuple[Card, ...], wild_rank: int, unseen: list[int], going_out: float) -> float:
    """What `expected_points` estimates, by trying every card and every discard."""
    total = 0.0
    for card, copies in zip(CARDS, unseen, strict=True):
        if copies:
            total += copies * (min(discard_points((*hand, card), wild_rank).values()) or -going_out)
    return total / sum(unseen)


HANDS = [
    "3s 9d Kc",
    "JK 4h 9c",
    "8s 8d 4h Kc",
    "8s 9s 4h Kc Qd",
    "8s 8d 8h 9c Td",
    "6s 6d 7s 8s Kc Kd",
    "3h 4h 5h 9c 9d Kc Qs",
    "8s 8d JK Kc Kd 4h 5h 3s",
    "3s 4s 5s 9d Td Kc Kd 6h 7h",
    "3s 4s 5s 9d Td Kc Kd 6h 7h JK",
    "3s 4s 5s 6s 9d Td Jd Kc Kd 6h 7h",
    "3s 4s 5s 6s 9d Td Jd Kc Kd 6h 7h JK Qd",
]


def test_outlook_is_near_the_exact_one() -> None:
    errors = []
    for text in HANDS:
        hand = parse_cards(text)
        unseen = unseen_copies(view(text))
        exact = exact_points(hand, len(hand), unseen, 3.0)
        errors.append(expected_points(hand, len(hand), unseen, 3.0) - exact)
    assert max(map(abs, errors)) < 1.5
    assert fmean(map(abs, errors)) < 0.3


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("8s 8d 9h Kc", "8s 3d 9h Qc"),
        ("8s 9s Qh Kc", "8s 9h Qd Kc"),
        ("8s 8d 8h 9c Td", "8s 8d 9h 9c Td"),
    ],
)
def test_outlook_knows_what_may_come(better: str, worse: str) -> None:
    def outlook(text: str) -> float:
        hand = parse_cards(text)
        return expected_points(hand, len(hand), unseen_copies(view(text)), 3.0)

    assert outlook(better) < outlook(worse)


# -- what a discard gives away -----------------------------------------------------------------------------------------


def chance(card: str, hand: str, upcards: str, *events: Drew | Discarded) -> float:
    """That the next seat, 1, can meld the card."""
    seen = view(hand, upcards, events=events)
    next_seat = NextSeat()
    next_seat.watch(seen)
    return next_seat.chance_to_meld(parse_card(card), seen, unseen_copies(seen))


def took(text: str, seat: int = 1) -> Drew:
    return Drew(seat, Source.DISCARD, parse_card(text))


def threw(text: str, seat: int = 1) -> Discarded:
    return Discarded(seat, parse_card(text), went_out=False)


HAND, UPCARD = "8s 8d 4h Kc Qd", "3c"


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (chance("8h", HAND, UPCARD, took("8c")), chance("8h", HAND, UPCARD)),
        (chance("8h", HAND, UPCARD, took("9h")), chance("8h", HAND, UPCARD)),
        (chance("8h", HAND, UPCARD, took("8c"), took("8h")), chance("8h", HAND, UPCARD, took("8c"))),
        (chance("8h", HAND, UPCARD, took("8c")), chance("8h", HAND, UPCARD, took("8c"), threw("8c"))),
        (chance("8h", HAND, UPCARD, took("8c")), chance("8h", HAND, UPCARD, took("8c", seat=2))),
        (chance("8h", HAND, UPCARD), chance("8h", HAND, "8c 8c 8h 8d 3c")),
        (chance("7h", HAND, "Kd"), chance("3h", HAND, "Kd")),
        (chance("JK", HAND, UPCARD), chance("8h", HAND, UPCARD)),
        (chance("5d", HAND, UPCARD), chance("8h", HAND, UPCARD)),
    ],
    ids=["rank", "neighbour", "two", "thrown again", "another seat", "dead", "edge", "joker", "wild"],
)
def test_chance_that_a_discard_is_welcome(more: float, less: float) -> None:
    assert 0 <= less < more <= 1


def test_two_known_companions_are_certain() -> None:
    assert chance("8h", HAND, UPCARD, took("8c"), took("8h")) == 1
    assert chance("8h", HAND, UPCARD, took("9h"), took("Th")) == 1


def test_what_was_seen_ends_with_the_round() -> None:
    next_seat = NextSeat()
    next_seat.watch(view(HAND, UPCARD, events=(took("8c"),)))
    later = view("8s 8d 4h Kc Qd 3d", UPCARD)
    next_seat.watch(later)
    fresh = NextSeat()
    fresh.watch(later)
    unseen = unseen_copies(later)
    assert next_seat.chance_to_meld(parse_card("8h"), later, unseen) == fresh.chance_to_meld(
        parse_card("8h"), later, unseen
    )


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_going_out_does_not_give_a_wild_away(name: str) -> None:
    """All of these discards leave 0; the others have one turn left to be glad of a joker."""
    assert bot(name).discard(view("8s 8d 8h 8c JK 5s", drawn="8c")).rank == 8  # type: ignore[union-attr] # a card


def test_planner_does_not_throw_what_the_next_seat_collects() -> None:
    """Queen or king: both are alone and dear, but the next seat took a king."""
    seen = view("3s 4s 5h Kc Qd 7h", "9c", drawn="7h", events=(took("Kd"), took("Kh")))
    assert bot("planner").discard(seen) == parse_card("Qd")
