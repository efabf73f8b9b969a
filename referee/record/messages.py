"""What referee and bot say to each other, as plain values. The codec turns them into frames and back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, final

from referee.record.conditions import Budgets, Config, DealMode, Fault, GameScores, RoundScores
from referee.record.entries import Move
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import Card
from referee.rules.layout import Layout
from referee.rules.solitaire import SolitaireView
from referee.rules.views import SeatView


@dataclass(frozen=True, slots=True)
class GameStart:
    game_id: str
    config: Config
    deal_mode: DealMode
    seat: int
    commitment: bytes
    budgets: Budgets
    page_url: str


@dataclass(frozen=True, slots=True)
class RoundStart:
    game_id: str
    game_round: int
    wild_rank: int
    dealer: int
    starter: int
    hand: tuple[Card, ...]
    """Empty for a seat that is not in the playoff: it is asked nothing."""
    upcard: Card
    players: tuple[int, ...] = ()
    """Of a playoff: the seats that play it; empty in the eleven rounds, which all play (RULES 20)."""


@final
@dataclass(slots=True, init=False)
class DecisionRequest:
    game_id: Final[str]
    decision_id: Final[int]
    """Counted from 1 within the game, over all seats."""
    view: Final[SeatView]
    deadline_ms: Final[int]
    """For this decision, before the bank is touched."""
    bank_ms: Final[int]
    last_latency_ms: Final[int]
    last_fault: Final[Fault | None]

    def __init__(
        self,
        game_id: str,
        decision_id: int,
        view: SeatView,
        deadline_ms: int,
        bank_ms: int,
        last_latency_ms: int,
        last_fault: Fault | None,
    ) -> None:
        self.game_id = game_id
        self.decision_id = decision_id
        self.view = view
        self.deadline_ms = deadline_ms
        self.bank_ms = bank_ms
        self.last_latency_ms = last_latency_ms
        self.last_fault = last_fault


@dataclass(frozen=True, slots=True)
class SolitaireRequest:
    """The decision of a solitaire: where the card turned up goes, and what goes out. As `DecisionRequest`."""

    game_id: str
    decision_id: int
    view: SolitaireView
    turn: int
    """The play that is due, from 1."""
    deadline_ms: int
    bank_ms: int
    last_latency_ms: int
    last_fault: Fault | None


@dataclass(frozen=True, slots=True)
class RoundEnd:
    game_id: str
    scores: RoundScores
    totals: tuple[int, ...]
    layout: Layout
    """One's own, as the referee scored it."""


class GameEndReason(Enum):
    FINISHED = "finished"
    RETIREMENTS = "retirements"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class GameEnd:
    game_id: str
    reason: GameEndReason
    scores: GameScores | None
    """None for a game called off."""
    record_digest: bytes


Request = DecisionRequest | SolitaireRequest
RefereeMessage = GameStart | RoundStart | Request | RoundEnd | GameEnd


@dataclass(frozen=True, slots=True)
class GameReady:
    game_id: str


@final
@dataclass(slots=True, init=False)
class DecisionReply:
    """The answer to a decision. Raises ValueError for a second discard that follows no draw from the discard pile."""

    game_id: Final[str]
    decision_id: Final[int]
    action: Final[Move]
    then_discard: Final[Discard | None]
    """With a draw from the discard pile: the discard that follows."""

    def __init__(self, game_id: str, decision_id: int, action: Move, then_discard: Discard | None = None) -> None:
        self.game_id = game_id
        self.decision_id = decision_id
        self.action = action
        self.then_discard = then_discard
        if then_discard is not None and action != Draw(Source.DISCARD):
            raise ValueError(f"then_discard comes only with a draw from the discard pile, not with {action}")


@dataclass(frozen=True, slots=True)
class MalformedReply:
    """An answer to a decision that cannot be read as an action."""

    game_id: str
    decision_id: int
    problem: str
    reply: str


@dataclass(frozen=True, slots=True)
class Resign:
    game_id: str


@dataclass(frozen=True, slots=True)
class BotError:
    game_id: str
    decision_id: int
    message: str


BotMessage = GameReady | DecisionReply | MalformedReply | Resign | BotError
