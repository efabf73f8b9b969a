"""Who asks. Accounts come with a token of their own or the site's session; a bot's token is read at one address alone."""

from typing import Any

from knox.auth import TokenAuthentication
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from tournaments.errors import TournamentError
from tournaments.models import Account, Bot
from tournaments.selectors.bots import bot_of_token

BAD_TOKEN = "bad_token"  # noqa: S105 - the code of an error


class AccountToken(TokenAuthentication):
    """`Authorization: Token ...`, from the log-in; stored hashed."""

    def authenticate(self, request: Request) -> tuple[Account, Any] | None:
        header = get_authorization_header(request).split()
        if header and header[0].lower() != b"token":
            raise _refused(
                "an account is known here by `Authorization: Token ...`; a bot's token is read at /api/v1/bot alone"
            )
        if header and len(header) != 2:
            raise _refused("the header names no token, or more than one: log in and send the one that is answered")
        found: tuple[Account, Any] | None = super().authenticate(request)
        return found

    def authenticate_credentials(self, token: bytes) -> tuple[Account, Any]:
        """Knox takes whatever is no hexadecimal for an error of its own."""
        if not token.isalnum():
            raise _refused("this is not a token of an account: log in and copy the one that is answered")
        try:
            found: tuple[Account, Any] = super().authenticate_credentials(token)
        except AuthenticationFailed as error:
            raise _refused("this token is not known, has expired or was logged out: log in again") from error
        return found


class SiteSession(SessionAuthentication):
    """The cookie of the site, with its CSRF token for everything that writes."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            message = f"{error.detail} A session needs the header X-CSRFToken; a token needs none"
            raise PermissionDenied(message, code="csrf_failed") from error


class BotToken(BaseAuthentication):
    """`Authorization: Bearer ...`, the token a bot plays with; `request.auth` is the bot, `request.user` its owner."""

    def authenticate(self, request: Request) -> tuple[Account, Bot] | None:
        header = get_authorization_header(request).split()
        if not header:
            return None
        if len(header) != 2 or header[0].lower() != b"bearer":
            raise _refused("a bot is known here by `Authorization: Bearer ...` with the token it plays with")
        try:
            bot = bot_of_token(header[1].decode("latin-1"))
        except TournamentError as error:
            raise AuthenticationFailed(error.message, code=error.code) from error
        return bot.owner, bot

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _refused(message: str) -> AuthenticationFailed:
    return AuthenticationFailed(message, code=BAD_TOKEN)
