"""A match with its games, their faults and records, as much of it as a viewer may see."""

from dataclasses import dataclass
from fractions import Fraction

from django.contrib.auth.models import AnonymousUser

from referee.record.game_record import with_seed
from tournaments.models import Account, Attempt, Game, GameFault, GameRecord, Match, MatchEntrant
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.selectors.deals import seed_of
from tournaments.selectors.results import match_result
from tournaments.selectors.visibility import Sight, Visibility, visibility


@dataclass(frozen=True, slots=True)
class ShownFault:
    """A fault with its numbers; the reply only for those who may see that seat's cards."""

    fault: GameFault
    seat_name: str
    detail: str
    reply: str


@dataclass(frozen=True, slots=True)
class ShownGame:
    game: Game
    visibility: Visibility
    attempts: tuple[Attempt, ...]
    """All tries at it, in order."""
    running: Attempt | None
    faults: tuple[ShownFault, ...]


@dataclass(frozen=True, slots=True)
class ShownMatch:
    match: Match
    entrants: tuple[MatchEntrant, ...]
    """In the order of the pairing."""
    points: tuple[Fraction | None, ...]
    """Parallel to `entrants`; None until the match is scored."""
    games: tuple[ShownGame, ...]


def match_detail(match: Match, user: Account | AnonymousUser) -> ShownMatch:
    """A match as its page shows it to this user."""
    entrants = tuple(
        match.match_entrants.select_related("entrant__bot__owner", "entrant__version").order_by("position")
    )
    games = match.games.select_related("deal_set__tournament_round__stage__tournament", "result__shard").order_by(
        "number"
    )
    result = match_result(match)
    points = dict(zip(result.entrants, result.points, strict=True)) if result else {}
    return ShownMatch(
        match,
        entrants,
        tuple(points.get(row.entrant_id) for row in entrants),
        tuple(game_detail(game, user) for game in games),
    )


def game_detail(game: Game, user: Account | AnonymousUser) -> ShownGame:
    attempts = tuple(game.attempts.select_related("shard").order_by("number"))
    sight = visibility(user, game)
    return ShownGame(
        game=game,
        visibility=sight,
        attempts=attempts,
        running=next((attempt for attempt in attempts if attempt.status in OPEN_ATTEMPT), None),
        faults=shown_faults(game, sight),
    )


def shown_faults(game: Game, sight: Visibility) -> tuple[ShownFault, ...]:
    """The faults of its result. Words and replies may name cards; numbers do not."""
    if game.result is None:
        return ()
    names = {row.seat: row.entrant.bot.name for row in game.game_seats.select_related("entrant__bot")}
    return tuple(
        ShownFault(
            fault,
            names[fault.seat],
            fault.detail if sight.shows_seat(fault.seat) else "",
            fault.reply if sight.shows_seat(fault.seat) else "",
        )
        for fault in game.result.faults.order_by("number")
    )


def record_bytes(game: Game, user: Account | AnonymousUser, *, as_operator: bool = False) -> bytes | None:
    """The record file of the game, with the seed once it may be shown; None if there is none, or not for this user."""
    if game.result is None:
        return None
    seen = visibility(user, game, as_operator=as_operator)
    if seen.sight is not Sight.EVERYTHING:
        return None
    data = bytes(GameRecord.objects.get(attempt=game.result).data)
    return with_seed(data, seed_of(game.result)) if seen.has_seed else data
