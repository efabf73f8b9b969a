"""Solitaire as a session plays it (RULES 22-24): one seat, one decision a card. Everything but the stack lies open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from referee.play.played import NOTHING_TOLD, Ask, Played, Told
from referee.record.conditions import GameScores
from referee.record.entries import Move
from referee.record.messages import RefereeMessage, SolitaireRequest
from referee.record.solitaire_replay import scores_of_solitaire
from referee.rules.actions import Retire
from referee.rules.solitaire import (
    SolitaireConfig,
    SolitaireState,
    apply,
    default_action,
    new_solitaire,
    view_of,
)


@final
class SolitaireGame(Played):
    def __init__(self, config: SolitaireConfig, seed: bytes) -> None:
        self._state, _ = new_solitaire(config, seed)
        self._ahead: SolitaireState | None = None

    @property
    def state(self) -> SolitaireState:
        return self._state

    @property
    def is_over(self) -> bool:
        return self._state.is_over

    @property
    def seat(self) -> int:
        return 0

    @property
    def game_round(self) -> int:
        """It is one round."""
        return 1

    @property
    def turn(self) -> int:
        return self._state.turn

    @property
    def totals(self) -> tuple[int, ...]:
        return scores_of_solitaire(self._state).totals

    @property
    def retired_in_round(self) -> tuple[int, ...]:
        return (int(self._state.is_retired),)

    def begin(self) -> Sequence[Told]:
        """The first request shows the piles."""
        return NOTHING_TOLD

    def request(self, seat: int, ask: Ask) -> RefereeMessage:
        return SolitaireRequest(
            game_id=ask.game_id,
            decision_id=ask.decision_id,
            view=view_of(self._state),
            turn=self._state.turn,
            deadline_ms=ask.deadline_ms,
            bank_ms=ask.bank_ms,
            last_latency_ms=ask.last_latency_ms,
            last_fault=ask.last_fault,
        )

    def forget_told(self, seat: int) -> None:
        """Every request tells all."""

    def default_move(self) -> Move:
        return default_action(self._state)

    def try_move(self, move: Move) -> None:
        self._ahead, _ = apply(self._state, move)

    def try_retirement(self, seats: tuple[int, ...]) -> None:
        self._ahead, _ = apply(self._state, Retire(seats))

    def take_effect(self) -> Sequence[Told]:
        ahead, self._ahead = self._ahead, None
        assert ahead is not None
        self._state = ahead
        return NOTHING_TOLD

    def scores(self) -> GameScores:
        return scores_of_solitaire(self._state)

    @property
    def was_cut_short(self) -> bool:
        return self._state.is_retired
