"""Accounts: logging in for a token, who I am, what I should know."""

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_logged_in
from drf_spectacular.utils import extend_schema
from knox.models import get_token_model
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import TournamentError
from tournaments.selectors.lists import notices_of
from web.api.authentication import AccountToken
from web.api.inputs import Fields, Text, checked
from web.api.paging import Page, PageOutput, PageQuery
from web.api.shapes import TournamentRef
from web.api.view import ApiView, account_of


class AccountShape(serializers.Serializer[Any]):
    username = serializers.CharField()
    is_organiser = serializers.BooleanField(source="is_staff", help_text="May make tournaments.")
    is_operator = serializers.BooleanField(source="is_superuser")


class Login(ApiView):
    """Takes neither token nor session: who logs in shows what he knows."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "login"

    class Input(Fields):
        username = Text(max_length=150)
        password = Text(max_length=400, trim_whitespace=False, write_only=True)

    class Output(serializers.Serializer[Any]):
        token = serializers.CharField(help_text="To be sent as `Authorization: Token ...`. Shown this once.")
        expires_at = serializers.DateTimeField(allow_null=True)
        account = AccountShape()

    @extend_schema(request=Input, responses={201: Output})
    def post(self, request: Request) -> Response:
        """Log in: a token for user name and password"""
        fields = checked(self.Input, request.data)
        account = authenticate(request._request, **fields)
        if account is None:
            raise TournamentError(
                "wrong_login", f"the user name {fields['username']!r} and this password do not belong together"
            )
        row, token = get_token_model().objects.create(user=account)
        user_logged_in.send(sender=type(account), request=request._request, user=account)
        answer = {"token": token, "expires_at": row.expiry, "account": account}
        return Response(self.Output(answer).data, status=201, headers={"Cache-Control": "no-store"})


class Logout(ApiView):
    authentication_classes = (AccountToken,)
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """Log out: the token this is sent with is void"""
        request.auth.delete()
        return Response(status=204)


class LogoutAll(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """Log out everywhere: all my tokens are void; bots play on with theirs"""
        get_token_model().objects.filter(user=account_of(request)).delete()
        return Response(status=204)


class Me(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=AccountShape)
    def get(self, request: Request) -> Response:
        """Who I am"""
        return Response(AccountShape(account_of(request)).data)


class MyNotices(ApiView):
    permission_classes = (IsAuthenticated,)

    class Output(PageOutput):
        class Notice(serializers.Serializer[Any]):
            code = serializers.CharField(help_text="Stable, for machines.")
            text = serializers.CharField()
            tournament = TournamentRef(allow_null=True)
            created_at = serializers.DateTimeField()
            read_at = serializers.DateTimeField(allow_null=True)

        results = Notice(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request) -> Response:
        """What I should know, the latest first"""
        query = checked(PageQuery, request.query_params)
        return Page(notices_of(account_of(request)), query).answer(request, self.Output)
