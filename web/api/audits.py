"""Who did what to a tournament, when, and what it was before and after."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.selectors.audit import audit_list, shown_entries
from web.api.inputs import checked
from web.api.lookups import find_own_tournament
from web.api.paging import Page, PageOutput, PageQuery
from web.api.view import ApiView, account_of


class TournamentAudit(ApiView):
    permission_classes = (IsAuthenticated,)

    class Output(PageOutput):
        class Entry(serializers.Serializer[Any]):
            at = serializers.DateTimeField(source="entry.at")
            actor = serializers.CharField(
                source="entry.actor.username", allow_null=True, default=None, help_text="Null: the site itself."
            )
            action = serializers.CharField(source="entry.action")
            subject = serializers.CharField(source="entry.subject")
            before = serializers.DictField()
            after = serializers.DictField()

        results = Entry(many=True)

    @extend_schema(parameters=[PageQuery], responses=Output)
    def get(self, request: Request, tournament: str) -> Response:
        """Its audit log, the latest first

        For the organiser. The entrants' shares in the shuffle are left out until registration closes.
        """
        query = checked(PageQuery, request.query_params)
        row = find_own_tournament(tournament, account_of(request))
        page = Page(audit_list(row), query)
        return page.answer(request, self.Output, shown_entries(row, list(page.rows)))
