"""A tournament to take away."""

import json
from collections.abc import AsyncIterator, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from web.api.lookups import find_tournament
from web.exports import records_archive, results_csv, standings_csv, tournament_json
from web.pages.finding import found

FILES = ("tournament.json", "standings.csv", "results.csv", "records.zip")


@require_safe
def export(request: HttpRequest, tournament: str, name: str) -> HttpResponseBase:
    row = found(find_tournament, tournament, request.user)
    if name not in FILES:
        raise Http404(f"there is no {name!r}: there are {', '.join(FILES)}")
    answer = _records(request, row) if name == "records.zip" else _whole(row, name)
    answer.headers["Content-Disposition"] = f'attachment; filename="{row.public_id}-{name}"'
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _whole(row: Tournament, name: str) -> HttpResponse:
    if name == "tournament.json":
        text = json.dumps(tournament_json(row), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        return HttpResponse(text, content_type="application/json")
    text = standings_csv(row) if name == "standings.csv" else results_csv(row)
    return HttpResponse(text, content_type="text/csv; charset=utf-8")


def _records(request: HttpRequest, row: Tournament) -> StreamingHttpResponse:
    parts = records_archive(row, request.user)
    is_async = isinstance(request, ASGIRequest)
    return StreamingHttpResponse(_from_afar(parts) if is_async else parts, content_type="application/zip")


async def _from_afar(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The server's loop goes on with others while rows are read."""
    following = sync_to_async(partial(next, parts, None))
    while (part := await following()) is not None:
        yield part
