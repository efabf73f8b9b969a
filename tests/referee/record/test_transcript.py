"""What people may see of a game, viewer by viewer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from referee.play.session import Session
from referee.record.game_record import read_record
from referee.record.replay import ReplayError, replay
from referee.record.transcript import ALL, PUBLIC, Viewer, transcript
from referee.rules.cards import cards_of_ids, parse_card, parse_cards
from referee.rules.layout import best_discards, best_points
from tests.referee.record.forge import SEED, record_of, whole_record
from tests.support.scripted import Table, game_spec, playing, resigns, stumbling, thrower
from tests.support.shuffle_reference import order_of

RECORD = read_record(whole_record())
EVERYTHING = transcript(RECORD, SEED, ALL)
VIEWERS: list[Viewer] = [PUBLIC, 0, 1, 2, 3]


def hidden_from(viewer: Viewer, event: dict[str, Any]) -> dict[str, Any]:
    """The event with everything taken out that this viewer may not know, by the rules alone."""
    seen = dict(event)
    own = event.get("seat") == viewer
    match event["type"]:
        case "round_start":
            seen["hands"] = [hand if seat == viewer else [None] * len(hand) for seat, hand in enumerate(event["hands"])]
        case "draw" if not own:
            seen["points"] = None
            if event["source"] == "pile":
                seen["card"] = None
        case "discard" if not own:
            seen |= {"points": None, "best": None, "best_points": None}
        case "fault" if not own:
            seen |= {"detail": "", "reply": ""}
        case "round_end":
            # RULES 16: the hand of who went out is open.
            seen["layouts"] = [
                layout if seat in (viewer, event["went_out"]) else layout | {"melds": None, "leftover": None}
                for seat, layout in enumerate(event["layouts"])
            ]
    return seen


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_viewer_sees_what_lay_open_and_its_own_hand(viewer: Viewer) -> None:
    assert transcript(RECORD, SEED, viewer) == [hidden_from(viewer, event) for event in EVERYTHING]


def test_something_is_hidden_from_everybody() -> None:
    """Or the test above would say nothing."""
    for viewer in VIEWERS:
        hidden = [event for event in EVERYTHING if hidden_from(viewer, event) != event]
        assert {event["type"] for event in hidden} >= {"round_start", "draw", "discard", "round_end"}


@pytest.mark.parametrize("viewer", [ALL, *VIEWERS])
def test_a_transcript_is_plain_json(viewer: Viewer) -> None:
    events = transcript(RECORD, SEED, viewer)
    assert json.loads(json.dumps(events)) == events
    assert SEED.hex() not in json.dumps(events)


def two_seeds_that_look_alike() -> tuple[bytes, bytes]:
    """The same upcard and the same first card of seat 1's lane; all else differs."""
    seen: dict[tuple[str, ...], bytes] = {}
    for number in range(100_000):
        seed = number.to_bytes(32, "big")
        order = order_of(seed, "deal|1|0", range(116))
        open_cards = tuple(card.text for card in cards_of_ids(order[6:8]))
        if open_cards in seen:
            return seen[open_cards], seed
        seen[open_cards] = seed
    raise AssertionError("there are only 56 * 56 such pairs")


def one_turn(seed: bytes) -> list[dict[str, Any]]:
    """Seat 1 draws from the pile and throws what it drew, then seat 0 gives up."""
    players = [stumbling(thrower, {1: resigns}), playing(thrower)]
    result = Table(Session(game_spec(2, seed=seed)), players).run()
    assert result is not None
    return transcript(read_record(result.record), seed, PUBLIC)


def test_two_games_that_look_alike_have_the_same_public_transcript() -> None:
    """Different hands, different lanes: nothing of them shows."""
    one, other = two_seeds_that_look_alike()
    assert one_turn(one) == one_turn(other)
    assert [event["type"] for event in one_turn(one)] == [
        "round_start",
        "draw",
        "discard",
        "fault",
        "retire",
        "game_end",
    ]


def of_type(kind: str) -> Iterator[dict[str, Any]]:
    return (event for event in EVERYTHING if event["type"] == kind)


def test_it_tells_the_game_that_the_replay_plays() -> None:
    """Draws and discards, round by round, from the states of the replay."""
    told = [event for event in EVERYTHING if event["type"] in ("draw", "discard")]
    played = [step for step in replay(RECORD, SEED) if step.before is not None and hasattr(step.entry, "action")]
    assert len(told) == len(played)
    for event, step in zip(told, played, strict=True):
        assert step.before is not None
        assert (event["seat"], event["turn"]) == (step.before.seat, step.before.turn)
        held = cards_of_ids(step.before.hands[event["seat"]])
        if event["type"] == "draw":
            assert event["points"] == best_points((*held, parse_card(event["card"])), step.before.wild_rank)
            continue
        kept = list(held)
        kept.remove(parse_card(event["card"]))
        best = best_discards(held, step.before.wild_rank)
        assert event["points"] == best_points(kept, step.before.wild_rank)
        assert (event["best"], event["best_points"]) == ([card.text for card in best.faces], best.points)


def test_rounds_faults_and_the_end() -> None:
    scores = RECORD.footer.scores
    assert [event["round"] for event in of_type("round_start")] == list(range(1, 12))
    assert [event["wild"] for event in of_type("round_start")] == list(range(3, 14))
    assert [tuple(event["scores"]) for event in of_type("round_end")] == [ended.scores for ended in scores.rounds]
    assert [event["went_out"] for event in of_type("round_end")] == [ended.went_out for ended in scores.rounds]
    assert [(event["seat"], event["fault"]) for event in of_type("fault")] == [
        (fault.seat, fault.type.value) for fault in RECORD.faults
    ]
    assert [(event["seat"], event["fault"]) for event in of_type("retire")] == [(1, "RESIGN")]
    (end,) = of_type("game_end")
    assert (end["totals"], end["places"]) == (list(scores.totals), list(scores.places))
    assert (end["retired_in_round"], end["reason"]) == (list(scores.retired_in_round), "")
    assert EVERYTHING[-1] is end


def test_the_layouts_of_a_round_are_hands_scored() -> None:
    for event in of_type("round_end"):
        for layout, score in zip(event["layouts"], event["scores"], strict=True):
            cards = parse_cards(" ".join(card for group in (*layout["melds"], layout["leftover"]) for card in group))
            assert len(cards) == event["round"] + 2
            assert layout["points"] == score == best_points(cards, event["round"] + 2)


def test_the_cause_of_an_action_is_told() -> None:
    causes = [event["cause"] for event in of_type("discard")]
    assert set(causes) == {"bot", "fault", "retired"}


def test_who_goes_out_is_told() -> None:
    outs = [event for event in of_type("discard") if event["go_out"]]
    assert outs
    assert {event["points"] for event in outs} == {0}


def test_a_game_that_stops_early_says_why() -> None:
    record = read_record(record_of(playing(thrower), stumbling(thrower, {3: resigns}), turn_cap=3))
    end = transcript(record, SEED)[-1]
    assert end["type"] == "game_end"
    assert "at most one seat was left in round 1" in end["reason"]


def test_a_transcript_needs_the_seed_of_the_game() -> None:
    with pytest.raises(ReplayError, match="commitment"):
        transcript(RECORD, bytes(32))
