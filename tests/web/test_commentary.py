"""A game in words, the key moments and the score sheet."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.utils.html import strip_tags

from referee.record.conditions import FaultType
from referee.record.game_record import read_record
from referee.record.transcript import PUBLIC, transcript
from tests.support.goldens import GOLDENS
from tests.support.scripted import played
from tests.web.viewer.samples import replay_of
from tests.web.viewer.showcase import TROUBLES
from web.commentary import FAULTS, MOMENTS_SHOWN, Line, Moment, Story, face_html, key_moments, narrate, wild_name

START = {
    "type": "round_start",
    "round": 1,
    "wild": 3,
    "dealer": 0,
    "starter": 1,
    "hands": [["4h", "5h", "6h"], ["Kd", "Kc", "JK"]],
    "upcard": "8c",
    "pile": 109,
}
DRAW = {"type": "draw", "seat": 1, "turn": 1, "source": "pile", "card": "9s", "points": 9}
TAKE = {**DRAW, "source": "discard", "card": "8c"}
THROW = {
    "type": "discard",
    "seat": 1,
    "turn": 1,
    "card": "9s",
    "go_out": False,
    "points": 12,
    "best": ["9s"],
    "best_points": 12,
}
OUT = {**THROW, "points": 0, "best_points": 0, "go_out": True}
LAYOUTS = [
    {"melds": [["4h", "5h", "6h"]], "leftover": [], "points": 0},
    {"melds": [["Kd", "Kc", "JK"]], "leftover": [], "points": 0},
]
END = {"type": "round_end", "round": 1, "went_out": 1, "scores": [7, 0], "totals": [7, 0], "layouts": LAYOUTS}
FAULT = {
    "type": "fault",
    "seat": 1,
    "fault": "MOVE_TIMEOUT",
    "detail": "",
    "budget_ms": 2000,
    "used_ms": 2104,
    "reply": "",
    "retires": False,
}


def told(*events: dict[str, Any], names: tuple[str, ...] = ("ada", "bob")) -> Story:
    return narrate({"game": "x", "view": "all", "seats": [{"bot": name} for name in names], "events": events})


def plain(text: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", text))


def lines(story: Story) -> list[Line]:
    return [line for chapter in story.chapters for line in chapter.lines]


def last(*events: dict[str, Any]) -> str:
    return plain(lines(told(*events))[-1].text)


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ([START], "Round 1: 3 cards each, 3s are wild. ada deals, bob starts. 8 of clubs opens the discard pile."),
        ([START, DRAW], "bob: draws 9 of spades from the pile."),
        ([START, TAKE], "bob: picks up the first upcard, 8 of clubs."),
        ([START, DRAW, THROW], "bob: throws 9 of spades as drawn; 12 points left in hand."),
        ([START, DRAW, {**THROW, "card": "Kd"}], "bob: throws K of diamonds; 12 points left in hand."),
        ([START, DRAW, {**THROW, "card": "JK"}], "bob: gives away a wild, Joker; 12 points left in hand."),
        ([START, DRAW, {**THROW, "card": "3*"}], "bob: gives away a wild, 3 of stars, wild; 12 points left in hand."),
        (
            [START, DRAW, THROW, {**TAKE, "seat": 0, "card": "9s"}],
            "ada: picks up 9 of spades thrown by bob.",
        ),
        (
            [START, DRAW, OUT, END],
            "Round 1: ada 7, bob 0. bob leads by 7.",
        ),
        (
            [START, DRAW, THROW, {**END, "went_out": None}],
            "Turn limit: nobody went out, all count their hands. Round 1: ada 7, bob 0. bob leads by 7.",
        ),
        ([START, {"type": "reshuffle", "pile": 30}], "The draw pile is empty; 30 discards are shuffled back."),
        (
            [START, FAULT],
            "bob: no answer in time (limit 2000 ms, took 2104 ms). The referee plays the default move.",
        ),
        (
            [START, {**FAULT, "fault": "ILLEGAL", "budget_ms": 0, "detail": "not in hand", "reply": "<b>"}],
            "bob: illegal reply. The referee plays the default move. Reason: not in hand. Its reply: <b>",
        ),
        ([START, FAULT, DRAW], "bob: draws 9 of spades from the pile (default move)."),
        (
            [START, {"type": "retire", "seat": 1, "fault": "RESIGN"}],
            "bob: out of the game (it resigned). The referee plays its seat to the end.",
        ),
        (
            [{"type": "game_end", "totals": [7, 0], "places": [2, 1], "reason": ""}],
            "bob wins with 0 points, 7 ahead.",
        ),
        (
            [{"type": "game_end", "totals": [7, 7], "places": [1, 1], "reason": ""}],
            "Shared win: ada, bob.",
        ),
        (
            [{"type": "game_end", "totals": [7, 9], "places": [2, 1], "reason": "one seat was left"}],
            "bob wins with 9 points. The game ended early: one seat was left.",
        ),
    ],
)
def test_what_is_said(events: list[dict[str, Any]], text: str) -> None:
    assert last(*events) == text


def test_going_out_shows_the_melds_of_the_round_s_end() -> None:
    said = plain(lines(told(START, DRAW, OUT, END))[2].text)
    assert said == (
        "bob: throws 9 of spades and goes out on turn 1 with K of diamonds K of clubs Joker. "
        "One last turn for everybody else."
    )


def test_going_out_before_the_round_s_end_is_known_names_no_melds() -> None:
    assert last(START, DRAW, OUT).startswith("bob: throws 9 of spades and goes out on turn 1. One last turn")


LAST = {**THROW, "seat": 0, "turn": 4, "card": "4h", "points": 6, "best_points": 6}


@pytest.mark.parametrize(
    ("discard", "text"),
    [
        (LAST, "ada: throws 4 of hearts, its last turn; gets down from 15 to 6 points."),
        ({**LAST, "points": 15}, "ada: throws 4 of hearts, its last turn; 15 points left in hand."),
        ({**LAST, "points": 0}, "ada: throws 4 of hearts, its last turn; everything is melded, 0 points."),
        (
            {**LAST, "points": 0, "go_out": True},
            "ada: throws 4 of hearts, its last turn; everything is melded, 0 points.",
        ),
    ],
    ids=["saves", "saves nothing", "caught up", "caught up and said so"],
)
def test_the_last_turn(discard: dict[str, Any], text: str) -> None:
    first = [{**DRAW, "seat": 0, "card": "8d"}, {**LAST, "turn": 2, "card": "8d", "points": 15, "best_points": 15}]
    assert last(START, DRAW, THROW, *first, DRAW, OUT, {**DRAW, "seat": 0}, discard) == text


@pytest.mark.parametrize(
    ("events", "public"),
    [
        ([START, DRAW], "bob: draws from the pile."),
        ([START, TAKE], None),
        ([START, DRAW, THROW], "bob: throws 9 of spades."),
        ([START, TAKE, {**THROW, "card": "8c"}], "bob: throws 8 of clubs as drawn."),
        ([START, DRAW, OUT], None),
        (
            [START, {**FAULT, "fault": "ILLEGAL", "detail": "Kh is not in hand"}],
            "bob: illegal reply (limit 2000 ms, took 2104 ms). The referee plays the default move.",
        ),
    ],
)
def test_the_public_wording_tells_no_secret(events: list[dict[str, Any]], public: str | None) -> None:
    said = lines(told(*events))[-1].public
    assert (plain(said) if said else None) == public


@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_public_transcript_is_told_in_the_public_wording(number: int) -> None:
    """What the page hides is worded as what the server would have told a viewer who never got it."""
    how = {"number": number, **(TROUBLES if number == 4 else {})}
    full, public = (lines(narrate(replay_of(4, viewer=viewer, **how))) for viewer in ("all", PUBLIC))
    assert [plain(line.public or line.text) for line in full] == [plain(line.public or line.text) for line in public]


@pytest.mark.parametrize(
    ("discard", "kind", "what"),
    [
        ({"points": 12, "best_points": 3, "best": ["Kd"]}, None, None),
        ({"points": 13, "best_points": 3, "best": ["Kd"]}, "blunder", "10 points more than throwing king of diamonds"),
        (
            {"points": 53, "best_points": 3, "best": ["9s", "JK"]},
            "blunder",
            "50 points more than throwing 9 of spades or a joker",
        ),
        ({"points": 9, "best_points": 0, "best": ["Kd"]}, "missed_out", "could have gone out here"),
        ({"points": 0, "best_points": 0, "best": ["9s"]}, "missed_out", "could have gone out here"),
        ({"points": 0, "best_points": 0, "go_out": True}, "went_out", "goes out"),
        ({"points": None, "best_points": None, "best": None}, None, None),
    ],
)
def test_moments_of_a_discard(discard: dict[str, Any], kind: str | None, what: str | None) -> None:
    moment = lines(told(START, DRAW, {**THROW, **discard}))[-1].moment
    assert (moment and moment.kind, moment and moment.what) == (kind, what)


def test_the_referee_s_own_moves_are_nobody_s_blunder() -> None:
    assert lines(told(START, DRAW, FAULT, {**THROW, "points": 99, "best_points": 3}))[-1].moment is None


def test_a_blunder_is_the_secret_of_its_seat_and_going_out_is_not() -> None:
    blunder = lines(told(START, DRAW, {**THROW, "points": 30, "best_points": 3}))[-1].moment
    out = lines(told(START, DRAW, OUT))[-1].moment
    assert (blunder and blunder.seat, out and out.seat) == (1, None)


def test_a_change_of_lead_is_said_and_marked() -> None:
    second = {**END, "round": 2, "scores": [0, 30], "totals": [7, 30]}
    line = lines(told(START, DRAW, OUT, END, {**START, "round": 2, "wild": 4}, second))[-1]
    assert plain(line.text).endswith("ada takes the lead from bob, 23 ahead.")
    assert line.moment
    assert line.moment.kind == "lead_change"


def test_key_moments_are_few_spread_and_in_order() -> None:
    many = [Moment(event, event // 40, "fault", "ada", "late") for event in range(1, 200)]
    shown = key_moments([*many, Moment(200, 9, "missed_out", "bob", "could have gone out here", 1)])
    assert len(shown) == MOMENTS_SHOWN
    assert [moment.event for moment in shown] == sorted(moment.event for moment in shown)
    assert {moment.round for moment in shown} == {0, 1, 2, 3, 4, 9}


def test_the_sheet_and_the_places_are_the_game_s() -> None:
    replay = replay_of(4)
    story, ends = narrate(replay), [event for event in replay["events"] if event["type"] == "round_end"]
    assert [[cell[:2] for cell in row.cells] for row in story.sheet] == [
        list(zip(end["scores"], end["totals"], strict=True)) for end in ends
    ]
    assert [[cell[2] for cell in row.cells].index(True) for row in story.sheet] == [end["went_out"] for end in ends]
    assert [row.wild for row in story.sheet] == ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert story.places == tuple(replay["events"][-1]["places"])
    assert story.count == len(replay["events"]) == len(lines(story))


def test_a_game_under_way_has_no_places() -> None:
    story = narrate(replay_of(4, rounds=2))
    assert (len(story.sheet), story.places) == (2, None)


def test_seats_of_one_name_are_told_apart() -> None:
    assert (
        plain(lines(told(START, DRAW, names=("ada", "ada")))[-1].text)
        == "ada (seat 1): draws 9 of spades from the pile."
    )


def test_names_are_escaped() -> None:
    said = lines(told(START, DRAW, names=("a", "<svg/onload=x>")))[-1].text
    assert "<bdi>&lt;svg/onload=x&gt;</bdi>" in said


def test_every_fault_has_words() -> None:
    assert set(FAULTS) == {fault.value for fault in FaultType}


def test_an_unknown_event_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="event 2: unknown type 'shout'"):
        told(START, {"type": "shout"})


@pytest.mark.parametrize(
    ("face", "wild", "text"),
    [
        ("Th", 3, "10 of hearts"),
        ("3*", 3, "3 of stars, wild"),
        ("JK", 3, "Joker"),
        ("Qd", 12, "Q of diamonds, wild"),
        (None, 3, "a card"),
    ],
)
def test_a_card_in_a_line(face: str | None, wild: int, text: str) -> None:
    assert plain(face_html(face, wild)) == text


@pytest.mark.parametrize(("wild", "name"), [(3, "3s"), (10, "10s"), (11, "jacks"), (13, "kings")])
def test_the_wild_rank_in_the_plural(wild: int, name: str) -> None:
    assert wild_name(wild) == name


def test_a_playoff_is_told_and_is_in_no_total() -> None:
    """RULES 20: the tied alone play it, six cards with 6s wild; nobody leads by it."""
    (golden,) = [golden for golden in GOLDENS if golden.name == "playoff"]
    result = played(*golden.players(), seed=golden.seed, turn_cap=golden.turn_cap, playoff=True)
    events = transcript(read_record(result.record), golden.seed)
    seats = [{"bot": name} for name in ("ada", "bob", "cyd")]
    story = narrate({"game": "x", "view": "all", "seats": seats, "events": events})
    chapter = next(chapter for chapter in story.chapters if chapter.round == 12)
    said = [strip_tags(line.text) for line in chapter.lines]
    assert chapter.title == "Round 12: 6s are wild, playoff"
    assert said[0].startswith("Round 12, a playoff between bob, cyd: 6 cards each, 6s are wild. cyd deals, bob starts.")
    assert said[-1].strip() == "Round 12: bob 0, cyd 24."
    assert [cell[:2] for cell in story.sheet[-1].cells] == [(None, 102), (0, 77), (24, 77)]
    assert (story.sheet[-1].is_playoff, story.totals, story.places) == (True, (102, 77, 77), (3, 1, 2))
    assert "bob wins with 77 points." in strip_tags(story.chapters[-1].lines[-1].text)
