"""What a session plays: the seam between its clocks, seats, faults and journal, and the rules of one kind of game.

A session asks whose turn it is, what a seat is to be asked and what is played by default; it has an action tried, writes it down,
and lets it take effect. The game answers with what its seats are to be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from referee.record.conditions import Fault, GameScores
from referee.record.entries import Move
from referee.record.messages import RefereeMessage
from referee.rules.solitaire import SolitaireState
from referee.rules.state import GameState

Told = tuple[int, RefereeMessage]
"""A seat, and what it is told unless it is retired."""
NOTHING_TOLD: Sequence[Told] = ()


@final
class Ask:
    """What a session knows of an open decision, for the message that asks for it. Times in milliseconds."""

    def __init__(
        self,
        game_id: str,
        decision_id: int,
        deadline_ms: int,
        bank_ms: int,
        last_latency_ms: int,
        last_fault: Fault | None,
    ) -> None:
        self.game_id = game_id
        self.decision_id = decision_id
        self.deadline_ms = deadline_ms
        self.bank_ms = bank_ms
        self.last_latency_ms = last_latency_ms
        self.last_fault = last_fault


class Played:
    """A game under way. `try_move` and `try_retirement` look ahead, `take_effect` does what was looked at last."""

    @property
    def state(self) -> GameState | SolitaireState:
        raise NotImplementedError

    @property
    def is_over(self) -> bool:
        raise NotImplementedError

    @property
    def seat(self) -> int:
        """Whose decision is due."""
        raise NotImplementedError

    @property
    def game_round(self) -> int:
        raise NotImplementedError

    @property
    def turn(self) -> int:
        raise NotImplementedError

    @property
    def totals(self) -> tuple[int, ...]:
        """Score per seat so far; lower is better."""
        raise NotImplementedError

    @property
    def retired_in_round(self) -> tuple[int, ...]:
        """Per seat, 0 for one that plays."""
        raise NotImplementedError

    def begin(self) -> Sequence[Told]:
        """All bots are ready: what they are told of the deal."""
        raise NotImplementedError

    def request(self, seat: int, ask: Ask) -> RefereeMessage:
        """The question to the seat in turn."""
        raise NotImplementedError

    def forget_told(self, seat: int) -> None:
        """The seat's bot was away: it is told again what it may have missed."""
        raise NotImplementedError

    def default_move(self) -> Move:
        """What is played for a faulted decision (RULES 21)."""
        raise NotImplementedError

    def try_move(self, move: Move) -> None:
        """Raises IllegalAction, with nothing changed, if the rules forbid it."""
        raise NotImplementedError

    def try_retirement(self, seats: tuple[int, ...]) -> None:
        """Seats leave the game at one moment."""
        raise NotImplementedError

    def take_effect(self) -> Sequence[Told]:
        raise NotImplementedError

    def scores(self) -> GameScores:
        """Once it is over."""
        raise NotImplementedError

    @property
    def was_cut_short(self) -> bool:
        """It ended because seats were retired."""
        raise NotImplementedError
