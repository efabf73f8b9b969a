from typing import Any

from django.http import HttpRequest, HttpResponse


def write_a_bot(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)


def download(request: HttpRequest, **which: Any) -> HttpResponse:
    return HttpResponse(status=404)
