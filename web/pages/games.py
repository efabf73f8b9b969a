from typing import Any

from django.http import HttpRequest, HttpResponse


def game(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def record(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)
