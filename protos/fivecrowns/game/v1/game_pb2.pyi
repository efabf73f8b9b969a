from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DrawSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAW_SOURCE_UNSPECIFIED: _ClassVar[DrawSource]
    DRAW_SOURCE_PILE: _ClassVar[DrawSource]
    DRAW_SOURCE_DISCARD: _ClassVar[DrawSource]

class FaultType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_TYPE_UNSPECIFIED: _ClassVar[FaultType]
    FAULT_TYPE_START_TIMEOUT: _ClassVar[FaultType]
    FAULT_TYPE_NO_SHOW: _ClassVar[FaultType]
    FAULT_TYPE_DISCONNECT: _ClassVar[FaultType]
    FAULT_TYPE_RESIGN: _ClassVar[FaultType]
    FAULT_TYPE_THINKING_USED_UP: _ClassVar[FaultType]
    FAULT_TYPE_MOVE_TIMEOUT: _ClassVar[FaultType]
    FAULT_TYPE_ILLEGAL: _ClassVar[FaultType]
    FAULT_TYPE_MALFORMED: _ClassVar[FaultType]
    FAULT_TYPE_BOT_ERROR: _ClassVar[FaultType]

class DealMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEAL_MODE_UNSPECIFIED: _ClassVar[DealMode]
    DEAL_MODE_INDEPENDENT: _ClassVar[DealMode]
    DEAL_MODE_FIELD: _ClassVar[DealMode]
    DEAL_MODE_ROTATED: _ClassVar[DealMode]

class SolitaireVariant(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SOLITAIRE_VARIANT_UNSPECIFIED: _ClassVar[SolitaireVariant]
    SOLITAIRE_VARIANT_STANDARD: _ClassVar[SolitaireVariant]
    SOLITAIRE_VARIANT_OPEN_FIRST: _ClassVar[SolitaireVariant]
DRAW_SOURCE_UNSPECIFIED: DrawSource
DRAW_SOURCE_PILE: DrawSource
DRAW_SOURCE_DISCARD: DrawSource
FAULT_TYPE_UNSPECIFIED: FaultType
FAULT_TYPE_START_TIMEOUT: FaultType
FAULT_TYPE_NO_SHOW: FaultType
FAULT_TYPE_DISCONNECT: FaultType
FAULT_TYPE_RESIGN: FaultType
FAULT_TYPE_THINKING_USED_UP: FaultType
FAULT_TYPE_MOVE_TIMEOUT: FaultType
FAULT_TYPE_ILLEGAL: FaultType
FAULT_TYPE_MALFORMED: FaultType
FAULT_TYPE_BOT_ERROR: FaultType
DEAL_MODE_UNSPECIFIED: DealMode
DEAL_MODE_INDEPENDENT: DealMode
DEAL_MODE_FIELD: DealMode
DEAL_MODE_ROTATED: DealMode
SOLITAIRE_VARIANT_UNSPECIFIED: SolitaireVariant
SOLITAIRE_VARIANT_STANDARD: SolitaireVariant
SOLITAIRE_VARIANT_OPEN_FIRST: SolitaireVariant

class Action(_message.Message):
    __slots__ = ("draw", "discard", "add", "refuse")
    DRAW_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    REFUSE_FIELD_NUMBER: _ClassVar[int]
    draw: Draw
    discard: Discard
    add: Add
    refuse: Refuse
    def __init__(self, draw: _Optional[_Union[Draw, _Mapping]] = ..., discard: _Optional[_Union[Discard, _Mapping]] = ..., add: _Optional[_Union[Add, _Mapping]] = ..., refuse: _Optional[_Union[Refuse, _Mapping]] = ...) -> None: ...

class Draw(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: DrawSource
    def __init__(self, source: _Optional[_Union[DrawSource, str]] = ...) -> None: ...

class Discard(_message.Message):
    __slots__ = ("face", "go_out")
    FACE_FIELD_NUMBER: _ClassVar[int]
    GO_OUT_FIELD_NUMBER: _ClassVar[int]
    face: int
    go_out: bool
    def __init__(self, face: _Optional[int] = ..., go_out: _Optional[bool] = ...) -> None: ...

class Add(_message.Message):
    __slots__ = ("pile", "discard_face")
    PILE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FACE_FIELD_NUMBER: _ClassVar[int]
    pile: int
    discard_face: int
    def __init__(self, pile: _Optional[int] = ..., discard_face: _Optional[int] = ...) -> None: ...

class Refuse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Meld(_message.Message):
    __slots__ = ("faces",)
    FACES_FIELD_NUMBER: _ClassVar[int]
    faces: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, faces: _Optional[_Iterable[int]] = ...) -> None: ...

class GameConfig(_message.Message):
    __slots__ = ("seats", "turn_cap", "deal_mode", "solitaire", "playoff")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TURN_CAP_FIELD_NUMBER: _ClassVar[int]
    DEAL_MODE_FIELD_NUMBER: _ClassVar[int]
    SOLITAIRE_FIELD_NUMBER: _ClassVar[int]
    PLAYOFF_FIELD_NUMBER: _ClassVar[int]
    seats: int
    turn_cap: int
    deal_mode: DealMode
    solitaire: SolitaireVariant
    playoff: bool
    def __init__(self, seats: _Optional[int] = ..., turn_cap: _Optional[int] = ..., deal_mode: _Optional[_Union[DealMode, str]] = ..., solitaire: _Optional[_Union[SolitaireVariant, str]] = ..., playoff: _Optional[bool] = ...) -> None: ...

class Budgets(_message.Message):
    __slots__ = ("start_ms", "decision_ms", "bank_ms", "thinking_ms")
    START_MS_FIELD_NUMBER: _ClassVar[int]
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    THINKING_MS_FIELD_NUMBER: _ClassVar[int]
    start_ms: int
    decision_ms: int
    bank_ms: int
    thinking_ms: int
    def __init__(self, start_ms: _Optional[int] = ..., decision_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., thinking_ms: _Optional[int] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("type", "seat", "game_round", "turn", "decision_id", "budget_ms", "used_ms", "last_latencies_ms", "detail", "reply", "retires")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    BUDGET_MS_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    LAST_LATENCIES_MS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    REPLY_FIELD_NUMBER: _ClassVar[int]
    RETIRES_FIELD_NUMBER: _ClassVar[int]
    type: FaultType
    seat: int
    game_round: int
    turn: int
    decision_id: int
    budget_ms: int
    used_ms: int
    last_latencies_ms: _containers.RepeatedScalarFieldContainer[int]
    detail: str
    reply: str
    retires: bool
    def __init__(self, type: _Optional[_Union[FaultType, str]] = ..., seat: _Optional[int] = ..., game_round: _Optional[int] = ..., turn: _Optional[int] = ..., decision_id: _Optional[int] = ..., budget_ms: _Optional[int] = ..., used_ms: _Optional[int] = ..., last_latencies_ms: _Optional[_Iterable[int]] = ..., detail: _Optional[str] = ..., reply: _Optional[str] = ..., retires: _Optional[bool] = ...) -> None: ...

class GameScores(_message.Message):
    __slots__ = ("totals", "places", "rounds", "retired_in_round", "solitaire")
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    RETIRED_IN_ROUND_FIELD_NUMBER: _ClassVar[int]
    SOLITAIRE_FIELD_NUMBER: _ClassVar[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    rounds: _containers.RepeatedCompositeFieldContainer[RoundScores]
    retired_in_round: _containers.RepeatedScalarFieldContainer[int]
    solitaire: SolitaireScore
    def __init__(self, totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., rounds: _Optional[_Iterable[_Union[RoundScores, _Mapping]]] = ..., retired_in_round: _Optional[_Iterable[int]] = ..., solitaire: _Optional[_Union[SolitaireScore, _Mapping]] = ...) -> None: ...

class SolitaireScore(_message.Message):
    __slots__ = ("won", "piles_closed", "cards_used")
    WON_FIELD_NUMBER: _ClassVar[int]
    PILES_CLOSED_FIELD_NUMBER: _ClassVar[int]
    CARDS_USED_FIELD_NUMBER: _ClassVar[int]
    won: bool
    piles_closed: int
    cards_used: int
    def __init__(self, won: _Optional[bool] = ..., piles_closed: _Optional[int] = ..., cards_used: _Optional[int] = ...) -> None: ...

class RoundScores(_message.Message):
    __slots__ = ("game_round", "scores", "has_went_out", "went_out_seat", "players")
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    HAS_WENT_OUT_FIELD_NUMBER: _ClassVar[int]
    WENT_OUT_SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    game_round: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    has_went_out: bool
    went_out_seat: int
    players: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game_round: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., has_went_out: _Optional[bool] = ..., went_out_seat: _Optional[int] = ..., players: _Optional[_Iterable[int]] = ...) -> None: ...
