"""A game as the site orders it, as the session plays it, and as the journal keeps it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping

from fivecrowns.referee.v1 import referee_pb2
from referee.play.session import header_of
from referee.play.spec import GameSpec
from referee.record import codec
from referee.record.conditions import SeatName
from referee.record.journal_entries import Opened
from referee.rpc.connection import Connection

_ATTEMPT_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


class GameRefused(Exception):
    """A game that is not started; nothing was sent to any bot."""

    def __init__(self, reason: referee_pb2.RefusedReason, message: str, bot_ids: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.bot_ids = tuple(bot_ids)

    def state(self, attempt_id: str) -> referee_pb2.GameState:
        return referee_pb2.GameState(
            attempt_id=attempt_id,
            status=referee_pb2.GAME_STATUS_REFUSED,
            refused_reason=self.reason,
            message=str(self),
            bot_ids=self.bot_ids,
        )


def ordered_spec(order: referee_pb2.GameSpec, connections: Mapping[int, Connection]) -> GameSpec:
    """What the site ordered, for these bots. Raises GameRefused for what no game can be played by."""
    if not _ATTEMPT_ID.fullmatch(order.attempt_id):
        raise GameRefused(
            referee_pb2.REFUSED_REASON_BAD_SPEC,
            f"attempt id {order.attempt_id[:70]!r}: give 8 to 64 letters, digits, - or _",
        )
    try:
        config, deal_mode = codec.config_of(order.config)
        return GameSpec(
            attempt_id=order.attempt_id,
            config=config,
            seats=tuple(_seat_name(seat, connections.get(number)) for number, seat in enumerate(order.seats)),
            seed=_seed(order.seed),
            budgets=codec.budgets_of(order.budgets),
            deal_mode=deal_mode,
            page_url=order.page_url,
            no_shows=frozenset(number for number, seat in enumerate(order.seats) if seat.no_show),
            started_at_ms=round(time.time() * 1000),
        )
    except ValueError as error:
        raise GameRefused(referee_pb2.REFUSED_REASON_BAD_SPEC, str(error)) from error


def opened_entry(spec: GameSpec, bot_ids: Iterable[str]) -> Opened:
    return Opened(header_of(spec), spec.seed, spec.page_url, spec.no_shows, tuple(bot_ids))


def journalled_spec(opened: Opened) -> GameSpec:
    """The game that was opened so. Raises ValueError if other rules were played then."""
    header = opened.header
    spec = GameSpec(
        attempt_id=header.attempt_id,
        config=header.config,
        seats=header.seats,
        seed=opened.seed,
        budgets=header.budgets,
        deal_mode=header.deal_mode,
        page_url=opened.page_url,
        no_shows=opened.no_shows,
        started_at_ms=header.started_at_ms,
    )
    if header_of(spec) != header:
        raise ValueError(
            f"rules version {header.rules_version}, shuffle version {header.shuffle_version}: not played here"
        )
    return spec


def _seat_name(seat: referee_pb2.SeatSpec, connection: Connection | None) -> SeatName:
    if connection is None:
        return SeatName(seat.bot_id, seat.bot_version)
    return SeatName(connection.admission.bot_name, connection.admission.version)


def _seed(seed: bytes) -> bytes:
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    return seed
