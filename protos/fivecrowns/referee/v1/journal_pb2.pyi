from fivecrowns.game.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JournalEntry(_message.Message):
    __slots__ = ("attempt_id", "number", "opened", "began", "moment", "ended")
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    BEGAN_FIELD_NUMBER: _ClassVar[int]
    MOMENT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    attempt_id: str
    number: int
    opened: JournalOpened
    began: JournalBegan
    moment: JournalMoment
    ended: JournalEnded
    def __init__(self, attempt_id: _Optional[str] = ..., number: _Optional[int] = ..., opened: _Optional[_Union[JournalOpened, _Mapping]] = ..., began: _Optional[_Union[JournalBegan, _Mapping]] = ..., moment: _Optional[_Union[JournalMoment, _Mapping]] = ..., ended: _Optional[_Union[JournalEnded, _Mapping]] = ...) -> None: ...

class JournalOpened(_message.Message):
    __slots__ = ("header", "seed", "page_url", "no_shows", "bot_ids")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PAGE_URL_FIELD_NUMBER: _ClassVar[int]
    NO_SHOWS_FIELD_NUMBER: _ClassVar[int]
    BOT_IDS_FIELD_NUMBER: _ClassVar[int]
    header: _record_pb2.RecordHeader
    seed: bytes
    page_url: str
    no_shows: _containers.RepeatedScalarFieldContainer[int]
    bot_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, header: _Optional[_Union[_record_pb2.RecordHeader, _Mapping]] = ..., seed: _Optional[bytes] = ..., page_url: _Optional[str] = ..., no_shows: _Optional[_Iterable[int]] = ..., bot_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class JournalBegan(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class JournalMoment(_message.Message):
    __slots__ = ("record", "decisions", "clock")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    record: bytes
    decisions: int
    clock: SeatClock
    def __init__(self, record: _Optional[bytes] = ..., decisions: _Optional[int] = ..., clock: _Optional[_Union[SeatClock, _Mapping]] = ...) -> None: ...

class SeatClock(_message.Message):
    __slots__ = ("seat", "bank_ms", "thinking_ms")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    THINKING_MS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    bank_ms: float
    thinking_ms: float
    def __init__(self, seat: _Optional[int] = ..., bank_ms: _Optional[float] = ..., thinking_ms: _Optional[float] = ...) -> None: ...

class JournalEnded(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
