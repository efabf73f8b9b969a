"""The score sheet of a game: finished game rounds by seat, which everybody may see."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import Attempt, Game, GameSeat
from tournaments.models.status import OPEN_ATTEMPT

_RANKS = {11: "jacks", 12: "queens", 13: "kings"}
_ROUNDS = 11
_PLAYOFF_WILD = 6


@dataclass(frozen=True, slots=True)
class SheetRow:
    number: int
    wild: str
    """In the plural: 3s, jacks."""
    cells: tuple[tuple[int | None, int, bool], ...]
    """By seat: score (None: not in this playoff round), total so far, whether it went out."""
    is_playoff: bool = False
    """Its scores decide the first place and are in no total (RULES 20)."""


@dataclass(frozen=True, slots=True)
class Sheet:
    game: Game
    seats: tuple[GameSeat, ...]
    rows: tuple[SheetRow, ...]
    running: Attempt | None
    """The try that is being played, with how far it is as last heard."""

    @property
    def totals_so_far(self) -> list[tuple[GameSeat, int]]:
        """Of the game that is being played."""
        return list(zip(self.seats, self.running.totals, strict=False)) if self.running else []

    @property
    def is_over(self) -> bool:
        return self.game.result_id is not None


def game_sheet(game: Game, seats: Iterable[GameSeat], attempts: Iterable[Attempt]) -> Sheet:
    """`seats` in the order of their numbers."""
    seated = tuple(seats)
    totals = [0] * len(seated)
    rows = []
    for told in game.game_rounds:
        is_playoff = told["game_round"] > _ROUNDS
        players = told.get("players") or range(len(seated))
        if not is_playoff:
            totals = [total + score for total, score in zip(totals, told["scores"], strict=True)]
        cells = tuple(
            (score if seat in players else None, total, seat == told["went_out_seat"])
            for seat, (score, total) in enumerate(zip(told["scores"], totals, strict=True))
        )
        rows.append(SheetRow(told["game_round"], _wild(told["game_round"]), cells, is_playoff))
    running = next((attempt for attempt in attempts if attempt.status in OPEN_ATTEMPT), None)
    return Sheet(game, seated, tuple(rows), running)


def _wild(game_round: int) -> str:
    """RULES 3, and 20 for rounds after the eleventh."""
    wild = game_round + 2 if game_round <= _ROUNDS else _PLAYOFF_WILD
    return _RANKS.get(wild, f"{wild}s")
