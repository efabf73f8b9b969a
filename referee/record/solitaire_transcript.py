"""What happens in a solitaire, as events of a transcript and as lines of text. All cards but those of the stack lie open, so every
viewer sees the same.

    solitaire_start  variant piles stack
    turn_up          turn card left
    refuse           card
    add              turn card pile discard points cause
    close            pile
    retire           seat fault
    solitaire_end    won piles_closed cards_used open reason

`piles` is a list of {size, cards, closed}; `points` is the least that the pile leaves after the play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.record.entries import ActionEntry, RetirementEntry
from referee.record.solitaire_replay import SolitaireReplayStep
from referee.rules.layout import best_points
from referee.rules.solitaire import (
    PILES,
    STACK_SIZE,
    Added,
    PileClosed,
    PilesDealt,
    Refused,
    SolitaireEnded,
    SolitaireEvent,
    Turned,
    piles_of,
)


def solitaire_event(event: SolitaireEvent, step: SolitaireReplayStep) -> dict[str, Any]:
    """One event, ready for JSON."""
    match event:
        case PilesDealt():
            return {
                "type": "solitaire_start",
                "variant": step.after.config.variant.value,
                "piles": [
                    {"size": pile.size, "cards": [card.text for card in pile.cards], "closed": pile.is_closed}
                    for pile in piles_of(step.after)
                ],
                "stack": STACK_SIZE,
            }
        case Turned(card):
            return {"type": "turn_up", "turn": step.after.turn, "card": card.text, "left": len(step.after.stack)}
        case Refused(card):
            return {"type": "refuse", "card": card.text}
        case Added():
            return _add(event, step)
        case PileClosed(pile):
            return {"type": "close", "pile": pile}
        case SolitaireEnded(score):
            return {
                "type": "solitaire_end",
                "won": score.won,
                "piles_closed": score.piles_closed,
                "cards_used": score.cards_used,
                "open": PILES - score.piles_closed,
                "reason": "the player is out" if step.after.is_retired else "",
            }
        case _:
            retirement = step.entry
            assert isinstance(retirement, RetirementEntry)
            return {"type": "retire", "seat": 0, "fault": retirement.fault.type.value}


def _add(event: Added, step: SolitaireReplayStep) -> dict[str, Any]:
    assert step.before is not None
    assert isinstance(step.entry, ActionEntry)
    pile = next(pile for pile in piles_of(step.after) if pile.size == event.pile)
    return {
        "type": "add",
        "turn": step.before.turn,
        "card": event.card.text,
        "pile": event.pile,
        "discard": event.discard.text,
        "points": best_points(pile.cards, pile.wild_rank),
        "cause": step.entry.cause.value,
    }


def solitaire_lines(events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A transcript as text, one line an event; a card turned up is named by what becomes of it."""
    has_begun = False
    for event in events:
        match event["type"]:
            case "turn_up":
                has_begun = True
            case "solitaire_start":
                yield f"Solitaire, variant {event['variant']}; {event['stack']} cards to turn up."
                for pile in event["piles"]:
                    state = "  (closed as dealt)" if pile["closed"] else ""
                    yield f"  pile {pile['size']:2}: {' '.join(pile['cards'])}{state}"
            case "add":
                by = "" if event["cause"] == "bot" else " (played by the referee)"
                yield f"{event['turn']:2}. {event['card']} to pile {event['pile']}, {event['discard']} out.{by}"
            case "refuse":
                yield f"    {event['card']} is refused."
            case "close" if has_begun:
                yield f"    Pile {event['pile']} is complete."
            case "fault":
                yield f"    {event['fault']}: {event['detail']}"
            case "solitaire_end":
                yield _end_line(event)


def _end_line(event: Mapping[str, Any]) -> str:
    if event["won"]:
        left = STACK_SIZE - event["cards_used"]
        return f"All {PILES} complete with {left} {'card' if left == 1 else 'cards'} left."
    piles = f"{event['open']} {'pile' if event['open'] == 1 else 'piles'} open"
    return f"The player is out, {piles}." if event["reason"] else f"No cards left, {piles}."
