"""Matches and games, as much of them as the asker may see: `tournaments.selectors.visibility` decides."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.record.game_record import read_record
from referee.record.transcript import ALL, PUBLIC, Viewer, transcript
from tournaments.errors import TournamentError
from tournaments.models import Attempt, AttemptStatus, DealMode, DealSetStatus, Game, GameFault, GameRecord
from tournaments.models.status import FaultType
from tournaments.selectors.deals import seed_of
from tournaments.selectors.games import ShownGame, game_detail, record_bytes
from tournaments.selectors.shared_deals import SharedDeal, shared_deals
from tournaments.selectors.visibility import Sight, Visibility, visibility
from tournaments.services.notes import audit
from web.api.inputs import Fields, checked
from web.api.lookups import find_game, find_match
from web.api.shapes import (
    GAME_PAGE,
    MATCH_PAGE,
    MatchShape,
    PublicId,
    Rational,
    SeatShape,
    SiteAddress,
    TournamentRef,
    address,
    match_lines,
)
from web.api.view import ApiView, account_of

RECORD = "/api/v1/games/{}/record"
TRANSCRIPT = "/api/v1/games/{}/transcript"
FAULT_NAMES = [fault.name for fault in FaultType]


class FaultShape(serializers.Serializer[Any]):
    """The figures of a fault, which anybody may see. Durations in milliseconds, 0 where no clock is at stake."""

    number = serializers.IntegerField(help_text="In order within the game, from 1.")
    type = serializers.SerializerMethodField()
    seat = serializers.IntegerField()
    game_round = serializers.IntegerField()
    turn = serializers.IntegerField(help_text="From 1 within the game round; 0 before the first.")
    decision_id = serializers.IntegerField(help_text="0: no decision was open.")
    budget_ms = serializers.IntegerField()
    used_ms = serializers.IntegerField()
    last_latencies_ms = serializers.ListField(child=serializers.IntegerField())
    retires = serializers.BooleanField()

    def get_type(self, fault: GameFault) -> str:
        return FaultType(fault.type).name


class MatchDetail(ApiView):
    @extend_schema(responses=MatchShape)
    def get(self, request: Request, match: str) -> Response:
        """One match: who sat in it, its games and what they brought"""
        return Response(MatchShape(match_lines([find_match(match)])[0]).data)


class SharedDealShape(serializers.Serializer[Any]):
    """Which tables played the same cards, and how the points of the game came about."""

    class Seat(serializers.Serializer[Any]):
        class Holder(serializers.Serializer[Any]):
            match = PublicId(source="match.public_id")
            entrant = PublicId(source="seat.entrant.public_id")
            margin = Rational()

        seat = serializers.IntegerField(source="seat.seat")
        margin = Rational(help_text="Mean of the table opponents' card points less its own.")
        others = Holder(many=True, help_text="Who held the same seat elsewhere.")
        points = Rational(help_text="Share of the others with a smaller margin, ties half.")

    matches = serializers.SerializerMethodField(help_text="The other matches with a game of this deal.")
    own_reason = serializers.CharField(help_text="Why it counts by place at the table; empty if it does not.")
    seats = Seat(many=True, help_text="Empty unless seats are compared, which is known once the deal set is final.")

    def get_matches(self, deal: SharedDeal) -> list[str]:
        return [match.public_id for match in deal.tables]


class GameDetail(ApiView):
    class Output(serializers.Serializer[Any]):
        class DealSet(serializers.Serializer[Any]):
            number = serializers.IntegerField(help_text="From 1 within the tournament round.")
            mode = serializers.ChoiceField(DealMode.choices)
            status = serializers.ChoiceField(DealSetStatus.choices, help_text="Final: everything is shown.")

        class GameRound(serializers.Serializer[Any]):
            game_round = serializers.IntegerField()
            scores = serializers.ListField(child=serializers.IntegerField(), help_text="By seat.")
            went_out_seat = serializers.IntegerField(allow_null=True)
            players = serializers.ListField(
                child=serializers.IntegerField(),
                required=False,
                help_text="Only of a playoff (game rounds 12 to 14): the seats in it; what the others score says nothing.",
            )

        class Try(serializers.Serializer[Any]):
            """An attempt at playing the game, and how far it is or went, as last heard."""

            number = serializers.IntegerField()
            status = serializers.ChoiceField(AttemptStatus.choices)
            status_reason = serializers.CharField()
            started_at = serializers.DateTimeField(allow_null=True)
            ended_at = serializers.DateTimeField(allow_null=True)
            game_round = serializers.IntegerField()
            turn = serializers.IntegerField()
            totals = serializers.ListField(
                child=serializers.IntegerField(), help_text="By seat, of finished game rounds."
            )
            heard_at = serializers.DateTimeField(allow_null=True)

        class Fault(FaultShape):
            detail = serializers.CharField(help_text="Empty for those who may not see the cards of the seat.")
            reply = serializers.CharField(help_text="As `detail`.")

        id = PublicId(source="game.public_id")
        url = SiteAddress(GAME_PAGE, source="game.public_id")
        number = serializers.IntegerField(source="game.number", help_text="From 1 within the match.")
        match = PublicId(source="game.match.public_id")
        match_url = SiteAddress(MATCH_PAGE, source="game.match.public_id")
        tournament = TournamentRef(source="game.match.tournament_round.stage.tournament")
        stage = serializers.IntegerField(source="game.match.tournament_round.stage.number")
        tournament_round = serializers.IntegerField(source="game.match.tournament_round.number")
        deal_set = DealSet(source="game.deal_set")
        shared_deal = serializers.SerializerMethodField(help_text="Null in a stage of independent deals.")
        replacement = serializers.IntegerField(source="game.replacement", help_text="0: dealt from the set's own seed.")
        finished_at = serializers.DateTimeField(source="game.finished_at", allow_null=True)
        digest = serializers.CharField(source="game.digest", help_text="Of the record, hexadecimal.")
        sight = serializers.ChoiceField(
            [each.value for each in Sight], source="visibility.sight.value", help_text="What you may see of the cards."
        )
        own_seats = serializers.ListField(
            child=serializers.IntegerField(), source="visibility.own_seats", help_text="Seats of your bots."
        )
        seats = serializers.SerializerMethodField()
        game_rounds = GameRound(many=True, source="game.game_rounds")
        attempts = Try(many=True)
        faults = serializers.SerializerMethodField()
        seed = serializers.SerializerMethodField(help_text="Hexadecimal; null until the deal set is final.")
        record_url = serializers.SerializerMethodField(help_text="Null while you may not have it.")
        transcript_url = serializers.SerializerMethodField(help_text="Null while there is nothing you may see.")

        @extend_schema_field(SharedDealShape(allow_null=True))
        def get_shared_deal(self, shown: ShownGame) -> Any:
            deal = shared_deals([shown.game]).get(shown.game.pk)
            return SharedDealShape(deal).data if deal else None

        @extend_schema_field(SeatShape(many=True))
        def get_seats(self, shown: ShownGame) -> Any:
            rows = shown.game.game_seats.select_related("entrant__bot", "entrant__version").order_by("seat")
            return SeatShape(rows, many=True).data

        @extend_schema_field(Fault(many=True))
        def get_faults(self, shown: ShownGame) -> Any:
            return [
                {**FaultShape(each.fault).data, "detail": each.detail, "reply": each.reply} for each in shown.faults
            ]

        def get_seed(self, shown: ShownGame) -> str | None:
            result = shown.game.result
            return seed_of(result).hex() if result and shown.visibility.has_seed else None

        def get_record_url(self, shown: ShownGame) -> str | None:
            is_shown = shown.game.result and shown.visibility.sight is Sight.EVERYTHING
            return address(RECORD, shown.game.public_id) if is_shown else None

        def get_transcript_url(self, shown: ShownGame) -> str | None:
            seen = shown.visibility
            is_shown = shown.game.result and (seen.own_seats or seen.sight is not Sight.PROGRESS)
            return address(TRANSCRIPT, shown.game.public_id) if is_shown else None

    @extend_schema(responses=Output)
    def get(self, request: Request, game: str) -> Response:
        """One game: seats, scores of its rounds, attempts and faults

        Cards, and words that may name cards, follow the table of who sees what.
        """
        return Response(self.Output(game_detail(find_game(game), request.user)).data)


class OperatorQuery(Fields):
    as_operator = serializers.BooleanField(
        default=False, help_text="The operator's right to see an unfinished deal; its use is written down."
    )


class GameRecordFile(ApiView):
    throttle_scope = "replay"

    @extend_schema(parameters=[OperatorQuery], responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, game: str) -> HttpResponse:
        """The record file, for `crowns verify`: with the seed once the deal set is final"""
        row = find_game(game)
        as_operator: bool = checked(OperatorQuery, request.query_params)["as_operator"]
        _look(request, row, as_operator=as_operator)
        data = record_bytes(row, request.user, as_operator=as_operator)
        if data is None:
            raise _not_visible(row)
        name = f'attachment; filename="{row.public_id}.5cgr"'
        return HttpResponse(data, content_type="application/octet-stream", headers={"Content-Disposition": name})


class GameTranscript(ApiView):
    throttle_scope = "replay"

    class Query(OperatorQuery):
        seat = serializers.IntegerField(min_value=0, max_value=13, required=False, help_text="As this seat saw it.")

    class Output(serializers.Serializer[Any]):
        game = serializers.CharField()
        viewer = serializers.CharField(help_text="`all`, `public` or a seat.")
        events = serializers.ListField(
            child=serializers.DictField(), help_text="In order; what the viewer may not see is null."
        )

    @extend_schema(parameters=[Query], responses=Output)
    def get(self, request: Request, game: str) -> Response:
        """All that happened, as a list of events

        Everything once the deal set is final; before that one's own seat, or what lay open on the table.
        """
        row = find_game(game)
        query = checked(self.Query, request.query_params)
        seen = _look(request, row, as_operator=query["as_operator"])
        viewer = _viewer(row, seen, query.get("seat"))
        stored = GameRecord.objects.get(attempt=row.result_id)
        events = transcript(read_record(bytes(stored.data)), seed_of(_result(row)), viewer)
        return Response(self.Output({"game": row.public_id, "viewer": str(viewer), "events": events}).data)


def _look(request: Request, game: Game, *, as_operator: bool) -> Visibility:
    """What the asker may see. Raises `no_record`, `not_operator`."""
    _result(game)
    if as_operator and not request.user.is_superuser:
        raise TournamentError("not_operator", f"{request.user} is not the operator: leave out as_operator")
    seen = visibility(request.user, game, as_operator=as_operator)
    if seen.must_audit:
        audit(
            action="operator_look",
            actor=account_of(request),
            subject=f"game {game.public_id}",
            tournament=game.match.tournament_round.stage.tournament,
        )
    return seen


def _viewer(game: Game, seen: Visibility, seat: int | None) -> Viewer:
    if seat is not None and seat >= game.game_seats.count():
        raise TournamentError("invalid", f"seat: game {game.public_id} has no seat {seat}", seat=seat)
    if seat is not None and not seen.shows_seat(seat):
        raise _not_visible(game)
    if seat is not None:
        return seat
    if seen.sight is Sight.EVERYTHING:
        return ALL
    if seen.own_seats:
        return seen.own_seats[0]
    if seen.sight is Sight.PUBLIC:
        return PUBLIC
    raise _not_visible(game)


def _result(game: Game) -> Attempt:
    if game.result is None:
        raise TournamentError("no_record", f"game {game.public_id} has no result yet", game=game.public_id)
    return game.result


def _not_visible(game: Game) -> TournamentError:
    return TournamentError(
        "not_visible",
        f"the cards of game {game.public_id} are shown once its deal set is final: its games are not all over",
        game=game.public_id,
    )
