"""The organiser's desk: what he can do, what he cannot, and what is shown to nobody."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from tests.support.factories import make_bot, make_owner, make_tournament
from tests.web.pages.page_form import fields_of
from tests.web.pages.world import World
from tournaments.models import (
    Account,
    AuditEntry,
    Bot,
    Match,
    MatchStatus,
    Stage,
    Tournament,
    TournamentStatus,
)
from tournaments.services.registration import StagePlan, tournament_create

As = Callable[[str], Client]
ADD = "/admin/tournaments/tournament/add/"


def filled(client: Client, **changes: str) -> dict[str, str]:
    data = fields_of(client.get(ADD).content.decode())
    return data | {"name": "Spring cup"} | changes


def act(row: Tournament | Match, name: str) -> str:
    return reverse(f"admin:tournaments_{row._meta.model_name}_act", args=[row.pk, name])


def latest() -> Tournament:
    return Tournament.objects.latest("pk")


def test_save_open_enter_start(as_user: As, world: World) -> None:
    """With nothing but a name given."""
    client = as_user("organiser1")
    answer = client.post(ADD, filled(client) | {"_save": "Save"}, follow=True)
    tournament = latest()
    assert (tournament.name, tournament.organiser.username) == ("Spring cup", "organiser1")
    assert [(stage.number, stage.format, stage.seats, stage.rounds) for stage in tournament.stages.all()] == [
        (1, "swiss", 4, 4)
    ]
    text = answer.content.decode()
    assert "Spring cup is saved. Next: open registration." in text
    assert act(tournament, "open-registration") in text

    assert "fingerprint" in client.get(act(tournament, "open-registration")).content.decode()
    answer = client.post(act(tournament, "open-registration"), follow=True)
    assert "Registration for Spring cup is open" in answer.content.decode()
    bots = [Bot.objects.get(public_id=each) for each in (world.bot, world.nasty, world.idle)]
    answer = client.post(act(tournament, "enter"), {"bots": [bot.public_id for bot in bots]}, follow=True)
    assert escape(f"Entered: {', '.join(sorted(bot.name for bot in bots))}"[:9]) in answer.content.decode()
    assert tournament.entrants.count() == 3

    asked = client.get(act(tournament, "start")).content.decode()
    assert "3 bots are entered." in asked
    assert "3 bots: 4 rounds, 4 matches, 4 games." in asked
    assert "Not connected now: idle." in asked
    answer = client.post(act(tournament, "start"), follow=True)
    assert "Spring cup has started" in answer.content.decode()
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    acts = set(AuditEntry.objects.filter(tournament=tournament).values_list("action", flat=True))
    assert acts >= {"tournament_create", "tournament_open_registration", "entrant_enter", "tournament_start"}


def test_an_elimination_is_planned(as_user: As) -> None:
    """And what cannot be played is said before registration opens."""
    client = as_user("organiser1")
    stage = {"stages-0-format": "single_elimination", "stages-0-seats": "2", "stages-0-has_third_place": "on"}
    client.post(ADD, filled(client, **stage) | {"stages-0-top_cut": "8", "_save": "Save"})
    made = latest().stages.get()
    assert (made.format, made.seats, made.top_cut, made.has_third_place) == ("single_elimination", 2, 8, True)
    answer = client.post(act(latest(), "open-registration"), follow=True)
    assert "a top cut of 8 needs a stage before it" in answer.content.decode()
    assert latest().status == TournamentStatus.DRAFT


def test_save_and_open_in_one_go(as_user: As) -> None:
    client = as_user("organiser1")
    answer = client.post(ADD, filled(client) | {"_open": "Save and open registration"})
    assert answer.headers["Location"] == act(latest(), "open-registration")


def test_pausing_resuming_and_cancelling(as_user: As, world: World) -> None:
    client, running = as_user("organiser1"), Tournament.objects.get(public_id=world.running)
    client.post(act(running, "pause"), {"reason": "lunch"})
    running.refresh_from_db()
    assert (running.status, running.status_reason) == ("paused", "lunch")
    client.post(act(running, "resume"))
    running.refresh_from_db()
    assert running.status == "running"
    text = client.post(act(running, "cancel"), {"reason": ""}).content.decode()
    assert "Say why: owners and spectators read it." in text
    client.post(act(running, "cancel"), {"reason": "a storm"})
    running.refresh_from_db()
    assert (running.status, running.status_reason) == ("cancelled", "a storm")


def test_withdrawing_a_bot(as_user: As, world: World) -> None:
    client, running = as_user("organiser1"), Tournament.objects.get(public_id=world.running)
    entrant = running.entrants.order_by("pk")[0]
    text = client.post(act(running, "withdraw"), {"entrant": "<b>", "reason": "x"}).content.decode()
    assert "“&lt;b&gt;” is no bot that plays in it" in text
    client.post(act(running, "withdraw"), {"entrant": entrant.public_id, "reason": "its owner asked"})
    entrant.refresh_from_db()
    assert (entrant.status, entrant.withdrawn_reason) == ("withdrawn", "its owner asked")


def test_a_stuck_match(as_user: As, world: World) -> None:
    client, match = as_user("organiser1"), Match.objects.get(public_id=world.stuck)
    desk = client.get(f"/admin/tournaments/tournament/{match.tournament_round.stage.tournament_id}/change/")
    assert f"/admin/tournaments/match/{match.pk}/change/" in desk.content.decode()
    assert "broken invariant" in client.get(f"/admin/tournaments/match/{match.pk}/change/").content.decode()
    assert str(match.pk) in client.get("/admin/tournaments/match/?status__exact=needs_attention").content.decode()
    text = client.post(act(match, "retry"), follow=True).content.decode()
    assert "goes back to play" in text
    match.refresh_from_db()
    assert match.status == MatchStatus.WAITING
    text = client.post(act(match, "retry")).content.decode()
    assert "only one that needs attention is retried" in text
    shown = client.post(act(match, "void"), {"reason": "enough"}).content.decode()
    client.post(act(match, "void"), fields_of(shown))
    match.refresh_from_db()
    assert (match.status, match.status_reason) == (MatchStatus.VOID, "enough")


# --- what cannot be done ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"stages-0-format": ""}, "This field is required."),
        ({"stages-0-format": "pyramid"}, "pyramid is not one of the available choices"),
        ({"stages-0-seats": "15"}, "less than or equal to 14"),
        ({"stages-0-rounds": "0"}, "greater than or equal to 1"),
        ({"min_entrants": "1"}, "greater than or equal to 2"),
        ({"max_entrants": "1"}, "fewer entrants at most than at least: raise max_entrants"),
        ({"start_mode": "at_time"}, "a start at a time needs starts_at"),
        ({"decision_ms": "0"}, "greater than or equal to 1"),
        ({"starts_at_0": "tomorrow"}, "Enter a valid date."),
        ({"stages-TOTAL_FORMS": "0"}, "Please submit at least 1 form."),
    ],
)
def test_a_plan_that_is_none(as_user: As, changes: dict[str, str], words: str) -> None:
    client, before = as_user("organiser1"), Tournament.objects.count()
    text = client.post(ADD, filled(client, **changes)).content.decode()
    assert words in text
    assert Tournament.objects.count() == before


def test_too_few_to_start(as_user: As) -> None:
    client = as_user("organiser1")
    tournament = make_tournament([make_bot()], organiser=Account.objects.get(username="organiser1"), name="Lonely")
    text = client.post(act(tournament, "start")).content.decode()
    assert "has 1 entrants and needs 2: wait for more, or cancel it." in text
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.REGISTRATION


@pytest.mark.parametrize(
    ("status", "offered"),
    [
        ("draft", {"Open registration", "Cancel the tournament"}),
        ("registration", {"Start", "Enter bots", "Withdraw a bot", "Cancel the tournament"}),
        (
            "running",
            {"Admit a bot late", "Play a round again", "Roll back", "Pause", "Withdraw a bot", "Cancel the tournament"},
        ),
        (
            "paused",
            {
                "Admit a bot late",
                "Play a round again",
                "Roll back",
                "Resume",
                "Withdraw a bot",
                "Cancel the tournament",
            },
        ),
        ("finished", {"Play a round again"}),
        ("cancelled", set()),
    ],
)
def test_buttons_follow_the_status(as_user: As, world: World, status: str, offered: set[str]) -> None:
    row = Tournament.objects.get(public_id=world.opened)
    Tournament.objects.filter(pk=row.pk).update(status=status)
    page = as_user("organiser1").get(f"/admin/tournaments/tournament/{row.pk}/change/")
    assert {each.label for each, _ in page.context["acts"]} == offered


def test_the_plan_is_fixed_once_registration_is_open(as_user: As, world: World) -> None:
    client, row = as_user("organiser1"), Tournament.objects.get(public_id=world.opened)
    path = f"/admin/tournaments/tournament/{row.pk}/change/"
    text = client.get(path).content.decode()
    assert 'name="name"' not in text
    assert 'name="_save"' not in text
    assert client.post(path, filled(client, name="Other")).status_code == 403
    row.refresh_from_db()
    assert row.name == "Winter cup"


def test_stages_keep_their_order(as_user: As) -> None:
    organiser = Account.objects.get(username="organiser1")
    plans = [StagePlan(rounds=2), StagePlan(rounds=3), StagePlan(rounds=4)]
    row = tournament_create(organiser=organiser, name="Three in a row", stages=plans)
    client, path = as_user("organiser1"), f"/admin/tournaments/tournament/{row.pk}/change/"
    data = fields_of(client.get(path).content.decode())
    assert client.post(path, data | {"stages-1-DELETE": "on"}).status_code == 302
    assert list(Stage.objects.filter(tournament=row).values_list("number", "rounds")) == [(1, 2), (2, 4)]


def test_a_draft_may_be_deleted_and_nothing_else(as_user: As, world: World) -> None:
    client = as_user("organiser1")
    draft, opened = (Tournament.objects.get(public_id=each) for each in (world.draft, world.opened))
    assert client.post(f"/admin/tournaments/tournament/{opened.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.post(f"/admin/tournaments/tournament/{draft.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Tournament.objects.filter(pk=draft.pk).exists()


def test_each_organiser_has_his_own(as_user: As, world: World) -> None:
    make_owner("organiser2", is_staff=True)
    client, running = as_user("organiser2"), Tournament.objects.get(public_id=world.running)
    assert "Round robin for two" not in client.get("/admin/tournaments/tournament/").content.decode()
    assert client.get(act(running, "cancel")).status_code == 404
    assert client.post(act(running, "cancel"), {"reason": "mine now"}).status_code == 404
    match = Match.objects.get(public_id=world.stuck)
    assert client.post(act(match, "void"), {"reason": "mine now"}).status_code == 404
    assert "Round robin for two" in as_user("operator1").get("/admin/tournaments/tournament/").content.decode()
    running.refresh_from_db()
    assert running.status == TournamentStatus.RUNNING


@pytest.mark.parametrize("user", ["", "owner1"])
def test_nobody_else_gets_in(as_user: As, world: World, user: str) -> None:
    client, running = as_user(user), Tournament.objects.get(public_id=world.running)
    for path in ("/admin/", "/admin/tournaments/tournament/", ADD, act(running, "cancel")):
        assert client.get(path).status_code == 302
        assert client.post(path, {"reason": "x"}).status_code == 302
    running.refresh_from_db()
    assert running.status == TournamentStatus.RUNNING


# --- what is shown ----------------------------------------------------------------------------------------------------

LISTS = ("tournament", "match", "bot", "shard", "auditentry", "account")


@pytest.mark.parametrize("model", LISTS)
def test_every_list_and_its_first_row(as_user: As, model: str) -> None:
    client = as_user("operator1")
    text = client.get(f"/admin/tournaments/{model}/").content.decode()
    row = re.search(rf"/admin/tournaments/{model}/(\d+)/change/", text)
    assert row
    assert client.get(row[0]).status_code == 200


@pytest.mark.parametrize("model", ["auditentry", "account"])
def test_what_is_the_operators(as_user: As, model: str) -> None:
    assert as_user("organiser1").get(f"/admin/tournaments/{model}/").status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "tournaments/tournamentsecret",
        "tournaments/dealset",
        "tournaments/gamerecord",
        "knox/authtoken",
        "auth/group",
        "account/emailaddress",
    ],
)
def test_no_desk_for_secrets(as_user: As, path: str) -> None:
    assert as_user("operator1").get(f"/admin/{path}/").status_code == 404


def test_no_secret_on_any_page(as_user: As, world: World) -> None:
    client = as_user("operator1")
    row = Tournament.objects.get(public_id=world.running)
    account = Account.objects.get(username="owner1")
    secret = bytes(row.secrets.get().secret).hex()
    paths = ["/admin/", *(f"/admin/tournaments/{model}/" for model in LISTS)]
    paths += [f"/admin/tournaments/tournament/{row.pk}/change/", f"/admin/tournaments/account/{account.pk}/change/"]
    for path in paths:
        text = client.get(path).content.decode()
        assert secret not in text
        assert account.password not in text
        assert "pbkdf2" not in text


def test_the_operator_makes_an_organiser(as_user: As) -> None:
    client, account = as_user("operator1"), Account.objects.get(username="owner4")
    path = f"/admin/tournaments/account/{account.pk}/change/"
    client.post(path, {"username": "owner4", "is_active": "on", "is_staff": "on"})
    account.refresh_from_db()
    assert account.is_staff
    password = {"usable_password": "true", "password1": "a new one 77", "password2": "a new one 77"}
    assert client.post(f"/admin/tournaments/account/{account.pk}/password/", password).status_code == 302
    account.refresh_from_db()
    assert account.check_password("a new one 77")


def test_audit_holds_what_was_changed(as_user: As) -> None:
    client = as_user("organiser1")
    client.post(ADD, filled(client, turn_cap="17"))
    entry = AuditEntry.objects.filter(action="tournament_create", tournament=latest()).get()
    told: dict[str, Any] = json.loads(json.dumps(entry.after))
    assert told["turn_cap"] == 17
    assert told["name"] == "Spring cup"


def test_a_second_stage_of_usual_values_counts(as_user: As) -> None:
    client = as_user("organiser1")
    data = filled(client)
    second = {key.replace("-0-", "-1-"): value for key, value in data.items() if "-0-" in key}
    client.post(ADD, data | second | {"stages-TOTAL_FORMS": "2"})
    assert list(latest().stages.values_list("number", "format")) == [(1, "swiss"), (2, "swiss")]
