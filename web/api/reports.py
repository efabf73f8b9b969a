"""What a tournament's own games say: strengths with their intervals, and its fairness."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.selectors.fairness import tournament_fairness
from tournaments.selectors.strength import tournament_strength
from web.api.lookups import find_tournament
from web.api.shapes import EntrantRef
from web.api.view import ApiView

_VERDICTS = ["clear", "tie", "too few"]
_MEASURES = ["margin", "bradley_terry"]


class TournamentStrengths(ApiView):
    class Output(serializers.Serializer[Any]):
        class Table(serializers.Serializer[Any]):
            class Line(serializers.Serializer[Any]):
                class Next(serializers.Serializer[Any]):
                    entrant = EntrantRef()
                    above = serializers.FloatField(help_text="How likely this one is the stronger of the two.")
                    is_separated = serializers.BooleanField(help_text="The interval of their difference leaves 0 out.")
                    more_sets = serializers.IntegerField(
                        allow_null=True, help_text="About how many more deal sets would tell them apart."
                    )

                entrant = EntrantRef()
                value = serializers.FloatField()
                interval = serializers.ListField(
                    child=serializers.FloatField(), allow_null=True, help_text="95 %; null for a single deal set."
                )
                deal_sets = serializers.IntegerField()
                could_be = serializers.ListField(
                    child=serializers.IntegerField(),
                    allow_null=True,
                    help_text="Best and worst rank that chance leaves open; null under six deal sets.",
                )
                next_below = Next(allow_null=True)

            measure = serializers.ChoiceField(
                _MEASURES,
                help_text="`margin`: card points a game round better than who held the same cards; "
                "`bradley_terry`: rating points above the mean of the field.",
            )
            verdict = serializers.ChoiceField(_VERDICTS, help_text="Of the top, over all pairs at once.")
            leaders = EntrantRef(many=True, help_text="The winner, or those not told apart at the top.")
            lines = Line(many=True, help_text="The strongest first.")

        games = serializers.IntegerField(help_text="Made from so many.")
        computed_at = serializers.DateTimeField(allow_null=True, help_text="Null: not computed, as before the end.")
        tables = Table(many=True)

    @extend_schema(responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """How strong its entrants are, and how sure that is

        Computed once it is finished.
        """
        found = tournament_strength(find_tournament(tournament, request.user))
        nothing: dict[str, Any] = {"games": 0, "computed_at": None, "tables": []}
        return Response(self.Output(found or nothing).data)


class TournamentFairness(ApiView):
    class Output(serializers.Serializer[Any]):
        class Seats(serializers.Serializer[Any]):
            entrant = EntrantRef()
            by_seat = serializers.ListField(child=serializers.IntegerField(), help_text="Games in each seat, from 0.")
            spread = serializers.IntegerField(help_text="Most less least, over the seats of tables of one size.")
            is_wide = serializers.BooleanField(help_text="The spread is above two.")

        class Meetings(serializers.Serializer[Any]):
            least = serializers.IntegerField()
            most = serializers.IntegerField()
            pairs = serializers.IntegerField(help_text="Of entrants.")
            never = serializers.IntegerField(help_text="Pairs that did not meet.")

        class Deals(serializers.Serializer[Any]):
            sets = serializers.IntegerField(help_text="Deals whose points compare seats.")
            least_tables = serializers.IntegerField()
            most_tables = serializers.IntegerField()
            compared = serializers.IntegerField(help_text="Games in them. The following count by place at the table:")
            left_over = serializers.IntegerField(help_text="games of tables for which no set was found,")
            retired = serializers.IntegerField(help_text="games in which a seat retired,")
            replaced = serializers.IntegerField(help_text="games played again from another seed,")
            too_few = serializers.IntegerField(help_text="games with too few tables left, or a result ruled on.")

        class LagLine(serializers.Serializer[Any]):
            entrant = EntrantRef()
            deals = serializers.IntegerField(source="lag.deals")
            lateness = serializers.FloatField(
                source="lag.lateness", help_text="Mean share of the other tables of a deal that were over before."
            )
            gain = serializers.FloatField(
                source="lag.gain", allow_null=True, help_text="Mean points when late less those when not."
            )
            chance = serializers.FloatField(
                source="lag.chance", allow_null=True, help_text="That the two go together so closely by chance."
            )
            stands_out = serializers.BooleanField(source="lag.stands_out")

        class Spread(serializers.Serializer[Any]):
            deals = serializers.IntegerField()
            alone = serializers.FloatField(help_text="Standard deviation of a game's margin, in card points.")
            compared = serializers.FloatField(help_text="The same less the mean of the seat at the other tables.")
            games_saved = serializers.FloatField(
                allow_null=True, help_text="Games with deals of their own that one shared is worth."
            )

        games = serializers.IntegerField()
        seats = Seats(many=True)
        meetings = Meetings(allow_null=True)
        deals = Deals(allow_null=True, help_text="Null where no deal is shared.")
        lags = LagLine(many=True)
        spread = Spread(allow_null=True)

    @extend_schema(responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """Seats, meetings, shared deals, and who is late and gains, counted from its scored matches"""
        return Response(self.Output(tournament_fairness(find_tournament(tournament, request.user))).data)
