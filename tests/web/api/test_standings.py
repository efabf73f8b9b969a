"""The announced order of tiebreaks, from the plan to the page, and the arithmetic of every cell."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tests.support.factories import make_bots, make_organiser, make_running, make_tournament
from tests.support.league import League
from tests.web.api.asking import Asker, asker
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.services.registration import StagePlan

pytestmark = pytest.mark.django_db

USUAL = ["opponent_points", "first_places", "mean_margin", "direct"]
PLAN = {"name": "League", "stages": [{"format": "swiss", "seats": 3, "rounds": 2, "deal_mode": "field"}]}


@pytest.mark.parametrize("order", [USUAL, ["mean_margin", "first_places"], ["direct"], []])
def test_a_tournament_is_made_with_its_order(order: list[str]) -> None:
    made = asker(make_organiser()).post("tournaments", PLAN | {"tiebreaks": order}, 201)
    assert made["tiebreaks"] == order
    assert [each.value for each in Tournament.objects.get().tiebreak_order] == order
    assert made["stages"][0]["deal_mode"] == "field"


def test_the_usual_order() -> None:
    assert asker(make_organiser()).post("tournaments", PLAN, 201)["tiebreaks"] == USUAL


@pytest.mark.parametrize("order", [["coin"], ["direct", "direct"], "direct", ["direct"] * 5])
def test_no_order_at_all(order: Any) -> None:
    answer = asker(make_organiser()).ask("POST", "tournaments", PLAN | {"tiebreaks": order})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not Tournament.objects.exists()


def test_the_words_of_a_wrong_order() -> None:
    with pytest.raises(TournamentError, match="no order of tiebreaks: give some of opponent_points, first_places"):
        make_tournament(tiebreaks="direct, coin")


@pytest.mark.parametrize(
    ("order", "words"),
    [("mean_margin, first_places", "by margin, then firsts"), ("", "share a place"), ("direct", "by direct")],
)
def test_the_order_stands_on_the_page_before_the_start(order: str, words: str) -> None:
    page = Client().get(f"/tournaments/{make_tournament(tiebreaks=order).public_id}/").content.decode()
    assert f"<dt>Equal points</dt><dd>{words}</dd>" in page


@pytest.fixture
def played(league: League) -> Tournament:
    bots = make_bots(9)
    league.connect(*bots)
    plan = StagePlan(seats=3, rounds=2, deal_mode="field")
    return league.play(make_running(bots, stages=[plan], turn_cap=1, tiebreaks="mean_margin, opponent_points"))


def test_every_cell_adds_up(played: Tournament) -> None:
    found = Asker().get(f"tournaments/{played.public_id}/stages/1/standings")
    assert found["tiebreaks"] == ["mean_margin", "opponent_points"]
    entrants = set(played.entrants.values_list("public_id", flat=True))
    for line in found["results"]:
        points, margin, opponents = line["points"], *line["tiebreaks"]
        for cell in (points, margin, opponents):
            total = sum(Fraction(term["value"]["exact"]) for term in cell["terms"])
            assert total / cell["divisor"] == Fraction(cell["value"]["exact"])
        assert [(term["tournament_round"], term["opponent"], term["kind"]) for term in points["terms"]] == [
            (1, None, "played"),
            (2, None, "played"),
        ]
        assert {term["opponent"] for term in opponents["terms"]} < entrants
        assert len(opponents["terms"]) == opponents["divisor"] == 4


def test_places_follow_the_order(played: Tournament) -> None:
    """By points, then margin: nobody with as many points and a smaller margin stands above."""
    for order, column in (("mean_margin", 0), ("first_places", 0)):
        Tournament.objects.update(tiebreaks=order)
        rows = Asker().get(f"tournaments/{played.public_id}/stages/1/standings")["results"]
        keys = [
            (Fraction(row["points"]["value"]["exact"]), Fraction(row["tiebreaks"][column]["value"]["exact"]))
            for row in rows
        ]
        assert keys == sorted(keys, reverse=True)


def test_the_page_names_round_and_opponent_of_every_number(played: Tournament) -> None:
    page = Client().get(f"/tournaments/{played.public_id}/").content.decode()
    line = Asker().get(f"tournaments/{played.public_id}/stages/1/standings")["results"][0]
    first, second = (term["value"]["value"] for term in line["points"]["terms"])
    assert f'<span class="why">R1 {first:g} + R2 {second:g} = {first + second:g}</span>' in page
    name = played.entrants.get(public_id=line["tiebreaks"][1]["terms"][0]["opponent"]).bot.name
    assert re.search(rf'<span class="why">\(R1 \u2068{name}\u2069 [0-9.]+ \+ R1 .*\) / 4 = [0-9.]+</span>', page)
    assert page.count('<details class="sum') >= 9 * 3
