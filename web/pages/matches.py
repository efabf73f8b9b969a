from typing import Any

from django.http import HttpRequest, HttpResponse


def match(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def live(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)
