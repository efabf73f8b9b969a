"""From the id in an address to its row; where there is none, the answer is a page that says so."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from tournaments.errors import TournamentError
from tournaments.models import Account

Asked = ParamSpec("Asked")
Row = TypeVar("Row")


def found(find: Callable[Asked, Row], *args: Asked.args, **kwargs: Asked.kwargs) -> Row:
    """What `find` finds. Nothing there is a 404, another's is a 403."""
    try:
        return find(*args, **kwargs)
    except TournamentError as error:
        if error.code == "not_found":
            raise Http404(error.message) from error
        raise PermissionDenied(error.message) from error


def account_of(request: HttpRequest) -> Account:
    """Whoever asks, in a view for those who are logged in."""
    assert isinstance(request.user, Account)
    return request.user
