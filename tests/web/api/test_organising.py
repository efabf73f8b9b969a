"""Plans, entries and the audit log over REST, for organisers and those who are none."""

import pytest

from tests.support.factories import make_bot, make_bots, make_organiser, make_owner, make_running, make_tournament
from tests.web.api.asking import Asker, asker
from tournaments.models import Tournament
from tournaments.services.registration import StagePlan

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "seats": 2, "rounds": 3}


def test_a_plan_with_pace_and_invitation() -> None:
    me = asker(make_organiser())
    plan = {
        "name": "Cup",
        "stages": [SWISS],
        "entry_mode": "code",
        "entry_code": "sesame",
        "round_pace": "daily",
        "round_time": "20:00",
        "round_zone": "Europe/Berlin",
    }
    made = me.post("tournaments", plan, 201)
    assert (made["entry_mode"], made["round_pace"], made["round_time"]) == ("code", "daily", "20:00:00")
    assert "sesame" not in str(made)
    path = f"tournaments/{made['id']}"
    assert me.get(f"{path}/invitation") == {"entry_mode": "code", "entry_code": "sesame"}
    me.post(f"{path}/open-registration")
    assert asker(make_owner()).ask("GET", f"{path}/invitation").status_code == 403
    wrong = me.ask("POST", "tournaments", plan | {"round_zone": "Mars/Olympus"})
    assert (wrong.status_code, wrong.json()["extra"]["fields"].keys()) == (400, {"round_zone"})


@pytest.mark.parametrize(
    ("mode", "code", "status", "said"),
    [
        ("code", {"code": "sesame"}, 201, None),
        ("code", {"code": "open"}, 403, "wrong_code"),
        ("code", {}, 403, "wrong_code"),
        ("private", {"code": "sesame"}, 403, "entry_private"),
    ],
)
def test_entering_by_invitation(mode: str, code: dict[str, str], status: int, said: str | None) -> None:
    tournament, bot = make_tournament(entry_mode=mode, entry_code="sesame"), make_bot()
    path = f"tournaments/{tournament.public_id}/entries"
    answer = asker(bot.owner).ask("POST", path, {"bot": bot.public_id} | code)
    assert answer.status_code == status, answer.content
    assert answer.json().get("code") == said


def test_a_late_entry() -> None:
    tournament = make_running(make_bots(4), stages=[StagePlan(**SWISS)])
    path = f"tournaments/{tournament.public_id}/late-entries"
    bot = make_bot()
    assert asker(bot.owner).ask("POST", path, {"bot": bot.public_id}).status_code == 403
    me = asker(make_organiser())
    assert me.post(path, {"bot": bot.public_id}, 201)["seed_number"] == 5
    entrants = me.get(f"tournaments/{tournament.public_id}/entrants")["results"]
    assert [each["nonce"] is None for each in entrants] == [False] * 4 + [True]
    byes = me.get(f"tournaments/{tournament.public_id}/rounds")["results"][0]["byes"]
    assert [bye["kind"] for bye in byes] == ["not_entered"]
    fixed = make_running(make_bots(4))
    answer = me.ask("POST", f"tournaments/{fixed.public_id}/late-entries", {"bot": bot.public_id})
    assert (answer.status_code, answer.json()["code"]) == (409, "late_entry_refused")


def test_a_rehearsal() -> None:
    me = asker(make_organiser())
    made = me.post("tournaments", {"name": "Cup", "stages": [SWISS]}, 201)
    path = f"tournaments/{made['id']}/rehearsal"
    assert asker(make_owner()).ask("GET", path).status_code == 404
    told = me.get(f"{path}?entrants=7")
    assert (told["entrants"], told["matches"], told["stages"][0]["byes"]) == (7, 9, 3)
    assert told["gap"]["unlike"] == pytest.approx(162.5, abs=0.1)
    assert me.ask("GET", f"{path}?entrants=1").status_code == 400
    assert Tournament.objects.get(public_id=made["id"]).status == "draft"


def test_the_audit_log() -> None:
    tournament = make_tournament(make_bots(2))
    path = f"tournaments/{tournament.public_id}/audit"
    assert [who.ask("GET", path).status_code for who in (Asker(), asker(make_owner()))] == [401, 403]
    told = asker(make_organiser()).get(path)
    assert [each["action"] for each in told["results"]] == [
        *["entrant_enter"] * 2,
        "tournament_open_registration",
        "tournament_create",
    ]
    assert told["results"][0]["actor"] == "organiser1"
    assert "nonce" not in told["results"][0]["after"]
