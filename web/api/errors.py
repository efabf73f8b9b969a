"""The one place where errors become answers: `{code, message, extra}`, whatever went wrong."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.log import log_response
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from tournaments.errors import TournamentError

RETRY_AFTER_S = 5
"""What a caller is told when the database does not answer."""

STATUS = {
    "bad_request": 400,
    "invalid": 400,
    "malformed_json": 400,
    "name_refused": 400,
    "not_a_house_bot": 400,
    "same_version": 400,
    "bad_token": 401,
    "not_authenticated": 401,
    "wrong_login": 401,
    "csrf_failed": 403,
    "entry_private": 403,
    "not_operator": 403,
    "not_organiser": 403,
    "not_visible": 403,
    "not_your_bot": 403,
    "wrong_code": 403,
    "no_record": 404,
    "no_such_page": 404,
    "not_entered": 404,
    "not_found": 404,
    "already_entered": 409,
    "already_withdrawn": 409,
    "bot_deleted": 409,
    "bot_not_connected": 409,
    "entry_closed": 409,
    "late_entry_refused": 409,
    "invalid_transition": 409,
    "later_match_begun": 409,
    "name_taken": 409,
    "no_house_bots": 409,
    "not_enough_entrants": 409,
    "not_running": 409,
    "too_many_bots": 409,
    "too_many_comparisons": 409,
    "too_many_entries": 409,
    "too_many_test_matches": 409,
    "tournament_full": 409,
    "too_large": 413,
}
"""Every code of a `TournamentError`: the asker may mend 400 and 404, must be someone else for 401 and 403, and for 409 the
state must change."""


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """For REST_FRAMEWORK: never None, so that no error page of another kind comes out of the API."""
    set_rollback()
    match error:
        case TournamentError():
            return _answer(STATUS.get(error.code, 400), error.code, error.message, error.extra)
        case exceptions.APIException():
            return _of_framework(error, context)
        case Http404():
            return _answer(404, "not_found", "there is nothing here")
        case PermissionDenied():
            return _answer(403, "permission_denied", "this account may not do that")
        case SuspiciousOperation() | UnreadablePostError():
            return _answer(400, "bad_request", f"the request cannot be read: {error}")
        case OperationalError() | InterfaceError():
            answer = _again_in(RETRY_AFTER_S, 503, "unavailable", "the database does not answer: try again")
            return _unexpected(error, context, answer)
        case _:
            return _unexpected(
                error, context, _answer(500, "internal", "an error of ours: it is logged, and not yours")
            )


def _of_framework(error: exceptions.APIException, context: Mapping[str, Any]) -> Response:
    match error:
        case exceptions.MethodNotAllowed():
            allowed = ", ".join(context["view"].allowed_methods)
            answer = _answer(405, error.default_code, f"{context['request'].method} is not allowed here: use {allowed}")
        case exceptions.UnsupportedMediaType():
            sent = context["request"].content_type
            answer = _answer(415, error.default_code, f"a body of type {sent!r} is not read: send application/json")
        case exceptions.Throttled():
            wait_s = max(1, int(getattr(error, "wait", None) or 1))
            message = f"too many requests: the next one is answered in {wait_s} s"
            answer = _again_in(wait_s, 429, error.default_code, message)
        case exceptions.NotAuthenticated():
            message = "log in first: POST /api/v1/login answers a token, to be sent as `Authorization: Token ...`"
            answer = _answer(error.status_code, error.default_code, message)
        case _:
            code = getattr(error.detail, "code", error.default_code)
            answer = _answer(error.status_code, str(code), str(error.detail))
    if header := getattr(error, "auth_header", None):
        answer["WWW-Authenticate"] = header
    return answer


def _unexpected(error: Exception, context: Mapping[str, Any], answer: Response) -> Response:
    """The traceback goes to the log, where Django puts those of pages."""
    request = context["request"]._request
    log_response("%s: %s", type(error).__name__, request.path, response=answer, request=request, exception=error)
    return answer


def _again_in(wait_s: int, status: int, code: str, message: str) -> Response:
    answer = _answer(status, code, message, {"retry_after": wait_s})
    answer["Retry-After"] = str(wait_s)
    return answer


def _answer(status: int, code: str, message: str, extra: Mapping[str, Any] | None = None) -> Response:
    return Response({"code": code, "message": message, "extra": dict(extra or {})}, status=status)
