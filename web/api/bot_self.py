"""What a bot asks with the token it plays with: who am I, where am I entered, how did I fare."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
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
    """What a match brought the bot."""

    match: Match
    place: int | None
    """Among the points of the table; None for a void match."""
    points: float | None

    @property
    def finished_at(self) -> datetime | None:
        """A match without a game is over when its round is."""
        return self.match.played_at or self.match.tournament_round.closed_at


class BotSelf(ApiView):
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
            place = serializers.IntegerField(allow_null=True, help_text="From 1; null for a void match.")
            points = serializers.FloatField(allow_null=True)
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
    for line in match_lines(bot_results(bot)[:LAST_RESULTS]):
        points = [each.points for each in line.entrants if each.points is not None]
        own = next(each.points for each in line.entrants if each.entrant.bot_id == bot.pk)
        if own is None:
            yield Outcome(line.match, None, None)
            continue
        place = 1 + sum(other > own for other in points)
        yield Outcome(line.match, None if line.match.status == MatchStatus.VOID else place, float(own))
