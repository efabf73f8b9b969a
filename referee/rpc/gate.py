"""Who may stand at the door of a bot port: how many unknown streams at once, and how often one may knock."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from referee.rpc.config import Config

_REMEMBERED = 10_000
_IPV6_PREFIX = 64
"""So many leading bits of an IPv6 address belong to one customer."""


class TooMany(Exception):
    """A limit is reached; the message says which. Trying again later helps."""


class Bucket:
    """Counts what comes, and forgets it again at a steady rate."""

    __slots__ = ("_at", "_level", "_per_second", "_size")

    def __init__(self, size: float, per_second: float) -> None:
        self._size = size
        self._per_second = per_second
        self._level = 0.0
        self._at = 0.0

    def add(self, now: float) -> bool:
        """False if this one is too many; it is not counted then. `now`: seconds of any steady clock."""
        level = max(0.0, self._level - (now - self._at) * self._per_second)
        is_room = level + 1 <= self._size
        self._level, self._at = level + is_room, now
        return is_room


class Buckets:
    """One for each name. Of many names those are forgotten first that have been quiet longest. 0 a minute: no limit."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, name: str, now: float) -> bool:
        if not self._per_minute:
            return True
        bucket = self._buckets.pop(name, None) or Bucket(self._per_minute, self._per_minute / 60)
        self._buckets[name] = bucket
        if len(self._buckets) > _REMEMBERED:
            del self._buckets[next(iter(self._buckets))]
        return bucket.add(now)


class Gate:
    """Of one bot port. A stream is a visitor from its first byte until its bot is welcome; then the lobby knows it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._visitors: dict[str, int] = {}
        self._total = 0
        self._knocks = Buckets(config.opens_a_minute_an_address)
        self._entries = Buckets(config.opens_a_minute_a_bot)

    def __len__(self) -> int:
        """Visitors."""
        return self._total

    @contextmanager
    def visit(self, peer: str) -> Iterator[None]:
        """Counts a visitor. Raises TooMany."""
        name = peer_name(peer)
        self._check_room(name)
        self._total += 1
        try:
            with self.linger(peer):
                yield
        finally:
            self._total -= 1

    @contextmanager
    def linger(self, peer: str) -> Iterator[None]:
        """Counts a stream that is over but not gone, since its last words are not read. It takes room of its own address alone."""
        name = peer_name(peer)
        self._visitors[name] = self._visitors.get(name, 0) + 1
        try:
            yield
        finally:
            self._visitors[name] -= 1
            if not self._visitors[name]:
                del self._visitors[name]

    def knock(self, peer: str, now: float) -> bool:
        """Whether this address may open one more stream now."""
        name = peer_name(peer)
        return not name or self._knocks.add(name, now)

    def enter(self, bot_id: str, now: float) -> None:
        """Raises TooMany if this bot opens streams too often."""
        if not self._entries.add(bot_id, now):
            raise TooMany(f"this bot opened more than {self._config.opens_a_minute_a_bot} streams within a minute")

    def _check_room(self, name: str) -> None:
        if self._total >= self._config.max_visitors:
            raise TooMany("too many streams wait to say Hello here")
        limit = self._config.max_visitors_an_address
        if name and limit and self._visitors.get(name, 0) >= limit:
            raise TooMany("too many streams of this address wait to say Hello")


def peer_name(peer: str) -> str:
    """Whom the limits of an address hold for: an IPv4 address, or the network of an IPv6 address; empty for a unix socket.

    >>> peer_name("ipv4:192.0.2.7:4711"), peer_name("ipv6:%5B2001:db8:1:2:3::4%5D:4711"), peer_name("unix:")
    ('192.0.2.7', '2001:db8:1:2::/64', '')
    """
    scheme, _, rest = unquote(peer).partition(":")
    if scheme not in ("ipv4", "ipv6"):
        return ""
    host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
    address = ipaddress.ip_address(host)
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _IPV6_PREFIX), strict=False))
