"""Entering a tournament and leaving it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import EntryMode
from tournaments.services.late import entrant_admit
from tournaments.services.registration import (
    MAX_NONCE_LENGTH,
    entrant_enter,
    entrant_leave,
    entrant_of,
    entrant_withdraw,
)
from web.api.inputs import Fields, Text, checked
from web.api.lookups import find_bot, find_own_tournament, find_tournament
from web.api.shapes import EntrantRef
from web.api.view import ApiView, account_of


class Entries(ApiView):
    permission_classes = (IsAuthenticated,)

    class Input(Fields):
        bot = serializers.SlugField(max_length=16)
        nonce = Text(
            max_length=MAX_NONCE_LENGTH, required=False, help_text="Your share in the entropy; else one is drawn."
        )
        code = Text(max_length=40, required=False, write_only=True, help_text="Where an invitation is needed.")

    class Output(EntrantRef):
        nonce = serializers.CharField()
        entered_at = serializers.DateTimeField()

    @extend_schema(request=Input, responses={201: Output})
    def post(self, request: Request, tournament: str) -> Response:
        """Enter a bot of mine"""
        account = account_of(request)
        row = find_tournament(tournament, account)
        fields = checked(self.Input, request.data)
        bot = find_bot(fields["bot"])
        said = {name: fields.get(name, "") for name in ("nonce", "code")}
        entrant = entrant_enter(tournament=row, bot=bot, actor=account, **said)
        return Response(self.Output(entrant).data, status=201)


class LateEntries(ApiView):
    permission_classes = (IsAuthenticated,)

    class Input(Fields):
        bot = serializers.SlugField(max_length=16)

    class Output(EntrantRef):
        seed_number = serializers.IntegerField()
        entered_at = serializers.DateTimeField()

    @extend_schema(request=Input, responses={201: Output})
    def post(self, request: Request, tournament: str) -> Response:
        """Admit a bot late

        To a running Swiss, from its next round on, with 0 points for each round before. For the organiser.
        """
        account = account_of(request)
        row = find_own_tournament(tournament, account)
        bot = find_bot(checked(self.Input, request.data)["bot"])
        return Response(self.Output(entrant_admit(tournament=row, bot=bot, actor=account)).data, status=201)


class Invitation(ApiView):
    permission_classes = (IsAuthenticated,)

    class Output(serializers.Serializer[Any]):
        entry_mode = serializers.ChoiceField(EntryMode.choices)
        entry_code = serializers.CharField(help_text="Empty: none is needed.")

    @extend_schema(responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """The invitation code, for the organiser to hand out"""
        return Response(self.Output(find_own_tournament(tournament, account_of(request))).data)


class Entry(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, tournament: str, bot: str) -> Response:
        """Take an entry back, while registration is open"""
        account = account_of(request)
        entrant_leave(tournament=find_tournament(tournament, account), bot=find_bot(bot), actor=account)
        return Response(status=204)


class EntryWithdraw(ApiView):
    permission_classes = (IsAuthenticated,)

    class Input(Fields):
        reason = Text(max_length=400)

    @extend_schema(request=Input, responses={204: None})
    def post(self, request: Request, tournament: str, bot: str) -> Response:
        """Withdraw a bot for the rest of the tournament

        Its owner or the organiser may. What was played stays.
        """
        account = account_of(request)
        row = find_tournament(tournament, account)
        fields = checked(self.Input, request.data)
        entrant_withdraw(entrant=entrant_of(row, find_bot(bot)), actor=account, **fields)
        return Response(status=204)
