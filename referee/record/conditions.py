"""What a game is played under, and what can go wrong at a seat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.rules.solitaire import Score, SolitaireConfig
from referee.rules.state import GameConfig

Config = GameConfig | SolitaireConfig
"""What a game is played by: at a table, or as a solitaire."""


class Format(Enum):
    """What a bot says that it plays."""

    TABLE = "table"
    SOLITAIRE = "solitaire"


class DealMode(Enum):
    """How the games of a deal set share their cards."""

    INDEPENDENT = "independent"
    FIELD = "field"
    ROTATED = "rotated"


@dataclass(frozen=True, slots=True)
class Budgets:
    """How long a bot may take, in milliseconds, per seat and game. Raises ValueError for less than 1, a bank of 0 but allowed."""

    start_ms: int = 30_000
    """From GameStart to GameReady."""
    decision_ms: int = 2_000
    """For one decision, before the bank is touched."""
    bank_ms: int = 30_000
    thinking_ms: int = 120_000
    """All time of own open decisions together, bank included."""

    def __post_init__(self) -> None:
        for name in ("start_ms", "decision_ms", "thinking_ms"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}: give at least 1 ms")
        if self.bank_ms < 0:
            raise ValueError(f"bank_ms is {self.bank_ms}: give 0 or more")

    @property
    def worst_seat_ms(self) -> int:
        """The longest a single seat can hold up a game."""
        return self.start_ms + self.thinking_ms + self.bank_ms


@dataclass(frozen=True, slots=True)
class SeatName:
    """Who sits at a seat, for people who read the record."""

    bot: str
    version: str


class FaultType(Enum):
    START_TIMEOUT = "START_TIMEOUT"
    NO_SHOW = "NO_SHOW"
    DISCONNECT = "DISCONNECT"
    RESIGN = "RESIGN"
    THINKING_USED_UP = "THINKING_USED_UP"
    MOVE_TIMEOUT = "MOVE_TIMEOUT"
    ILLEGAL = "ILLEGAL"
    MALFORMED = "MALFORMED"
    BOT_ERROR = "BOT_ERROR"

    @property
    def retires_at_once(self) -> bool:
        return self in _RETIRES_AT_ONCE


_RETIRES_AT_ONCE = frozenset(
    {
        FaultType.START_TIMEOUT,
        FaultType.NO_SHOW,
        FaultType.DISCONNECT,
        FaultType.RESIGN,
        FaultType.THINKING_USED_UP,
    }
)
FAULTS_UNTIL_RETIREMENT = 5
"""Of the faults that cost one decision each, this one retires the seat."""
MAX_REPLY_TEXT = 512


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault with the figures behind it."""

    type: FaultType
    seat: int
    game_round: int
    turn: int
    """Within the round, from 1; 0 before the first."""
    decision_id: int
    """The decision that was open, 0 for none."""
    budget_ms: int
    """What was allowed; 0 where no clock is at stake."""
    used_ms: int
    last_latencies_ms: tuple[int, ...]
    """Of the last decisions of this seat, newest last, at most 3."""
    detail: str
    reply: str = ""
    """For ILLEGAL and MALFORMED: the reply as text, capped."""
    retires: bool = False


@dataclass(frozen=True, slots=True)
class RoundScores:
    game_round: int
    scores: tuple[int, ...]
    went_out: int | None
    players: tuple[int, ...] = ()
    """Of a playoff: the seats that played, the others have a 0; empty in the eleven rounds, which all play (RULES 20)."""


@dataclass(frozen=True, slots=True)
class GameScores:
    """The final result of a game, a value per seat."""

    totals: tuple[int, ...]
    """Lower is better; of a solitaire, the piles still open."""
    places: tuple[int, ...]
    rounds: tuple[RoundScores, ...]
    retired_in_round: tuple[int, ...]
    """0 for a seat that played to the end."""
    solitaire: Score | None = None
    """Of a solitaire, which has no rounds."""
