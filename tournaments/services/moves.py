"""Changes of status: each checks its machine and is a guarded UPDATE."""

from collections.abc import Callable
from typing import Any

from django.db.models import Model

from tournaments.errors import InvalidTransition
from tournaments.models import Attempt, DealSet, Match, Tournament, TournamentRound
from tournaments.models.status import attempt_moves, deal_set_moves, match_moves, round_moves, tournament_moves

_MACHINES: dict[type[Model], Callable[[str], frozenset[str]]] = {
    Tournament: tournament_moves,
    TournamentRound: round_moves,
    Match: match_moves,
    DealSet: deal_set_moves,
    Attempt: attempt_moves,
}

Moving = Tournament | TournamentRound | Match | DealSet | Attempt


def try_move(row: Moving, to: str, **fields: Any) -> bool:
    """Move the row if it still has the status we know; False if someone moved it before. `fields` are set along with it.

    Raises `InvalidTransition` if the machine does not allow the move.
    """
    if to not in _MACHINES[type(row)](row.status):
        raise InvalidTransition(str(row), row.status, to)
    moved = type(row)._default_manager.filter(pk=row.pk, status=row.status).update(status=to, **fields)
    if moved:
        for name, value in {"status": to, **fields}.items():
            setattr(row, name, value)
    return bool(moved)


def move(row: Moving, to: str, **fields: Any) -> None:
    """As `try_move`, where being too late is an error of the caller's."""
    if not try_move(row, to, **fields):
        row.refresh_from_db(fields=["status"])
        raise InvalidTransition(str(row), row.status, to)
