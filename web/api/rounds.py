"""Inside a tournament: its rounds, matches, entrants, standings, and who is at play."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import (
    ByeKind,
    Entrant,
    EntrantStatus,
    MatchStatus,
    RoundStatus,
    TournamentRound,
)
from tournaments.ranking import ResultKind, Term, Tiebreak
from tournaments.selectors.lists import entrant_list, match_list, round_list, running_list
from tournaments.selectors.standings import standings_for
from web.api.inputs import checked
from web.api.lookups import find_stage, find_tournament
from web.api.paging import Page, PageOutput, PageQuery
from web.api.shapes import (
    GAME_PAGE,
    MATCH_PAGE,
    EntrantRef,
    MatchShape,
    PublicId,
    Rational,
    SiteAddress,
    TournamentRef,
    match_lines,
)
from web.api.view import ApiView

_LARGEST = 2**31 - 1


class Rounds(ApiView):
    class Output(PageOutput):
        class Round(serializers.Serializer[Any]):
            class Bye(serializers.Serializer[Any]):
                entrant = EntrantRef()
                kind = serializers.ChoiceField(ByeKind.choices)

            stage = serializers.IntegerField(source="stage.number")
            number = serializers.IntegerField(help_text="From 1 within the stage.")
            status = serializers.ChoiceField(RoundStatus.choices)
            opened_at = serializers.DateTimeField(allow_null=True)
            closed_at = serializers.DateTimeField(allow_null=True)
            match_count = serializers.IntegerField()
            settled_count = serializers.IntegerField(help_text="Matches that are scored or void.")
            notes = serializers.SerializerMethodField(help_text="What the pairing could not keep.")
            byes = Bye(many=True, source="byes.all")

            def get_notes(self, row: TournamentRound) -> list[str]:
                return [note["text"] for note in row.notes]

        results = Round(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """Its rounds in order, with byes and what the pairing could not keep"""
        query = checked(PageQuery, request.query_params)
        rows = round_list(find_tournament(tournament, request.user))
        return Page(rows, query).answer(request, self.Output)


class TournamentMatches(ApiView):
    class Query(PageQuery):
        stage = serializers.IntegerField(min_value=1, max_value=_LARGEST, required=False)
        tournament_round = serializers.IntegerField(min_value=1, max_value=_LARGEST, required=False)
        status = serializers.ChoiceField(MatchStatus.choices, required=False)

    class Output(PageOutput):
        results = MatchShape(many=True)

    @extend_schema(parameters=[Query], responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """Its matches in the order of rounds and tables

        Superseded ones only where the status asks for them.
        """
        query = checked(self.Query, request.query_params)
        filters = {name: query[name] for name in ("stage", "tournament_round", "status") if name in query}
        page = Page(match_list(find_tournament(tournament, request.user), **filters), query)
        return page.answer(request, self.Output, match_lines(page.rows))


class Entrants(ApiView):
    class Output(PageOutput):
        class Line(EntrantRef):
            owner = serializers.CharField(source="bot.owner.username")
            seed_number = serializers.IntegerField(allow_null=True, help_text="From 1, given at the start.")
            status = serializers.ChoiceField(EntrantStatus.choices)
            entered_at = serializers.DateTimeField()
            withdrawn_at = serializers.DateTimeField(allow_null=True)
            withdrawn_reason = serializers.CharField()
            nonce = serializers.SerializerMethodField(
                help_text="Its share in the entropy; null until registration closes, and of a late entry."
            )

            def get_nonce(self, entrant: Entrant) -> str | None:
                tournament = entrant.tournament
                closed_at = tournament.registration_closed_at
                return entrant.nonce if closed_at and entrant.entered_at <= closed_at else None

        results = Line(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """Its entrants by seed number"""
        query = checked(PageQuery, request.query_params)
        rows = entrant_list(find_tournament(tournament, request.user))
        return Page(rows, query).answer(request, self.Output)


class StageStandings(ApiView):
    class Output(PageOutput):
        class Line(serializers.Serializer[Any]):
            class Entrant(EntrantRef):
                owner = serializers.CharField(source="bot.owner.username")

            class Cell(serializers.Serializer[Any]):
                class Term(serializers.Serializer[Any]):
                    value = Rational()
                    tournament_round = serializers.IntegerField(allow_null=True, help_text="Null: of several rounds.")
                    opponent = serializers.SerializerMethodField(
                        help_text="The id of the entrant it belongs to, where it belongs to one."
                    )
                    kind = serializers.ChoiceField([each.value for each in ResultKind], source="kind.value")

                    def get_opponent(self, term: Term) -> str | None:
                        ids: dict[int, str] = self.context["entrant_ids"]
                        return None if term.opponent is None else ids[term.opponent]

                value = Rational(
                    allow_null=True, help_text="Null: not possible or not needed; the explanation says which."
                )
                explanation = serializers.CharField(help_text="The arithmetic.")
                terms = Term(many=True, help_text="What the sum is made of.")
                divisor = serializers.IntegerField(help_text="`value` is the sum of the terms by this.")

            place = serializers.IntegerField(source="row.place")
            is_shared = serializers.BooleanField(source="row.is_shared")
            entrant = Entrant()
            points = Cell(source="row.points")
            matches = serializers.IntegerField(source="row.matches")
            tiebreaks = Cell(many=True, source="row.tiebreaks", help_text="In the order of `tiebreaks`.")
            is_withdrawn = serializers.BooleanField(source="row.is_withdrawn")

        stage = serializers.IntegerField()
        tiebreaks = serializers.ListField(child=serializers.ChoiceField([each.value for each in Tiebreak]))
        per_match = serializers.BooleanField(help_text="Ordered by mean points a match.")
        is_final = serializers.BooleanField()
        rounds_closed = serializers.IntegerField()
        has_open_round = serializers.BooleanField(help_text="Some may have played more than others.")
        results = Line(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, tournament: str, stage: int) -> Response:
        """The standings of a stage, the best first, with the arithmetic of every cell"""
        query = checked(PageQuery, request.query_params)
        standings = standings_for(find_stage(find_tournament(tournament, request.user), stage))
        return Page(standings.lines, query).answer(
            request,
            self.Output,
            context={"entrant_ids": {line.entrant.pk: line.entrant.public_id for line in standings.lines}},
            stage=stage,
            tiebreaks=[each.value for each in standings.tiebreaks],
            per_match=standings.per_match,
            is_final=standings.is_final,
            rounds_closed=standings.rounds_closed,
            has_open_round=standings.has_open_round,
        )


class Live(ApiView):
    class Query(PageQuery):
        tournament = serializers.SlugField(max_length=16, required=False)

    class Output(PageOutput):
        class Running(serializers.Serializer[Any]):
            game = PublicId(source="game.public_id")
            url = SiteAddress(GAME_PAGE, source="game.public_id")
            match = PublicId(source="game.match.public_id")
            match_url = SiteAddress(MATCH_PAGE, source="game.match.public_id")
            tournament = TournamentRef(source="game.match.tournament_round.stage.tournament")
            started_at = serializers.DateTimeField(allow_null=True)
            game_round = serializers.IntegerField()
            turn = serializers.IntegerField()
            totals = serializers.ListField(
                child=serializers.IntegerField(), help_text="By seat, of finished game rounds."
            )
            heard_at = serializers.DateTimeField(allow_null=True)

        results = Running(many=True)

    @extend_schema(parameters=[Query], responses=Output)
    def get(self, request: Request) -> Response:
        """Games being played, as last heard from the referee

        Of one tournament, or of all that are listed.
        """
        query = checked(self.Query, request.query_params)
        tournament = find_tournament(query["tournament"], request.user) if "tournament" in query else None
        return Page(running_list(tournament), query).answer(request, self.Output)
