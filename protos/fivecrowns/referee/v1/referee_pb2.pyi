from fivecrowns.bot.v1 import bot_pb2 as _bot_pb2
from fivecrowns.game.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_STATUS_UNSPECIFIED: _ClassVar[GameStatus]
    GAME_STATUS_UNKNOWN: _ClassVar[GameStatus]
    GAME_STATUS_STARTING: _ClassVar[GameStatus]
    GAME_STATUS_RUNNING: _ClassVar[GameStatus]
    GAME_STATUS_FINISHED: _ClassVar[GameStatus]
    GAME_STATUS_CANCELLED: _ClassVar[GameStatus]
    GAME_STATUS_REFUSED: _ClassVar[GameStatus]
    GAME_STATUS_ABORTED: _ClassVar[GameStatus]
    GAME_STATUS_INFRA: _ClassVar[GameStatus]

class RefusedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSED_REASON_UNSPECIFIED: _ClassVar[RefusedReason]
    REFUSED_REASON_BOT_NOT_CONNECTED: _ClassVar[RefusedReason]
    REFUSED_REASON_BOT_BUSY: _ClassVar[RefusedReason]
    REFUSED_REASON_WRONG_VERSION: _ClassVar[RefusedReason]
    REFUSED_REASON_OVERLOADED: _ClassVar[RefusedReason]
    REFUSED_REASON_DRAINING: _ClassVar[RefusedReason]
    REFUSED_REASON_BAD_SPEC: _ClassVar[RefusedReason]
    REFUSED_REASON_OTHER_INCARNATION: _ClassVar[RefusedReason]
    REFUSED_REASON_FORMAT_NOT_PLAYED: _ClassVar[RefusedReason]
GAME_STATUS_UNSPECIFIED: GameStatus
GAME_STATUS_UNKNOWN: GameStatus
GAME_STATUS_STARTING: GameStatus
GAME_STATUS_RUNNING: GameStatus
GAME_STATUS_FINISHED: GameStatus
GAME_STATUS_CANCELLED: GameStatus
GAME_STATUS_REFUSED: GameStatus
GAME_STATUS_ABORTED: GameStatus
GAME_STATUS_INFRA: GameStatus
REFUSED_REASON_UNSPECIFIED: RefusedReason
REFUSED_REASON_BOT_NOT_CONNECTED: RefusedReason
REFUSED_REASON_BOT_BUSY: RefusedReason
REFUSED_REASON_WRONG_VERSION: RefusedReason
REFUSED_REASON_OVERLOADED: RefusedReason
REFUSED_REASON_DRAINING: RefusedReason
REFUSED_REASON_BAD_SPEC: RefusedReason
REFUSED_REASON_OTHER_INCARNATION: RefusedReason
REFUSED_REASON_FORMAT_NOT_PLAYED: RefusedReason

class StartGamesRequest(_message.Message):
    __slots__ = ("games", "incarnation")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameSpec]
    incarnation: str
    def __init__(self, games: _Optional[_Iterable[_Union[GameSpec, _Mapping]]] = ..., incarnation: _Optional[str] = ...) -> None: ...

class GameSpec(_message.Message):
    __slots__ = ("attempt_id", "config", "budgets", "seats", "seed", "page_url")
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PAGE_URL_FIELD_NUMBER: _ClassVar[int]
    attempt_id: str
    config: _game_pb2.GameConfig
    budgets: _game_pb2.Budgets
    seats: _containers.RepeatedCompositeFieldContainer[SeatSpec]
    seed: bytes
    page_url: str
    def __init__(self, attempt_id: _Optional[str] = ..., config: _Optional[_Union[_game_pb2.GameConfig, _Mapping]] = ..., budgets: _Optional[_Union[_game_pb2.Budgets, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[SeatSpec, _Mapping]]] = ..., seed: _Optional[bytes] = ..., page_url: _Optional[str] = ...) -> None: ...

class SeatSpec(_message.Message):
    __slots__ = ("bot_id", "bot_version", "min_generation", "no_show")
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    MIN_GENERATION_FIELD_NUMBER: _ClassVar[int]
    NO_SHOW_FIELD_NUMBER: _ClassVar[int]
    bot_id: str
    bot_version: str
    min_generation: int
    no_show: bool
    def __init__(self, bot_id: _Optional[str] = ..., bot_version: _Optional[str] = ..., min_generation: _Optional[int] = ..., no_show: _Optional[bool] = ...) -> None: ...

class StartGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameState]
    def __init__(self, games: _Optional[_Iterable[_Union[GameState, _Mapping]]] = ...) -> None: ...

class GameState(_message.Message):
    __slots__ = ("attempt_id", "status", "refused_reason", "message", "game_round", "turn", "totals", "idle_ms", "bot_ids", "is_paused", "hands_sent", "solitaire")
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REFUSED_REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    IDLE_MS_FIELD_NUMBER: _ClassVar[int]
    BOT_IDS_FIELD_NUMBER: _ClassVar[int]
    IS_PAUSED_FIELD_NUMBER: _ClassVar[int]
    HANDS_SENT_FIELD_NUMBER: _ClassVar[int]
    SOLITAIRE_FIELD_NUMBER: _ClassVar[int]
    attempt_id: str
    status: GameStatus
    refused_reason: RefusedReason
    message: str
    game_round: int
    turn: int
    totals: _containers.RepeatedScalarFieldContainer[int]
    idle_ms: int
    bot_ids: _containers.RepeatedScalarFieldContainer[str]
    is_paused: bool
    hands_sent: bool
    solitaire: _game_pb2.SolitaireScore
    def __init__(self, attempt_id: _Optional[str] = ..., status: _Optional[_Union[GameStatus, str]] = ..., refused_reason: _Optional[_Union[RefusedReason, str]] = ..., message: _Optional[str] = ..., game_round: _Optional[int] = ..., turn: _Optional[int] = ..., totals: _Optional[_Iterable[int]] = ..., idle_ms: _Optional[int] = ..., bot_ids: _Optional[_Iterable[str]] = ..., is_paused: _Optional[bool] = ..., hands_sent: _Optional[bool] = ..., solitaire: _Optional[_Union[_game_pb2.SolitaireScore, _Mapping]] = ...) -> None: ...

class ReconcileRequest(_message.Message):
    __slots__ = ("attempt_ids",)
    ATTEMPT_IDS_FIELD_NUMBER: _ClassVar[int]
    attempt_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, attempt_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReconcileResponse(_message.Message):
    __slots__ = ("resumed", "dropped", "incarnation")
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    resumed: int
    dropped: int
    incarnation: str
    def __init__(self, resumed: _Optional[int] = ..., dropped: _Optional[int] = ..., incarnation: _Optional[str] = ...) -> None: ...

class GetGamesRequest(_message.Message):
    __slots__ = ("attempt_ids",)
    ATTEMPT_IDS_FIELD_NUMBER: _ClassVar[int]
    attempt_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, attempt_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class GetGamesResponse(_message.Message):
    __slots__ = ("games", "incarnation")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameState]
    incarnation: str
    def __init__(self, games: _Optional[_Iterable[_Union[GameState, _Mapping]]] = ..., incarnation: _Optional[str] = ...) -> None: ...

class CancelGamesRequest(_message.Message):
    __slots__ = ("attempt_ids", "reason")
    ATTEMPT_IDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    attempt_ids: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    def __init__(self, attempt_ids: _Optional[_Iterable[str]] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameState]
    def __init__(self, games: _Optional[_Iterable[_Union[GameState, _Mapping]]] = ...) -> None: ...

class CollectResultsRequest(_message.Message):
    __slots__ = ("limit", "wait_ms")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    WAIT_MS_FIELD_NUMBER: _ClassVar[int]
    limit: int
    wait_ms: int
    def __init__(self, limit: _Optional[int] = ..., wait_ms: _Optional[int] = ...) -> None: ...

class CollectResultsResponse(_message.Message):
    __slots__ = ("results", "has_more", "incarnation")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[GameResult]
    has_more: bool
    incarnation: str
    def __init__(self, results: _Optional[_Iterable[_Union[GameResult, _Mapping]]] = ..., has_more: _Optional[bool] = ..., incarnation: _Optional[str] = ...) -> None: ...

class GameResult(_message.Message):
    __slots__ = ("attempt_id", "status", "record", "scores", "faults", "message")
    ATTEMPT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    attempt_id: str
    status: GameStatus
    record: bytes
    scores: _game_pb2.GameScores
    faults: _containers.RepeatedCompositeFieldContainer[_game_pb2.Fault]
    message: str
    def __init__(self, attempt_id: _Optional[str] = ..., status: _Optional[_Union[GameStatus, str]] = ..., record: _Optional[bytes] = ..., scores: _Optional[_Union[_game_pb2.GameScores, _Mapping]] = ..., faults: _Optional[_Iterable[_Union[_game_pb2.Fault, _Mapping]]] = ..., message: _Optional[str] = ...) -> None: ...

class AcknowledgeResultsRequest(_message.Message):
    __slots__ = ("attempt_ids",)
    ATTEMPT_IDS_FIELD_NUMBER: _ClassVar[int]
    attempt_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, attempt_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class AcknowledgeResultsResponse(_message.Message):
    __slots__ = ("forgotten",)
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    forgotten: int
    def __init__(self, forgotten: _Optional[int] = ...) -> None: ...

class SyncRequest(_message.Message):
    __slots__ = ("revision", "site_url", "shards", "keys", "default_budgets", "bots")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SITE_URL_FIELD_NUMBER: _ClassVar[int]
    SHARDS_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_BUDGETS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    revision: int
    site_url: str
    shards: _containers.RepeatedScalarFieldContainer[str]
    keys: _containers.RepeatedCompositeFieldContainer[PublicKey]
    default_budgets: _game_pb2.Budgets
    bots: _containers.RepeatedCompositeFieldContainer[BotEntry]
    def __init__(self, revision: _Optional[int] = ..., site_url: _Optional[str] = ..., shards: _Optional[_Iterable[str]] = ..., keys: _Optional[_Iterable[_Union[PublicKey, _Mapping]]] = ..., default_budgets: _Optional[_Union[_game_pb2.Budgets, _Mapping]] = ..., bots: _Optional[_Iterable[_Union[BotEntry, _Mapping]]] = ...) -> None: ...

class PublicKey(_message.Message):
    __slots__ = ("kid", "key")
    KID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    kid: str
    key: bytes
    def __init__(self, kid: _Optional[str] = ..., key: _Optional[bytes] = ...) -> None: ...

class BotEntry(_message.Message):
    __slots__ = ("bot_id", "name", "max_games", "min_generation", "deleted", "versions_wanted", "versions_known", "may_add_version")
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    MIN_GENERATION_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_WANTED_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_KNOWN_FIELD_NUMBER: _ClassVar[int]
    MAY_ADD_VERSION_FIELD_NUMBER: _ClassVar[int]
    bot_id: str
    name: str
    max_games: int
    min_generation: int
    deleted: bool
    versions_wanted: _containers.RepeatedScalarFieldContainer[str]
    versions_known: _containers.RepeatedScalarFieldContainer[str]
    may_add_version: bool
    def __init__(self, bot_id: _Optional[str] = ..., name: _Optional[str] = ..., max_games: _Optional[int] = ..., min_generation: _Optional[int] = ..., deleted: _Optional[bool] = ..., versions_wanted: _Optional[_Iterable[str]] = ..., versions_known: _Optional[_Iterable[str]] = ..., may_add_version: _Optional[bool] = ...) -> None: ...

class SyncResponse(_message.Message):
    __slots__ = ("revision", "incarnation", "draining")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    revision: int
    incarnation: str
    draining: bool
    def __init__(self, revision: _Optional[int] = ..., incarnation: _Optional[str] = ..., draining: _Optional[bool] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots", "incarnation", "held_games")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    HELD_GAMES_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[ConnectedBot]
    incarnation: str
    held_games: int
    def __init__(self, bots: _Optional[_Iterable[_Union[ConnectedBot, _Mapping]]] = ..., incarnation: _Optional[str] = ..., held_games: _Optional[int] = ...) -> None: ...

class ConnectedBot(_message.Message):
    __slots__ = ("bot_id", "bot_version", "max_games", "games_in_flight", "connected_ms", "sdk", "seats", "formats")
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    GAMES_IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_MS_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    bot_id: str
    bot_version: str
    max_games: int
    games_in_flight: int
    connected_ms: int
    sdk: str
    seats: _containers.RepeatedScalarFieldContainer[int]
    formats: _containers.RepeatedScalarFieldContainer[_bot_pb2.GameFormat]
    def __init__(self, bot_id: _Optional[str] = ..., bot_version: _Optional[str] = ..., max_games: _Optional[int] = ..., games_in_flight: _Optional[int] = ..., connected_ms: _Optional[int] = ..., sdk: _Optional[str] = ..., seats: _Optional[_Iterable[int]] = ..., formats: _Optional[_Iterable[_Union[_bot_pb2.GameFormat, str]]] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("attempt_ids",)
    ATTEMPT_IDS_FIELD_NUMBER: _ClassVar[int]
    attempt_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, attempt_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameState]
    def __init__(self, games: _Optional[_Iterable[_Union[GameState, _Mapping]]] = ...) -> None: ...
