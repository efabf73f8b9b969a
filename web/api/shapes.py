"""Parts that many answers are made of. Rows come in as the selectors give them; ids that go out are public ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import (
    DealMode,
    Entrant,
    Game,
    Match,
    MatchEntrant,
    MatchStatus,
    StageFormat,
    TournamentKind,
    TournamentStatus,
)
from tournaments.ranking.tiebreaks import fraction_text
from tournaments.selectors.results import match_results

PublicId = partial(serializers.CharField, source="public_id")


@extend_schema_field({"type": "string", "format": "uri"})
class SiteAddress(serializers.Field[str, Any, str, Any]):
    """`pattern` with the public id put in, as an absolute address."""

    def __init__(self, pattern: str, source: str = "public_id") -> None:
        super().__init__(read_only=True, source=source)
        self._pattern = pattern

    def to_representation(self, value: str) -> str:
        return address(self._pattern, value)


def address(pattern: str, public_id: str) -> str:
    return f"{settings.SITE_URL}{pattern.format(public_id)}"


TOURNAMENT_PAGE = "/tournaments/{}/"
MATCH_PAGE = "/matches/{}/"
GAME_PAGE = "/games/{}/"
BOT_PAGE = "/bots/{}/"


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "exact": {"type": "string", "description": "A fraction: `5/6`, `2`."},
            "text": {"type": "string", "description": "As people write it: `2 1/2`."},
            "value": {"type": "number"},
        },
        "required": ["exact", "text", "value"],
    }
)
class Rational(serializers.Field[Fraction, Any, dict[str, Any], Any]):
    """Points are exact; the number is for those who only want to look."""

    def to_representation(self, value: Fraction) -> dict[str, Any]:
        return {"exact": str(value), "text": fraction_text(value), "value": float(value)}


class BotRef(serializers.Serializer[Any]):
    id = PublicId()
    name = serializers.CharField()
    url = SiteAddress(BOT_PAGE)


class TournamentRef(serializers.Serializer[Any]):
    id = PublicId()
    name = serializers.CharField()
    url = SiteAddress(TOURNAMENT_PAGE)


class EntrantRef(serializers.Serializer[Any]):
    """A bot in one tournament."""

    id = PublicId()
    bot = BotRef()
    version = serializers.CharField(source="version.name", allow_null=True, default=None, help_text="Null: never seen.")


class TournamentLine(serializers.Serializer[Any]):
    id = PublicId()
    url = SiteAddress(TOURNAMENT_PAGE)
    name = serializers.CharField()
    kind = serializers.ChoiceField(TournamentKind.choices)
    status = serializers.ChoiceField(TournamentStatus.choices)
    status_reason = serializers.CharField(help_text="Why it was cancelled, ended early, or stands still.")
    organiser = serializers.CharField(source="organiser.username")
    is_rated = serializers.BooleanField()
    entrant_count = serializers.IntegerField()
    registration_closes_at = serializers.DateTimeField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    opened_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class StageShape(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    format = serializers.ChoiceField(StageFormat.choices)
    seats = serializers.IntegerField(help_text="Of a planned table.")
    rounds = serializers.IntegerField(help_text="Of a Swiss; a round robin has what its schedule needs.")
    laps = serializers.IntegerField(help_text="Of a round robin.")
    games_per_match = serializers.IntegerField()
    top_cut = serializers.IntegerField(
        allow_null=True, help_text="Of an elimination: so many are taken from the stage before. Null: everybody."
    )
    go_on = serializers.IntegerField(
        allow_null=True, help_text="Of an elimination at tables: so many of each go on. Null: the best half."
    )
    has_third_place = serializers.BooleanField(help_text="A match for third place, in single elimination at two seats.")
    deal_mode = serializers.ChoiceField(DealMode.choices)


class SeatShape(serializers.Serializer[Any]):
    seat = serializers.IntegerField(help_text="From 0; seat 0 deals first.")
    entrant = EntrantRef()
    score = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    retired_in_round = serializers.IntegerField(allow_null=True, help_text="The game round in which the seat retired.")


class GameLine(serializers.Serializer[Any]):
    id = PublicId()
    url = SiteAddress(GAME_PAGE)
    number = serializers.IntegerField(help_text="From 1 within the match.")
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = SeatShape(many=True, source="game_seats.all")


@dataclass(frozen=True, slots=True)
class SeatedLine:
    """An entrant of a match and what it got."""

    row: MatchEntrant
    points: Fraction | None

    @property
    def entrant(self) -> Entrant:
        return self.row.entrant


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match of `matches_with_games`, with the points of each entrant."""

    match: Match
    entrants: tuple[SeatedLine, ...]

    @property
    def games(self) -> Sequence[Game]:
        return list(self.match.games.all())


def match_lines(matches: Iterable[Match]) -> list[MatchLine]:
    """In the same order; the points of all of them in a handful of queries."""
    listed = list(matches)
    results = match_results(Match.objects.filter(pk__in=[match.pk for match in listed]))
    lines = []
    for match in listed:
        result = results.get(match.pk)
        points = dict(zip(result.entrants, result.points, strict=True)) if result else {}
        seated = tuple(SeatedLine(row, points.get(row.entrant_id)) for row in match.match_entrants.all())
        lines.append(MatchLine(match, seated))
    return lines


class MatchEntrantShape(serializers.Serializer[Any]):
    entrant = EntrantRef()
    is_absent = serializers.BooleanField(source="row.is_absent")
    points = Rational(allow_null=True, help_text="Null until the match is scored.")


class MatchShape(serializers.Serializer[Any]):
    id = PublicId(source="match.public_id")
    url = SiteAddress(MATCH_PAGE, source="match.public_id")
    tournament = TournamentRef(source="match.tournament_round.stage.tournament")
    stage = serializers.IntegerField(source="match.tournament_round.stage.number")
    tournament_round = serializers.IntegerField(source="match.tournament_round.number")
    number = serializers.IntegerField(source="match.number", help_text="The table, from 1 within the round.")
    bracket_number = serializers.IntegerField(
        source="match.bracket_number", allow_null=True, help_text="Its match of the bracket, in an elimination."
    )
    replacement = serializers.IntegerField(source="match.replacement", help_text="How often it was played again.")
    status = serializers.ChoiceField(MatchStatus.choices, source="match.status")
    status_reason = serializers.CharField(source="match.status_reason")
    is_unplayed = serializers.BooleanField(source="match.is_unplayed", help_text="Scored without a game.")
    started_at = serializers.DateTimeField(source="match.started_at", allow_null=True)
    played_at = serializers.DateTimeField(source="match.played_at", allow_null=True)
    entrants = MatchEntrantShape(many=True)
    games = GameLine(many=True)
