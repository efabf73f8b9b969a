"""Tournaments: to look at, and for organisers to make, open, start, halt and cancel."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import TournamentError
from tournaments.models import (
    DealMode,
    EntryMode,
    RoundPace,
    StageFormat,
    StartMode,
    Tournament,
    TournamentKind,
    TournamentStatus,
)
from tournaments.models.plans import MAX_SEATS, MIN_SEATS
from tournaments.ranking import Tiebreak
from tournaments.selectors.lists import organised_by
from tournaments.selectors.tournaments import published_secret, tournament_list, tournament_progress
from tournaments.services.registration import StagePlan, tournament_create, tournament_open_registration
from tournaments.services.running import tournament_cancel, tournament_pause, tournament_resume, tournament_start
from web.api.inputs import Fields, Text, checked
from web.api.lookups import find_own_tournament, find_tournament
from web.api.paging import Page, PageOutput, PageQuery
from web.api.shapes import StageShape, TournamentLine
from web.api.view import ApiView, account_of

LISTED_STATUS = [choice for choice in TournamentStatus.choices if choice[0] != TournamentStatus.DRAFT]
TIEBREAKS = [each.value for each in Tiebreak]
_DAY_S = 24 * 3600
_HOUR_MS = 3600 * 1000


class CommitmentShape(serializers.Serializer[Any]):
    """What shows that no deal was changed after registration closed."""

    secret_hash = serializers.CharField(help_text="SHA-256 of the secret; empty before registration opens.")
    entropy = serializers.CharField(help_text="The entrants' share; empty until registration closes.")
    secret = serializers.SerializerMethodField(help_text="Null until the tournament has ended.")

    def get_secret(self, tournament: Tournament) -> str | None:
        return published_secret(tournament)


class BudgetsShape(serializers.Serializer[Any]):
    """Per seat and game."""

    start_ms = serializers.IntegerField()
    decision_ms = serializers.IntegerField()
    bank_ms = serializers.IntegerField()
    thinking_ms = serializers.IntegerField()
    turn_cap = serializers.IntegerField(help_text="Turns each seat has in a game round before it ends with nobody out.")
    join_wait_s = serializers.IntegerField(help_text="How long a match waits for a bot that is not connected.")


class CurrentRoundShape(serializers.Serializer[Any]):
    stage = serializers.IntegerField(source="stage.number")
    number = serializers.IntegerField()
    status = serializers.CharField()


class ProgressShape(serializers.Serializer[Any]):
    rounds_closed = serializers.IntegerField()
    rounds_planned = serializers.IntegerField(allow_null=True, help_text="Null while the field is too small to say.")
    current_round = CurrentRoundShape(allow_null=True)
    matches_settled = serializers.IntegerField(help_text="Of the current round.")
    matches_in_round = serializers.IntegerField()
    games_finished = serializers.IntegerField()
    games_planned = serializers.IntegerField(allow_null=True)
    games_running = serializers.IntegerField()
    needs_attention = serializers.IntegerField(help_text="Matches that a person must look at.")
    worst_time_s = serializers.IntegerField(allow_null=True, help_text="Of the whole plan, from start to end.")
    last_progress_at = serializers.DateTimeField(allow_null=True)


class TournamentShape(TournamentLine):
    """A tournament with its plan and how far it is."""

    entrant_count = serializers.IntegerField(source="entrants.count")
    description = serializers.CharField()
    is_trusted = serializers.BooleanField(help_text="Owners need not be kept apart.")
    is_listed = serializers.BooleanField()
    min_entrants = serializers.IntegerField()
    max_entrants = serializers.IntegerField(allow_null=True)
    max_entries_per_owner = serializers.IntegerField(allow_null=True)
    entry_mode = serializers.ChoiceField(EntryMode.choices)
    start_mode = serializers.ChoiceField(StartMode.choices)
    round_pace = serializers.ChoiceField(RoundPace.choices, help_text="When rounds after the first open.")
    round_minutes = serializers.IntegerField(allow_null=True)
    round_time = serializers.TimeField(allow_null=True)
    round_zone = serializers.CharField()
    next_round_at = serializers.DateTimeField(allow_null=True, help_text="Null: at once, or not known yet.")
    has_playoff = serializers.BooleanField(help_text="Ties for the first place of a game are played off.")
    tiebreaks = serializers.ListField(
        child=serializers.ChoiceField(TIEBREAKS),
        source="tiebreak_order",
        help_text="What follows the points, in order.",
    )
    registration_closed_at = serializers.DateTimeField(allow_null=True)
    budgets = BudgetsShape(source="*")
    commitment = CommitmentShape(source="*")
    stages = StageShape(many=True, source="stages.all")
    progress = serializers.SerializerMethodField()

    @extend_schema_field(ProgressShape)
    def get_progress(self, tournament: Tournament) -> Any:
        return ProgressShape(tournament_progress(tournament)).data


class Tournaments(ApiView):
    class Query(PageQuery):
        status = serializers.ChoiceField(LISTED_STATUS, required=False)
        kind = serializers.ChoiceField(TournamentKind.choices, required=False)

    class Input(Fields):
        """What is left out is as the admin offers it."""

        class Stage(Fields):
            format = serializers.ChoiceField(StageFormat.choices, default=StageFormat.SWISS)
            seats = serializers.IntegerField(min_value=MIN_SEATS, max_value=MAX_SEATS, default=4)
            rounds = serializers.IntegerField(min_value=1, max_value=100, default=4)
            laps = serializers.IntegerField(min_value=1, max_value=100, default=1)
            games_per_match = serializers.IntegerField(min_value=1, max_value=100, default=1)
            top_cut = serializers.IntegerField(min_value=2, max_value=10_000, default=None, allow_null=True)
            go_on = serializers.IntegerField(min_value=1, max_value=MAX_SEATS, default=None, allow_null=True)
            has_third_place = serializers.BooleanField(default=False)
            deal_mode = serializers.ChoiceField(DealMode.choices, default=DealMode.INDEPENDENT)

        name = Text(max_length=120)
        description = Text(max_length=4000, allow_blank=True, required=False)
        stages = serializers.ListField(child=Stage(), min_length=1, max_length=10)
        is_rated = serializers.BooleanField(required=False)
        is_trusted = serializers.BooleanField(required=False)
        is_listed = serializers.BooleanField(required=False)
        min_entrants = serializers.IntegerField(min_value=2, max_value=1000, required=False)
        max_entrants = serializers.IntegerField(min_value=2, max_value=10_000, required=False, allow_null=True)
        max_entries_per_owner = serializers.IntegerField(min_value=1, max_value=1000, required=False, allow_null=True)
        registration_closes_at = serializers.DateTimeField(required=False, allow_null=True)
        entry_mode = serializers.ChoiceField(EntryMode.choices, required=False)
        entry_code = Text(
            max_length=40, required=False, allow_blank=True, help_text="By invitation; empty: one is drawn."
        )
        start_mode = serializers.ChoiceField(StartMode.choices, required=False)
        starts_at = serializers.DateTimeField(required=False, allow_null=True)
        round_pace = serializers.ChoiceField(RoundPace.choices, required=False)
        round_minutes = serializers.IntegerField(
            min_value=1, max_value=60 * 24 * 31, required=False, allow_null=True, help_text="Every so many minutes."
        )
        round_time = serializers.TimeField(required=False, allow_null=True, help_text="Every day: `20:00`.")
        round_zone = Text(max_length=60, required=False, help_text="Of `round_time`, as in `Europe/Berlin`.")
        has_playoff = serializers.BooleanField(
            required=False, help_text="Ties for the first place of a game are played off."
        )
        tiebreaks = serializers.ListField(
            child=serializers.ChoiceField(TIEBREAKS), max_length=len(TIEBREAKS), required=False
        )
        start_ms = serializers.IntegerField(min_value=1, max_value=_HOUR_MS, required=False)
        decision_ms = serializers.IntegerField(min_value=1, max_value=_HOUR_MS, required=False)
        bank_ms = serializers.IntegerField(min_value=0, max_value=_HOUR_MS, required=False)
        thinking_ms = serializers.IntegerField(min_value=1, max_value=_HOUR_MS, required=False)
        turn_cap = serializers.IntegerField(min_value=1, max_value=1000, required=False)
        join_wait_s = serializers.IntegerField(min_value=0, max_value=_DAY_S, required=False)

    class Output(PageOutput):
        results = TournamentLine(many=True)

    @extend_schema(parameters=[Query], responses=Output)
    def get(self, request: Request) -> Response:
        """Tournaments, the latest first

        Drafts and test matches are in no list.
        """
        query = checked(self.Query, request.query_params)
        rows = tournament_list(statuses=(query["status"],) if "status" in query else ())
        rows = rows.filter(kind=query["kind"]) if "kind" in query else rows
        return Page(rows, query).answer(request, self.Output)

    @extend_schema(request=Input, responses={201: TournamentShape})
    def post(self, request: Request) -> Response:
        """Make a tournament, as a draft

        For organisers. Nobody else sees it before its registration is opened.
        """
        account = account_of(request)
        if not account.is_staff:
            raise TournamentError("not_organiser", f"{account} is no organiser: the operator makes one in the admin")
        fields = checked(self.Input, request.data)
        stages = [StagePlan(**stage) for stage in fields.pop("stages")]
        if "tiebreaks" in fields:
            fields["tiebreaks"] = ", ".join(fields["tiebreaks"])
        made = tournament_create(organiser=account, stages=stages, **fields)
        return Response(TournamentShape(made).data, status=201)


class TournamentDetail(ApiView):
    @extend_schema(responses=TournamentShape)
    def get(self, request: Request, tournament: str) -> Response:
        """One tournament: its plan, stages, budgets, worst time and progress"""
        return Response(TournamentShape(find_tournament(tournament, request.user)).data)


class TournamentOpenRegistration(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=TournamentShape)
    def post(self, request: Request, tournament: str) -> Response:
        """Open registration

        Commits to the secret that all deals will follow from.
        """
        row = find_own_tournament(tournament, account_of(request))
        tournament_open_registration(tournament=row, actor=account_of(request))
        return _as_it_is_now(row)


class TournamentStart(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=TournamentShape)
    def post(self, request: Request, tournament: str) -> Response:
        """Close registration and start

        Versions are pinned and the first round is opened.
        """
        row = find_own_tournament(tournament, account_of(request))
        tournament_start(tournament=row, actor=account_of(request))
        return _as_it_is_now(row)


class TournamentPause(ApiView):
    permission_classes = (IsAuthenticated,)

    class Input(Fields):
        reason = Text(max_length=400, allow_blank=True, default="")

    @extend_schema(request=Input, responses=TournamentShape)
    def post(self, request: Request, tournament: str) -> Response:
        """Pause: the open round is played to its end, no further one opens"""
        row = find_own_tournament(tournament, account_of(request))
        tournament_pause(tournament=row, actor=account_of(request), **checked(self.Input, request.data))
        return _as_it_is_now(row)


class TournamentResume(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=TournamentShape)
    def post(self, request: Request, tournament: str) -> Response:
        """Go on after a pause"""
        row = find_own_tournament(tournament, account_of(request))
        tournament_resume(tournament=row, actor=account_of(request))
        return _as_it_is_now(row)


class TournamentCancel(ApiView):
    permission_classes = (IsAuthenticated,)

    class Input(Fields):
        reason = Text(max_length=400)

    @extend_schema(request=Input, responses=TournamentShape)
    def post(self, request: Request, tournament: str) -> Response:
        """Cancel: open matches become void, what was scored stays"""
        row = find_own_tournament(tournament, account_of(request))
        tournament_cancel(tournament=row, actor=account_of(request), **checked(self.Input, request.data))
        return _as_it_is_now(row)


class MyTournaments(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(parameters=[PageQuery], responses=Tournaments.Output)
    def get(self, request: Request) -> Response:
        """Tournaments I organise: drafts and my bots' test matches too"""
        query = checked(PageQuery, request.query_params)
        return Page(organised_by(account_of(request)), query).answer(request, Tournaments.Output)


def _as_it_is_now(tournament: Tournament) -> Response:
    tournament.refresh_from_db()
    return Response(TournamentShape(tournament).data)
