from fivecrowns.game.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_FORMAT_UNSPECIFIED: _ClassVar[GameFormat]
    GAME_FORMAT_TABLE: _ClassVar[GameFormat]
    GAME_FORMAT_SOLITAIRE: _ClassVar[GameFormat]

class RefusalReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSAL_REASON_UNSPECIFIED: _ClassVar[RefusalReason]
    REFUSAL_REASON_BAD_TOKEN: _ClassVar[RefusalReason]
    REFUSAL_REASON_TOKEN_ROTATED: _ClassVar[RefusalReason]
    REFUSAL_REASON_UNKNOWN_BOT: _ClassVar[RefusalReason]
    REFUSAL_REASON_PROTOCOL_VERSION: _ClassVar[RefusalReason]
    REFUSAL_REASON_RULES_VERSION: _ClassVar[RefusalReason]
    REFUSAL_REASON_BAD_HELLO: _ClassVar[RefusalReason]
    REFUSAL_REASON_TOO_MANY_VERSIONS: _ClassVar[RefusalReason]
    REFUSAL_REASON_NOT_READY: _ClassVar[RefusalReason]
    REFUSAL_REASON_DRAINING: _ClassVar[RefusalReason]

class GoodbyeReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GOODBYE_REASON_UNSPECIFIED: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_SUPERSEDED: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_TOKEN_ROTATED: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_SHUTDOWN: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_PROTOCOL_ERROR: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_TOO_SLOW: _ClassVar[GoodbyeReason]

class DecisionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_KIND_UNSPECIFIED: _ClassVar[DecisionKind]
    DECISION_KIND_DRAW: _ClassVar[DecisionKind]
    DECISION_KIND_DISCARD: _ClassVar[DecisionKind]
    DECISION_KIND_ADD: _ClassVar[DecisionKind]

class GameEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_END_REASON_UNSPECIFIED: _ClassVar[GameEndReason]
    GAME_END_REASON_FINISHED: _ClassVar[GameEndReason]
    GAME_END_REASON_RETIREMENTS: _ClassVar[GameEndReason]
    GAME_END_REASON_CANCELLED: _ClassVar[GameEndReason]
GAME_FORMAT_UNSPECIFIED: GameFormat
GAME_FORMAT_TABLE: GameFormat
GAME_FORMAT_SOLITAIRE: GameFormat
REFUSAL_REASON_UNSPECIFIED: RefusalReason
REFUSAL_REASON_BAD_TOKEN: RefusalReason
REFUSAL_REASON_TOKEN_ROTATED: RefusalReason
REFUSAL_REASON_UNKNOWN_BOT: RefusalReason
REFUSAL_REASON_PROTOCOL_VERSION: RefusalReason
REFUSAL_REASON_RULES_VERSION: RefusalReason
REFUSAL_REASON_BAD_HELLO: RefusalReason
REFUSAL_REASON_TOO_MANY_VERSIONS: RefusalReason
REFUSAL_REASON_NOT_READY: RefusalReason
REFUSAL_REASON_DRAINING: RefusalReason
GOODBYE_REASON_UNSPECIFIED: GoodbyeReason
GOODBYE_REASON_SUPERSEDED: GoodbyeReason
GOODBYE_REASON_TOKEN_ROTATED: GoodbyeReason
GOODBYE_REASON_SHUTDOWN: GoodbyeReason
GOODBYE_REASON_PROTOCOL_ERROR: GoodbyeReason
GOODBYE_REASON_TOO_SLOW: GoodbyeReason
DECISION_KIND_UNSPECIFIED: DecisionKind
DECISION_KIND_DRAW: DecisionKind
DECISION_KIND_DISCARD: DecisionKind
DECISION_KIND_ADD: DecisionKind
GAME_END_REASON_UNSPECIFIED: GameEndReason
GAME_END_REASON_FINISHED: GameEndReason
GAME_END_REASON_RETIREMENTS: GameEndReason
GAME_END_REASON_CANCELLED: GameEndReason

class PlayRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[BotMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[BotMessage, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[RefereeMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[RefereeMessage, _Mapping]]] = ...) -> None: ...

class BotMessage(_message.Message):
    __slots__ = ("decision", "game_ready", "hello", "resign", "bot_error", "pong")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    GAME_READY_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    BOT_ERROR_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    decision: DecisionReply
    game_ready: GameReady
    hello: Hello
    resign: Resign
    bot_error: BotError
    pong: Pong
    def __init__(self, decision: _Optional[_Union[DecisionReply, _Mapping]] = ..., game_ready: _Optional[_Union[GameReady, _Mapping]] = ..., hello: _Optional[_Union[Hello, _Mapping]] = ..., resign: _Optional[_Union[Resign, _Mapping]] = ..., bot_error: _Optional[_Union[BotError, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ...) -> None: ...

class RefereeMessage(_message.Message):
    __slots__ = ("decision", "game_start", "round_start", "round_end", "game_end", "ping", "welcome", "refusal", "goodbye")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    GAME_START_FIELD_NUMBER: _ClassVar[int]
    ROUND_START_FIELD_NUMBER: _ClassVar[int]
    ROUND_END_FIELD_NUMBER: _ClassVar[int]
    GAME_END_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    decision: DecisionRequest
    game_start: GameStart
    round_start: RoundStart
    round_end: RoundEnd
    game_end: GameEnd
    ping: Ping
    welcome: Welcome
    refusal: Refusal
    goodbye: Goodbye
    def __init__(self, decision: _Optional[_Union[DecisionRequest, _Mapping]] = ..., game_start: _Optional[_Union[GameStart, _Mapping]] = ..., round_start: _Optional[_Union[RoundStart, _Mapping]] = ..., round_end: _Optional[_Union[RoundEnd, _Mapping]] = ..., game_end: _Optional[_Union[GameEnd, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., welcome: _Optional[_Union[Welcome, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_version", "rules_version", "sdk", "bot_version", "max_games", "seats", "formats")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    rules_version: int
    sdk: str
    bot_version: str
    max_games: int
    seats: _containers.RepeatedScalarFieldContainer[int]
    formats: _containers.RepeatedScalarFieldContainer[GameFormat]
    def __init__(self, protocol_version: _Optional[int] = ..., rules_version: _Optional[int] = ..., sdk: _Optional[str] = ..., bot_version: _Optional[str] = ..., max_games: _Optional[int] = ..., seats: _Optional[_Iterable[int]] = ..., formats: _Optional[_Iterable[_Union[GameFormat, str]]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("bot_id", "bot_name", "limits", "default_budgets", "shards", "site_url", "versions_wanted")
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_BUDGETS_FIELD_NUMBER: _ClassVar[int]
    SHARDS_FIELD_NUMBER: _ClassVar[int]
    SITE_URL_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_WANTED_FIELD_NUMBER: _ClassVar[int]
    bot_id: str
    bot_name: str
    limits: Limits
    default_budgets: _game_pb2.Budgets
    shards: _containers.RepeatedScalarFieldContainer[str]
    site_url: str
    versions_wanted: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, bot_id: _Optional[str] = ..., bot_name: _Optional[str] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., default_budgets: _Optional[_Union[_game_pb2.Budgets, _Mapping]] = ..., shards: _Optional[_Iterable[str]] = ..., site_url: _Optional[str] = ..., versions_wanted: _Optional[_Iterable[str]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("max_games", "max_frame_bytes", "ping_interval_ms")
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    PING_INTERVAL_MS_FIELD_NUMBER: _ClassVar[int]
    max_games: int
    max_frame_bytes: int
    ping_interval_ms: int
    def __init__(self, max_games: _Optional[int] = ..., max_frame_bytes: _Optional[int] = ..., ping_interval_ms: _Optional[int] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("reason", "message", "retry")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RETRY_FIELD_NUMBER: _ClassVar[int]
    reason: RefusalReason
    message: str
    retry: bool
    def __init__(self, reason: _Optional[_Union[RefusalReason, str]] = ..., message: _Optional[str] = ..., retry: _Optional[bool] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason", "message", "reconnect")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RECONNECT_FIELD_NUMBER: _ClassVar[int]
    reason: GoodbyeReason
    message: str
    reconnect: bool
    def __init__(self, reason: _Optional[_Union[GoodbyeReason, str]] = ..., message: _Optional[str] = ..., reconnect: _Optional[bool] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class GameStart(_message.Message):
    __slots__ = ("game_id", "config", "seat", "commitment", "budgets", "page_url")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    PAGE_URL_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    config: _game_pb2.GameConfig
    seat: int
    commitment: bytes
    budgets: _game_pb2.Budgets
    page_url: str
    def __init__(self, game_id: _Optional[str] = ..., config: _Optional[_Union[_game_pb2.GameConfig, _Mapping]] = ..., seat: _Optional[int] = ..., commitment: _Optional[bytes] = ..., budgets: _Optional[_Union[_game_pb2.Budgets, _Mapping]] = ..., page_url: _Optional[str] = ...) -> None: ...

class GameReady(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class RoundStart(_message.Message):
    __slots__ = ("game_id", "game_round", "wild_rank", "dealer", "starter", "hand", "upcard", "players")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    WILD_RANK_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    game_round: int
    wild_rank: int
    dealer: int
    starter: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    upcard: int
    players: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game_id: _Optional[str] = ..., game_round: _Optional[int] = ..., wild_rank: _Optional[int] = ..., dealer: _Optional[int] = ..., starter: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., upcard: _Optional[int] = ..., players: _Optional[_Iterable[int]] = ...) -> None: ...

class DecisionRequest(_message.Message):
    __slots__ = ("game_id", "decision_id", "kind", "game_round", "wild_rank", "hand", "discard_pile", "draw_pile_size", "turn", "events", "seat", "drawn_face", "drawn_from", "last_turn", "went_out_seat", "went_out_hand", "totals", "hand_sizes", "deadline_ms", "bank_ms", "last_latency_ms", "last_fault", "dealer", "starter", "turn_cap", "solitaire")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    WILD_RANK_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    DISCARD_PILE_FIELD_NUMBER: _ClassVar[int]
    DRAW_PILE_SIZE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FACE_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FROM_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    WENT_OUT_SEAT_FIELD_NUMBER: _ClassVar[int]
    WENT_OUT_HAND_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    LAST_LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    LAST_FAULT_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    TURN_CAP_FIELD_NUMBER: _ClassVar[int]
    SOLITAIRE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    decision_id: int
    kind: DecisionKind
    game_round: int
    wild_rank: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    discard_pile: _containers.RepeatedScalarFieldContainer[int]
    draw_pile_size: int
    turn: int
    events: _containers.RepeatedCompositeFieldContainer[PublicEvent]
    seat: int
    drawn_face: int
    drawn_from: _game_pb2.DrawSource
    last_turn: bool
    went_out_seat: int
    went_out_hand: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    deadline_ms: int
    bank_ms: int
    last_latency_ms: int
    last_fault: _game_pb2.Fault
    dealer: int
    starter: int
    turn_cap: int
    solitaire: SolitaireView
    def __init__(self, game_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., kind: _Optional[_Union[DecisionKind, str]] = ..., game_round: _Optional[int] = ..., wild_rank: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., discard_pile: _Optional[_Iterable[int]] = ..., draw_pile_size: _Optional[int] = ..., turn: _Optional[int] = ..., events: _Optional[_Iterable[_Union[PublicEvent, _Mapping]]] = ..., seat: _Optional[int] = ..., drawn_face: _Optional[int] = ..., drawn_from: _Optional[_Union[_game_pb2.DrawSource, str]] = ..., last_turn: _Optional[bool] = ..., went_out_seat: _Optional[int] = ..., went_out_hand: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., deadline_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., last_latency_ms: _Optional[int] = ..., last_fault: _Optional[_Union[_game_pb2.Fault, _Mapping]] = ..., dealer: _Optional[int] = ..., starter: _Optional[int] = ..., turn_cap: _Optional[int] = ..., solitaire: _Optional[_Union[SolitaireView, _Mapping]] = ...) -> None: ...

class SolitaireView(_message.Message):
    __slots__ = ("variant", "piles", "turned_face", "can_refuse", "cards_left", "discards")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    PILES_FIELD_NUMBER: _ClassVar[int]
    TURNED_FACE_FIELD_NUMBER: _ClassVar[int]
    CAN_REFUSE_FIELD_NUMBER: _ClassVar[int]
    CARDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    variant: _game_pb2.SolitaireVariant
    piles: _containers.RepeatedCompositeFieldContainer[SolitairePile]
    turned_face: int
    can_refuse: bool
    cards_left: int
    discards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, variant: _Optional[_Union[_game_pb2.SolitaireVariant, str]] = ..., piles: _Optional[_Iterable[_Union[SolitairePile, _Mapping]]] = ..., turned_face: _Optional[int] = ..., can_refuse: _Optional[bool] = ..., cards_left: _Optional[int] = ..., discards: _Optional[_Iterable[int]] = ...) -> None: ...

class SolitairePile(_message.Message):
    __slots__ = ("cards", "closed")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    closed: bool
    def __init__(self, cards: _Optional[_Iterable[int]] = ..., closed: _Optional[bool] = ...) -> None: ...

class PublicEvent(_message.Message):
    __slots__ = ("drew", "discarded", "reshuffled", "retired")
    DREW_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    RESHUFFLED_FIELD_NUMBER: _ClassVar[int]
    RETIRED_FIELD_NUMBER: _ClassVar[int]
    drew: Drew
    discarded: Discarded
    reshuffled: Reshuffled
    retired: Retired
    def __init__(self, drew: _Optional[_Union[Drew, _Mapping]] = ..., discarded: _Optional[_Union[Discarded, _Mapping]] = ..., reshuffled: _Optional[_Union[Reshuffled, _Mapping]] = ..., retired: _Optional[_Union[Retired, _Mapping]] = ...) -> None: ...

class Drew(_message.Message):
    __slots__ = ("seat", "source", "face")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    FACE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    source: _game_pb2.DrawSource
    face: int
    def __init__(self, seat: _Optional[int] = ..., source: _Optional[_Union[_game_pb2.DrawSource, str]] = ..., face: _Optional[int] = ...) -> None: ...

class Discarded(_message.Message):
    __slots__ = ("seat", "face", "went_out")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FACE_FIELD_NUMBER: _ClassVar[int]
    WENT_OUT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    face: int
    went_out: bool
    def __init__(self, seat: _Optional[int] = ..., face: _Optional[int] = ..., went_out: _Optional[bool] = ...) -> None: ...

class Reshuffled(_message.Message):
    __slots__ = ("draw_pile_size",)
    DRAW_PILE_SIZE_FIELD_NUMBER: _ClassVar[int]
    draw_pile_size: int
    def __init__(self, draw_pile_size: _Optional[int] = ...) -> None: ...

class Retired(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class DecisionReply(_message.Message):
    __slots__ = ("game_id", "decision_id", "draw", "discard", "add", "refuse", "then_discard", "melds")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    DRAW_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    REFUSE_FIELD_NUMBER: _ClassVar[int]
    THEN_DISCARD_FIELD_NUMBER: _ClassVar[int]
    MELDS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    decision_id: int
    draw: _game_pb2.Draw
    discard: _game_pb2.Discard
    add: _game_pb2.Add
    refuse: _game_pb2.Refuse
    then_discard: _game_pb2.Discard
    melds: _containers.RepeatedCompositeFieldContainer[_game_pb2.Meld]
    def __init__(self, game_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., draw: _Optional[_Union[_game_pb2.Draw, _Mapping]] = ..., discard: _Optional[_Union[_game_pb2.Discard, _Mapping]] = ..., add: _Optional[_Union[_game_pb2.Add, _Mapping]] = ..., refuse: _Optional[_Union[_game_pb2.Refuse, _Mapping]] = ..., then_discard: _Optional[_Union[_game_pb2.Discard, _Mapping]] = ..., melds: _Optional[_Iterable[_Union[_game_pb2.Meld, _Mapping]]] = ...) -> None: ...

class RoundEnd(_message.Message):
    __slots__ = ("game_id", "scores", "totals", "melds", "leftover")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    MELDS_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    scores: _game_pb2.RoundScores
    totals: _containers.RepeatedScalarFieldContainer[int]
    melds: _containers.RepeatedCompositeFieldContainer[_game_pb2.Meld]
    leftover: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game_id: _Optional[str] = ..., scores: _Optional[_Union[_game_pb2.RoundScores, _Mapping]] = ..., totals: _Optional[_Iterable[int]] = ..., melds: _Optional[_Iterable[_Union[_game_pb2.Meld, _Mapping]]] = ..., leftover: _Optional[_Iterable[int]] = ...) -> None: ...

class GameEnd(_message.Message):
    __slots__ = ("game_id", "reason", "scores", "record_digest")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RECORD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: GameEndReason
    scores: _game_pb2.GameScores
    record_digest: bytes
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[_Union[GameEndReason, str]] = ..., scores: _Optional[_Union[_game_pb2.GameScores, _Mapping]] = ..., record_digest: _Optional[bytes] = ...) -> None: ...

class Resign(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class BotError(_message.Message):
    __slots__ = ("game_id", "decision_id", "message")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    decision_id: int
    message: str
    def __init__(self, game_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...
