from typing import Any

from django.http import HttpRequest, HttpResponse


def tournament_list(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def tournament(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def live(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def a_round(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def enter(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def leave(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)
