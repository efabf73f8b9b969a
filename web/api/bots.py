"""Bots: to look at, and for their owners to make, equip with a token, try out and delete."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import TournamentError
from tournaments.models import Bot, BotVersion, RatingRow
from tournaments.selectors.bots import bots_of
from tournaments.selectors.lists import bot_faults_for, bot_list, bot_matches_for, version_list
from tournaments.selectors.ratings import current_ratings, leaderboard, rating_history
from tournaments.selectors.shards import live_shards
from tournaments.services.bots import bot_create, bot_delete, bot_rotate_token
from tournaments.services.test_matches import MAX_OPPONENTS, bot_test_match
from tournaments.tokens import token_claims
from web.api.games import FaultShape
from web.api.inputs import Fields, Text, checked
from web.api.lookups import find_bot, find_own_bot
from web.api.paging import Page, PageOutput, PageQuery
from web.api.shapes import (
    GAME_PAGE,
    MATCH_PAGE,
    BotRef,
    MatchShape,
    PublicId,
    SiteAddress,
    TournamentRef,
    match_lines,
)
from web.api.view import ApiView, account_of


class BotShape(BotRef):
    owner = serializers.CharField(source="owner.username")
    description = serializers.CharField()
    is_house = serializers.BooleanField(help_text="Run by the site, a partner for test matches.")
    created_at = serializers.DateTimeField()
    deleted_at = serializers.DateTimeField(allow_null=True)


class Bots(ApiView):
    class Query(PageQuery):
        owner = Text(max_length=150, required=False, help_text="A user name.")

    class Input(Fields):
        name = Text(trim_whitespace=False, max_length=400, help_text="2 to 30 characters.")
        description = Text(max_length=400, allow_blank=True, default="")

    class Output(PageOutput):
        results = BotShape(many=True)

    @extend_schema(parameters=[Query], responses=Output)
    def get(self, request: Request) -> Response:
        """Bots, the oldest first"""
        query = checked(self.Query, request.query_params)
        return Page(bot_list(query.get("owner")), query).answer(request, self.Output)

    @extend_schema(request=Input, responses={201: BotShape})
    def post(self, request: Request) -> Response:
        """Make a bot

        It has no token yet. Its name may not read like that of another bot, deleted ones included.
        """
        bot = bot_create(owner=account_of(request), **checked(self.Input, request.data))
        return Response(BotShape(bot).data, status=201)


class BotDetail(ApiView):
    @extend_schema(responses=BotShape)
    def get(self, request: Request, bot: str) -> Response:
        """One bot; a deleted one too, for its results stay"""
        return Response(BotShape(find_bot(bot)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, bot: str) -> Response:
        """Delete a bot of mine

        It can no longer connect and is withdrawn from what it plays in.
        """
        account = account_of(request)
        bot_delete(bot=find_own_bot(bot, account), actor=account)
        return Response(status=204)


class BotToken(ApiView):
    permission_classes = (IsAuthenticated,)
    throttle_scope = "write"

    class Output(serializers.Serializer[Any]):
        token = serializers.CharField(help_text="Shown this once.")
        expires_at = serializers.DateTimeField()
        server = serializers.CharField(help_text="Where the bot connects: HOST:PORT.")
        connect = serializers.CharField(help_text="The whole line.")

    @extend_schema(request=None, responses={201: Output})
    def post(self, request: Request, bot: str) -> Response:
        """A new token for a bot of mine, shown once

        All older ones are void, and what is connected with one is disconnected within 15 seconds.
        """
        account = account_of(request)
        token = bot_rotate_token(bot=find_own_bot(bot, account), actor=account)
        server = settings.SHARDS[0].bots
        answer = {
            "token": token,
            "expires_at": datetime.fromtimestamp(token_claims(token).expires_at, UTC),
            "server": server,
            "connect": f"CROWNS_TOKEN={token} crowns connect my_bot.py --server {server}",
        }
        return Response(self.Output(answer).data, status=201, headers={"Cache-Control": "no-store"})


class BotTestMatches(ApiView):
    permission_classes = (IsAuthenticated,)
    throttle_scope = "write"

    class Input(Fields):
        opponents = serializers.ListField(
            child=serializers.SlugField(max_length=16),
            min_length=1,
            max_length=MAX_OPPONENTS,
            required=False,
            help_text="House bots; without it up to three that are connected.",
        )

    @extend_schema(request=Input, responses={201: MatchShape})
    def post(self, request: Request, bot: str) -> Response:
        """Start a test match of a bot of mine against house bots; unrated"""
        account = account_of(request)
        own = find_own_bot(bot, account)
        names = checked(self.Input, request.data).get("opponents")
        match = bot_test_match(bot=own, actor=account, opponents=_different(names) if names else None)
        return Response(MatchShape(match_lines([match])[0]).data, status=201)


class BotVersions(ApiView):
    class Output(PageOutput):
        class Version(serializers.Serializer[Any]):
            name = serializers.CharField(source="version.name")
            is_self_declared = serializers.BooleanField(
                source="version.is_self_declared", help_text="Only the author says that this is what runs."
            )
            previous = serializers.CharField(source="version.parent.name", allow_null=True, default=None)
            created_at = serializers.DateTimeField(source="version.created_at")
            last_connected_at = serializers.DateTimeField(source="version.last_connected_at", allow_null=True)
            rating = serializers.FloatField(allow_null=True, help_text="Null: no rated match yet.")

        results = Version(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, bot: str) -> Response:
        """Its versions, the newest first; each is rated by itself"""
        query = checked(PageQuery, request.query_params)
        page = Page(version_list(find_bot(bot)), query)
        return page.answer(request, self.Output, _with_ratings(page.rows))


class BotRatings(ApiView):
    class Output(PageOutput):
        class Change(serializers.Serializer[Any]):
            class Opponent(serializers.Serializer[Any]):
                bot = BotRef(source="version.bot")
                version = serializers.CharField(source="version.name")
                rating = serializers.FloatField()
                score = serializers.CharField(help_text="1, 1/2 or 0, or a mean of such over the games.")

            version = serializers.CharField(source="row.version.name")
            match = PublicId(source="row.match.public_id")
            match_url = SiteAddress(MATCH_PAGE, source="row.match.public_id")
            tournament = TournamentRef(source="row.match.tournament_round.stage.tournament")
            at = serializers.DateTimeField(source="row.match.tournament_round.closed_at", allow_null=True)
            number = serializers.IntegerField(source="row.number", help_text="Rated matches of the version so far.")
            rating_before = serializers.FloatField(source="row.rating_before")
            delta = serializers.FloatField(source="row.delta")
            rating_after = serializers.FloatField(source="row.rating_after")
            k = serializers.FloatField(source="row.k")
            opponents = Opponent(many=True, help_text="What the formula was given.")

        results = Change(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, bot: str) -> Response:
        """Every change of its rating, the oldest first, with what the formula was given"""
        query = checked(PageQuery, request.query_params)
        page = Page(rating_history(find_bot(bot)), query)
        return page.answer(request, self.Output, _with_opponents(page.rows))


class BotMatches(ApiView):
    class Output(PageOutput):
        results = MatchShape(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, bot: str) -> Response:
        """Its matches, the latest first; test matches for its owner alone"""
        query = checked(PageQuery, request.query_params)
        page = Page(bot_matches_for(find_bot(bot), request.user), query)
        return page.answer(request, self.Output, match_lines(page.rows))


class BotFaults(ApiView):
    class Output(PageOutput):
        class Fault(FaultShape):
            game = PublicId(source="attempt.game.public_id")
            game_url = SiteAddress(GAME_PAGE, source="attempt.game.public_id")
            tournament = TournamentRef(source="attempt.game.match.tournament_round.stage.tournament")
            at = serializers.DateTimeField(source="attempt.ended_at", help_text="When the game was over.")

        results = Fault(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, bot: str) -> Response:
        """Its faults with their numbers, the latest first; the words are with the game"""
        query = checked(PageQuery, request.query_params)
        return Page(bot_faults_for(find_bot(bot), request.user), query).answer(request, self.Output)


class Leaderboard(ApiView):
    class Output(PageOutput):
        class Line(serializers.Serializer[Any]):
            place = serializers.IntegerField()
            is_shared = serializers.BooleanField()
            bot = BotRef(source="row.version.bot")
            owner = serializers.CharField(source="row.version.bot.owner.username")
            version = serializers.CharField(source="row.version.name", help_text="The rated version it played last.")
            rating = serializers.FloatField(source="row.rating_after")
            matches = serializers.IntegerField(source="row.number", help_text="Rated ones of this version.")

        results = Line(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request) -> Response:
        """All rated bots, the best first"""
        query = checked(PageQuery, request.query_params)
        return Page(leaderboard(), query).answer(request, self.Output)


class MyBots(ApiView):
    permission_classes = (IsAuthenticated,)

    class Output(PageOutput):
        class Own(BotShape):
            class Connection(serializers.Serializer[Any]):
                version = serializers.CharField(source="version.name")
                since = serializers.DateTimeField(source="connected_at")
                max_games = serializers.IntegerField()
                games_in_flight = serializers.IntegerField()
                sdk = serializers.CharField()

            has_token = serializers.BooleanField(source="token_generation")
            connections = serializers.SerializerMethodField(help_text="Empty: it is not connected.")

            @extend_schema_field(Connection(many=True))
            def get_connections(self, bot: Bot) -> Any:
                live = self.context["live_shards"]
                here = [each for each in bot.presences.all() if each.shard in live]
                return self.Connection(sorted(here, key=lambda each: each.connected_at, reverse=True), many=True).data

        results = Own(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request) -> Response:
        """My bots, and since when each is connected"""
        query = checked(PageQuery, request.query_params)
        rows = bots_of(account_of(request)).select_related("owner")
        return Page(rows, query).answer(request, self.Output, context={"live_shards": live_shards()})


def _different(public_ids: Iterable[str]) -> list[Bot]:
    """House bots, none twice: a bot has one seat at a table."""
    listed = list(public_ids)
    for public_id in listed:
        if listed.count(public_id) > 1:
            raise TournamentError("invalid", f"opponents: {public_id!r} is named twice", bot=public_id)
    return [find_bot(public_id) for public_id in listed]


def _with_ratings(versions: list[BotVersion]) -> list[dict[str, Any]]:
    ratings = current_ratings([version.pk for version in versions])
    return [{"version": version, "rating": ratings.get(version.pk)} for version in versions]


def _with_opponents(rows: list[RatingRow]) -> list[dict[str, Any]]:
    """Ids of versions become the versions, all of a page in one query."""
    wanted = {term["version"] for row in rows for term in row.inputs}
    versions = BotVersion.objects.select_related("bot").in_bulk(wanted)
    return [
        {"row": row, "opponents": [{**term, "version": versions[term["version"]]} for term in row.inputs]}
        for row in rows
    ]
