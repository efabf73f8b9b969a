"""What a plan leads to, before it begins: the figures, and that they come true."""

from math import sqrt
from typing import Any

import pytest

from tests.support.factories import make_bots, make_organiser, make_running, make_tournament
from tests.support.league import League
from tournaments.models import Bye, DealSet, Game, Match
from tournaments.ranking.power import SAVINGS, smallest_gap
from tournaments.selectors.rehearsal import rehearsal
from tournaments.services.registration import StagePlan, tournament_create

pytestmark = [pytest.mark.django_db]

PLANS: dict[str, tuple[int, StagePlan, dict[str, Any]]] = {
    "round robin": (
        6,
        StagePlan(format="round_robin", seats=2),
        {
            "table_sizes": ((2, 15),),
            "games_each": (5, 5),
            "sittings": (2, 3),
            "byes": 0,
            "sits_out": 0,
            "deal_sets": 15,
        },
    ),
    "an odd round robin": (
        5,
        StagePlan(format="round_robin", seats=2),
        {"table_sizes": ((2, 10),), "games_each": (4, 4), "sits_out": 5, "byes": 0},
    ),
    "an odd swiss of two": (
        7,
        StagePlan(seats=2, rounds=3),
        {"table_sizes": ((2, 9),), "games_each": (2, 3), "byes": 3, "sits_out": 0},
    ),
    "swiss at uneven tables": (
        10,
        StagePlan(seats=4, rounds=3, games_per_match=2),
        {"table_sizes": ((4, 3), (3, 6)), "games_each": (6, 6), "sittings": (1, 2), "own_deals": 0},
    ),
    "shared deals": (
        16,
        StagePlan(seats=4, rounds=5, deal_mode="field"),
        {"deal_sets": 5, "own_deals": 0, "games_each": (5, 5)},
    ),
    "shared deals with tables left over": (
        10,
        StagePlan(seats=4, rounds=2, deal_mode="field"),
        {"own_deals": 6, "deal_sets": 6},
    ),
    "elimination": (
        8,
        StagePlan(format="single_elimination", seats=2),
        {"table_sizes": ((2, 7),), "games_each": (1, 3), "gap": None, "sits_out": 0},
    ),
}


@pytest.mark.parametrize(("entrants", "plan", "due"), PLANS.values(), ids=PLANS)
def test_the_figures_of_a_stage(entrants: int, plan: StagePlan, due: dict[str, Any]) -> None:
    draft = tournament_create(organiser=make_organiser(), name="Cup", stages=[plan])
    found = rehearsal(draft, entrants)
    assert found is not None
    assert {name: getattr(found.stages[0], name) for name in due} == due
    assert found.sentences()


def test_it_comes_true(league: League) -> None:
    bots = make_bots(5)
    league.connect(*bots)
    tournament = make_tournament(bots, stages=[StagePlan(seats=2, rounds=3)])
    found = rehearsal(tournament)
    assert found is not None
    assert found.stages[0].expected_s is None
    played = league.play(make_running(bots, stages=[StagePlan(seats=2, rounds=3)], turn_cap=1))
    rows = Match.objects.filter(tournament_round__stage__tournament=played)
    assert (found.matches, found.games) == (rows.count(), Game.objects.filter(match__in=rows).count())
    stage = found.stages[0]
    assert stage.byes == Bye.objects.filter(entrant__tournament=played, kind="bye").count()
    assert stage.deal_sets == DealSet.objects.filter(tournament_round__stage__tournament=played).count()
    assert rehearsal(tournament).stages[0].expected_s is not None


def test_too_few_and_assumed() -> None:
    tournament = make_tournament(make_bots(2), stages=[StagePlan(seats=4)], min_entrants=8)
    assert rehearsal(tournament, 2) is None
    found = rehearsal(tournament)
    assert (found.entrants, found.is_assumed) == (8, True)
    assert found.sentences()[0] == "8 bots (so many are needed): 4 rounds, 8 matches, 8 games."


def test_a_pace_counts() -> None:
    tournament = make_tournament(
        make_bots(4), stages=[StagePlan(seats=2, rounds=3)], round_pace="daily", round_time="20:00"
    )
    found = rehearsal(tournament)
    assert found.waiting_s == 2 * 24 * 3600
    assert found.sentences()[1].startswith("It takes 2 days ")


def test_the_smallest_gap() -> None:
    """DESIGN 6: 7 points need about 1,000 games each on independent deals; shared ones save as many as they save."""
    assert smallest_gap(1078) == pytest.approx(7.0, abs=0.01)
    assert smallest_gap(100) == pytest.approx(smallest_gap(400) * 2)
    assert smallest_gap(2) == pytest.approx((1.959964 + 0.841621) * 58.0)
    draft = tournament_create(
        organiser=make_organiser(), name="Cup", stages=[StagePlan(seats=4, rounds=7, deal_mode="field")]
    )
    gap = rehearsal(draft, 16).gap
    for value, saving in zip((gap.unlike, gap.similar), SAVINGS["field"], strict=True):
        assert value == pytest.approx(smallest_gap(7) / sqrt(saving))
    with pytest.raises(ValueError, match="0 games"):
        smallest_gap(0)
