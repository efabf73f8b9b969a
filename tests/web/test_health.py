"""`/healthz` and the headers every answer carries."""

import pytest
from django.test import Client

from tests.support.factories import make_bots, make_running, make_shard, the_match
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def test_health_says_what_stands_still(client: Client) -> None:
    make_shard()
    match = the_match(make_running(make_bots(4)))
    Match.objects.filter(pk=match.pk).update(status="needs_attention", next_try_at=None)
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer["Cache-Control"].startswith("max-age=0")
    body = answer.json()
    [shard] = body.pop("shards")
    assert shard.pop("seconds_since_seen") in range(60)
    assert shard == {"name": "main"}
    assert body == {
        "status": "ok",
        "matches_waiting": 1,
        "matches_playing": 0,
        "matches_needing_attention": 1,
        "seconds_since_last_finished_game": None,
    }


@pytest.mark.parametrize("path", ["/healthz", "/admin/login/", "/accounts/login/"])
def test_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
