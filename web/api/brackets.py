"""Eliminations: the bracket of a stage, and who came where in the tournament that it ends."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.formats import MatchProgress, MatchState, Side
from tournaments.models import Entrant, Match
from tournaments.selectors.brackets import StageBracket, stage_bracket
from tournaments.selectors.places import bracket_places
from web.api.inputs import checked
from web.api.lookups import find_stage, find_tournament
from web.api.paging import Page, PageOutput, PageQuery
from web.api.shapes import EntrantRef
from web.api.view import ApiView


@dataclass(frozen=True, slots=True)
class SeatLine:
    entrant: Entrant | None
    comes_from: str
    is_ahead: bool


@dataclass(frozen=True, slots=True)
class BracketLine:
    progress: MatchProgress
    row: Match | None
    seats: tuple[SeatLine, ...]


class StageBracketView(ApiView):
    class Output(PageOutput):
        class BracketMatch(serializers.Serializer[Any]):
            class BracketSeat(serializers.Serializer[Any]):
                entrant = EntrantRef(allow_null=True, help_text="Null: not known yet.")
                comes_from = serializers.CharField(help_text="`seed 3`, `winner of match 12`.")
                is_ahead = serializers.BooleanField(help_text="Goes on, or has won it all.")

            number = serializers.IntegerField(source="progress.match.number", help_text="From 1, in the order of play.")
            tournament_round = serializers.IntegerField(source="progress.match.round")
            side = serializers.ChoiceField([each.value for each in Side], source="progress.match.side")
            state = serializers.ChoiceField([each.value for each in MatchState], source="progress.state")
            match = serializers.CharField(
                source="row.public_id", allow_null=True, default=None, help_text="Null: not paired, or not played."
            )
            seats = BracketSeat(many=True, help_text="The best first once it is decided.")

        stage = serializers.IntegerField()
        is_decided = serializers.BooleanField()
        results = BracketMatch(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, tournament: str, stage: int) -> Response:
        """The bracket of an elimination: its matches in the order of play

        Empty until the stage begins, and for a stage of another format.
        """
        query = checked(PageQuery, request.query_params)
        found = stage_bracket(find_stage(find_tournament(tournament, request.user), stage))
        page = Page(found.progress.matches if found else (), query)
        lines = list(_lines(found, page.rows)) if found else []
        is_decided = found is not None and found.progress.is_decided
        return page.answer(request, self.Output, lines, stage=stage, is_decided=is_decided)


class StagePlaces(ApiView):
    class Output(PageOutput):
        class BracketPlace(serializers.Serializer[Any]):
            entrant = EntrantRef()
            seed = serializers.IntegerField(allow_null=True, help_text="In the bracket. Null: not taken into it.")
            first = serializers.IntegerField(source="placing.first", allow_null=True, default=None)
            last = serializers.IntegerField(
                source="placing.last", allow_null=True, default=None, help_text="Above `first`: a shared place."
            )

        stage = serializers.IntegerField()
        is_final = serializers.BooleanField()
        results = BracketPlace(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, tournament: str, stage: int) -> Response:
        """Who came where, in a tournament that ends in an elimination

        Who is still in has no place yet and comes first; whom a top cut left out follows in the order of the stage before.
        Empty until the elimination begins, and for a stage of another format, which has standings.
        """
        query = checked(PageQuery, request.query_params)
        found = stage_bracket(find_stage(find_tournament(tournament, request.user), stage))
        places = bracket_places(found) if found else ()
        is_final = found is not None and found.progress.is_decided
        return Page(places, query).answer(request, self.Output, stage=stage, is_final=is_final)


def _lines(found: StageBracket, matches: list[MatchProgress]) -> Iterator[BracketLine]:
    entrants = found.stage.tournament.entrants.select_related("bot", "version").in_bulk(found.stage.seeding)
    for each in matches:
        comes_from = {
            holder: found.bracket.words(source)
            for source, holder in zip(each.match.sources, each.holders, strict=True)
            if holder is not None
        }
        open_seats = (
            SeatLine(entrants.get(holder or 0), found.bracket.words(source), is_ahead=False)
            for source, holder in zip(each.match.sources, each.holders, strict=True)
        )
        decided = (
            SeatLine(entrants[entrant], comes_from[entrant], is_ahead=place <= each.match.go_on)
            for place, entrant in enumerate(each.order, start=1)
        )
        yield BracketLine(each, found.rows.get(each.match.number), tuple(decided if each.order else open_seats))
