"""Who is connected. One connection a (bot, version): the newer one wins."""

from __future__ import annotations

from collections.abc import Iterator

from fivecrowns.bot.v1 import bot_pb2
from referee.rpc.connection import BotKey, Connection
from referee.rpc.directory import Directory


class Lobby:
    def __init__(self) -> None:
        self._connections: dict[BotKey, Connection] = {}

    def __iter__(self) -> Iterator[Connection]:
        return iter(list(self._connections.values()))

    def enter(self, connection: Connection) -> None:
        older = self._connections.get(connection.key)
        self._connections[connection.key] = connection
        if older is not None:
            older.close(
                bot_pb2.GOODBYE_REASON_SUPERSEDED,
                "this bot connected again elsewhere: that connection counts now",
                reconnect=False,
            )

    def leave(self, connection: Connection) -> bool:
        """False if a newer connection of the same bot has taken its place already."""
        if self._connections.get(connection.key) is not connection:
            return False
        del self._connections[connection.key]
        return True

    def connection(self, key: BotKey) -> Connection | None:
        return self._connections.get(key)

    def find(self, bot_id: str, version: str) -> Connection | None:
        """The connection of this version; of the one that connected last if no version is asked for."""
        if version:
            return self._connections.get((bot_id, version))
        candidates = [connection for connection in self if connection.admission.bot_id == bot_id]
        return max(candidates, key=lambda connection: connection.connected_at, default=None)

    def count(self, bot_id: str) -> int:
        """Streams of this bot."""
        return sum(connection.admission.bot_id == bot_id for connection in self._connections.values())

    def is_present(self, bot_id: str) -> bool:
        return any(connection.admission.bot_id == bot_id for connection in self)

    def enforce(self, directory: Directory) -> None:
        """Ends the streams of deleted bots and of tokens that were rotated."""
        for connection in self:
            if not directory.is_current(connection.admission.bot_id, connection.admission.generation):
                connection.close(
                    bot_pb2.GOODBYE_REASON_TOKEN_ROTATED,
                    "this token does not count any more: copy the new one from the site",
                    reconnect=False,
                )
