"""`manage.py crowns_init`"""

import json
import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from tournaments.models import Account, Bot
from tournaments.services.bots import bot_create, bot_rotate_token
from tournaments.services.shards import shards_configure

HOUSE = "house"
ORGANISER = "organiser"
HOUSE_BOTS = ("random", "simple", "greedy", "planner")
HOUSE_GAMES = 8


class Command(BaseCommand):
    help = (
        "Make the database ready: tables, static files, an organiser, house bots and their tokens. Safe to repeat. Prints one line of "
        "JSON; the organiser's password is in it the first time only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-static", action="store_true", help="do not collect static files")
        parser.add_argument("--no-house-bots", action="store_true", help="make no house bots")

    def handle(self, *args: Any, no_static: bool, no_house_bots: bool, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        if settings.HASHED_STATIC and not no_static:
            call_command("collectstatic", interactive=False, verbosity=0)
        shards_configure()
        password = _make_organiser()
        tokens = {} if no_house_bots else _make_house_bots(settings.DATA_DIR / "secrets" / "house_tokens.json")
        answer = {
            "organiser": ORGANISER,
            "password": password,
            "admin_url": f"{settings.SITE_URL}/admin/",
            "site_url": settings.SITE_URL,
            "house_bots": sorted(tokens),
            "house_tokens_file": str(settings.DATA_DIR / "secrets" / "house_tokens.json") if tokens else None,
        }
        self.stdout.write(json.dumps(answer))


def _make_organiser() -> str | None:
    """The password of the account made now; None if there is one already."""
    if Account.objects.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    Account.objects.create_superuser(ORGANISER, password=password)
    return password


def _make_house_bots(file: Path) -> dict[str, str]:
    """Name -> token. Tokens are kept in a file that only the user reads, so that the bots can be started again."""
    kept: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    owner, _ = Account.objects.get_or_create(username=HOUSE, defaults={"password": "!"})
    for name in HOUSE_BOTS:
        bot = Bot.objects.filter(owner=owner, name=name, deleted_at=None).first()
        if bot is None:
            bot = bot_create(
                owner=owner, name=name, description="A reference bot.", is_house=True, max_games=HOUSE_GAMES
            )
        if name not in kept or not bot.token_generation:
            kept[name] = bot_rotate_token(bot=bot, actor=owner)
    file.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        json.dump(kept, out, indent=1)
    return kept
