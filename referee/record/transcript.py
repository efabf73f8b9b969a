"""A game as a list of plain events for people to look at: the replay page, the text log, the API.

Every event is a dict ready for JSON, with cards in notation (`Th`, `3*`, `JK`). What the viewer may not see is None.
`ALL` sees everything, `PUBLIC` what lay open on the table, a seat number what that seat was shown.

    round_start  round wild dealer starter hands upcard pile
    draw         seat turn source card points
    discard      seat turn card go_out points best best_points cause
    reshuffle    pile
    fault        seat fault detail budget_ms used_ms reply retires
    retire       seat fault
    round_end    round went_out scores totals layouts
    game_end     totals places retired_in_round reason

Those of a solitaire stand in `referee.record.solitaire_transcript`.

`points` is the least the seat's hand would cost; `best` and `best_points` are what its best discard would have left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.record.conditions import Fault
from referee.record.entries import ActionEntry, GameRecord, RetirementEntry
from referee.record.replay import ReplayStep, replay
from referee.record.solitaire_replay import SolitaireReplayStep, replay_solitaire
from referee.record.solitaire_transcript import solitaire_event
from referee.rules.actions import Source
from referee.rules.cards import Card, cards_of_ids
from referee.rules.events import Discarded, Drew, Event, GameEnded, Reshuffled, RoundEnded, RoundStarted, SeatRetired
from referee.rules.layout import Layout, best_discards, best_points
from referee.rules.solitaire import SolitaireConfig
from referee.rules.state import GameState, wild_rank_of

ALL = "all"
PUBLIC = "public"
Viewer = str | int
"""`ALL`, `PUBLIC` or a seat."""


def transcript(record: GameRecord, seed: bytes, viewer: Viewer = ALL) -> list[dict[str, Any]]:
    """The events of a game as this viewer may see them. Raises ReplayError if the record does not follow from the seed."""
    if isinstance(record.header.config, SolitaireConfig):
        return [event for step in replay_solitaire(record, seed) for event in _step_events(step, viewer)]
    return [event for step in replay(record, seed) for event in _step_events(step, viewer)]


def _step_events(step: ReplayStep | SolitaireReplayStep, viewer: Viewer) -> Iterator[dict[str, Any]]:
    entry = step.entry
    if entry is not None and entry.fault is not None:
        yield _fault(entry.fault, viewer)
    if isinstance(step, SolitaireReplayStep):
        for happened in step.events:
            yield solitaire_event(happened, step)
        return
    for event in step.events:
        yield _event(event, step, viewer)


def _event(event: Event, step: ReplayStep, viewer: Viewer) -> dict[str, Any]:
    match event:
        case RoundStarted():
            return _round_start(event, step.after, viewer)
        case Drew():
            return _draw(event, step, viewer)
        case Discarded():
            return _discard(event, step, viewer)
        case Reshuffled(draw_pile_size):
            return {"type": "reshuffle", "pile": draw_pile_size}
        case RoundEnded():
            return {
                "type": "round_end",
                "round": event.game_round,
                "went_out": event.went_out,
                "players": list(event.players),
                "scores": list(event.scores),
                "totals": list(event.totals),
                # The hand of who went out is open (RULES 16), the others are told to their own seats alone.
                "layouts": [
                    _layout(layout, _sees(viewer, seat) or seat == event.went_out)
                    for seat, layout in enumerate(event.layouts)
                ],
            }
        case SeatRetired(seat):
            retirement = step.entry
            assert isinstance(retirement, RetirementEntry)
            return {"type": "retire", "seat": seat, "fault": retirement.fault.type.value}
        case GameEnded():
            return {
                "type": "game_end",
                "totals": list(event.totals),
                "places": list(event.places),
                "retired_in_round": list(step.after.retired_in_round),
                "reason": _end_reason(step.after),
            }


def _round_start(event: RoundStarted, state: GameState, viewer: Viewer) -> dict[str, Any]:
    wild_rank = wild_rank_of(event.game_round)
    return {
        "type": "round_start",
        "round": event.game_round,
        "wild": wild_rank,
        "dealer": event.dealer,
        "starter": event.starter,
        "hands": [_hand(hand, seat, viewer) for seat, hand in enumerate(event.hands)],
        "upcard": event.upcard.text,
        "pile": state.draw_pile_size,
        "players": list(event.players),
    }


def _draw(event: Drew, step: ReplayStep, viewer: Viewer) -> dict[str, Any]:
    sees_hand = _sees(viewer, event.seat)
    is_seen = sees_hand or event.source is Source.DISCARD
    assert event.card is not None
    assert step.before is not None
    hand = cards_of_ids(step.after.hands[event.seat])
    return {
        "type": "draw",
        "seat": event.seat,
        "turn": step.before.turn,
        "source": event.source.value,
        "card": event.card.text if is_seen else None,
        "points": best_points(hand, step.before.wild_rank) if sees_hand else None,
    }


def _discard(event: Discarded, step: ReplayStep, viewer: Viewer) -> dict[str, Any]:
    before = step.before
    assert before is not None
    assert isinstance(step.entry, ActionEntry)
    said: dict[str, Any] = {
        "type": "discard",
        "seat": event.seat,
        "turn": before.turn,
        "card": event.card.text,
        "go_out": event.went_out,
        "points": None,
        "best": None,
        "best_points": None,
        "cause": step.entry.cause.value,
    }
    if _sees(viewer, event.seat):
        held = cards_of_ids(before.hands[event.seat])
        kept = list(held)
        kept.remove(event.card)
        best = best_discards(held, before.wild_rank)
        said["points"] = best_points(kept, before.wild_rank)
        said["best"] = [card.text for card in best.faces]
        said["best_points"] = best.points
    return said


def _fault(fault: Fault, viewer: Viewer) -> dict[str, Any]:
    """The words of a fault may name cards of the hand: they are for those who see it."""
    sees_hand = _sees(viewer, fault.seat)
    return {
        "type": "fault",
        "seat": fault.seat,
        "fault": fault.type.value,
        "detail": fault.detail if sees_hand else "",
        "budget_ms": fault.budget_ms,
        "used_ms": fault.used_ms,
        "reply": fault.reply if sees_hand else "",
        "retires": fault.retires,
    }


def _layout(layout: Layout, is_seen: bool) -> dict[str, Any]:
    return {
        "melds": [[card.text for card in meld] for meld in layout.melds] if is_seen else None,
        "leftover": [card.text for card in layout.leftover] if is_seen else None,
        "points": layout.points,
    }


def _hand(hand: Sequence[Card], seat: int, viewer: Viewer) -> list[str | None]:
    return [card.text if _sees(viewer, seat) else None for card in hand]


def _sees(viewer: Viewer, seat: int) -> bool:
    return viewer in (ALL, seat)


def _end_reason(state: GameState) -> str:
    if len(state.round_scores) == state.game_round:
        return ""
    return f"at most one seat was left in round {state.game_round}"
