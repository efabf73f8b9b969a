"""Comparisons of two bots, or of two versions of one."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import TournamentError
from tournaments.models import BotVersion, Comparison
from tournaments.selectors.compare import comparison_state, comparisons, names
from tournaments.selectors.shards import presences
from tournaments.services.compare import FEWEST_GAMES, MOST_GAMES, USUAL_GAP, USUAL_MOST_GAMES, comparison_start
from web.api.inputs import Fields, Text, checked
from web.api.lookups import find_bot, not_found
from web.api.view import ApiView, account_of


class ComparisonShape(serializers.Serializer[Any]):
    """Differences are those of B less those of A, in points a game: above 0 B is better."""

    class Difference(serializers.Serializer[Any]):
        estimate = serializers.FloatField(help_text="With the early stop allowed for.")
        low = serializers.FloatField(allow_null=True, help_text="Null: too few games.")
        high = serializers.FloatField(allow_null=True)
        level = serializers.FloatField(help_text="0.99 on the way, all but alpha and beta at the end.")
        mean = serializers.FloatField(help_text="The plain mean of the games.")

    id = serializers.CharField(help_text="That of its tournament.")
    status = serializers.CharField()
    a = serializers.CharField()
    b = serializers.CharField()
    verdict = serializers.ChoiceField(
        ["stronger", "not stronger", "undecided (limit reached)"], allow_null=True, help_text="Null: not yet, or never."
    )
    sentence = serializers.CharField()
    difference = Difference()
    evidence = serializers.FloatField(help_text="Log-likelihood ratio, weighed at the end of each round.")
    lower = serializers.FloatField()
    upper = serializers.FloatField()
    least_gap = serializers.FloatField()
    games = serializers.IntegerField()
    games_left = serializers.IntegerField(help_text="Expected at this pace.")
    most_games = serializers.IntegerField()


class Comparisons(ApiView):
    permission_classes = (IsAuthenticated,)
    throttle_scope = "write"

    class Input(Fields):
        class Side(Fields):
            bot = serializers.SlugField(max_length=16)
            version = Text(max_length=40, required=False, help_text="Without it the one connected last.")

        a = Side(help_text="What you have: a bot of yours or a house bot.")
        b = Side(help_text="What you hope is stronger; another version of the same bot too.")
        least_gap = serializers.FloatField(
            min_value=1, max_value=100, default=USUAL_GAP, help_text="Points a game: the gain that must not be missed."
        )
        most_games = serializers.IntegerField(min_value=FEWEST_GAMES, max_value=MOST_GAMES, default=USUAL_MOST_GAMES)

    @extend_schema(request=Input, responses={201: ComparisonShape})
    def post(self, request: Request) -> Response:
        """Start a comparison of two bots, or of two versions of one; unrated and in no list

        They play until it is clear whether B is stronger, with error bounds of 5 %. Both must be connected.
        """
        said = checked(self.Input, request.data)
        made = comparison_start(
            actor=account_of(request),
            a=_version(said["a"]),
            b=_version(said["b"]),
            least_gap=said["least_gap"],
            most_games=said["most_games"],
        )
        return Response(ComparisonShape(comparison_line(find_comparison(made.tournament.public_id))).data, status=201)


class ComparisonDetail(ApiView):
    @extend_schema(responses=ComparisonShape)
    def get(self, request: Request, comparison: str) -> Response:
        """A comparison: its verdict, or what is known so far"""
        return Response(ComparisonShape(comparison_line(find_comparison(comparison))).data)


def find_comparison(public_id: str) -> Comparison:
    """By the id of its tournament; whoever has it may look."""
    row = comparisons().filter(tournament__public_id=public_id).first()
    if row is None:
        raise not_found("comparison", public_id)
    return row


def comparison_line(row: Comparison) -> dict[str, Any]:
    state = comparison_state(row)
    progress, (a, b) = state.progress, names(row)
    low, high = progress.interval or (None, None)
    return {
        "id": row.tournament.public_id,
        "status": row.tournament.status,
        "a": a,
        "b": b,
        "verdict": progress.verdict and progress.verdict.value,
        "sentence": state.sentence,
        "difference": {
            "estimate": progress.estimate,
            "low": low,
            "high": high,
            "level": progress.level,
            "mean": progress.mean,
        },
        "evidence": progress.llr,
        "lower": progress.lower,
        "upper": progress.upper,
        "least_gap": row.least_gap,
        "games": progress.sets,
        "games_left": 0 if state.is_over else progress.sets_left,
        "most_games": row.most_games,
    }


def _version(side: dict[str, Any]) -> BotVersion:
    bot = find_bot(side["bot"])
    if name := side.get("version"):
        found = bot.versions.select_related("bot").filter(name=name).first()
        if found is None:
            raise TournamentError("not_found", f"{bot.name!r} has no version {name!r}", bot=bot.public_id)
        return found
    latest = presences(bot).first()
    if latest is None:
        raise TournamentError("bot_not_connected", f"{bot.name!r} is not connected", bot=bot.public_id)
    return latest.version
