"""No card, reply or seed before the deal is final, to nobody but those who saw them at the table."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from referee.record.game_record import read_record
from tests.web.pages.world import World
from tournaments.models import AuditEntry, Game, GameFault, GameRecord
from tournaments.selectors.deals import seed_of

As = Callable[[str], Client]
REPLY = "discard of Kh which nobody may see"


def replay(text: str) -> dict[str, Any] | None:
    found = re.search(r'<script id="replay-data" type="application/json">(.*?)</script>', text, re.DOTALL)
    return json.loads(found[1]) if found else None


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def fault(world: World) -> GameFault:
    """Of seat 0 in the hidden game."""
    return fault_in(world.hidden)


def fault_in(game: str) -> GameFault:
    result = Game.objects.get(public_id=game).result
    return GameFault.objects.create(
        attempt=result,
        number=1,
        type=7,
        seat=0,
        game_round=2,
        turn=3,
        decision_id=9,
        budget_ms=0,
        used_ms=0,
        detail="a detail that names cards",
        reply=REPLY,
        retires=False,
    )


OWNERS = {"owner1", "owner2", "owner3", "owner4"}
STRANGER = "an owner without a bot in it"


def named(world: World, user: str) -> str:
    return min(OWNERS - set(world.hidden_seats)) if user == STRANGER else user


@pytest.mark.parametrize("user", ["", STRANGER, "organiser1", "operator1"])
def test_a_shared_deal_shows_progress_alone(world: World, as_user: As, fault: GameFault, user: str) -> None:
    client = as_user(named(world, user))
    text = page(client, f"/games/{world.hidden}/")
    assert replay(text) is None
    assert "Other tables still play the same cards" in text
    assert "Score sheet" in text
    assert "Illegal answer" in text
    match = Game.objects.get(public_id=world.hidden).match.public_id
    for each in (text, page(client, f"/matches/{match}/")):
        assert REPLY not in each
        assert fault.detail not in each
        assert not re.search(
            r"suit-(spade|heart|club|diamond|star)\b(?!\" viewBox)", re.sub(r"<symbol.*?</symbol>", "", each)
        )
    assert client.get(f"/games/{world.hidden}/record").status_code == 404


def test_an_owner_sees_what_his_seat_was_shown(world: World, as_user: As, fault: GameFault) -> None:
    client = as_user(world.hidden_seats[0])
    text = page(client, f"/games/{world.hidden}/")
    told = replay(text)
    assert told is not None
    assert told["view"] == 0
    assert "what your bot in seat 0 could see" in text
    for event in told["events"]:
        if event["type"] == "round_start":
            assert None not in event["hands"][0]
            assert set(event["hands"][1]) == {None}
        if event["type"] == "draw" and event["seat"] == 1 and event["source"] == "pile":
            assert event["card"] is None
    assert REPLY in text
    assert "Seed of the deal" not in text
    assert client.get(f"/games/{world.hidden}/record").status_code == 404


def test_the_other_owner_does_not_see_that_reply(world: World, as_user: As, fault: GameFault) -> None:
    text = page(as_user(world.hidden_seats[1]), f"/games/{world.hidden}/?view=0")
    told = replay(text)
    assert told is not None
    assert told["view"] == 1
    assert REPLY not in text


def test_an_independent_deal_shows_what_lay_open(world: World, as_user: As) -> None:
    told = replay(page(as_user(""), f"/games/{world.public}/"))
    assert told is not None
    assert told["view"] == "public"
    hands = [hand for event in told["events"] if event["type"] == "round_start" for hand in event["hands"]]
    assert {card for hand in hands for card in hand} == {None}
    piles = [event for event in told["events"] if event["type"] == "draw" and event["source"] == "pile"]
    assert {event["card"] for event in piles} == {None}
    assert {event["points"] for event in told["events"] if event["type"] == "discard"} == {None}


def test_the_operator_who_asks_sees_all_and_is_written_down(world: World, as_user: As, fault: GameFault) -> None:
    text = page(as_user("operator1"), f"/games/{world.hidden}/?as_operator=1")
    told = replay(text)
    assert told is not None
    assert told["view"] == "all"
    assert REPLY in text
    entry = AuditEntry.objects.get(action="operator_look")
    assert (entry.actor.username, entry.subject) == ("operator1", f"game {world.hidden}")
    assert "Seed of the deal" not in text


@pytest.mark.parametrize("user", ["", STRANGER, "organiser1"])
def test_nobody_else_can_ask_for_that(world: World, as_user: As, user: str) -> None:
    client = as_user(named(world, user))
    assert replay(page(client, f"/games/{world.hidden}/?as_operator=1")) is None
    assert client.get(f"/games/{world.hidden}/record?as_operator=1").status_code == 404
    assert not AuditEntry.objects.filter(action="operator_look").exists()


def test_a_final_deal_shows_everything(world: World, as_user: As) -> None:
    text = page(as_user(""), f"/games/{world.game}/")
    told = replay(text)
    assert told is not None
    assert told["view"] == "all"
    assert None not in {card for hand in told["events"][0]["hands"] for card in hand}
    game = Game.objects.get(public_id=world.game)
    assert seed_of(game.result).hex() in text
    assert game.digest in text


def test_its_record_can_be_had_with_its_seed(world: World, as_user: As) -> None:
    answer = as_user("").get(f"/games/{world.game}/record")
    game = Game.objects.get(public_id=world.game)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{world.game}.5cgr"'
    assert read_record(answer.content).seal.seed == seed_of(game.result)
    assert len(answer.content) > len(bytes(GameRecord.objects.get(attempt=game.result).data)) - 1


def test_no_seed_on_any_page_before(world: World, as_user: As) -> None:
    for public_id in (world.hidden, world.public):
        game = Game.objects.get(public_id=public_id)
        for user in ("", "owner1", "organiser1", "operator1"):
            for path in (f"/games/{public_id}/", f"/matches/{game.match.public_id}/"):
                assert seed_of(game.result).hex() not in page(as_user(user), path)


def test_what_is_kept_for_one_is_not_shown_to_another(world: World, as_user: As) -> None:
    """Replays are cached by the viewer they were made for."""
    own = replay(page(as_user(world.hidden_seats[0]), f"/games/{world.hidden}/"))
    assert own is not None
    assert replay(page(as_user(""), f"/games/{world.hidden}/")) is None
    other = replay(page(as_user(world.hidden_seats[1]), f"/games/{world.hidden}/"))
    assert other is not None
    assert other["events"] != own["events"]


def test_a_game_is_played_through_once(world: World, as_user: As, monkeypatch: pytest.MonkeyPatch) -> None:
    page(as_user(""), f"/games/{world.game}/")
    monkeypatch.setattr("web.pages.replays.transcript", lambda *_: pytest.fail("played through again"))
    page(as_user("owner1"), f"/games/{world.game}/")
