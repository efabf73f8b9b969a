"""Matches as lists show them: who sat there, with what result."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tournaments.models import Entrant, Game, Match, MatchStatus
from tournaments.ranking import Result
from tournaments.selectors.results import match_results


@dataclass(frozen=True, slots=True)
class Seated:
    """An entrant at a table."""

    entrant: Entrant
    is_absent: bool
    points: Fraction | None
    """None until the match is scored."""
    scores: tuple[int | None, ...]
    """Card points, one a game; None while it has no result."""
    places: tuple[int | None, ...]
    is_first: bool

    @property
    def total(self) -> int | None:
        """Card points over all games."""
        known = [score for score in self.scores if score is not None]
        return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class MatchCard:
    match: Match
    seated: tuple[Seated, ...]
    """The best first once there are points, before that in the order of the pairing."""
    games: tuple[Game, ...]
    """Those after a tie too."""

    @property
    def tie_games(self) -> int:
        return max(0, len(self.games) - self.match.tournament_round.stage.games_per_match)

    @property
    def is_live(self) -> bool:
        return self.match.status in (MatchStatus.WAITING, MatchStatus.PLAYING, MatchStatus.PLAYED)


def match_cards(matches: Iterable[Match]) -> list[MatchCard]:
    """For matches of `matches_with_games`, in the same order; the points of all of them in a handful of queries."""
    listed = list(matches)
    results = match_results(Match.objects.filter(pk__in=[match.pk for match in listed]))
    return [_card(match, _points(results.get(match.pk))) for match in listed]


def _points(result: Result | None) -> dict[int, Fraction]:
    return dict(zip(result.entrants, result.points, strict=True)) if result else {}


def _card(match: Match, points: dict[int, Fraction]) -> MatchCard:
    games = tuple(match.games.all())
    counted = games[: match.tournament_round.stage.games_per_match]
    best = max(points.values(), default=None)
    seated = [
        Seated(
            entrant=row.entrant,
            is_absent=row.is_absent,
            points=points.get(row.entrant_id),
            scores=tuple(_of(game, row.entrant_id, "score") for game in counted),
            places=tuple(_of(game, row.entrant_id, "place") for game in counted),
            # After a tie others than those with most points go on: their bracket says who.
            is_first=match.status == MatchStatus.SCORED and points.get(row.entrant_id) == best and counted == games,
        )
        for row in match.match_entrants.all()
    ]
    if points:
        seated.sort(key=lambda each: -(each.points or 0))
    return MatchCard(match, tuple(seated), games)


def _of(game: Game, entrant_id: int, what: str) -> int | None:
    return next((getattr(seat, what) for seat in game.game_seats.all() if seat.entrant_id == entrant_id), None)
