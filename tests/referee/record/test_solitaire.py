"""The record of a solitaire: written, read, played again, told; and what does not follow is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.record.conditions import Fault, FaultType
from referee.record.entries import ActionEntry, Cause, GameRecord, RetirementEntry
from referee.record.game_record import read_record, with_seed
from referee.record.messages import Resign
from referee.record.replay import ReplayError, replay
from referee.record.solitaire_replay import final_solitaire, replay_solitaire
from referee.record.solitaire_transcript import solitaire_lines
from referee.record.transcript import PUBLIC, transcript
from referee.record.verify import verify_record
from referee.rules.actions import Draw, Source
from referee.rules.cards import CARDS, parse_card
from referee.rules.solitaire import Add, Refuse, Score, SolitaireConfig, Variant
from tests.referee.play.alone import Player
from tests.referee.record.forge import SEED as TABLE_SEED
from tests.referee.record.forge import whole_record, with_entry, written
from tests.support.solitaire import SEED, careful, steps, whimsical


def stumbled() -> bytes:
    """With a card refused, and a fault."""
    player = Player(whimsical(4), variant=Variant.OPEN_FIRST).answer(Refuse()).answer()
    return player.answer(Add(2, CARDS[0])).finish().record


RECORD = with_seed(Player().finish().record, SEED)
STUMBLED = with_seed(stumbled(), SEED)
WHOLE: GameRecord = read_record(RECORD)
FAULT = Fault(FaultType.ILLEGAL, 0, 1, 2, 2, 0, 0, (), "no")
last_play = len(WHOLE.entries)


@pytest.mark.parametrize("data", [RECORD, STUMBLED], ids=["plain", "stumbled"])
def test_a_good_record(data: bytes) -> None:
    verdict = verify_record(data)
    assert (verdict.ok, verdict.replays, verdict.chain) == (True, True, True)
    assert len(data) < 1_000


def test_it_holds_the_actions_and_the_score() -> None:
    *_, (state, _, _) = played = list(steps(SolitaireConfig(), SEED, careful))
    assert [entry.action for entry in WHOLE.entries if isinstance(entry, ActionEntry)] == [
        action for _, action, _ in played if action is not None
    ]
    assert WHOLE.footer.scores.solitaire == state.score == final_solitaire(WHOLE, SEED).score


def test_the_steps_of_a_replay_are_those_of_the_rules() -> None:
    found = [(step.after, step.events) for step in replay_solitaire(WHOLE, SEED)]
    assert found == [(state, events) for state, _, events in steps(SolitaireConfig(), SEED, careful)]


def changed(**changes: Any) -> bytes:
    return written(WHOLE, seed=SEED, **changes)


def entry(number: int, **changes: Any) -> bytes:
    return changed(entries=with_entry(WHOLE, number, **changes))


SCORES = WHOLE.footer.scores
FORGED = {
    "another card": (entry(4, action=Add(2, CARDS[0])), "entry 5: pile 2"),
    "a draw": (entry(4, action=Draw(Source.PILE)), "entry 5: this is a solitaire"),
    "a refusal": (entry(4, action=Refuse()), "entry 5: only the first card"),
    "another seat": (entry(4, seat=1), "entry 5: seat 1 acts"),
    "played for one who is out": (entry(4, cause=Cause.RETIRED), "entry 5: a solitaire ends when"),
    "a fault of the bot's own play": (entry(4, fault=FAULT), "entry 5: cause bot with a fault"),
    "no fault": (entry(4, cause=Cause.FAULT), "entry 5: cause fault without a fault"),
    "a fault of another seat": (entry(4, fault=replace(FAULT, seat=1)), "said to be at fault for seat 1"),
    "no default": (
        entry(4, cause=Cause.FAULT, fault=FAULT, action=Add(13, parse_card("JK"))),
        "entry 5: the referee played",
    ),
    "a play less": (changed(entries=WHOLE.entries[:-1]), f"the solitaire stops at play {last_play}"),
    "a play more": (changed(entries=(*WHOLE.entries, WHOLE.entries[-1])), f"entry {last_play + 1}: the solitaire is over"),
    "out after the end": (
        changed(entries=(*WHOLE.entries, RetirementEntry(0, replace(FAULT, retires=True), 0))),
        f"entry {last_play + 1}: the solitaire is over",
    ),
    "won": (
        changed(footer=replace(WHOLE.footer, scores=replace(SCORES, solitaire=Score(True, 11, 28)))),
        "the record's score Score(won=True",
    ),
    "other totals": (
        changed(footer=replace(WHOLE.footer, scores=replace(SCORES, totals=(0,)))),
        "the record's scores (0,) are not those of the game",
    ),
    "the other variant": (
        changed(
            header=replace(WHOLE.header, config=SolitaireConfig(Variant.OPEN_FIRST)),
            entries=(ActionEntry(0, Refuse(), Cause.BOT, 0, 0), *WHOLE.entries),
        ),
        "nor turned up",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "problem"), [pytest.param(*forged, id=name) for name, forged in FORGED.items()])
def test_what_does_not_follow_is_found(data: bytes, problem: str) -> None:
    verdict = verify_record(data)
    assert verdict.chain
    assert not verdict.replays
    (said,) = verdict.problems
    assert problem in said


@given(st.integers(0, len(RECORD) - 1), st.integers(0, 7))
@settings(max_examples=200, deadline=None)
def test_any_changed_bit_makes_it_fail(at: int, bit: int) -> None:
    data = bytearray(RECORD)
    data[at] ^= 1 << bit
    assert not verify_record(bytes(data)).ok


def test_each_kind_of_replay_refuses_the_other() -> None:
    with pytest.raises(ReplayError, match="a solitaire, not a game at a table"):
        list(replay(WHOLE, SEED))
    table = read_record(whole_record())
    with pytest.raises(ReplayError, match="at a table, not a solitaire"):
        list(replay_solitaire(table, TABLE_SEED))
    forged = written(table, entries=with_entry(table, 0, action=Add(3, CARDS[0])))
    assert any("no action of a game at a table" in problem for problem in verify_record(forged).problems)


# -- transcripts -------------------------------------------------------------------------------------------------------


def test_a_transcript_tells_every_card_once_it_is_turned_up() -> None:
    events = transcript(WHOLE, SEED)
    assert (events[0]["type"], events[-1]["type"]) == ("solitaire_start", "solitaire_end")
    adds = [event for event in events if event["type"] == "add"]
    assert [event["turn"] for event in adds] == list(range(1, len(adds) + 1))
    closed = [event["pile"] for event in events if event["type"] == "close"]
    assert (len(closed), len(set(closed))) == (events[-1]["piles_closed"], len(closed))
    dealt = [pile["size"] for pile in events[0]["piles"] if pile["closed"]]
    assert closed == dealt + [add["pile"] for add in adds if add["points"] == 0]
    turned = [event["card"] for event in events if event["type"] == "turn_up"]
    assert turned == [event["card"] for event in adds]
    score = WHOLE.footer.scores.solitaire
    assert score is not None
    assert (events[-1]["piles_closed"], events[-1]["cards_used"]) == (score.piles_closed, score.cards_used)


def test_everybody_sees_the_same_but_for_the_words_of_a_fault() -> None:
    record = read_record(STUMBLED)
    whole, public = transcript(record, SEED), transcript(record, SEED, PUBLIC)
    assert [event for event in whole if event["type"] != "fault"] == [
        event for event in public if event["type"] != "fault"
    ]
    (told,), (hidden,) = ([event for event in events if event["type"] == "fault"] for events in (whole, public))
    assert "pile 2" in told["detail"]
    assert (hidden["detail"], hidden["reply"], hidden["fault"]) == ("", "", "ILLEGAL")


def test_a_transcript_as_text() -> None:
    lines = list(solitaire_lines(transcript(read_record(STUMBLED), SEED)))
    assert lines[0] == "Solitaire, variant open_first; 28 cards to turn up."
    assert lines[1].startswith("  pile  3: ")
    (refused,) = [line for line in lines if line.endswith(" is refused.")]
    assert lines.index(refused) == 12
    (by_referee,) = [line for line in lines if line.endswith("(played by the referee)")]
    assert by_referee.startswith(" 2. ")
    assert lines[lines.index(by_referee) - 1].startswith("    ILLEGAL: pile 2")
    assert lines[-1].startswith("No cards left, ")


def test_a_player_who_is_out_is_told() -> None:
    result = Player().answer().say(Resign("attempt-1")).session.result
    assert result is not None
    events = transcript(read_record(result.record), SEED)
    assert [event["type"] for event in events[-3:]] == ["fault", "retire", "solitaire_end"]
    assert list(solitaire_lines(events))[-1].startswith("The player is out, ")


def test_won_as_text() -> None:
    end = {"type": "solitaire_end", "won": True, "piles_closed": 11, "cards_used": 27, "open": 0, "reason": ""}
    assert list(solitaire_lines([end])) == ["All 11 complete with 1 card left."]
