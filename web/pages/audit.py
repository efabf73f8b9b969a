"""Who did what to a tournament, for its organiser and the operator."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.selectors.audit import audit_list, shown_entries
from web.api.lookups import find_own_tournament
from web.pages.finding import account_of, found
from web.pages.paging import paged

ENTRIES_A_PAGE = 50


@login_required
@require_safe
def audit(request: HttpRequest, tournament: str) -> HttpResponse:
    row = found(find_own_tournament, tournament, account_of(request))
    part = paged(request, audit_list(row), ENTRIES_A_PAGE)
    context = {
        "section": "tournament_list",
        "tournament": row,
        "part": part,
        "entries": shown_entries(row, list(part.page.object_list)),
    }
    return render(request, "pages/audit.html", context)
