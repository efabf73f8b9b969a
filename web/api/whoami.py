"""What a bot asks with the token it plays with: who am I, where am I entered, how did I fare."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import Bot, Match, MatchStatus, TournamentStatus
from tournaments.selectors.bots import BotEntry, bot_entries, bot_results
from web.api.authentication import BotToken
from web.api.shapes import MATCH_PAGE, TOURNAMENT_PAGE, BotRef, PublicId, SiteAddress, match_lines
from web.api.throttling import BotRate
from web.api.view import ApiView

LAST_RESULTS = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scored match brought the bot."""

    match: Match
    place: int
    """By the points of the table."""
    points: Fraction

    @property
    def finished_at(self) -> datetime | None:
        """A match without a game is over when its round is."""
        return self.match.played_at or self.match.tournament_round.closed_at


class WhoAmI(ApiView):
    authentication_classes = (BotToken,)
    permission_classes = (IsAuthenticated,)
    throttle_classes = (BotRate,)

    class Output(serializers.Serializer[Any]):
        class Entry(serializers.Serializer[Any]):
            tournament = PublicId(source="entrant.tournament.public_id")
            name = serializers.CharField(source="entrant.tournament.name")
            status = serializers.ChoiceField(TournamentStatus.choices, source="entrant.tournament.status")
            next_round_at = serializers.SerializerMethodField(help_text="Null: not known. In the past: it is open.")
            url = SiteAddress(TOURNAMENT_PAGE, source="entrant.tournament.public_id")

            def get_next_round_at(self, entry: BotEntry) -> datetime | None:
                tournament = entry.entrant.tournament
                if tournament.status == TournamentStatus.REGISTRATION:
                    return tournament.starts_at
                return entry.next_round.opened_at if entry.next_round else None

        class Result(serializers.Serializer[Any]):
            match = PublicId(source="match.public_id")
            tournament = serializers.CharField(source="match.tournament_round.stage.tournament.public_id")
            name = serializers.CharField(source="match.tournament_round.stage.tournament.name")
            place = serializers.IntegerField(help_text="From 1.")
            points = serializers.FloatField()
            url = SiteAddress(MATCH_PAGE, source="match.public_id")
            finished_at = serializers.DateTimeField(allow_null=True)

        bot = BotRef()
        entries = Entry(many=True)
        results = Result(many=True)

    @extend_schema(responses=Output)
    def get(self, request: Request) -> Response:
        """Who am I: for a bot, with the token it plays with

        What it is entered in, and its last results.
        """
        bot = request.auth
        assert isinstance(bot, Bot)
        answer = {"bot": bot, "entries": bot_entries(bot), "results": list(_outcomes(bot))}
        return Response(self.Output(answer).data)


def _outcomes(bot: Bot) -> Iterator[Outcome]:
    """The latest first. A void match has no place, so it is none of them."""
    scored = bot_results(bot).filter(status=MatchStatus.SCORED)
    for line in match_lines(scored[:LAST_RESULTS]):
        own = next(each for each in line.entrants if each.entrant.bot_id == bot.pk)
        points = own.points or Fraction(0)
        ahead = sum((each.points or 0) > points for each in line.entrants)
        # Who did not come is last, even where nobody came.
        is_last = own.row.is_absent and line.match.is_unplayed
        yield Outcome(line.match, len(line.entrants) if is_last else 1 + ahead, points)
