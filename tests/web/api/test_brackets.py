"""The bracket of an elimination as the API gives it."""

from typing import Any

import pytest

from tests.support.elimination import step
from tests.support.factories import make_bots, make_organiser, make_running
from tests.support.league import League
from tests.web.api.asking import Asker, asker
from tournaments.models import Game, Match, Tournament
from tournaments.services.registration import StagePlan
from tournaments.services.rounds import tournament_advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(league: League) -> Tournament:
    """Three of four go on from a round robin; the first round of the bracket is over."""
    bots = make_bots(4)
    league.connect(*bots)
    stages = [
        StagePlan(format="round_robin", seats=2),
        StagePlan(format="single_elimination", seats=2, top_cut=3),
    ]
    tournament = make_running(bots, stages=stages, min_entrants=3, turn_cap=1)
    while Match.objects.filter(bracket_number=2).first() is None:
        step(league, tournament, _by_id)
        tournament_advance(tournament=tournament)
    return tournament


def _by_id(_match: Match, _game: Game, seated: tuple[int, ...]) -> dict[int, int]:
    return {entrant: place for place, entrant in enumerate(seated, start=1)}


def test_a_bracket(cup: Tournament) -> None:
    first, second, third, _ = cup.entrants.order_by("pk")
    found = Asker().get(f"tournaments/{cup.public_id}/stages/2/bracket")
    assert (found["count"], found["stage"], found["is_decided"]) == (2, 2, False)
    semifinal, final = found["results"]
    assert (semifinal["number"], semifinal["tournament_round"], semifinal["side"]) == (1, 1, "main")
    assert (semifinal["state"], semifinal["match"]) == ("played", Match.objects.get(bracket_number=1).public_id)
    assert _seats(semifinal) == [(second.public_id, "seed 2", True), (third.public_id, "seed 3", False)]
    assert (final["state"], final["match"]) == ("ready", Match.objects.get(bracket_number=2).public_id)
    assert _seats(final) == [(first.public_id, "seed 1", False), (second.public_id, "winner of match 1", False)]


def _seats(match: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(seat["entrant"]["id"], seat["comes_from"], seat["is_ahead"]) for seat in match["seats"]]


def test_who_is_not_known_yet_is_null(cup: Tournament) -> None:
    last = Match.objects.get(bracket_number=1)
    Match.objects.filter(pk=last.pk).update(status="playing")
    final = Asker().get(f"tournaments/{cup.public_id}/stages/2/bracket")["results"][1]
    assert final["seats"][1] == {"entrant": None, "comes_from": "winner of match 1", "is_ahead": False}


def test_places(cup: Tournament) -> None:
    first, second, third, fourth = cup.entrants.order_by("pk")
    found = Asker().get(f"tournaments/{cup.public_id}/stages/2/places")
    assert found["is_final"] is False
    assert [(each["entrant"]["id"], each["seed"], each["first"], each["last"]) for each in found["results"]] == [
        (first.public_id, 1, None, None),
        (second.public_id, 2, None, None),
        (third.public_id, 3, 3, 3),
        (fourth.public_id, None, 4, 4),
    ]


def test_another_stage_has_none(cup: Tournament) -> None:
    for part in ("bracket", "places"):
        assert Asker().get(f"tournaments/{cup.public_id}/stages/1/{part}")["results"] == []


def test_matches_and_stages_say_it(cup: Tournament) -> None:
    matches = Asker().get(f"tournaments/{cup.public_id}/matches?stage=2")["results"]
    assert [each["bracket_number"] for each in matches] == [1, 2]
    assert {
        each["bracket_number"] for each in Asker().get(f"tournaments/{cup.public_id}/matches?stage=1")["results"]
    } == {None}
    rounds = Asker().get(f"tournaments/{cup.public_id}/rounds")["results"]
    assert [(bye["entrant"]["id"], bye["kind"]) for bye in rounds[3]["byes"]] == [
        (cup.entrants.order_by("pk")[0].public_id, "goes_on")
    ]


def test_a_plan_with_a_top_cut_is_made_and_read() -> None:
    stage = {"format": "single_elimination", "seats": 2, "top_cut": 8, "has_third_place": True}
    plan = {"name": "Cup", "min_entrants": 8, "stages": [{"format": "swiss", "rounds": 5}, stage]}
    made = asker(make_organiser()).post("tournaments", plan, 201)
    assert {name: made["stages"][1][name] for name in (*stage, "go_on")} == {**stage, "go_on": None}
    bad = asker(make_organiser()).post(
        "tournaments", {**plan, "stages": [{"format": "double_elimination", "top_cut": 4}]}, 201
    )
    answer = asker(make_organiser()).ask("POST", f"tournaments/{bad['id']}/open-registration")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert "stage 1: a top cut of 4 needs a stage before it" in answer.json()["message"]
