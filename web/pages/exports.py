"""A tournament to take away."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from web.api.exports import FILES, export_answer
from web.api.lookups import find_tournament
from web.pages.finding import found


@require_safe
def export(request: HttpRequest, tournament: str, name: str) -> HttpResponseBase:
    row = found(find_tournament, tournament, request.user)
    if name not in FILES:
        raise Http404(f"there is no {name!r}: there are {', '.join(FILES)}")
    return export_answer(request, row, request.user, name)
