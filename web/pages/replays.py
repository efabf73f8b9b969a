"""A finished game as its page tells it: events for the viewer, and the same in words."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import caches
from django.urls import reverse

from referee.record.game_record import read_record
from referee.record.transcript import ALL, PUBLIC, Viewer, transcript
from tournaments.models import Attempt, Game, GameRecord, GameSeat
from tournaments.selectors.deals import seed_of
from tournaments.selectors.visibility import Sight, Visibility
from web.commentary import Story, narrate

_FORM = 2
"""Of what is kept in the cache: a change of transcript or commentary makes it the next number."""


@dataclass(frozen=True, slots=True)
class Replay:
    data: dict[str, Any]
    """As the viewer's script takes it."""
    story: Story


def viewer_of(seen: Visibility, asked: str = "") -> Viewer | None:
    """Whose eyes the replay may be seen through: everybody's, one's own seat, the public's, or nobody's."""
    if seen.sight is Sight.EVERYTHING:
        return ALL
    if asked == PUBLIC and seen.sight is Sight.PUBLIC:
        return PUBLIC
    if seen.own_seats:
        return int(asked) if asked in map(str, seen.own_seats) else seen.own_seats[0]
    return PUBLIC if seen.sight is Sight.PUBLIC else None


def replay_of(game: Game, seats: list[GameSeat], viewer: Viewer) -> Replay:
    """Of a game with a result. To play it through takes a tenth of a second or more, so it is kept."""
    result = game.result
    assert result is not None
    key = f"{_FORM}:{result.attempt_id}:{viewer}"
    cache = caches["replays"]
    kept: Replay | None = cache.get(key)
    if kept is None:
        kept = _made(game, result, seats, viewer)
        cache.set(key, kept)
    return kept


def _made(game: Game, result: Attempt, seats: list[GameSeat], viewer: Viewer) -> Replay:
    record = GameRecord.objects.get(attempt=result)
    events = transcript(read_record(bytes(record.data)), seed_of(result), viewer)
    data = {"game": game.public_id, "seats": [_seat(seat) for seat in seats], "view": viewer, "events": events}
    return Replay(data, narrate(data))


def _seat(seat: GameSeat) -> dict[str, Any]:
    version = seat.entrant.version
    return {
        "seat": seat.seat,
        "bot": seat.entrant.bot.name,
        "version": version.name if version else "",
        "owner": seat.entrant.bot.owner.username,
        "url": reverse("bot", args=[seat.entrant.bot.public_id]),
    }
