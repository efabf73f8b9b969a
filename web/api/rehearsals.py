"""A tournament before it begins: what its plan leads to."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import TournamentError
from tournaments.selectors.rehearsal import rehearsal
from web.api.inputs import Fields, checked
from web.api.lookups import find_tournament
from web.api.view import ApiView


class GapShape(serializers.Serializer[Any]):
    """Points of margin a game that the plan shows with 80 % power at 95 % confidence."""

    unlike = serializers.FloatField()
    similar = serializers.FloatField(help_text="Of bots that play alike, which gain most from shared deals.")


class TournamentRehearsal(ApiView):
    class Query(Fields):
        entrants = serializers.IntegerField(min_value=2, max_value=10_000, required=False)

    class Output(serializers.Serializer[Any]):
        class Stage(serializers.Serializer[Any]):
            number = serializers.IntegerField(source="stage.number")
            entrants = serializers.IntegerField(source="size.entrants")
            rounds = serializers.IntegerField(source="size.rounds")
            matches = serializers.IntegerField(source="size.matches")
            games = serializers.IntegerField(source="size.games")
            worst_s = serializers.IntegerField(source="size.worst_time_s")
            expected_s = serializers.IntegerField(
                allow_null=True, help_text="By games played here; null: none was, at such tables."
            )
            table_sizes = serializers.ListField(
                child=serializers.ListField(child=serializers.IntegerField()), help_text="Pairs (seats, tables)."
            )
            games_each = serializers.ListField(child=serializers.IntegerField(), help_text="Fewest and most.")
            sittings = serializers.ListField(
                child=serializers.IntegerField(), help_text="Fewest and most games in one seat."
            )
            byes = serializers.IntegerField(help_text="A free point each.")
            sits_out = serializers.IntegerField(help_text="Places without a table, over all rounds.")
            deal_sets = serializers.IntegerField(help_text="If no owner has several bots.")
            own_deals = serializers.IntegerField(help_text="Tables left over where deals are shared.")
            gap = GapShape(allow_null=True)

        entrants = serializers.IntegerField()
        is_assumed = serializers.BooleanField(help_text="Fewer have entered: so many are needed.")
        rounds = serializers.IntegerField()
        matches = serializers.IntegerField()
        games = serializers.IntegerField()
        waiting_s = serializers.IntegerField(help_text="Between rounds, by the pace.")
        expected_s = serializers.IntegerField(allow_null=True)
        worst_s = serializers.IntegerField()
        gap = GapShape(allow_null=True)
        stages = Stage(many=True)
        sentences = serializers.ListField(child=serializers.CharField(), help_text="The same for people.")

    @extend_schema(parameters=[Query], responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """What the plan leads to: matches, games, time, seats, byes, deals, and what it can tell apart

        For the entrants there are (at least as many as are needed), or as many as the query says.
        """
        row = find_tournament(tournament, request.user)
        found = rehearsal(row, checked(self.Query, request.query_params).get("entrants"))
        if found is None:
            raise TournamentError(
                "not_enough_entrants", f"{row.name!r} cannot be played by so few, or as it is planned"
            )
        return Response(self.Output(found).data)
