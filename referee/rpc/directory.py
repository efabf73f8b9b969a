"""What the site said last: which bots exist, which tokens count, what versions are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.record.codec import budgets_of, formats_of
from referee.record.conditions import Budgets, Format
from referee.record.tokens import TokenClaims, TokenError, read_token
from referee.rules.state import MAX_SEATS, MIN_SEATS, MOST_SEATS_OF_ONE_GAME, RULES_VERSION

PROTOCOL_VERSION = 1
MAX_VERSION_LENGTH = 40


SEATS_UNLESS_SAID = tuple(range(MIN_SEATS, MOST_SEATS_OF_ONE_GAME + 1))
"""A bot that names no table sizes may be older than tables of eight and more, where faces come four times (RULES 4)."""


class Refused(Exception):
    """A bot may not come in; carries the Refusal to send."""

    def __init__(self, reason: bot_pb2.RefusalReason, message: str, retry: bool = False) -> None:
        super().__init__(message)
        self.refusal = bot_pb2.Refusal(reason=reason, message=message, retry=retry)


@dataclass(frozen=True, slots=True)
class Admission:
    """A bot that may come in."""

    bot_id: str
    bot_name: str
    owner: str
    version: str
    generation: int
    max_games: int
    sdk: str
    seats: tuple[int, ...]
    """Table sizes it plays."""
    versions_wanted: tuple[str, ...]
    formats: frozenset[Format] = frozenset({Format.TABLE})
    """What is put to it; nothing else is."""


@dataclass(slots=True)
class Directory:
    """Empty until the first Sync; until then no bot comes in."""

    revision: int = 0
    is_synced: bool = False
    site_url: str = ""
    shards: tuple[str, ...] = ()
    default_budgets: Budgets = field(default_factory=Budgets)
    keys: Mapping[str, Ed25519PublicKey] = field(default_factory=dict)
    bots: Mapping[str, referee_pb2.BotEntry] = field(default_factory=dict)
    _new_versions: dict[str, set[str]] = field(default_factory=dict)
    """Versions that named themselves here since the site last told what it knows."""

    def sync(self, request: referee_pb2.SyncRequest) -> bool:
        """Takes over what the site says; False if it is older than what is known. Raises ValueError for a broken key."""
        if self.is_synced and request.revision < self.revision:
            return False
        keys = {key.kid: Ed25519PublicKey.from_public_bytes(key.key) for key in request.keys}
        budgets = budgets_of(request.default_budgets)
        self.revision, self.is_synced = request.revision, True
        self.site_url = request.site_url
        # A bot speaks to all as to the one it knows, with TLS or without; `plain://` is for those who read the address.
        self.shards = tuple(address.rpartition("//")[2] for address in request.shards)
        self.keys, self.default_budgets = keys, budgets
        self.bots = {bot.bot_id: bot for bot in request.bots}
        self._new_versions = {}
        return True

    def is_current(self, bot_id: str, generation: int) -> bool:
        """Whether a stream opened with this token may stay."""
        bot = self.bots.get(bot_id)
        return bot is not None and not bot.deleted and generation >= bot.min_generation

    def admit(self, token: str, hello: bot_pb2.Hello, games_limit: int) -> Admission:
        """Raises Refused, with what to do."""
        if not self.is_synced:
            raise Refused(
                bot_pb2.REFUSAL_REASON_NOT_READY,
                "the referee waits for the site: try again in a few seconds",
                retry=True,
            )
        bot, claims = self._bot_of(token)
        _check_hello(hello)
        self._check_version(bot, hello.bot_version)
        return Admission(
            bot_id=bot.bot_id,
            bot_name=bot.name,
            owner=claims.owner,
            version=hello.bot_version,
            generation=claims.generation,
            max_games=min(hello.max_games, bot.max_games or games_limit, games_limit),
            sdk=hello.sdk[:80],
            seats=tuple(sorted(set(hello.seats))) or SEATS_UNLESS_SAID,
            formats=formats_of(hello.formats),
            versions_wanted=tuple(bot.versions_wanted),
        )

    def _bot_of(self, token: str) -> tuple[referee_pb2.BotEntry, TokenClaims]:
        try:
            claims = read_token(token, self.keys)
        except TokenError as error:
            raise Refused(bot_pb2.REFUSAL_REASON_BAD_TOKEN, str(error)) from error
        bot = self.bots.get(claims.bot_id)
        if bot is None or bot.deleted:
            raise Refused(
                bot_pb2.REFUSAL_REASON_UNKNOWN_BOT, "this bot does not exist any more: make a new one on the site"
            )
        if claims.generation < bot.min_generation:
            raise Refused(
                bot_pb2.REFUSAL_REASON_TOKEN_ROTATED,
                "this token was replaced by a newer one: copy the new one from the site",
            )
        return bot, claims

    def _check_version(self, bot: referee_pb2.BotEntry, version: str) -> None:
        new_here = self._new_versions.setdefault(bot.bot_id, set())
        if version in bot.versions_known or version in new_here:
            return
        if not bot.may_add_version or new_here:
            raise Refused(
                bot_pb2.REFUSAL_REASON_TOO_MANY_VERSIONS,
                f"version {version!r} would be one new version too many today: connect as a known one, or try again later",
            )
        new_here.add(version)


def _check_hello(hello: bot_pb2.Hello) -> None:
    if hello.protocol_version != PROTOCOL_VERSION:
        raise Refused(
            bot_pb2.REFUSAL_REASON_PROTOCOL_VERSION,
            f"protocol version {hello.protocol_version} is not spoken here, only {PROTOCOL_VERSION}: install a matching SDK",
        )
    if hello.rules_version != RULES_VERSION:
        raise Refused(
            bot_pb2.REFUSAL_REASON_RULES_VERSION,
            f"rules version {hello.rules_version} is not played here, only {RULES_VERSION}: install a matching SDK",
        )
    version = hello.bot_version
    if not version.strip() or len(version) > MAX_VERSION_LENGTH or not version.isprintable():
        raise Refused(
            bot_pb2.REFUSAL_REASON_BAD_HELLO,
            f"bot_version {version[:50]!r} is not a name: give 1 to {MAX_VERSION_LENGTH} printable characters",
        )
    if hello.max_games < 1:
        raise Refused(bot_pb2.REFUSAL_REASON_BAD_HELLO, "max_games is 0: announce how many games at once, at least 1")
    wrong = next((seats for seats in hello.seats if not MIN_SEATS <= seats <= MAX_SEATS), None)
    if wrong is not None:
        raise Refused(bot_pb2.REFUSAL_REASON_BAD_HELLO, f"seats {wrong}: table sizes are {MIN_SEATS} to {MAX_SEATS}")
