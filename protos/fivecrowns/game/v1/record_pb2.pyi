from fivecrowns.game.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAUSE_UNSPECIFIED: _ClassVar[Cause]
    CAUSE_BOT: _ClassVar[Cause]
    CAUSE_FAULT: _ClassVar[Cause]
    CAUSE_RETIRED: _ClassVar[Cause]
CAUSE_UNSPECIFIED: Cause
CAUSE_BOT: Cause
CAUSE_FAULT: Cause
CAUSE_RETIRED: Cause

class RecordEntry(_message.Message):
    __slots__ = ("header", "action", "retirement", "footer", "seal")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    RETIREMENT_FIELD_NUMBER: _ClassVar[int]
    FOOTER_FIELD_NUMBER: _ClassVar[int]
    SEAL_FIELD_NUMBER: _ClassVar[int]
    header: RecordHeader
    action: RecordAction
    retirement: RecordRetirement
    footer: RecordFooter
    seal: RecordSeal
    def __init__(self, header: _Optional[_Union[RecordHeader, _Mapping]] = ..., action: _Optional[_Union[RecordAction, _Mapping]] = ..., retirement: _Optional[_Union[RecordRetirement, _Mapping]] = ..., footer: _Optional[_Union[RecordFooter, _Mapping]] = ..., seal: _Optional[_Union[RecordSeal, _Mapping]] = ...) -> None: ...

class RecordHeader(_message.Message):
    __slots__ = ("attempt_id", "rules_version", "shuffle_version", "config", "seats", "commitment", "budgets", "started_at_ms")
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    attempt_id: str
    rules_version: int
    shuffle_version: int
    config: _game_pb2.GameConfig
    seats: _containers.RepeatedCompositeFieldContainer[RecordSeat]
    commitment: bytes
    budgets: _game_pb2.Budgets
    started_at_ms: int
    def __init__(self, attempt_id: _Optional[str] = ..., rules_version: _Optional[int] = ..., shuffle_version: _Optional[int] = ..., config: _Optional[_Union[_game_pb2.GameConfig, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[RecordSeat, _Mapping]]] = ..., commitment: _Optional[bytes] = ..., budgets: _Optional[_Union[_game_pb2.Budgets, _Mapping]] = ..., started_at_ms: _Optional[int] = ...) -> None: ...

class RecordSeat(_message.Message):
    __slots__ = ("bot", "version")
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    bot: str
    version: str
    def __init__(self, bot: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class RecordAction(_message.Message):
    __slots__ = ("seat", "action", "cause", "at_ms", "latency_ms", "fault")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action: _game_pb2.Action
    cause: Cause
    at_ms: int
    latency_ms: int
    fault: _game_pb2.Fault
    def __init__(self, seat: _Optional[int] = ..., action: _Optional[_Union[_game_pb2.Action, _Mapping]] = ..., cause: _Optional[_Union[Cause, str]] = ..., at_ms: _Optional[int] = ..., latency_ms: _Optional[int] = ..., fault: _Optional[_Union[_game_pb2.Fault, _Mapping]] = ...) -> None: ...

class RecordRetirement(_message.Message):
    __slots__ = ("seat", "fault", "at_ms")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    fault: _game_pb2.Fault
    at_ms: int
    def __init__(self, seat: _Optional[int] = ..., fault: _Optional[_Union[_game_pb2.Fault, _Mapping]] = ..., at_ms: _Optional[int] = ...) -> None: ...

class RecordFooter(_message.Message):
    __slots__ = ("scores", "ended_at_ms")
    SCORES_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    scores: _game_pb2.GameScores
    ended_at_ms: int
    def __init__(self, scores: _Optional[_Union[_game_pb2.GameScores, _Mapping]] = ..., ended_at_ms: _Optional[int] = ...) -> None: ...

class RecordSeal(_message.Message):
    __slots__ = ("head_digest", "signature", "public_key", "seed")
    HEAD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    head_digest: bytes
    signature: bytes
    public_key: bytes
    seed: bytes
    def __init__(self, head_digest: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., public_key: _Optional[bytes] = ..., seed: _Optional[bytes] = ...) -> None: ...
