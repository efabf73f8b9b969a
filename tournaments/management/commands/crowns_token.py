"""`manage.py crowns_token BOT`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from tournaments.models import Bot
from tournaments.services.bots import bot_rotate_token


class Command(BaseCommand):
    help = "Make a new token for a bot and print it. Older tokens of the bot are void from then on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("bot", help="its name or its id as in addresses")

    def handle(self, *args: Any, bot: str, **options: Any) -> None:
        found = Bot.objects.filter(Q(name=bot) | Q(public_id=bot), deleted_at=None).select_related("owner").first()
        if found is None:
            raise CommandError(f"no bot has the name or id {bot!r}")
        self.stdout.write(bot_rotate_token(bot=found, actor=found.owner))
