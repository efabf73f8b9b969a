"""`manage.py crowns_init`"""

import json
import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.errors import TournamentError
from tournaments.models import Account, Bot
from tournaments.services.bots import bot_create, bot_rotate_token
from tournaments.services.shards import shards_configure

HOUSE = "house"
ORGANISER = "organiser"
HOUSE_BOTS = ("random", "simple", "greedy", "planner")


class Command(BaseCommand):
    help = (
        "Make the database ready: tables, shards, an organiser, house bots. Safe to repeat. Each house bot's token is "
        "kept in house/NAME.token of the data folder; the organiser's password is printed when the account is made, only then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print one line of JSON: username, password or null, admin_url"
        )
        parser.add_argument(
            "--house-bot",
            dest="house_bots",
            action="append",
            metavar="NAME",
            help=f"make this house bot; may be repeated (default: {', '.join(HOUSE_BOTS)})",
        )
        parser.add_argument(
            "--no-house-bots", dest="house_bots", action="store_const", const=[], help="make no house bots"
        )

    def handle(self, *args: Any, json: bool, house_bots: list[str] | None, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        shards_configure()
        made = {
            "username": ORGANISER,
            "password": _make_organiser(),
            "admin_url": f"{settings.SITE_URL}/admin/",
        }
        for name in HOUSE_BOTS if house_bots is None else house_bots:
            try:
                _make_house_bot(name)
            except TournamentError as error:
                raise CommandError(f"house bot {name!r}: {error}") from error
        self.stdout.write(_as_json(made) if json else _as_text(made))


def _as_json(made: dict[str, str | None]) -> str:
    return json.dumps(made)


def _as_text(made: dict[str, str | None]) -> str:
    if made["password"] is None:
        return f"ready: {made['admin_url']}"
    return f"{made['admin_url']}\nuser {made['username']}\npassword {made['password']} (shown this once)"


def _make_organiser() -> str | None:
    """The password of the account made now; None if there is one already."""
    if Account.objects.filter(is_superuser=True).exists():
        return None
    if Account.objects.filter(username=ORGANISER).exists():
        raise CommandError(
            f"the account {ORGANISER!r} exists and is no superuser: make one with `manage.py createsuperuser`"
        )
    password = secrets.token_urlsafe(12)
    Account.objects.create_superuser(ORGANISER, password=password)
    return password


def _make_house_bot(name: str) -> None:
    """The bot, and a file with its token that only the user reads: it stays the same from start to start."""
    owner = Account.objects.filter(username=HOUSE).first() or Account.objects.create_user(HOUSE)
    bot = Bot.objects.filter(owner=owner, name=name, deleted_at=None).first()
    if bot is None:
        bot = bot_create(owner=owner, name=name, description="A reference bot.", is_house=True)
    file = Path(settings.DATA_DIR) / "house" / f"{name}.token"
    if file.exists() and bot.token_generation:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write(bot_rotate_token(bot=bot, actor=owner))
