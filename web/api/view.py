"""What all operations have in common."""

from typing import Any

from django.utils.cache import patch_cache_control, patch_vary_headers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import Account


class ApiView(APIView):
    """A class per address, a method per operation; `Query` and `Input` are what it takes, `Output` what it answers."""

    http_method_names = ("get", "post", "delete", "head")

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before anybody is told to log in for what nobody may do."""
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """What one account sees, no cache may show to another."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(answer, private=True)
        patch_vary_headers(answer, ("Authorization", "Cookie"))
        return answer


def account_of(request: Request) -> Account:
    """Whoever asks, where a permission has seen to it that he is logged in."""
    assert isinstance(request.user, Account)
    return request.user
