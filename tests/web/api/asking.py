"""Asking the API as somebody."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client
from knox.models import get_token_model

from tournaments.models import Account, Bot
from tournaments.services.bots import bot_rotate_token

ROOT = "/api/v1/"


class Asker:
    """Anybody; `asker(account)` and `asking_bot(bot)` have a token. Paths are below /api/v1/ unless they begin with a slash."""

    def __init__(self, authorization: str = "") -> None:
        self._client = Client(raise_request_exception=False)
        self._headers = {"Authorization": authorization} if authorization else {}

    def ask(self, method: str, path: str, body: Any = None, *, content_type: str = "application/json") -> HttpResponse:
        """`body` goes as JSON, bytes go as they are."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        path = path if path.startswith("/") else ROOT + path
        return self._client.generic(method, path, data, content_type=content_type, headers=self._headers)

    def get(self, path: str) -> Any:
        """What is answered, which must be well."""
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.ask("POST", path, body)
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    def delete(self, path: str) -> None:
        answer = self.ask("DELETE", path)
        assert answer.status_code == 204, answer.content


def asker(account: Account) -> Asker:
    _, token = get_token_model().objects.create(user=account)
    return Asker(f"Token {token}")


def asking_bot(bot: Bot) -> Asker:
    return Asker(f"Bearer {bot_rotate_token(bot=bot, actor=bot.owner)}")
