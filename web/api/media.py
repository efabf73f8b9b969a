"""What comes in and what goes out: JSON, bounded, whatever else is asked for."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from tournaments.errors import TournamentError

MAX_BODY_BYTES = 64 * 1024
_SHOWN = 24


class BoundedJSONParser(JSONParser):
    """Strict JSON in UTF-8 up to `MAX_BODY_BYTES`; no depth of nesting is too much for it."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        data: bytes = stream.read(MAX_BODY_BYTES + 1)
        if len(data) > MAX_BODY_BYTES:
            raise TournamentError("too_large", f"the body is longer than {MAX_BODY_BYTES} bytes", limit=MAX_BODY_BYTES)
        try:
            return json.loads(data.decode(), parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            there = error.doc[error.pos : error.pos + _SHOWN]
            raise _malformed(f"{error.msg} at {there!r}, line {error.lineno} column {error.colno}") from error
        except UnicodeDecodeError as error:
            raise _malformed(f"byte {error.start} is not UTF-8") from error
        except RecursionError as error:
            raise _malformed("it is nested too deeply") from error
        except ValueError as error:
            raise _malformed(str(error)) from error


class JSONAlways(BaseContentNegotiation):
    """One form of answer, so that no `Accept` can be wrong."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The one for the body's type; a body without a type is taken for JSON."""
        sent = (request.content_type or "application/json").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _malformed(problem: str) -> ParseError:
    return ParseError(f"the body is no JSON: {problem}", code="malformed_json")
