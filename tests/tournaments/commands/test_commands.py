"""Management commands an operator or `crowns up` calls."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django.fixtures import Settings

from tests.support.factories import make_bot, make_owner
from tournaments.models import Account, Bot, Shard
from tournaments.selectors.bots import bot_of_token

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().strip()


def test_the_first_start_and_the_second(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    first = json.loads(run("crowns_init", "--json", "--house-bot=random", "--house-bot=greedy"))
    assert (first["username"], first["admin_url"]) == ("organiser", "http://127.0.0.1:8000/admin/")
    organiser = authenticate(username="organiser", password=first["password"])
    assert organiser == Account.objects.get(is_superuser=True)
    tokens = {path.stem: path.read_text() for path in (tmp_path / "house").iterdir()}
    assert {name: bot_of_token(token).name for name, token in tokens.items()} == {
        "random": "random",
        "greedy": "greedy",
    }
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "house").iterdir()} == {0o600}
    assert [bot.is_house for bot in Bot.objects.all()] == [True, True]
    assert [shard.name for shard in Shard.objects.all()] == ["main"]

    second = json.loads(run("crowns_init", "--json", "--house-bot=random", "--house-bot=greedy"))
    assert second["password"] is None
    assert {path.stem: path.read_text() for path in (tmp_path / "house").iterdir()} == tokens
    assert Bot.objects.count() == 2
    assert run("crowns_init", "--house-bot=random") == "ready: http://127.0.0.1:8000/admin/"


def test_a_lost_token_file_is_made_anew(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    run("crowns_init", "--house-bot=random")
    file = tmp_path / "house" / "random.token"
    old = file.read_text()
    file.unlink()
    run("crowns_init", "--house-bot=random")
    assert file.read_text() != old
    assert bot_of_token(file.read_text()).token_generation == 2


def test_a_name_that_another_has_taken(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    make_bot("random")
    with pytest.raises(CommandError, match="house bot 'random': the name 'random' is taken"):
        run("crowns_init", "--house-bot=random")


def test_an_organiser_who_is_none(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    make_owner("organiser")
    with pytest.raises(CommandError, match="the account 'organiser' exists and is no superuser"):
        run("crowns_init", "--no-house-bots")


def test_a_token_by_name_or_id() -> None:
    bot = make_bot("planner")
    assert bot_of_token(run("crowns_token", "planner")) == bot
    assert bot_of_token(run("crowns_token", bot.public_id)) == bot
    with pytest.raises(CommandError, match="no bot has the name or id 'nobody'"):
        run("crowns_token", "nobody")
