"""Names that mean harm: those the rules let in are shown as they are, those they refuse are named and change nothing."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.html import escape

from tests.support.factories import make_bot, make_owner
from tests.web.pages.world import World
from tournaments.models import Account, Bot, Tournament
from tournaments.services.registration import entrant_enter

As = Callable[[str], Client]

LET_IN = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</bdi></a><h1>big</h1>",
    "{{ settings.SECRET_KEY }}",
    "{% now 'Y' %}",
    '"><svg onload=alert(2)>',
    "' OR 1=1 --",
    "&lt;b&gt; &amp; &quot;",
    "javascript:alert(3)",
    "${7*7} #{7*7}",
    "שלום bot",
    "مرحبا 7",
    "e\u0301tude no 1",
    "👩‍👩‍👧‍👦 family 4",
    "a" * 30,
    "../../etc/passwd 9",
    "null",
    "-0.0e99",
    "\\u003cb\\u003e",
    "?page=2&next=//evil",
]
REFUSED = {
    "a right-to-left override": ("abc\u202etxt", "U+202E"),
    "a zero-width space": ("ab\u200bc", "U+200B"),
    "piled-up marks": ("z\u0301\u0302\u0303algo", "piles up marks"),
    "a control character": ("ab\x07c", "U+0007"),
    "a line break": ("ab\ncd", "U+000A"),
    "no letter": ("<>&", "no letter and no digit"),
    "too short": ("x", "has 1 characters"),
    "too long": ("<b>" + "y" * 40, "has 43 characters"),
    "nothing but spaces": ("   ", "has 0 characters: give 2 to 30"),
    "nothing": ("", "Give the bot a name"),
    "far too long": ("z" * 500, "A name of 500 characters"),
}


@pytest.mark.parametrize("name", LET_IN)
def test_a_name_is_text_wherever_it_stands(world: World, as_user: As, name: str) -> None:
    owner = make_owner("owner9")
    bot = make_bot(name, owner)
    opened = Tournament.objects.get(public_id=world.opened)
    entrant_enter(tournament=opened, bot=bot, actor=owner)
    client = as_user("owner9")
    places = (f"/bots/{bot.public_id}/", "/bots/?q=owner9", f"/tournaments/{world.opened}/", "/my-bots/")
    for path in (*places, f"/my-bots/{bot.public_id}/"):
        text = client.get(path).content.decode()
        assert f"<bdi>{escape(bot.name)}</bdi>" in text, path
        if escape(bot.name) != bot.name:
            assert bot.name not in text, path


@pytest.mark.parametrize(("name", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refused_name_is_named_and_nothing_changes(as_user: As, name: str, words: str) -> None:
    before = Bot.objects.count()
    answer = as_user("owner1").post("/my-bots/new/", {"name": name, "description": "d"})
    text = answer.content.decode()
    assert answer.status_code == 200
    assert escape(words) in text
    assert "<b>yyy" not in text
    assert Bot.objects.count() == before


@pytest.mark.parametrize(
    "name", ["greedy", "GREEDY", "gгeedy".replace("г", "r"), "greedу"], ids=["same", "case", "again", "look-alike"]
)
def test_a_name_that_is_taken(as_user: As, name: str) -> None:
    before = Bot.objects.count()
    text = as_user("owner3").post("/my-bots/new/", {"name": name}).content.decode()
    assert "is taken" in text
    assert Bot.objects.count() == before


def test_user_names_are_ascii(as_user: As) -> None:
    before = Account.objects.count()
    answer = as_user("").post(
        "/accounts/signup/", {"username": "оwner1", "password1": "long enough 7", "password2": "long enough 7"}
    )
    assert "“оwner1”" in answer.content.decode()
    assert Account.objects.count() == before
