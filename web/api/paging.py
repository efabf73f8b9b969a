"""Lists in pages: `{count, page, pages, page_size, next, previous, results}`."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import TournamentError
from web.api.inputs import Fields

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 100
_MAX_PAGE = 1_000_000


class PageQuery(Fields):
    """What every list takes; a list with filters adds its own fields."""

    page = serializers.IntegerField(min_value=1, max_value=_MAX_PAGE, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)


class PageOutput(serializers.Serializer[Any]):
    """A page; each list adds `results`."""

    count = serializers.IntegerField(help_text="Rows on all pages.")
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    page_size = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class Page:
    """One page of the rows, which must be in a total order: else a row could come on two pages, or none."""

    def __init__(self, rows: QuerySet[Any] | Sequence[Any], query: dict[str, Any]) -> None:
        paginator = Paginator(rows, query["page_size"])
        number: int = query["page"]
        if number > paginator.num_pages:
            raise TournamentError(
                "no_such_page",
                f"there is no page {number}: the last one is {paginator.num_pages}",
                page=number,
                pages=paginator.num_pages,
            )
        self._page = paginator.page(number)
        self.rows: list[Any] = list(self._page.object_list)

    def answer(
        self,
        request: Request,
        output: type[PageOutput],
        lines: Sequence[Any] | None = None,
        *,
        context: dict[str, Any] | None = None,
        **about: Any,
    ) -> Response:
        """`lines` stand for the rows where more than the row is shown; `about` fills what `output` has besides."""
        page, paginator = self._page, self._page.paginator
        answer = {
            **about,
            "count": paginator.count,
            "page": page.number,
            "pages": paginator.num_pages,
            "page_size": paginator.per_page,
            "next": _address(request, page.number + 1) if page.has_next() else None,
            "previous": _address(request, page.number - 1) if page.has_previous() else None,
            "results": self.rows if lines is None else lines,
        }
        return Response(output(answer, context=context or {}).data)


def _address(request: Request, number: int) -> str:
    query = request.query_params.copy()
    query["page"] = str(number)
    return f"{settings.SITE_URL}{request.path}?{query.urlencode()}"
