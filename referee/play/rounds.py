"""The game at a table as a session plays it: eleven rounds between the seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from referee.play.played import NOTHING_TOLD, Ask, Played, Told
from referee.record.conditions import GameScores
from referee.record.entries import Move
from referee.record.messages import DecisionRequest, RefereeMessage, RoundEnd, RoundStart
from referee.record.replay import round_scores, scores_of_game
from referee.rules.actions import Discard, Draw, IllegalAction, IllegalReason, Retire
from referee.rules.events import Event, RoundEnded, RoundStarted
from referee.rules.state import GameConfig, GameState, Step, apply, default_action, new_game, wild_rank_of
from referee.rules.views import view_for


@final
class RoundsGame(Played):
    def __init__(self, config: GameConfig, seed: bytes, game_id: str) -> None:
        self._game_id = game_id
        self._state, self._first_events = new_game(config, seed)
        self._ahead: Step | None = None
        """What the action tried last would lead to."""
        self._round_events: list[Event] = []
        self._round_ends: list[RoundEnded] = []
        self._events_told = [0] * config.seats
        """Per seat: of the round's events, those told to its bot."""

    @property
    def state(self) -> GameState:
        return self._state

    @property
    def is_over(self) -> bool:
        return self._state.is_over

    @property
    def seat(self) -> int:
        return self._state.seat

    @property
    def game_round(self) -> int:
        return self._state.game_round

    @property
    def turn(self) -> int:
        return self._state.turn

    @property
    def totals(self) -> tuple[int, ...]:
        return self._state.totals

    @property
    def retired_in_round(self) -> tuple[int, ...]:
        return self._state.retired_in_round

    def begin(self) -> Sequence[Told]:
        """Who was retired before the first card is told with the first decision."""
        retirements = self._round_events
        told = self._tell(self._first_events)
        self._round_events = retirements
        return told

    def request(self, seat: int, ask: Ask) -> RefereeMessage:
        new_events = self._round_events[self._events_told[seat] :]
        self._events_told[seat] = len(self._round_events)
        return DecisionRequest(
            game_id=ask.game_id,
            decision_id=ask.decision_id,
            view=view_for(self._state, seat, new_events),
            deadline_ms=ask.deadline_ms,
            bank_ms=ask.bank_ms,
            last_latency_ms=ask.last_latency_ms,
            last_fault=ask.last_fault,
        )

    def forget_told(self, seat: int) -> None:
        self._events_told[seat] = 0

    def default_move(self) -> Move:
        return default_action(self._state)

    def try_move(self, move: Move) -> None:
        if not isinstance(move, Draw) and not isinstance(move, Discard):
            raise IllegalAction(
                IllegalReason.NOT_NOW, "this is a game at a table: piles are added to in a solitaire alone"
            )
        self._ahead = apply(self._state, move)

    def try_retirement(self, seats: tuple[int, ...]) -> None:
        self._ahead = apply(self._state, Retire(seats))

    def take_effect(self) -> Sequence[Told]:
        ahead, self._ahead = self._ahead, None
        assert ahead is not None
        self._state = ahead[0]
        return self._tell(ahead[1])

    def scores(self) -> GameScores:
        return scores_of_game(self._state, self._round_ends)

    @property
    def was_cut_short(self) -> bool:
        return len(self._round_ends) < self._state.game_round

    def _tell(self, events: Sequence[Event]) -> Sequence[Told]:
        told = NOTHING_TOLD
        for event in events:
            match event:
                case RoundStarted():
                    self._round_events = []
                    self._events_told = [0] * self._state.seats
                    told = [*told, *self._round_starts(event)]
                case RoundEnded():
                    self._round_ends.append(event)
                    told = [*told, *self._round_ends_told(event)]
                case _:
                    self._round_events.append(event)
        return told

    def _round_starts(self, started: RoundStarted) -> list[Told]:
        wild_rank = wild_rank_of(started.game_round)
        return [
            (
                seat,
                RoundStart(
                    game_id=self._game_id,
                    game_round=started.game_round,
                    wild_rank=wild_rank,
                    dealer=started.dealer,
                    starter=started.starter,
                    hand=hand,
                    upcard=started.upcard,
                    players=started.players,
                ),
            )
            for seat, hand in enumerate(started.hands)
        ]

    def _round_ends_told(self, ended: RoundEnded) -> list[Told]:
        scores = round_scores(ended)
        return [
            (seat, RoundEnd(self._game_id, scores, ended.totals, layout)) for seat, layout in enumerate(ended.layouts)
        ]
