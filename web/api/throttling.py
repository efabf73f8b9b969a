"""How often one may ask; the rates are in the settings. None of this touches games: bots play over gRPC."""

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from tournaments.models import Bot


class BotRate(SimpleRateThrottle):
    """Per bot: an owner with many of them asks for each."""

    scope = "bot"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        bot = request.auth
        ident = bot.public_id if isinstance(bot, Bot) else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
