"""Finding the bots that are to sit at a table."""

from __future__ import annotations

from collections.abc import Callable

from fivecrowns.referee.v1 import referee_pb2
from referee.record.conditions import Format
from referee.rpc.connection import BotKey, Connection
from referee.rpc.game_spec import GameRefused
from referee.rpc.lobby import Lobby


def find_bots(
    order: referee_pb2.GameSpec, lobby: Lobby, games_in_flight: Callable[[BotKey], int]
) -> dict[int, Connection]:
    """Seat -> connection, for each seat that is to be played by its bot. Raises GameRefused."""
    found: dict[int, Connection] = {}
    absent: list[str] = []
    wrong_version: list[str] = []
    busy: list[str] = []
    not_played: list[str] = []
    other_sizes: list[str] = []
    wanted = Format.SOLITAIRE if order.config.solitaire else Format.TABLE
    for number, seat in enumerate(order.seats):
        if seat.no_show:
            continue
        connection = lobby.find(seat.bot_id, seat.bot_version)
        if connection is None or connection.is_closing or connection.admission.generation < seat.min_generation:
            (wrong_version if lobby.is_present(seat.bot_id) else absent).append(seat.bot_id)
        elif wanted not in connection.admission.formats:
            not_played.append(seat.bot_id)
        elif wanted is Format.TABLE and len(order.seats) not in connection.admission.seats:
            other_sizes.append(seat.bot_id)
        elif games_in_flight(connection.key) >= connection.admission.max_games:
            busy.append(seat.bot_id)
        else:
            found[number] = connection
    _refuse_if(absent, referee_pb2.REFUSED_REASON_BOT_NOT_CONNECTED, "not connected")
    _refuse_if(wrong_version, referee_pb2.REFUSED_REASON_WRONG_VERSION, "another version is connected")
    _refuse_if(not_played, referee_pb2.REFUSED_REASON_FORMAT_NOT_PLAYED, f"did not say that it plays {wanted.value}")
    size = f"did not say that it plays tables of {len(order.seats)}"
    _refuse_if(other_sizes, referee_pb2.REFUSED_REASON_FORMAT_NOT_PLAYED, size)
    _refuse_if(busy, referee_pb2.REFUSED_REASON_BOT_BUSY, "busy")
    if len({connection.key for connection in found.values()}) < len(found):
        raise GameRefused(referee_pb2.REFUSED_REASON_BAD_SPEC, "the same bot and version sits at two seats")
    return found


def _refuse_if(bot_ids: list[str], reason: referee_pb2.RefusedReason, what: str) -> None:
    if bot_ids:
        raise GameRefused(reason, f"{what}: {', '.join(bot_ids)}", bot_ids)
