"""What an organiser does to results: play again, void, correct, roll back. Each can be asked first what would follow."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import Entrant, Match, TournamentRound
from tournaments.models.plans import MAX_SEATS
from tournaments.services.attempts import match_retry
from tournaments.services.corrections import match_correct, match_void
from tournaments.services.reruns import game_rerun, match_rerun, round_rerun
from tournaments.services.rollback import tournament_roll_back
from web.api.inputs import Fields, Text, checked
from web.api.lookups import find_game, find_match, find_own_tournament, find_stage
from web.api.shapes import MatchShape, match_lines
from web.api.view import ApiView, account_of


class ActInput(Fields):
    reason = Text(max_length=400, help_text="Owners and spectators read it.")
    preview = serializers.BooleanField(default=False, help_text="Change nothing, say what would follow.")


class ConsequencesShape(serializers.Serializer[Any]):
    """What followed, or would follow. What is not named stays as it is."""

    is_preview = serializers.BooleanField()
    superseded = serializers.ListField(child=serializers.CharField(), help_text="Matches that count no longer.")
    voided = serializers.ListField(child=serializers.CharField())
    corrected = serializers.ListField(child=serializers.CharField())
    games_to_play = serializers.IntegerField()
    results_kept = serializers.IntegerField(help_text="Games of superseded matches whose results go on counting.")
    rounds_reopened = serializers.ListField(child=serializers.CharField())
    rounds_taken_back = serializers.ListField(child=serializers.CharField())
    pairings_kept = serializers.ListField(child=serializers.CharField(), help_text="Later rounds; standings follow.")
    matches_refolded = serializers.IntegerField(help_text="Other rated matches whose ratings are computed again.")
    new_secret = serializers.BooleanField(help_text="The secret was public: another one is committed.")
    sentences = serializers.ListField(child=serializers.CharField(), help_text="The same for people.")


class MatchRerun(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=ActInput, responses=ConsequencesShape)
    def post(self, request: Request, match: str) -> Response:
        """Play a match again

        A new match takes its place; it stays as superseded. For the organiser.
        """
        said = checked(ActInput, request.data)
        row = _own_match(match, request)
        return _told(match_rerun(match=row, actor=account_of(request), **said), said)


class GameRerun(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=ActInput, responses=ConsequencesShape)
    def post(self, request: Request, game: str) -> Response:
        """Play one game of a match again

        The other results of the match are kept. For the organiser.
        """
        said = checked(ActInput, request.data)
        row = find_game(game)
        find_own_tournament(row.match.tournament_round.stage.tournament.public_id, account_of(request))
        return _told(game_rerun(game=row, actor=account_of(request), **said), said)


class MatchVoid(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=ActInput, responses=ConsequencesShape)
    def post(self, request: Request, match: str) -> Response:
        """Declare a match void

        The mean for all its entrants, no rating; also after it was scored. For the organiser.
        """
        said = checked(ActInput, request.data)
        row = _own_match(match, request)
        return _told(match_void(match=row, actor=account_of(request), **said), said)


class MatchCorrect(ApiView):
    permission_classes = (IsAuthenticated,)

    class Input(ActInput):
        class Place(Fields):
            entrant = serializers.SlugField(max_length=16)
            place = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)

        places = serializers.ListField(
            child=Place(),
            max_length=MAX_SEATS,
            help_text="All entrants of the match, ties share the better place; or none: as played.",
        )

    @extend_schema(request=Input, responses=ConsequencesShape)
    def post(self, request: Request, match: str) -> Response:
        """Correct who came where in a match

        Points and ratings follow, scores and records stay. For the organiser.
        """
        said = checked(self.Input, request.data)
        row = _own_match(match, request)
        asked = said.pop("places")
        places = {_entrant(row, each["entrant"]): each["place"] for each in asked}
        if len(places) != len(asked):
            raise TournamentError("invalid", "places: an entrant is named twice")
        return _told(match_correct(match=row, places=places, actor=account_of(request), **said), said)


class MatchRetry(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=MatchShape)
    def post(self, request: Request, match: str) -> Response:
        """Send a match that needs attention back to play

        With as many tries as at first, from cards that nobody has seen. For the organiser.
        """
        row = _own_match(match, request)
        match_retry(match=row, actor=account_of(request))
        return Response(MatchShape(match_lines([find_match(match)])[0]).data)


class RoundRerun(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=ActInput, responses=ConsequencesShape)
    def post(self, request: Request, tournament: str, stage: int, number: int) -> Response:
        """Play all matches of a round again

        Pairings of later rounds stay as they are. For the organiser.
        """
        said = checked(ActInput, request.data)
        row = _own_round(tournament, stage, number, request)
        return _told(round_rerun(tournament_round=row, actor=account_of(request), **said), said)


class RollBack(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=ActInput, responses=ConsequencesShape)
    def post(self, request: Request, tournament: str, stage: int, number: int) -> Response:
        """Roll back to a round

        All later rounds are taken back and paired anew. The tournament is paused by it. For the organiser.
        """
        said = checked(ActInput, request.data)
        row = _own_round(tournament, stage, number, request)
        return _told(tournament_roll_back(tournament_round=row, actor=account_of(request), **said), said)


def _told(follows: Consequences, said: dict[str, Any]) -> Response:
    values = {**asdict(follows), "is_preview": said["preview"], "sentences": follows.sentences()}
    return Response(ConsequencesShape(values).data)


def _own_match(public_id: str, request: Request) -> Match:
    row = find_match(public_id)
    find_own_tournament(row.tournament_round.stage.tournament.public_id, account_of(request))
    return row


def _own_round(tournament: str, stage: int, number: int, request: Request) -> TournamentRound:
    row = find_stage(find_own_tournament(tournament, account_of(request)), stage)
    found = TournamentRound.objects.filter(stage=row, number=number).select_related("stage__tournament").first()
    if found is None:
        count = row.tournament_rounds.count()
        raise TournamentError("not_found", f"stage {stage} has no round {number}: there are {count}", number=number)
    return found


def _entrant(match: Match, public_id: str) -> Entrant:
    for row in match.match_entrants.all():
        if row.entrant.public_id == public_id:
            return row.entrant
    raise TournamentError("invalid", f"no entrant of the match has the id {public_id!r}", entrant=public_id)
