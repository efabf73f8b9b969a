from typing import Any

from django.http import HttpRequest, HttpResponse


def bot_list(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def bot(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def leaderboard(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)
