"""Everything a caller can get wrong: the right status and code, a message that names the value, and nothing changed."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from knox.models import get_token_model

from tests.support.factories import (
    connect,
    make_bot,
    make_organiser,
    make_owner,
    make_running,
    make_shard,
    make_tournament,
)
from tests.web.api.asking import Asker, asker, asking_bot
from tournaments.models import Account, Bot, Game, Match, StageFormat, Tournament
from tournaments.services.bots import bot_delete, bot_rotate_token
from tournaments.services.registration import StagePlan, tournament_create
from tournaments.services.running import tournament_cancel
from tournaments.tokens import issue_token

pytestmark = pytest.mark.django_db

PASSWORD = "what nobody should ever read"
CYRILLIC_A = "\u0430"


@dataclass
class World:
    """A little of everything. `ada` and `eve` are bots of author1 and author2."""

    author1: Account
    organiser: Account
    ada: Bot
    eve: Bot
    draft: Tournament
    open: Tournament
    cancelled: Tournament
    running: Tournament
    match: Match
    game: Game

    def ids(self) -> dict[str, str]:
        names = ("ada", "eve", "draft", "open", "cancelled", "running", "match", "game")
        return {name: getattr(self, name).public_id for name in names}

    def ask_as(self, who: str) -> Asker:
        if who == "anybody":
            return Asker()
        return asker(self.organiser if who == "organiser1" else self.author1)


@pytest.fixture
def world() -> World:
    author1, organiser = make_owner("author1"), make_organiser()
    ada, eve = make_bot("ada", author1), make_bot("eve", make_owner("author2"))
    draft = tournament_create(organiser=organiser, name="Draft", stages=[StagePlan()])
    cancelled = make_tournament([ada], name="Cancelled")
    tournament_cancel(tournament=cancelled, actor=organiser, reason="rain")
    running = make_running([make_bot("third"), make_bot("fourth")], name="Running")
    match = Match.objects.get(tournament_round__stage__tournament=running)
    open_one = make_tournament([eve], name="Open")
    return World(
        author1, organiser, ada, eve, draft, open_one, cancelled, running, match, Game.objects.get(match=match)
    )


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of the league and all tokens of accounts."""
    models = [*apps.get_app_config("tournaments").get_models(), get_token_model()]
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


@dataclass(frozen=True)
class Case:
    who: str
    ask: str
    """Method and path, with `{ada}` and so on for ids."""
    status: int
    code: str
    named: str
    """Stands in the message."""
    body: Any = None
    content_type: str = "application/json"


def plan(**fields: Any) -> dict[str, Any]:
    return {"name": "League", "stages": [{"format": "swiss"}], **fields}


CASES = {
    # Addresses
    "no such tournament": Case("anybody", "GET tournaments/nonesuch", 404, "not_found", "'nonesuch'"),
    "no such bot": Case("anybody", "GET bots/nonesuch", 404, "not_found", "'nonesuch'"),
    "no such match": Case("anybody", "GET matches/{ada}", 404, "not_found", "{ada}"),
    "no such game": Case("anybody", "GET games/nonesuch/record", 404, "not_found", "'nonesuch'"),
    "no such stage": Case("anybody", "GET tournaments/{open}/stages/9/standings", 404, "not_found", "stage 9"),
    "a stage beyond all numbers": Case(
        "anybody", "GET tournaments/{open}/stages/99999999999999999999/standings", 404, "not_found", "9999999"
    ),
    "nothing there": Case("anybody", "GET robots", 404, "not_found", "/api/v1/robots"),
    "an id of strange letters": Case("anybody", "GET bots/a%00b", 404, "not_found", "a\\x00b"),
    "a draft of another": Case("author1", "GET tournaments/{draft}", 404, "not_found", "{draft}"),
    "wrong method": Case("anybody", "PUT leaderboard", 405, "method_not_allowed", "PUT"),
    "wrong method on a list": Case("author1", "PATCH bots", 405, "method_not_allowed", "GET, POST"),
    # Pages and filters
    "page 0": Case("anybody", "GET bots?page=0", 400, "invalid", "page: "),
    "page x": Case("anybody", "GET bots?page=x", 400, "invalid", "'x'"),
    "page past the end": Case("anybody", "GET tournaments?page=99", 404, "no_such_page", "99"),
    "page beyond all numbers": Case("anybody", "GET bots?page=10000000000000000000000", 400, "invalid", "1000000"),
    "page size too large": Case("anybody", "GET leaderboard?page_size=1000", 400, "invalid", "'1000'"),
    "unknown status": Case("anybody", "GET tournaments?status=asleep", 400, "invalid", "'asleep'"),
    "drafts are in no list": Case("organiser1", "GET tournaments?status=draft", 400, "invalid", "'draft'"),
    "unknown kind": Case("anybody", "GET tournaments?kind=chess", 400, "invalid", "'chess'"),
    "unknown parameter": Case("anybody", "GET tournaments?sort=name", 400, "invalid", "sort"),
    "a parameter twice": Case("anybody", "GET tournaments?page=1&page=2", 400, "invalid", "2 times"),
    "live games of no tournament": Case("anybody", "GET live?tournament=nonesuch", 404, "not_found", "'nonesuch'"),
    # Bodies
    "no JSON": Case("author1", "POST bots", 400, "malformed_json", "name: 1", b"{name: 1}"),
    "torn JSON": Case("author1", "POST bots", 400, "malformed_json", "line 1 column 10", b'{"name": '),
    "not a number": Case("author1", "POST bots", 400, "malformed_json", "NaN", b'{"name": NaN}'),
    "not UTF-8": Case("author1", "POST bots", 400, "malformed_json", "byte 10", b'{"name": "\xff"}'),
    "nested too deeply": Case("author1", "POST bots", 400, "malformed_json", "deeply", b"[" * 60_000),
    "too large": Case("author1", "POST bots", 413, "too_large", "65536", b" " * 70_000),
    "a list": Case("author1", "POST bots", 400, "invalid", "['ada']", ["ada"]),
    "text": Case("author1", "POST bots", 415, "unsupported_media_type", "text/plain", b"ada", "text/plain"),
    "a form": Case(
        "author1",
        "POST bots",
        415,
        "unsupported_media_type",
        "application/x-www-form-urlencoded",
        b"name=ada2",
        "application/x-www-form-urlencoded",
    ),
    "unknown field": Case("author1", "POST bots", 400, "invalid", "colour", {"name": "ada2", "colour": "red"}),
    "unknown field of strange letters": Case("author1", "POST bots", 400, "invalid", "\\ud800", b'{"\\ud800": 1}'),
    # Names of bots
    "no name": Case("author1", "POST bots", 400, "invalid", "name: ", {}),
    "a number for a name": Case("author1", "POST bots", 400, "invalid", "12", {"name": 12}),
    "a list for a name": Case("author1", "POST bots", 400, "invalid", "['ada2']", {"name": ["ada2"]}),
    "name too short": Case("author1", "POST bots", 400, "name_refused", "'x'", {"name": "x"}),
    "name too long": Case("author1", "POST bots", 400, "name_refused", "31 characters", {"name": "x" * 31}),
    "name far too long": Case("author1", "POST bots", 400, "invalid", "xxxx", {"name": "x" * 3000}),
    "name taken": Case("author1", "POST bots", 409, "name_taken", "'eve'", {"name": "eve"}),
    "name that looks like another": Case(
        "author1", "POST bots", 409, "name_taken", "'ada'", {"name": f"{CYRILLIC_A}da"}
    ),
    "name with what cannot be seen": Case("author1", "POST bots", 400, "name_refused", "U+200B", {"name": "a\u200bb"}),
    "name with half a character": Case("author1", "POST bots", 400, "invalid", "\\ud800", b'{"name": "a\\ud800"}'),
    "name with a null": Case("author1", "POST bots", 400, "invalid", "\\x00", {"name": "a\x00b"}),
    # Somebody else's
    "making a bot as nobody": Case("anybody", "POST bots", 401, "not_authenticated", "Token", {"name": "ada2"}),
    "deleting another's bot": Case("author1", "DELETE bots/{eve}", 403, "not_your_bot", "'eve'"),
    "a token for another's bot": Case("author1", "POST bots/{eve}/token", 403, "not_your_bot", "'eve'"),
    "a test match of another's bot": Case("author1", "POST bots/{eve}/test-matches", 403, "not_your_bot", "'eve'"),
    "entering another's bot": Case(
        "author1", "POST tournaments/{open}/entries", 403, "not_your_bot", "'eve'", {"bot": "{eve}"}
    ),
    "taking back another's entry": Case(
        "author1", "DELETE tournaments/{open}/entries/{eve}", 403, "not_your_bot", "'eve'"
    ),
    "withdrawing another's bot": Case(
        "author1", "POST tournaments/{open}/entries/{eve}/withdraw", 403, "not_your_bot", "'eve'", {"reason": "bored"}
    ),
    "my bots, as nobody": Case("anybody", "GET me/bots", 401, "not_authenticated", "Token"),
    # Entries
    "entering twice": Case(
        "organiser1", "POST tournaments/{open}/entries", 409, "already_entered", "'eve'", {"bot": "{eve}"}
    ),
    "entering what is over": Case(
        "author1", "POST tournaments/{cancelled}/entries", 409, "entry_closed", "'Cancelled'", {"bot": "{ada}"}
    ),
    "entering what runs": Case(
        "author1", "POST tournaments/{running}/entries", 409, "entry_closed", "running", {"bot": "{ada}"}
    ),
    "entering no bot": Case(
        "author1", "POST tournaments/{open}/entries", 404, "not_found", "'nonesuch'", {"bot": "nonesuch"}
    ),
    "entering with an id of strange letters": Case(
        "author1", "POST tournaments/{open}/entries", 400, "invalid", "'a/b'", {"bot": "a/b"}
    ),
    "entering with a nonce that cannot be written": Case(
        "author1", "POST tournaments/{open}/entries", 400, "invalid", "é", {"bot": "{ada}", "nonce": "é"}
    ),
    "taking back what was not entered": Case(
        "author1", "DELETE tournaments/{open}/entries/{ada}", 404, "not_entered", "'ada'"
    ),
    "withdrawing from what is over": Case(
        "author1",
        "POST tournaments/{cancelled}/entries/{ada}/withdraw",
        409,
        "not_running",
        "'Cancelled'",
        {"reason": "bored"},
    ),
    # Organising
    "starting another's": Case("author1", "POST tournaments/{open}/start", 403, "not_organiser", "'Open'"),
    "starting with too few": Case("organiser1", "POST tournaments/{open}/start", 409, "not_enough_entrants", "needs 2"),
    "starting a draft": Case("organiser1", "POST tournaments/{draft}/start", 409, "invalid_transition", "draft"),
    "opening twice": Case(
        "organiser1", "POST tournaments/{open}/open-registration", 409, "invalid_transition", "registration"
    ),
    "pausing what does not run": Case(
        "organiser1", "POST tournaments/{open}/pause", 409, "invalid_transition", "paused", {}
    ),
    "resuming what runs": Case("organiser1", "POST tournaments/{running}/resume", 409, "invalid_transition", "running"),
    "cancelling without a reason": Case(
        "organiser1", "POST tournaments/{open}/cancel", 400, "invalid", "reason", {"reason": ""}
    ),
    "cancelling what is over": Case(
        "organiser1", "POST tournaments/{cancelled}/cancel", 409, "invalid_transition", "cancelled", {"reason": "wind"}
    ),
    "making one as an owner": Case("author1", "POST tournaments", 403, "not_organiser", "author1", plan()),
    "no stages": Case("organiser1", "POST tournaments", 400, "invalid", "stages: ", plan(stages=[])),
    "fifteen seats": Case(
        "organiser1", "POST tournaments", 400, "invalid", "stages[1].seats", plan(stages=[{}, {"seats": 15}])
    ),
    "unknown format": Case(
        "organiser1", "POST tournaments", 400, "invalid", "'ladders'", plan(stages=[{"format": "ladders"}])
    ),
    "a stage that is a text": Case(
        "organiser1", "POST tournaments", 400, "invalid", "stages[0]: ", plan(stages=["swiss"])
    ),
    "unknown field of a stage": Case(
        "organiser1", "POST tournaments", 400, "invalid", "stages[0].size", plan(stages=[{"size": 4}])
    ),
    "most below least": Case(
        "organiser1", "POST tournaments", 400, "invalid", "max_entrants", plan(min_entrants=9, max_entrants=3)
    ),
    "a time without a time": Case(
        "organiser1", "POST tournaments", 400, "invalid", "starts_at", plan(start_mode="at_time")
    ),
    "no date": Case("organiser1", "POST tournaments", 400, "invalid", "'tomorrow'", plan(starts_at="tomorrow")),
    "no time to think": Case("organiser1", "POST tournaments", 400, "invalid", "thinking_ms", plan(thinking_ms=0)),
    # Test matches
    "a test match of a bot that is away": Case(
        "author1", "POST bots/{ada}/test-matches", 409, "bot_not_connected", "'ada'"
    ),
    "a test match against one twice": Case(
        "author1", "POST bots/{ada}/test-matches", 400, "invalid", "{eve}", {"opponents": ["{eve}", "{eve}"]}
    ),
    "a test match against nobody": Case(
        "author1", "POST bots/{ada}/test-matches", 400, "invalid", "opponents", {"opponents": []}
    ),
    # Games
    "a game without a result": Case("anybody", "GET games/{game}/transcript", 404, "no_record", "{game}"),
    "its record": Case("anybody", "GET games/{game}/record", 404, "no_record", "{game}"),
    "a seat that is none": Case("anybody", "GET games/{game}/transcript?seat=-1", 400, "invalid", "'-1'"),
    # Logging in
    "a wrong password": Case(
        "anybody", "POST login", 401, "wrong_login", "'author1'", {"username": "author1", "password": "guessed"}
    ),
    "no password": Case("anybody", "POST login", 400, "invalid", "password: ", {"username": "author1"}),
    "logging out as nobody": Case("anybody", "POST logout", 401, "not_authenticated", "Token"),
}


@pytest.mark.both_databases
def test_bad_input_is_refused_and_changes_nothing(world: World, subtests: pytest.Subtests) -> None:
    askers = {who: world.ask_as(who) for who in {case.who for case in CASES.values()}}
    before = everything()
    for name, case in CASES.items():
        with subtests.test(name):
            _check(world, askers[case.who], case)
            assert everything() == before


def _check(world: World, who: Asker, case: Case) -> None:
    cache.clear()  # nobody is refused for asking often
    method, path = case.ask.split(" ")
    answer = who.ask(method, _filled(path, world), _filled(case.body, world), content_type=case.content_type)

    assert (answer.status_code, answer.json()["code"]) == (case.status, case.code), answer.content
    assert answer.json().keys() == {"code", "message", "extra"}
    assert _filled(case.named, world) in answer.json()["message"]


def _filled(text: Any, world: World) -> Any:
    if isinstance(text, dict):
        return {key: _filled(value, world) for key, value in text.items()}
    if isinstance(text, list):
        return [_filled(each, world) for each in text]
    return text.format(**world.ids()) if isinstance(text, str) and "{" in text else text


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 40


@pytest.mark.parametrize("password", [[PASSWORD], {"is": PASSWORD}, PASSWORD * 100], ids=["list", "object", "long"])
def test_a_password_is_never_shown_again(world: World, password: Any) -> None:
    answer = Asker().ask("POST", "login", {"username": "author1", "password": password})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert PASSWORD not in answer.content.decode()


# -- tokens ------------------------------------------------------------------------------------------------------------


def _expired_account_token(world: World) -> str:
    row, token = get_token_model().objects.create(user=world.author1)
    row.expiry = timezone.now() - timedelta(seconds=1)
    row.save()
    return f"Token {token}"


def _token_of_the_inactive(world: World) -> str:
    _, token = get_token_model().objects.create(user=world.author1)
    Account.objects.filter(pk=world.author1.pk).update(is_active=False)
    return f"Token {token}"


def _bot_token(world: World) -> str:
    return f"Bearer {bot_rotate_token(bot=world.ada, actor=world.author1)}"


def _replaced_bot_token(world: World) -> str:
    old = _bot_token(world)
    _bot_token(world)
    return old


def _token_of_a_deleted_bot(world: World) -> str:
    token = _bot_token(world)
    bot_delete(bot=world.ada, actor=world.author1)
    return token


def _account_token(world: World) -> str:
    _, token = get_token_model().objects.create(user=world.author1)
    return f"Token {token}"


TOKENS = {
    "garbled": ("me", lambda world: "Token zzzz", "log in"),
    "no letters": ("me", lambda world: "Token \xff\xfe", "log in"),
    "no token": ("me", lambda world: "Token", "log in"),
    "two tokens": ("me", lambda world: f"{_account_token(world)} again", "log in"),
    "cut short": ("me", lambda world: _account_token(world)[:-1], "log in"),
    "expired": ("me", _expired_account_token, "expired"),
    "of one who may not log in": ("me", _token_of_the_inactive, "log in"),
    "of another kind": ("me", lambda world: "Basic b3duZXIxOng=", "Authorization: Token"),
    "a bot's, to act": ("me", _bot_token, "/api/v1/bot alone"),
    "a bot's, to read what all may": ("tournaments", _bot_token, "/api/v1/bot alone"),
    "a bot's, under the other name": ("bots", lambda world: _bot_token(world).replace("Bearer", "Token"), "log in"),
    "an account's, for a bot": ("bot", _account_token, "Authorization: Bearer"),
    "an account's, under the other name": ("bot", lambda w: _account_token(w).replace("Token", "Bearer"), "not valid"),
    "a bot's, garbled": ("bot", lambda world: "Bearer x.y.z", "not valid"),
    "a bot's, no letters": ("bot", lambda world: "Bearer \xff\xfe", "not valid"),
    "a bot's, changed": ("bot", lambda world: _bot_token(world)[:-4] + "AAAA", "not valid"),
    "a bot's, replaced": ("bot", _replaced_bot_token, "replaced"),
    "of a deleted bot": ("bot", _token_of_a_deleted_bot, "does not exist any more"),
}


@pytest.mark.parametrize(("path", "authorization", "named"), TOKENS.values(), ids=TOKENS)
def test_a_token_that_is_not_one(world: World, path: str, authorization: Any, named: str) -> None:
    said = authorization(world)
    answer = Asker(said).ask("GET", path)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token"), answer.content
    assert named in answer.json()["message"]
    assert answer["WWW-Authenticate"] in ("Token", "Bearer")
    assert said.split(" ")[-1] not in answer.content.decode() or said == "Token"


def test_an_expired_token_of_a_bot(world: World, settings: Any) -> None:
    settings.TOKEN_DAYS = -1
    answer = asking_bot(world.ada).ask("GET", "bot")
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
    assert "expired" in answer.json()["message"]


def test_a_token_of_another_generation_to_come_is_believed_no_more_than_signed(world: World) -> None:
    """Only the site signs: what it signed for a bot that is not there is refused."""
    token = issue_token(bot="nonesuch", owner="1", generation=1)
    answer = Asker(f"Bearer {token}").ask("GET", "bot")
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")


# -- sessions ----------------------------------------------------------------------------------------------------------


def test_a_session_writes_with_its_csrf_token_alone(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.author1)
    before = everything()
    refused = client.post("/api/v1/bots", {"name": "new"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    assert "X-CSRFToken" in refused.json()["message"]
    assert everything() == before

    client.cookies["csrftoken"] = "a" * 32
    made = client.post(
        "/api/v1/bots", {"name": "new"}, content_type="application/json", headers={"X-CSRFToken": "a" * 32}
    )
    assert made.status_code == 201, made.content
    assert Bot.objects.get(name="new").owner == world.author1


def test_too_many_bots(world: World, settings: Any) -> None:
    settings.MAX_BOTS_PER_OWNER = 1
    answer = asker(world.author1).ask("POST", "bots", {"name": "second"})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_bots")
    assert answer.json()["extra"] == {"limit": 1}


def test_a_full_tournament(world: World) -> None:
    full = make_tournament([world.eve], name="Full", max_entrants=2)
    asker(world.author1).post(f"tournaments/{full.public_id}/entries", {"bot": world.ada.public_id}, 201)
    third = make_bot("one too many", world.author1)
    answer = asker(world.author1).ask("POST", f"tournaments/{full.public_id}/entries", {"bot": third.public_id})
    assert (answer.status_code, answer.json()["code"]) == (409, "tournament_full")
    assert "2" in answer.json()["message"]


@pytest.mark.parametrize(
    ("body", "status", "code", "named"),
    [
        ({}, 409, "no_house_bots", "no house bot"),
        ({"opponents": ["{eve}"]}, 400, "not_a_house_bot", "'eve'"),
        ({"opponents": ["{ada}"]}, 400, "not_a_house_bot", "'ada'"),
        ({"opponents": ["nonesuch"]}, 404, "not_found", "'nonesuch'"),
    ],
    ids=["no house bot is here", "against another's", "against itself", "against nobody known"],
)
def test_a_test_match_against_whom(world: World, body: Any, status: int, code: str, named: str) -> None:
    connect(make_shard(), world.ada)
    who, before = asker(world.author1), Tournament.objects.count()
    answer = who.ask("POST", f"bots/{world.ada.public_id}/test-matches", _filled(body, world))
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert named in answer.json()["message"]
    assert Tournament.objects.count() == before


def test_a_plan_that_cannot_be_played_stays_a_draft(world: World) -> None:
    made = asker(world.organiser).post(
        "tournaments", plan(stages=[{"format": StageFormat.SWISS, "deal_mode": "rotated"}]), 201
    )
    answer = asker(world.organiser).ask("POST", f"tournaments/{made['id']}/open-registration")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert "field" in answer.json()["message"]
    assert Tournament.objects.get(public_id=made["id"]).status == "draft"
