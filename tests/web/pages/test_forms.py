"""What people send: what it does, and for bad input a message that names the value, with nothing changed."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from tests.support.factories import make_bot
from tests.web.pages.world import PASSWORD, World
from tournaments.models import Account, Bot, Entrant, Match, Presence, Shard, Tournament
from tournaments.tokens import token_claims

As = Callable[[str], Client]
Path = Callable[[World], str]
Data = Callable[[World], dict[str, Any]]


def state() -> tuple[int, ...]:
    """What bad input must leave as it was."""
    generations = sum(Bot.objects.values_list("token_generation", flat=True))
    counts = (Account.objects, Bot.objects, Entrant.objects, Match.objects, Tournament.objects)
    return (generations, Bot.objects.filter(deleted_at=None).count(), *(rows.count() for rows in counts))


SIGN_UP = {"username": "newcomer", "password1": "long enough 7", "password2": "long enough 7"}
BAD: list[tuple[str, str, Path, Data, str]] = [
    ("sign up: nothing", "", lambda w: "/accounts/signup/", lambda w: {}, "Choose a user name."),
    ("sign up: taken", "", lambda w: "/accounts/signup/", lambda w: SIGN_UP | {"username": "Owner1"}, "“Owner1”: "),
    (
        "sign up: one letter",
        "",
        lambda w: "/accounts/signup/",
        lambda w: SIGN_UP | {"username": "q"},
        "“q” is too short: at least 2 characters.",
    ),
    (
        "sign up: a space",
        "",
        lambda w: "/accounts/signup/",
        lambda w: SIGN_UP | {"username": "two words"},
        "“two words”: ",
    ),
    (
        "sign up: passwords differ",
        "",
        lambda w: "/accounts/signup/",
        lambda w: SIGN_UP | {"password2": "other 12345"},
        "same password",
    ),
    (
        "sign up: short password",
        "",
        lambda w: "/accounts/signup/",
        lambda w: SIGN_UP | {"password1": "x1", "password2": "x1"},
        "at least 8 characters",
    ),
    (
        "sign up: common password",
        "",
        lambda w: "/accounts/signup/",
        lambda w: SIGN_UP | {"password1": "password1", "password2": "password1"},
        "too common",
    ),
    ("log in: nothing", "", lambda w: "/accounts/login/", lambda w: {}, "Give your user name."),
    (
        "log in: wrong password",
        "",
        lambda w: "/accounts/login/",
        lambda w: {"login": "owner1", "password": "wrong"},
        "not correct",
    ),
    (
        "log in: nobody",
        "",
        lambda w: "/accounts/login/",
        lambda w: {"login": "nobody<b>", "password": "wrong"},
        "not correct",
    ),
    (
        "password: wrong old one",
        "owner1",
        lambda w: "/accounts/password/change/",
        lambda w: {"oldpassword": "wrong", "password1": "long enough 8", "password2": "long enough 8"},
        "current password",
    ),
    (
        "new bot: long description",
        "owner1",
        lambda w: "/my-bots/new/",
        lambda w: {"name": "fine name", "description": "d" * 401},
        "has 401 characters: at most 400",
    ),
    (
        "new bot: a null byte",
        "owner1",
        lambda w: "/my-bots/new/",
        lambda w: {"name": "a\x00b"},
        "Null characters are not allowed",
    ),
    (
        "enter: nothing",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {},
        "Choose the bot that is to play.",
    ),
    (
        "enter: another's",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {"bot": w.nasty},
        "is not one of your bots",
    ),
    (
        "enter: nonsense",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {"bot": "<x>"},
        "“<x>” is not one of your bots",
    ),
    (
        "enter: twice",
        "owner2",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {
            "bot": Entrant.objects.get(tournament__public_id=w.opened, bot__owner__username="owner2").bot.public_id
        },
        "is not one of your bots",
    ),
    (
        "enter: deleted",
        "owner2",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {"bot": w.deleted},
        "is not one of your bots",
    ),
    (
        "enter: long share",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {"bot": w.bot, "nonce": "n" * 65},
        "65 characters are too many: at most 64",
    ),
    (
        "enter: odd share",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/enter/",
        lambda w: {"bot": w.bot, "nonce": "näh"},
        "is not 1 to 64 printable ASCII characters",
    ),
    (
        "enter: closed",
        "owner1",
        lambda w: f"/tournaments/{w.finished}/enter/",
        lambda w: {"bot": w.idle},
        "registration is not open",
    ),
    (
        "enter: cancelled",
        "owner1",
        lambda w: f"/tournaments/{w.cancelled}/enter/",
        lambda w: {"bot": w.idle},
        "registration is not open",
    ),
    ("leave: nothing", "owner1", lambda w: f"/tournaments/{w.opened}/leave/", lambda w: {}, "Say which bot."),
    (
        "leave: nonsense",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/leave/",
        lambda w: {"bot": "<b>"},
        "That is not the id of a bot",
    ),
    (
        "leave: not in it",
        "owner1",
        lambda w: f"/tournaments/{w.opened}/leave/",
        lambda w: {"bot": w.idle},
        "is not entered in",
    ),
    (
        "leave: too late",
        "owner1",
        lambda w: f"/tournaments/{w.running}/leave/",
        lambda w: {"bot": w.bot},
        "registration is not open",
    ),
    (
        "test match: nobody",
        "owner1",
        lambda w: f"/my-bots/{w.bot}/test-match/",
        lambda w: {},
        "Choose at least one house bot",
    ),
    (
        "test match: no house bot",
        "owner1",
        lambda w: f"/my-bots/{w.bot}/test-match/",
        lambda w: {"opponents": [w.nasty]},
        "is no house bot that is connected now",
    ),
    (
        "test match: nonsense",
        "owner1",
        lambda w: f"/my-bots/{w.bot}/test-match/",
        lambda w: {"opponents": ["<b>"]},
        "“<b>” is no house bot",
    ),
    (
        "test match: not connected",
        "owner1",
        lambda w: f"/my-bots/{w.idle}/test-match/",
        lambda w: {"opponents": [Bot.objects.filter(is_house=True)[0].public_id]},
        "is not connected: start it with",
    ),
]


@pytest.mark.parametrize(("user", "path", "data", "words"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(world: World, as_user: As, user: str, path: Path, data: Data, words: str) -> None:
    client, before = as_user(user), state()
    answer = client.post(path(world), data(world), follow=True)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert escape(words) in text
    assert "Traceback" not in text
    assert "<b>" not in text
    assert state() == before


FORBIDDEN: list[tuple[str, Path]] = [
    ("token", lambda w: f"/my-bots/{w.bot}/token/"),
    ("test match", lambda w: f"/my-bots/{w.bot}/test-match/"),
    ("delete", lambda w: f"/my-bots/{w.bot}/delete/"),
    ("leave", lambda w: f"/tournaments/{w.opened}/leave/"),
]


@pytest.mark.parametrize(("path"), [case[1] for case in FORBIDDEN], ids=[case[0] for case in FORBIDDEN])
def test_nobody_acts_for_another(world: World, as_user: As, path: Path) -> None:
    before = state()
    data = {"bot": world.bot}
    assert as_user("owner2").post(path(world), data).status_code == 403
    answer = as_user("").post(path(world), data)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/?next=")
    assert state() == before


@pytest.mark.parametrize("what", ["token", "test-match"])
def test_coming_back_from_logging_in_does_nothing(world: World, as_user: As, what: str) -> None:
    before = state()
    answer = as_user("owner1").get(f"/my-bots/{world.bot}/{what}/")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/my-bots/{world.bot}/")
    for what_else in ("enter", "leave"):
        answer = as_user("owner1").get(f"/tournaments/{world.opened}/{what_else}/")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/tournaments/{world.opened}/")
    assert state() == before


# --- what it does --------------------------------------------------------------------------------------------------------


def token_on(text: str) -> str:
    found = re.search(r"CROWNS_TOKEN=(\S+) crowns connect (\w+)\.py --server (\S+:\d+)", text)
    assert found, text
    return found[1]


def test_signing_up_leads_to_ones_bots(as_user: As) -> None:
    answer = as_user("").post("/accounts/signup/", SIGN_UP)
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/my-bots/"
    assert Account.objects.get(username="newcomer").check_password("long enough 7")


def test_logging_in_and_out(as_user: As) -> None:
    client = as_user("")
    answer = client.post("/accounts/login/?next=/bots/", {"login": "owner1", "password": PASSWORD, "next": "/bots/"})
    assert answer.headers["Location"] == "/bots/"
    assert client.post("/accounts/logout/").headers["Location"] == "/"
    assert client.get("/my-bots/").status_code == 302


def test_nobody_is_sent_to_another_site(as_user: As) -> None:
    data = {"login": "owner1", "password": PASSWORD, "next": "https://evil.example/"}
    assert as_user("").post("/accounts/login/", data).headers["Location"] == "/my-bots/"


def test_a_new_bot_comes_with_its_token_shown_once(as_user: As) -> None:
    client = as_user("owner1")
    answer = client.post("/my-bots/new/", {"name": "Fresh one", "description": "It is new."})
    bot = Bot.objects.get(name="Fresh one")
    token = token_on(answer.content.decode())
    claims = token_claims(token)
    assert (claims.bot_id, claims.generation) == (bot.public_id, 1)
    assert "The token is made." in answer.content.decode()
    assert "fresh_one.py" in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert token not in client.get(f"/my-bots/{bot.public_id}/").content.decode()
    assert client.get(f"/bots/{bot.public_id}/").content.decode().count("It is new.") == 1


def test_a_new_token_makes_the_old_one_void(world: World, as_user: As) -> None:
    client = as_user("owner1")
    before = Bot.objects.get(public_id=world.bot).token_generation
    answer = client.post(f"/my-bots/{world.bot}/token/")
    text = answer.content.decode()
    assert token_claims(token_on(text)).generation == before + 1
    assert "The old token is void" in text
    assert "no-store" in answer.headers["Cache-Control"]


def test_deleting_a_bot(world: World, as_user: As) -> None:
    client = as_user("owner1")
    text = client.post(f"/my-bots/{world.idle}/delete/", follow=True).content.decode()
    assert "idle is deleted" in text
    assert Bot.objects.get(public_id=world.idle).deleted_at
    assert client.get(f"/bots/{world.idle}/").status_code == 200
    again = client.post(f"/my-bots/{world.idle}/delete/", follow=True).content.decode()
    assert "was deleted" in again


def test_entering_and_leaving(world: World, as_user: As) -> None:
    client = as_user("owner1")
    text = client.post(f"/tournaments/{world.opened}/enter/", {"bot": world.bot, "nonce": "my own luck"}, follow=True)
    assert "greedy is entered" in text.content.decode()
    entrant = Entrant.objects.get(tournament__public_id=world.opened, bot__public_id=world.bot)
    assert entrant.nonce == "my own luck"
    text = client.post(f"/tournaments/{world.opened}/leave/", {"bot": world.bot}, follow=True)
    assert "greedy has left Winter cup" in text.content.decode()
    assert not Entrant.objects.filter(pk=entrant.pk).exists()


def test_a_full_tournament_says_so(world: World, as_user: As) -> None:
    Tournament.objects.filter(public_id=world.opened).update(max_entrants=3)
    text = as_user("owner1").post(f"/tournaments/{world.opened}/enter/", {"bot": world.bot}).content.decode()
    assert "is full: 3 entrants" in text


def test_registration_that_has_just_closed(world: World, as_user: As) -> None:
    Tournament.objects.filter(public_id=world.opened).update(
        registration_closes_at=timezone.now() - timedelta(seconds=1)
    )
    text = as_user("owner1").post(f"/tournaments/{world.opened}/enter/", {"bot": world.bot}, follow=True)
    assert "has closed" in text.content.decode()


def test_a_test_match_is_made(world: World, as_user: As) -> None:
    Tournament.objects.filter(public_id=world.test).update(status="cancelled")
    house = Bot.objects.filter(is_house=True)
    answer = as_user("owner1").post(
        f"/my-bots/{world.bot}/test-match/", {"opponents": [bot.public_id for bot in house[:2]]}
    )
    match = Match.objects.latest("pk")
    assert answer.headers["Location"] == f"/matches/{match.public_id}/"
    assert match.match_entrants.count() == 3


def test_too_many_opponents(world: World, as_user: As) -> None:
    house = Bot.objects.filter(is_house=True)
    owner, shard = house[0].owner, Shard.objects.get()
    for number in range(5):
        bot = make_bot(f"house number {number}", owner, is_house=True)
        version = bot.versions.create(name="1")
        Presence.objects.create(bot=bot, version=version, shard=shard, connected_at=timezone.now())
    before = state()
    data = {"opponents": list(house.values_list("public_id", flat=True))}
    text = as_user("owner1").post(f"/my-bots/{world.bot}/test-match/", data).content.decode()
    assert "8 opponents are too many" in text
    assert state() == before


def test_the_limit_on_bots(as_user: As, settings: Any) -> None:
    settings.MAX_BOTS_PER_OWNER = 3
    text = as_user("owner1").post("/my-bots/new/", {"name": "one too many"}).content.decode()
    assert "You have 3 bots, the most allowed: delete one first." in text
    assert not Bot.objects.filter(name="one too many").exists()
