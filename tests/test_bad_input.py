"""What people and programs get wrong, on every surface, in one table: each is told which value is wrong and nothing changes.

The surfaces have fuller tables of their own; this one holds them to the same manners.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.apps import apps
from django.test import Client
from django.urls import reverse

from bots.cli import main as crowns
from fivecrowns.bot.v1 import bot_pb2
from tests.support.factories import make_bot, make_organiser, make_owner, make_tournament
from tests.support.referee import RawBot, Site, bot_token, running_referee
from tests.web.api.asking import asker
from tournaments.models import Bot

# -- the command line: arguments, what stands on stdin, and what the answer names -----------------------------------------------

PLAY = ("play", "random", "simple")

COMMAND_LINE: dict[str, tuple[tuple[str, ...], str, str]] = {
    "hand: no card": (("hand", "--wild", "5", "Xx"), "", "Xx"),
    "hand: rank one": (("hand", "--wild", "5", "1h 2h 3h"), "", "1h"),
    "hand: wild rank of no round": (("hand", "--wild", "14", "3h"), "", "14"),
    "hand: wild rank in words": (("hand", "--wild", "king", "3h"), "", "king"),
    "hand: five copies": (("hand", "--wild", "5", "8s 8s 8s 8s 8s"), "", "8s"),
    "hand: thirteen jokers": (("hand", "--wild", "5", " ".join(["JK"] * 13)), "", "JK"),
    "hand: no cards": (("hand", "--wild", "5", ""), "", "card"),
    "hand: a line that is no JSON": (("hand", "--jsonl"), "{oops\n", "error"),
    "hand: a line without cards": (("hand", "--jsonl"), '{"id": 1, "wild": 5}\n', "cards"),
    "hand: a line with a wild in words": (("hand", "--jsonl"), '{"id": 1, "wild": "five", "cards": "3h"}\n', "five"),
    "melds: no card": (("melds", "--wild", "5", "3s 4s Zz"), "", "Zz"),
    "melds: a line of the wrong kind": (("melds", "--jsonl"), "[1]\n", "error"),
    "play: one bot": (("play", "random"), "", "2"),
    "play: fifteen bots": (("play", *["random"] * 15), "", "15"),
    "play: no such bot": (("play", "random", "grandmaster"), "", "grandmaster"),
    "play: no such file": (("play", "random", "nonesuch.py"), "", "nonesuch.py"),
    "play: no games": ((*PLAY, "--games", "0"), "", "0"),
    "play: games in words": ((*PLAY, "--games", "many"), "", "many"),
    "play: a seed in words": ((*PLAY, "--seed", "lucky"), "", "lucky"),
    "verify: no such file": (("verify", "nonesuch.5cgr"), "", "nonesuch.5cgr"),
    "verify: not a record": (("verify", "notes.txt"), "", "notes.txt"),
    "new: not a name": (("new", "my-bot"), "", "my-bot"),
    "new: a name of Python's own": (("new", "random"), "", "random"),
    "connect: no port": (("connect", "random", "--server", "localhost", "--token", "x"), "", "localhost"),
    "connect: a port in words": (("connect", "random", "--server", "localhost:http", "--token", "x"), "", "http"),
    "connect: no token": (("connect", "random", "--server", "localhost:7070"), "", "CROWNS_TOKEN"),
    "connect: no such token file": (
        ("connect", "random", "--server", "localhost:7070", "--token-file", "nonesuch.token"),
        "",
        "nonesuch.token",
    ),
    "no such command": (("dance",), "", "dance"),
}


@pytest.mark.parametrize(("arguments", "stdin", "named"), COMMAND_LINE.values(), ids=COMMAND_LINE)
def test_command_line(
    arguments: tuple[str, ...], stdin: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CROWNS_TOKEN", raising=False)
    (tmp_path / "notes.txt").write_text("remember the milk")
    ran = CliRunner().invoke(crowns, arguments, input=stdin)
    assert ran.exit_code in (1, 2), ran.output
    assert ran.exception is None or isinstance(ran.exception, SystemExit)
    assert named in ran.output
    assert "Traceback" not in ran.output
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


# -- forms and REST: method, address, body, and what the answer names --------------------------------------------------------------

Body = dict[str, Any]
FORMS: dict[str, tuple[str, str, Body, str]] = {
    "bot: no name": ("owner1", "new_bot", {"name": ""}, "Give the bot a name"),
    "bot: one letter": ("owner1", "new_bot", {"name": "x"}, "x"),
    "bot: a name too long": ("owner1", "new_bot", {"name": "n" * 99}, "2 to 30"),
    "bot: control characters": ("owner1", "new_bot", {"name": "ab\x07cd"}, "U+0007"),
    "bot: a name taken": ("owner1", "new_bot", {"name": "ada"}, "ada"),
    "bot: a name that looks like another": ("owner1", "new_bot", {"name": "\u0430da"}, "ada"),
    "sign-up: passwords differ": (
        "anybody",
        "account_signup",
        {"username": "newcomer", "password1": "correct horse battery", "password2": "wrong horse battery"},
        "same password",
    ),
    "sign-up: a name taken": (
        "anybody",
        "account_signup",
        {"username": "owner1", "password1": "correct horse battery", "password2": "correct horse battery"},
        "already exists",
    ),
    "log-in: wrong password": ("anybody", "account_login", {"login": "owner1", "password": "guess"}, "not correct"),
}
REST: dict[str, tuple[str, str, Any, int, str]] = {
    "no such tournament": ("GET", "tournaments/nonesuch", None, 404, "nonesuch"),
    "no such page": ("GET", "bots?page=x", None, 400, "x"),
    "wrong method": ("PUT", "leaderboard", None, 405, "PUT"),
    "torn JSON": ("POST", "bots", b'{"name": ', 400, "line 1"),
    "a name of the wrong type": ("POST", "bots", {"name": 7}, 400, "7"),
    "a name taken": ("POST", "bots", {"name": "ada"}, 409, "ada"),
    "another's bot": ("POST", "tournaments/{open}/entries", {"bot": "{ada}"}, 403, "ada"),
    "an unknown bot": ("POST", "tournaments/{open}/entries", {"bot": "nonesuch"}, 404, "nonesuch"),
}


def every_row() -> dict[str, list[dict[str, Any]]]:
    models = apps.get_app_config("tournaments").get_models()
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


@pytest.fixture
def world() -> dict[str, str]:
    """owner1 has no bot; `ada` is another's and entered in a tournament that is open."""
    make_owner("owner1").set_password("correct horse battery")
    ada = make_bot("ada", make_owner("owner2"))
    return {"ada": ada.public_id, "open": make_tournament([ada], organiser=make_organiser()).public_id}


@pytest.mark.django_db
@pytest.mark.parametrize(("who", "page", "fields", "named"), FORMS.values(), ids=FORMS)
def test_form(world: dict[str, str], who: str, page: str, fields: Body, named: str) -> None:
    client = Client()
    if who != "anybody":
        client.force_login(Bot.owner.field.related_model.objects.get(username=who))
    before = every_row()
    answer = client.post(reverse(page), fields)
    assert answer.status_code == 200
    shown = html.unescape(re.sub(r"<[^>]+>", "", answer.content.decode()))
    assert named in shown
    assert every_row() == before


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "address", "body", "status", "named"), REST.values(), ids=REST)
def test_rest(world: dict[str, str], method: str, address: str, body: Any, status: int, named: str) -> None:
    asking = asker(Bot.owner.field.related_model.objects.get(username="owner1"))
    if isinstance(body, dict):
        body = {key: value.format(**world) if isinstance(value, str) else value for key, value in body.items()}
    before = every_row()
    answer = asking.ask(method, address.format(**world), body)
    assert answer.status_code == status, answer.content
    said = answer.json()
    assert set(said) == {"code", "message", "extra"}
    assert named in said["message"]
    assert every_row() == before


# -- the protocol: what a bot says first, and what the refusal names ---------------------------------------------------------------

PROTOCOL: dict[str, tuple[dict[str, Any], Callable[[bot_pb2.Hello], None] | None, str]] = {
    "a token of nothing": ({"token": "nonsense"}, None, "token"),
    "a token that expired": ({"token": bot_token("b1", lifetime_s=-9)}, None, "expired"),
    "a token that was rotated": ({"token": bot_token("b1", generation=0)}, None, "newer"),
    "a bot that is gone": ({"token": bot_token("stranger")}, None, "does not exist"),
    "no version": ({"version": " "}, None, "bot_version"),
    "a version too long": ({"version": "v" * 41}, None, "v" * 41),
    "no games": ({"max_games": 0}, None, "max_games is 0"),
    "another protocol": ({}, lambda hello: setattr(hello, "protocol_version", 9), "protocol version 9"),
    "other rules": ({}, lambda hello: setattr(hello, "rules_version", 7), "rules version 7"),
    "a table of fifteen": ({}, lambda hello: hello.seats.append(15), "seats 15"),
}


class Misled(RawBot):
    """A bot whose Hello is changed on its way."""

    change: Callable[[bot_pb2.Hello], None] | None = None

    @property
    def hello(self) -> bot_pb2.Hello:
        hello = super().hello
        if self.change:
            self.change(hello)
        return hello


@pytest.mark.parametrize(("fields", "change", "named"), PROTOCOL.values(), ids=PROTOCOL)
async def test_protocol(
    tmp_path: Path, fields: dict[str, Any], change: Callable[[bot_pb2.Hello], None] | None, named: str
) -> None:
    async with running_referee(tmp_path) as site:
        await site.sync(["b1"])
        bot = Misled(site.referee.bots_port, "b1", **fields)
        bot.change = change
        async with asyncio.timeout(10):
            await bot.play()
        (refusal,) = bot.messages("refusal")
        assert named in refusal.message
        assert not refusal.retry
        assert_nobody_came_in(site)


def assert_nobody_came_in(site: Site) -> None:
    assert list(site.referee.lobby) == []


def test_the_table_is_long() -> None:
    assert len(COMMAND_LINE) + len(FORMS) + len(REST) + len(PROTOCOL) >= 40
