"""What owners and organisers may do, and that it has happened."""

import pytest
from knox.models import get_token_model

from tests.support.factories import (
    connect,
    make_bot,
    make_bots,
    make_organiser,
    make_owner,
    make_shard,
    make_tournament,
)
from tests.web.api.asking import Asker, asker
from tournaments.models import AuditEntry, Bot, Entrant, EntrantStatus, Match, Tournament, TournamentStatus
from tournaments.tokens import token_claims

pytestmark = pytest.mark.django_db

PASSWORD = "what nobody should ever read"


# -- accounts ----------------------------------------------------------------------------------------------------------


def test_logging_in_and_out() -> None:
    make_owner("author1", password=PASSWORD)
    login = {"username": "author1", "password": PASSWORD}
    answer = Asker().ask("POST", "login", login)
    assert answer.status_code == 201, answer.content
    assert "no-store" in answer["Cache-Control"]
    first, second = answer.json()["token"], Asker().post("login", login, 201)["token"]
    assert first not in {value for row in get_token_model().objects.values() for value in row.values()}

    me = Asker(f"Token {first}")
    assert me.get("me")["username"] == "author1"
    me.post("logout", status=204)
    assert me.ask("GET", "me").status_code == 401
    assert Asker(f"Token {second}").get("me")["username"] == "author1"

    wrong = Asker().ask("POST", "login", {**login, "password": "guessed"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_login")


def test_logging_out_everywhere() -> None:
    owner, other = make_owner(), make_owner()
    one, two, others = asker(owner), asker(owner), asker(other)
    one.post("logout-all", status=204)
    assert [who.ask("GET", "me").status_code for who in (one, two, others)] == [401, 401, 200]


def test_who_may_not_log_in_any_more() -> None:
    make_owner("author1", password=PASSWORD, is_active=False)
    answer = Asker().ask("POST", "login", {"username": "author1", "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (401, "wrong_login")


# -- bots --------------------------------------------------------------------------------------------------------------


def test_a_bot_from_its_name_to_its_end() -> None:
    owner = make_owner()
    me = asker(owner)
    made = me.post("bots", {"name": "  Žofie  the 2nd ", "description": "greedy"}, 201)
    bot = Bot.objects.get(public_id=made["id"])
    assert (made["name"], made["description"], bot.owner) == ("Žofie the 2nd", "greedy", owner)

    first = me.ask("POST", f"bots/{bot.public_id}/token")
    assert first.status_code == 201
    assert "no-store" in first["Cache-Control"]
    said = first.json()
    claims = token_claims(said["token"])
    assert (claims.bot_id, claims.generation) == (bot.public_id, 1)
    assert said["connect"] == f"CROWNS_TOKEN={said['token']} crowns connect my_bot.py --server {said['server']}"
    assert Asker(f"Bearer {said['token']}").get("bot")["bot"]["name"] == "Žofie the 2nd"

    second = me.post(f"bots/{bot.public_id}/token", status=201)["token"]
    assert token_claims(second).generation == 2
    assert Asker(f"Bearer {said['token']}").ask("GET", "bot").status_code == 401
    assert said["token"] not in str(list(AuditEntry.objects.values()))

    me.delete(f"bots/{bot.public_id}")
    assert Asker().get("bots")["results"] == []
    assert Asker().get(f"bots/{bot.public_id}")["deleted_at"] is not None
    again = me.ask("DELETE", f"bots/{bot.public_id}")
    assert (again.status_code, again.json()["code"]) == (409, "bot_deleted")


def test_a_test_match() -> None:
    bot, house = make_bot("mine"), make_bot("house", is_house=True)
    connect(make_shard(), bot, house)
    match = asker(bot.owner).post(f"bots/{bot.public_id}/test-matches", status=201)
    assert match["status"] == "waiting"
    assert match["games"][0]["seats"][0]["score"] is None
    assert Match.objects.get(public_id=match["id"]).tournament_round.stage.tournament.is_rated is False


# -- entries -----------------------------------------------------------------------------------------------------------


def test_entering_and_leaving() -> None:
    bot, tournament = make_bot(), make_tournament()
    me, path = asker(bot.owner), f"tournaments/{tournament.public_id}/entries"
    entry = me.post(path, {"bot": bot.public_id, "nonce": "dice: 4"}, 201)
    entrant = Entrant.objects.get()
    assert (entry["id"], entry["bot"]["id"], entry["nonce"]) == (entrant.public_id, bot.public_id, "dice: 4")
    me.delete(f"{path}/{bot.public_id}")
    assert not Entrant.objects.exists()
    drawn = me.post(path, {"bot": bot.public_id}, 201)["nonce"]
    assert len(drawn) == 32


def test_withdrawing_once_it_runs() -> None:
    bots, tournament = make_bots(3), make_tournament()
    path = f"tournaments/{tournament.public_id}"
    for bot in bots:
        asker(bot.owner).post(f"{path}/entries", {"bot": bot.public_id}, 201)
    asker(tournament.organiser).post(f"{path}/start")
    late = asker(bots[0].owner).ask("DELETE", f"{path}/entries/{bots[0].public_id}")
    assert (late.status_code, late.json()["code"]) == (409, "entry_closed")
    asker(bots[0].owner).post(f"{path}/entries/{bots[0].public_id}/withdraw", {"reason": "holidays"}, 204)
    entrant = Entrant.objects.get(bot=bots[0])
    assert (entrant.status, entrant.withdrawn_reason) == (EntrantStatus.WITHDRAWN, "holidays")
    shown = {each["bot"]["id"]: each for each in Asker().get(f"{path}/entrants")["results"]}
    assert shown[bots[0].public_id]["status"] == "withdrawn"


# -- organising --------------------------------------------------------------------------------------------------------


def test_a_tournament_from_draft_to_cancelled() -> None:
    organiser = asker(make_organiser())
    plan = {
        "name": "Autumn league",
        "description": "Every Monday.",
        "stages": [
            {"format": "swiss", "seats": 3, "rounds": 2},
            {"format": "round_robin", "seats": 2, "games_per_match": 2},
        ],
        "min_entrants": 3,
        "max_entries_per_owner": 1,
        "decision_ms": 500,
        "is_rated": False,
    }
    made = organiser.post("tournaments", plan, 201)
    path = f"tournaments/{made['id']}"
    assert (made["status"], made["budgets"]["decision_ms"], made["is_rated"]) == ("draft", 500, False)
    assert [(stage["number"], stage["format"], stage["seats"]) for stage in made["stages"]] == [
        (1, "swiss", 3),
        (2, "round_robin", 2),
    ]
    assert made["commitment"]["secret_hash"] == ""
    assert Asker().ask("GET", path).status_code == 404
    assert organiser.get(path) == made

    opened = organiser.post(f"{path}/open-registration")
    assert (opened["status"], len(opened["commitment"]["secret_hash"])) == ("registration", 64)
    for bot in make_bots(3):
        asker(bot.owner).post(f"{path}/entries", {"bot": bot.public_id}, 201)
    started = organiser.post(f"{path}/start")
    assert (started["status"], started["progress"]["matches_in_round"]) == ("running", 1)
    assert len(started["commitment"]["entropy"]) == 64

    assert organiser.post(f"{path}/pause", {"reason": "lunch"})["status_reason"] == "lunch"
    assert organiser.post(f"{path}/resume")["status"] == "running"
    cancelled = organiser.post(f"{path}/cancel", {"reason": "rain"})
    assert (cancelled["status"], cancelled["status_reason"]) == ("cancelled", "rain")
    assert {match["status"] for match in Asker().get(f"{path}/matches")["results"]} == {"void"}

    tournament = Tournament.objects.get(public_id=made["id"])
    assert tournament.status == TournamentStatus.CANCELLED
    acts = AuditEntry.objects.filter(tournament=tournament, actor__username="organiser1").order_by("pk")
    assert [act.action for act in acts] == [
        "tournament_create",
        "tournament_open_registration",
        "tournament_start",
        "tournament_pause",
        "tournament_resume",
        "tournament_cancel",
    ]


@pytest.mark.parametrize("act", ["open-registration", "start", "pause", "resume", "cancel"])
def test_the_operator_may_act_for_the_organiser_and_another_organiser_not(act: str) -> None:
    tournament = make_tournament(make_bots(2))
    body = {"reason": "rain"} if act == "cancel" else {}
    path = f"tournaments/{tournament.public_id}/{act}"
    other = asker(make_owner("organiser2", is_staff=True)).ask("POST", path, body)
    assert (other.status_code, other.json()["code"]) == (403, "not_organiser")
    operator = asker(make_owner("operator", is_staff=True, is_superuser=True)).ask("POST", path, body)
    assert operator.status_code == (200 if act in ("start", "cancel") else 409)


def test_the_operator_may_take_a_bot_away() -> None:
    bot = make_bot()
    asker(make_owner("operator", is_staff=True, is_superuser=True)).delete(f"bots/{bot.public_id}")
    assert AuditEntry.objects.get(action="bot_delete").actor.username == "operator"


def test_a_draft_can_be_cancelled_by_its_organiser_alone() -> None:
    organiser = asker(make_organiser())
    made = organiser.post("tournaments", {"name": "Short", "stages": [{}]}, 201)
    assert [each["name"] for each in organiser.get("me/tournaments")["results"]] == ["Short"]
    refused = asker(make_owner()).ask("POST", f"tournaments/{made['id']}/cancel", {"reason": "rain"})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert organiser.post(f"tournaments/{made['id']}/cancel", {"reason": "rain"})["status"] == "cancelled"
