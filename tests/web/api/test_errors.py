"""Whatever goes wrong, the answer has one shape; every code has its status."""

import logging
import re
from pathlib import Path

import pytest
from django.db import OperationalError

import tournaments
from tests.support.factories import make_owner
from tests.web.api.asking import Asker, asker
from tournaments.errors import InvariantViolation
from web.api import bots
from web.api.errors import STATUS

pytestmark = pytest.mark.django_db

ROOTS = (Path(tournaments.__file__).parent, Path(bots.__file__).parent)
RAISED = re.compile(r"TournamentError\(\s*\"(\w+)\"|super\(\).__init__\(\s*\"(\w+)\"")


def test_every_code_that_is_raised_has_its_status() -> None:
    texts = [path.read_text() for root in ROOTS for path in root.rglob("*.py")]
    raised = {first or second for text in texts for first, second in RAISED.findall(text)}
    assert len(raised) > 20
    assert raised <= STATUS.keys()


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ZeroDivisionError("a secret of ours"), 500, "internal"),
        (InvariantViolation("a secret of ours"), 500, "internal"),
        (OperationalError("a secret of ours"), 503, "unavailable"),
    ],
    ids=["a slip", "a broken invariant", "no database"],
)
def test_our_own_errors_are_logged_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, status: int, code: str
) -> None:
    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(bots, "bot_list", fail)
    with caplog.at_level(logging.ERROR, "django.request"):
        answer = Asker().ask("GET", "bots")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert str(error) not in answer.content.decode()
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]
    assert ("Retry-After" in answer) == (status == 503)


def test_too_many_requests_are_told_when_to_come_again() -> None:
    answers = [Asker().ask("POST", "login", {}) for _ in range(11)]
    assert {answer.status_code for answer in answers[:10]} == {400}
    last = answers[-1]
    assert (last.status_code, last.json()["code"]) == (429, "throttled")
    assert 0 < int(last["Retry-After"]) <= 60
    assert last.json()["extra"] == {"retry_after": int(last["Retry-After"])}
    assert last["Retry-After"] in last.json()["message"]
    assert Asker().ask("GET", "bots").status_code == 200


def test_a_forwarded_address_makes_nobody_another() -> None:
    """Without a proxy of ours before us, what a caller says of his address is not believed."""
    asked = [
        Asker()._client.post("/api/v1/login", headers={"X-Forwarded-For": f"10.0.0.{number}"}) for number in range(11)
    ]
    assert asked[-1].status_code == 429


@pytest.mark.parametrize(
    ("path", "to"),
    [("bots/", "/api/v1/bots"), ("bots//", "/api/v1/bots"), ("bots/?page=2", "/api/v1/bots?page=2")],
)
def test_one_slash_too_many_is_forgiven(path: str, to: str) -> None:
    answer = Asker().ask("POST", path)
    assert (answer.status_code, answer["Location"]) == (308, to)


def test_nothing_is_kept_by_caches_that_others_read() -> None:
    answer = asker(make_owner()).ask("GET", "me")
    assert answer["Cache-Control"] == "private"
    assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", ""])
def test_json_is_answered_whatever_is_asked_for(accept: str) -> None:
    answer = Asker()._client.get("/api/v1/bots", headers={"Accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
