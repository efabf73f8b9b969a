"""The golden solitaires, one line a play.

    p07 Ts to 10, 3h out  pts=0 closed

is the seventh play: the ten of spades went to pile 10, the three of hearts went out, and pile 10 closed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.record.entries import ActionEntry, RetirementEntry
from referee.record.game_record import read_record
from referee.record.messages import Resign
from referee.record.solitaire_replay import SolitaireReplayStep, replay_solitaire
from referee.rules.cards import CARDS, cards_text
from referee.rules.layout import best_points
from referee.rules.solitaire import (
    Add,
    Added,
    PileClosed,
    PilesDealt,
    Refuse,
    Refused,
    SolitaireEnded,
    Variant,
    piles_of,
)
from tests.referee.play.alone import Player
from tests.support.solitaire import careful


@dataclass(frozen=True, slots=True)
class SolitaireGolden:
    name: str
    about: str
    play: Callable[[Player], None]
    """To the end."""
    variant: Variant = Variant.STANDARD

    @property
    def seed(self) -> bytes:
        return hashlib.sha256(self.name.encode()).digest()

    def text(self) -> str:
        player = Player(careful, variant=self.variant, seed=self.seed)
        self.play(player)
        result = player.session.result
        assert result is not None
        head = [f"# {self.about}", f"# seed {self.seed.hex()}, variant {self.variant.value}"]
        steps = replay_solitaire(read_record(result.record), self.seed)
        return "\n".join([*head, *(line for step in steps for line in _lines(step))]) + "\n"


def _careful(player: Player) -> None:
    player.finish()


def _stumbling(player: Player) -> None:
    """Refuses the first card, then plays what is not there and what is closed, and resigns."""
    player.answer(Refuse())
    for _ in range(3):
        player.answer()
    player.answer(Add(2, CARDS[0]))
    while not any(pile.is_closed for pile in player.request.view.piles):
        player.answer()
    closed = next(pile for pile in player.request.view.piles if pile.is_closed)
    player.answer(Add(closed.size, closed.cards[0])).answer()
    player.say(Resign(player.spec.attempt_id))


SOLITAIRE_GOLDENS = (
    SolitaireGolden("solitaire", "careful: where a card saves the most points", _careful),
    SolitaireGolden(
        "solitaire_open_first", "careful, but refuses, stumbles twice and resigns", _stumbling, Variant.OPEN_FIRST
    ),
)


def _lines(step: SolitaireReplayStep) -> Iterator[str]:
    entry, after = step.entry, step.after
    closed = {event.pile for event in step.events if isinstance(event, PileClosed)}
    if isinstance(entry, RetirementEntry):
        yield f"p{after.turn:02} retires fault={entry.fault.type.value}"
    for event in step.events:
        match event:
            case PilesDealt(piles):
                for cards in piles:
                    yield f"deal pile {len(cards)} {cards_text(cards)}{' closed' if len(cards) in closed else ''}"
            case Refused(card):
                yield f"p{after.turn:02} {card} refused"
            case Added(card, size, discard):
                assert step.before is not None
                assert isinstance(entry, ActionEntry)
                pile = next(pile for pile in piles_of(after) if pile.size == size)
                line = f"p{step.before.turn:02} {card} to {size}, {discard} out  pts={best_points(pile.cards, size)}"
                line += " closed" if size in closed else ""
                yield line if entry.fault is None else f"{line} by={entry.cause.value} fault={entry.fault.type.value}"
            case SolitaireEnded(score):
                yield f"end won={score.won} closed={score.piles_closed} used={score.cards_used}"
