"""Strengths and the fairness report, as pages and in the API, against the rows."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from django.test import Client

from tests.support.factories import join_wait_over, make_bots, make_running
from tests.support.field_league import make_skilled, matches
from tests.support.league import League
from tests.web.api.asking import Asker
from tournaments.models import Game, GameSeat, Tournament
from tournaments.selectors.fairness import tournament_fairness
from tournaments.services.registration import StagePlan
from tournaments.services.strength import strengths_compute

pytestmark = pytest.mark.django_db


def played(league: League, bots: int, rounds: int, seats: int = 3, deal_mode: str = "field") -> Tournament:
    made = make_bots(bots)
    league.connect(*made)
    plan = StagePlan(seats=seats, rounds=rounds, deal_mode=deal_mode)
    return league.play(make_running(made, stages=[plan], turn_cap=1))


def fairness(tournament: Tournament) -> Any:
    return Asker().get(f"tournaments/{tournament.public_id}/fairness")


def page(tournament: Tournament, part: str = "") -> str:
    answer = Client().get(f"/tournaments/{tournament.public_id}/{part}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_strengths_once_they_are_there(league: League) -> None:
    tournament = played(league, 9, 6)
    skilled = tournament.entrants.order_by("pk")[0]
    make_skilled(tournament, {skilled.pk})
    path = f"tournaments/{tournament.public_id}/strength"
    assert Asker().get(path) == {"games": 0, "computed_at": None, "tables": []}
    assert "Strength</h2>" not in page(tournament)
    strengths_compute(tournament=tournament)
    found = Asker().get(path)
    assert found["games"] == 18
    margin, fit = found["tables"]
    assert (margin["measure"], fit["measure"]) == ("margin", "bradley_terry")
    assert margin["leaders"][0]["id"] == skilled.public_id
    first, *_, last = margin["lines"]
    assert first["entrant"]["id"] == skilled.public_id
    assert (first["could_be"], first["deal_sets"], first["next_below"]["is_separated"]) == ([1, 1], 6, True)
    assert first["interval"][0] < first["value"] < first["interval"][1]
    assert last["next_below"] is None
    text = page(tournament)
    words = {"clear": "Clear winner", "tie": "A tie at the top"}[margin["verdict"]]
    assert f"<strong>{words}:</strong> <bdi>{skilled.bot.name}</bdi>" in text
    assert text.count('<svg class="whisker"') == 18
    assert 'class="is-clear' in text
    assert "not separated from the bot above" in text


def test_with_too_few_games_the_page_says_so(league: League) -> None:
    tournament = played(league, 9, 1)
    strengths_compute(tournament=tournament)
    text = page(tournament)
    assert "Too few games to say who is stronger: 1 deal each at most, and 6 are needed." in text
    assert "whisker" not in text


def test_seats_and_meetings(league: League) -> None:
    tournament = played(league, 9, 3)
    found = fairness(tournament)
    assert found["games"] == 9
    sat = Counter(GameSeat.objects.values_list("entrant__public_id", "seat"))
    for line in found["seats"]:
        assert line["by_seat"] == [sat[line["entrant"]["id"], seat] for seat in range(3)]
        assert line["spread"] == max(line["by_seat"]) - min(line["by_seat"])
    met = Counter(
        pair
        for number in (1, 2, 3)
        for match in matches(tournament, number)
        for pair in combinations(sorted(match.match_entrants.values_list("entrant", flat=True)), 2)
    )
    assert found["meetings"] == {"least": 0, "most": max(met.values()), "pairs": 36, "never": 36 - len(met)}


def test_where_everybody_met_the_least_is_one(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = league.play(make_running(bots, stages=[StagePlan(format="round_robin", seats=2)], turn_cap=1))
    found = fairness(tournament)
    assert found["meetings"] == {"least": 1, "most": 1, "pairs": 6, "never": 0}
    assert (found["deals"], found["lags"], found["spread"]) == (None, [], None)
    assert "Shared deals" not in page(tournament, "fairness/")


def test_what_became_of_shared_deals(league: League) -> None:
    """Thirteen at tables of four: three of three share, the one of four is left over. Then a seat retires: two are too few."""
    tournament = played(league, 13, 1, seats=4)
    nothing = {"left_over": 0, "retired": 0, "replaced": 0, "too_few": 0}
    assert fairness(tournament)["deals"] == nothing | {
        "sets": 1,
        "least_tables": 3,
        "most_tables": 3,
        "compared": 3,
        "left_over": 1,
    }
    assert "1 deal was played at 3 tables each: 3 games" in page(tournament, "fairness/")
    game = Game.objects.filter(deal_set__mode="field")[0]
    GameSeat.objects.filter(game=game, seat=1).update(retired_in_round=2)
    assert fairness(tournament)["deals"] == nothing | {
        "sets": 0,
        "least_tables": 0,
        "most_tables": 0,
        "compared": 0,
        "left_over": 1,
        "retired": 1,
        "too_few": 2,
    }
    text = page(tournament, "fairness/")
    assert "1 game in which a seat retired" in text
    assert "2 games with too few tables left" in text


def test_spread_and_lateness_of_an_entrant(league: League) -> None:
    """Seven rounds: one entrant's tables are always over last, and it scores best when they are later by more."""
    tournament = played(league, 9, 7)
    make_skilled(tournament, set())
    found = tournament_fairness(tournament)
    assert found.spread is not None
    assert found.spread.deals == 7
    assert found.spread.compared < found.spread.alone
    assert {line.lag.deals for line in found.lags} == {7}
    assert sum(line.lag.lateness for line in found.lags) == pytest.approx(9 / 2)
    shown = fairness(tournament)
    assert shown["spread"]["games_saved"] == pytest.approx((found.spread.alone / found.spread.compared) ** 2)
    assert [line["entrant"]["id"] for line in shown["lags"]] == [line.entrant.public_id for line in found.lags]
    text = page(tournament, "fairness/")
    assert "Nobody stands out" in text or "stands out</span>" in text


def test_who_is_late_and_gains_stands_out(league: League) -> None:
    """Rows as they would be: in five rounds of seven its table is last and it saves much, in the others it is first."""
    tournament = played(league, 9, 7)
    make_skilled(tournament, set())
    suspect = tournament.entrants.order_by("pk")[0]
    for number in range(1, 8):
        games = list(Game.objects.filter(match__in=matches(tournament, number)).order_by("pk"))
        own = next(game for game in games if game.game_seats.filter(entrant=suspect).exists())
        is_late = number > 2
        begin = min(game.finished_at for game in games)
        for game in games:
            minutes = (30 if is_late else 1) if game == own else 10 + games.index(game)
            Game.objects.filter(pk=game.pk).update(finished_at=begin.replace(microsecond=0, minute=0, second=minutes))
        GameSeat.objects.filter(game=own, entrant=suspect).update(score=0 if is_late else 2000)
    found = tournament_fairness(tournament)
    assert found.standing_out[0].entrant == suspect
    lag = found.lags[0].lag
    assert (lag.gain, lag.lateness) == (pytest.approx(1.0), pytest.approx(5 / 7))
    text = page(tournament, "fairness/")
    assert "Somebody’s tables end late more often than not" in text
    assert text.count("stands out</span>") == len(found.standing_out)


def test_before_anything_is_scored(league: League) -> None:
    bots = make_bots(9)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=3, rounds=2, deal_mode="field")])
    assert "No match is scored yet" in page(tournament, "fairness/")
    assert f"/tournaments/{tournament.public_id}/fairness/" in page(tournament)
    found = fairness(tournament)
    assert (found["games"], found["meetings"], found["lags"], found["spread"]) == (0, None, [], None)
    assert {line["spread"] for line in found["seats"]} == {0}


def test_walkovers_are_no_meetings(league: League) -> None:
    bots = make_bots(2)
    league.connect(bots[0])
    tournament = make_running(bots, stages=[StagePlan(format="round_robin", seats=2)])
    join_wait_over(matches(tournament)[0])
    league.play(tournament)
    assert fairness(tournament)["games"] == 0
