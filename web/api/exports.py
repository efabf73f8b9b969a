"""A tournament to take away, as files: the same for the API and the pages."""

import json
from collections.abc import AsyncIterator, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from tournaments.errors import TournamentError
from tournaments.models import Tournament
from web.api.lookups import Viewer, find_tournament
from web.api.view import ApiView
from web.exports import records_archive, results_csv, standings_csv, tournament_json

FILES = {
    "tournament.json": "application/json",
    "standings.csv": "text/csv; charset=utf-8",
    "results.csv": "text/csv; charset=utf-8",
    "records.zip": "application/zip",
}
_NAME = OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(FILES))


class TournamentExport(ApiView):
    @extend_schema(
        parameters=[_NAME],
        responses={(200, kind.partition(";")[0]): OpenApiTypes.BINARY for kind in FILES.values()},
    )
    def get(self, request: Request, tournament: str, name: str) -> HttpResponseBase:
        """A tournament as a file: everything as JSON, standings and results as CSV, the game records as an archive

        Each shows what the asker may see, and no more.
        """
        row = find_tournament(tournament, request.user)
        if name not in FILES:
            raise TournamentError("not_found", f"there is no {name!r}: there are {', '.join(FILES)}", name=name)
        return export_answer(request._request, row, request.user, name)


def export_answer(request: HttpRequest, row: Tournament, viewer: Viewer, name: str) -> HttpResponseBase:
    """The file of that name, to be saved."""
    answer = _records(request, row, viewer) if name == "records.zip" else HttpResponse(_text(row, name))
    answer.headers["Content-Type"] = FILES[name]
    answer.headers["Content-Disposition"] = f'attachment; filename="{row.public_id}-{name}"'
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _text(row: Tournament, name: str) -> str:
    if name == "tournament.json":
        return json.dumps(tournament_json(row), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    return standings_csv(row) if name == "standings.csv" else results_csv(row)


def _records(request: HttpRequest, row: Tournament, viewer: Viewer) -> StreamingHttpResponse:
    parts = records_archive(row, viewer)
    return StreamingHttpResponse(_from_afar(parts) if isinstance(request, ASGIRequest) else parts)


async def _from_afar(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The server's loop goes on with others while rows are read."""
    following = sync_to_async(partial(next, parts, None))
    while (part := await following()) is not None:
        yield part
