from typing import Any

from django.http import HttpRequest, HttpResponse


def my_bots(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def new(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def my_bot(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def token(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def test_match(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def delete(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)
