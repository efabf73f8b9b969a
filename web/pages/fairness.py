"""The fairness report of a tournament."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.selectors.fairness import tournament_fairness
from web.api.lookups import find_tournament
from web.pages.finding import found
from web.pages.tournaments import SECTION


@require_safe
def fairness(request: HttpRequest, tournament: str) -> HttpResponse:
    row = found(find_tournament, tournament, request.user)
    report = tournament_fairness(row)
    context = {"section": SECTION, "tournament": row, "report": report, "seats": range(report.most_seats)}
    return render(request, "pages/fairness_report.html", context)
