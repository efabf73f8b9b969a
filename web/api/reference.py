"""The OpenAPI document as a page, and the answer where there is nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import resolve, reverse
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from web.api.schema import document
from web.api.view import ApiView

ACCESS = {
    ("account_token", "site_session"): "an account, by token or session",
    ("account_token",): "an account, by token",
    ("bot_token",): "a bot, by the token it plays with",
}
"""By the ways in; those that let anybody in have one more, which is empty."""
PAGE = ("page", "page_size")
WORDS = {"date-time": "time", "double": "number", "uri": "address", "binary": "bytes", "string": "text"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field holds: `list of` is before the name of a shape, which the page links to."""

    before: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A filter, or a field of a shape."""

    name: str
    kind: Kind
    about: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    method: str
    path: str
    summary: str
    description: str
    access: str
    """Empty: anybody."""
    filters: tuple[Line, ...]
    """What may be asked for, besides a page."""
    is_paged: bool
    body: Kind | None
    status: str
    answer: Kind | None


@dataclass(frozen=True, slots=True)
class Shape:
    name: str
    about: str
    lines: tuple[Line, ...]
    values: tuple[str, ...]
    """Of an enumeration."""


def reference(request: HttpRequest) -> HttpResponse:
    groups, shapes = _told()
    return render(request, "api/reference.html", {"groups": groups, "shapes": shapes})


class Nowhere(ApiView):
    """Whatever no other address matches."""

    schema = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """One slash too many is forgiven; method and body go along."""
        without = request.path.rstrip("/")
        if without != request.path and getattr(resolve(without).func, "cls", None) is not type(self):
            query = request.META.get("QUERY_STRING", "")
            return HttpResponsePermanentRedirect(f"{without}?{query}" if query else without, preserve_request=True)
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound(f"there is nothing at {request.path!r}: {reverse('api_reference')} lists what there is")


@cache
def _told() -> tuple[dict[str, list[Operation]], list[Shape]]:
    schema = document()
    groups: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method, told in methods.items():
            groups.setdefault(told["tags"][0].replace("_", " "), []).append(_operation(method, path, told))
    return groups, [_shape(name, told) for name, told in schema["components"]["schemas"].items()]


def _operation(method: str, path: str, told: Mapping[str, Any]) -> Operation:
    status, answer = next(iter(told["responses"].items()))
    ways = [next(iter(way), "") for way in told.get("security", [])]
    query = [each for each in told.get("parameters", []) if each["in"] == "query"]
    return Operation(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        summary=_plain(told["summary"]),
        description=_plain(told.get("description", "")),
        access=ACCESS.get(tuple(ways), ""),
        filters=tuple(
            _line(each["name"], each["schema"], each.get("description", ""), False)
            for each in query
            if each["name"] not in PAGE
        ),
        is_paged=any(each["name"] in PAGE for each in query),
        body=_content(told.get("requestBody", {})),
        status=status,
        answer=_content(answer),
    )


def _content(told: Mapping[str, Any]) -> Kind | None:
    return next((_kind(each["schema"]) for each in told.get("content", {}).values()), None)


def _shape(name: str, told: Mapping[str, Any]) -> Shape:
    required = told.get("required", [])
    lines = (
        _line(field, each, each.get("description", ""), field in required)
        for field, each in told.get("properties", {}).items()
    )
    return Shape(name, _plain(told.get("description", "")), tuple(lines), tuple(map(str, told.get("enum", []))))


def _line(name: str, schema: Mapping[str, Any], about: str, is_required: bool) -> Line:
    return Line(name, _kind(schema), _plain(about), is_required)


def _kind(schema: Mapping[str, Any], before: str = "") -> Kind:
    if named := schema.get("$ref"):
        return Kind(before, named.rpartition("/")[2])
    if wrapped := schema.get("allOf") or schema.get("oneOf"):
        return _kind(wrapped[0], before)
    if schema.get("type") == "array":
        return _kind(schema["items"], f"{before}list of ")
    plain = schema.get("format") or schema.get("type", "anything")
    return Kind(before + WORDS.get(plain, plain))


def _plain(text: str) -> str:
    """The document's texts mark code as Markdown does; the page has none of it."""
    return text.replace("`", "")
