"""Entries of a journal and their messages."""

from __future__ import annotations

from typing import Final

from fivecrowns.referee.v1 import journal_pb2
from referee.record.codec.entries import header_entry, header_of
from referee.record.codec.game import CodecError
from referee.record.codec.wire import block, block_key, double, double_key, number, number_key, text
from referee.record.journal_entries import Began, Ended, JournalEntry, Moment, Numbered, Opened, SeatClock

_ATTEMPT_ID: Final = block_key(journal_pb2.JournalEntry.ATTEMPT_ID_FIELD_NUMBER)
_NUMBER: Final = number_key(journal_pb2.JournalEntry.NUMBER_FIELD_NUMBER)
_MOMENT: Final = block_key(journal_pb2.JournalEntry.MOMENT_FIELD_NUMBER)
_RECORD: Final = block_key(journal_pb2.JournalMoment.RECORD_FIELD_NUMBER)
_DECISIONS: Final = number_key(journal_pb2.JournalMoment.DECISIONS_FIELD_NUMBER)
_CLOCK: Final = block_key(journal_pb2.JournalMoment.CLOCK_FIELD_NUMBER)
_SEAT: Final = number_key(journal_pb2.SeatClock.SEAT_FIELD_NUMBER)
_BANK_MS: Final = double_key(journal_pb2.SeatClock.BANK_MS_FIELD_NUMBER)
_THINKING_MS: Final = double_key(journal_pb2.SeatClock.THINKING_MS_FIELD_NUMBER)


def journal_bytes(numbered: Numbered) -> bytes:
    """A serialized `JournalEntry`."""
    moment = numbered.entry
    if not isinstance(moment, Moment) or not moment.record:
        return journal_message(numbered).SerializeToString()
    content = block(_RECORD, moment.record) + number(_DECISIONS, moment.decisions)
    if (clock := moment.clock) is not None:
        seat = number(_SEAT, clock.seat)
        content += block(_CLOCK, seat + double(_BANK_MS, clock.bank_ms) + double(_THINKING_MS, clock.thinking_ms))
    return text(_ATTEMPT_ID, numbered.attempt_id) + number(_NUMBER, numbered.number) + block(_MOMENT, content)


def journal_message(numbered: Numbered) -> journal_pb2.JournalEntry:
    message = journal_pb2.JournalEntry(attempt_id=numbered.attempt_id, number=numbered.number)
    match numbered.entry:
        case Moment(record, decisions, clock):
            message.moment.record = record
            message.moment.decisions = decisions
            if clock is not None:
                message.moment.clock.seat = clock.seat
                message.moment.clock.bank_ms = clock.bank_ms
                message.moment.clock.thinking_ms = clock.thinking_ms
        case Opened() as opened:
            message.opened.header.CopyFrom(header_entry(opened.header).header)
            message.opened.seed = opened.seed
            message.opened.page_url = opened.page_url
            message.opened.no_shows.extend(sorted(opened.no_shows))
            message.opened.bot_ids.extend(opened.bot_ids)
        case Began():
            message.began.SetInParent()
        case Ended():
            message.ended.SetInParent()
    return message


def journal_entry_of(message: journal_pb2.JournalEntry) -> Numbered:
    """Raises CodecError for what this version does not write."""
    return Numbered(message.attempt_id, message.number, _entry_of(message))


def _entry_of(message: journal_pb2.JournalEntry) -> JournalEntry:
    match message.WhichOneof("entry"):
        case "moment":
            moment = message.moment
            return Moment(moment.record, moment.decisions, _clock_of(moment) if moment.HasField("clock") else None)
        case "opened":
            opened = message.opened
            return Opened(
                header=header_of(opened.header),
                seed=opened.seed,
                page_url=opened.page_url,
                no_shows=frozenset(opened.no_shows),
                bot_ids=tuple(opened.bot_ids),
            )
        case "began":
            return Began()
        case "ended":
            return Ended()
        case kind:
            raise CodecError(f"journal entry {kind or 'without content'}")


def _clock_of(moment: journal_pb2.JournalMoment) -> SeatClock:
    return SeatClock(moment.clock.seat, moment.clock.bank_ms, moment.clock.thinking_ms)
