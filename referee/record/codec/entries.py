"""Entries of a game record and their messages."""

from __future__ import annotations

from functools import cache
from typing import Final, cast

from fivecrowns.game.v1 import record_pb2
from referee.record.codec.game import (
    CodecError,
    action_message,
    action_of,
    budgets_message,
    budgets_of,
    card_of_code,
    config_message,
    config_of,
    fault_message,
    fault_of,
    inverse,
    known,
    scores_message,
    scores_of,
)
from referee.record.codec.wire import block, block_key, number, number_key
from referee.record.conditions import SeatName
from referee.record.entries import ActionEntry, Cause, Entry, Footer, Header, RetirementEntry, Seal
from referee.rules.actions import Discard, Draw, Source

_CAUSE_TO_WIRE: Final = {
    cause: cast("record_pb2.Cause", record_pb2.Cause.Value(f"CAUSE_{cause.name}")) for cause in Cause
}
_CAUSE_OF_WIRE = inverse(_CAUSE_TO_WIRE)


def header_entry(header: Header) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(
        header=record_pb2.RecordHeader(
            attempt_id=header.attempt_id,
            rules_version=header.rules_version,
            shuffle_version=header.shuffle_version,
            config=config_message(header.config, header.deal_mode),
            seats=[record_pb2.RecordSeat(bot=seat.bot, version=seat.version) for seat in header.seats],
            commitment=header.commitment,
            budgets=budgets_message(header.budgets),
            started_at_ms=header.started_at_ms,
        )
    )


def header_of(message: record_pb2.RecordHeader) -> Header:
    config, deal_mode = config_of(message.config)
    if len(message.seats) != config.seats:
        raise CodecError(f"the header names {len(message.seats)} seats, its game has {config.seats}")
    return Header(
        attempt_id=message.attempt_id,
        config=config,
        deal_mode=deal_mode,
        seats=tuple(SeatName(seat.bot, seat.version) for seat in message.seats),
        commitment=message.commitment,
        budgets=budgets_of(message.budgets),
        started_at_ms=message.started_at_ms,
        rules_version=message.rules_version,
        shuffle_version=message.shuffle_version,
    )


_ENTRY: Final = block_key(record_pb2.RecordEntry.ACTION_FIELD_NUMBER)
_SEAT: Final = number_key(record_pb2.RecordAction.SEAT_FIELD_NUMBER)
_ACTION: Final = block_key(record_pb2.RecordAction.ACTION_FIELD_NUMBER)
_CAUSE: Final = number_key(record_pb2.RecordAction.CAUSE_FIELD_NUMBER)
_AT_MS: Final = number_key(record_pb2.RecordAction.AT_MS_FIELD_NUMBER)
_LATENCY_MS: Final = number_key(record_pb2.RecordAction.LATENCY_MS_FIELD_NUMBER)


def record_entry_bytes(entry: Entry) -> bytes:
    """A serialized `RecordEntry`."""
    if isinstance(entry, RetirementEntry) or entry.fault is not None:
        return record_entry(entry).SerializeToString(deterministic=True)
    action = entry.action
    if isinstance(action, Draw):
        done = _draw_bytes(action.source)
    elif isinstance(action, Discard):
        done = _discard_bytes(action.card.code, action.go_out)
    else:
        done = block(_ACTION, action_message(action).SerializeToString())
    parts = [
        number(_SEAT, entry.seat),
        done,
        number(_CAUSE, _CAUSE_TO_WIRE[entry.cause]),
        number(_AT_MS, entry.at_ms),
        number(_LATENCY_MS, entry.latency_ms),
    ]
    return block(_ENTRY, b"".join(parts))


@cache
def _draw_bytes(source: Source) -> bytes:
    return block(_ACTION, action_message(Draw(source)).SerializeToString())


@cache
def _discard_bytes(code: int, go_out: bool) -> bytes:
    return block(_ACTION, action_message(Discard(card_of_code(code), go_out)).SerializeToString())


def record_entry(entry: Entry) -> record_pb2.RecordEntry:
    if isinstance(entry, RetirementEntry):
        retirement = record_pb2.RecordRetirement(seat=entry.seat, fault=fault_message(entry.fault), at_ms=entry.at_ms)
        return record_pb2.RecordEntry(retirement=retirement)
    return record_pb2.RecordEntry(
        action=record_pb2.RecordAction(
            seat=entry.seat,
            action=action_message(entry.action),
            cause=_CAUSE_TO_WIRE[entry.cause],
            at_ms=entry.at_ms,
            latency_ms=entry.latency_ms,
            fault=None if entry.fault is None else fault_message(entry.fault),
        )
    )


def entry_of(message: record_pb2.RecordEntry) -> Entry:
    if message.HasField("retirement"):
        retirement = message.retirement
        return RetirementEntry(retirement.seat, fault_of(retirement.fault), retirement.at_ms)
    action = message.action
    return ActionEntry(
        seat=action.seat,
        action=action_of(action.action),
        cause=known(_CAUSE_OF_WIRE, action.cause, "cause"),
        at_ms=action.at_ms,
        latency_ms=action.latency_ms,
        fault=fault_of(action.fault) if action.HasField("fault") else None,
    )


def footer_entry(footer: Footer) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(
        footer=record_pb2.RecordFooter(scores=scores_message(footer.scores), ended_at_ms=footer.ended_at_ms)
    )


def footer_of(message: record_pb2.RecordFooter) -> Footer:
    return Footer(scores_of(message.scores), message.ended_at_ms)


def seal_entry(seal: Seal) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(
        seal=record_pb2.RecordSeal(
            head_digest=seal.head_digest, signature=seal.signature, public_key=seal.public_key, seed=seal.seed
        )
    )


def seal_of(message: record_pb2.RecordSeal) -> Seal:
    return Seal(message.head_digest, message.signature, message.public_key, message.seed)
