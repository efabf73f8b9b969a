"""`GET /api/v1/bot`: what the SDK asks."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.factories import (
    connect,
    join_wait_over,
    make_bot,
    make_bots,
    make_organiser,
    make_running,
    make_tournament,
    the_match,
)
from tests.support.league import League
from tests.web.api.asking import asking_bot
from tournaments.models import Match, StageFormat, StartMode
from tournaments.services.corrections import match_void
from tournaments.services.registration import StagePlan
from web.api import whoami

pytestmark = pytest.mark.django_db

SITE = "http://127.0.0.1:8000"


def test_a_bot_that_has_done_nothing() -> None:
    bot = make_bot("newcomer")
    assert asking_bot(bot).get("bot") == {
        "bot": {"id": bot.public_id, "name": "newcomer", "url": f"{SITE}/bots/{bot.public_id}/"},
        "entries": [],
        "results": [],
    }


def test_where_it_is_entered() -> None:
    bot, other = make_bots(2)
    soon = timezone.now() + timedelta(hours=1)
    timed = make_tournament([bot], name="Timed", start_mode=StartMode.AT_TIME, starts_at=soon)
    by_hand = make_tournament([bot], name="By hand")
    running = make_running([bot, other], name="Running")
    opened = the_match(running).tournament_round.opened_at

    entries = asking_bot(bot).get("bot")["entries"]
    assert [each["tournament"] for each in entries] == [running.public_id, by_hand.public_id, timed.public_id]
    assert entries[0] == {
        "tournament": running.public_id,
        "name": "Running",
        "status": "running",
        "next_round_at": opened.isoformat().replace("+00:00", "Z"),
        "url": f"{SITE}/tournaments/{running.public_id}/",
    }
    assert [each["next_round_at"] for each in entries[1:]] == [None, soon.isoformat().replace("+00:00", "Z")]


def test_its_last_results(league: League) -> None:
    bots = make_bots(3)
    league.connect(*bots)
    plan = StagePlan(format=StageFormat.SWISS, seats=3, rounds=1, games_per_match=2)
    tournament = league.play(make_running(bots, stages=[plan], turn_cap=1))
    match = the_match(tournament)

    found = {bot.public_id: asking_bot(bot).get("bot")["results"] for bot in bots}
    assert all(len(results) == 1 for results in found.values())
    results = [results[0] for results in found.values()]
    assert {each["match"] for each in results} == {match.public_id}
    assert {each["tournament"] for each in results} == {tournament.public_id}
    assert {each["name"] for each in results} == {tournament.name}
    assert {each["url"] for each in results} == {f"{SITE}/matches/{match.public_id}/"}
    assert {each["finished_at"] for each in results} == {match.played_at.isoformat().replace("+00:00", "Z")}
    assert sum(each["points"] for each in results) == pytest.approx(1.5)
    by_points = sorted(results, key=lambda each: -each["points"])
    assert [each["place"] for each in by_points] == sorted(each["place"] for each in results)
    assert by_points[0]["place"] == 1


def test_a_void_match_is_no_result() -> None:
    bots = make_bots(2)
    match_void(match=the_match(make_running(bots)), actor=make_organiser(), reason="rain")
    assert asking_bot(bots[0]).get("bot")["results"] == []


@pytest.mark.parametrize("is_here", [True, False], ids=["one came", "nobody came"])
def test_a_match_without_a_game(league: League, is_here: bool) -> None:
    here, away = make_bots(2)
    if is_here:
        league.connect(here)
    match = the_match(make_running([here, away]))
    join_wait_over(match)
    league.step()
    match.refresh_from_db()
    assert match.is_unplayed
    found = [asking_bot(bot).get("bot")["results"][0] for bot in (here, away)]
    assert [(each["place"], each["points"]) for each in found] == [(1, 1.0) if is_here else (2, 0.0), (2, 0.0)]
    assert all(each["finished_at"] for each in found)


def test_only_the_last_ones_are_told(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whoami, "LAST_RESULTS", 2)
    bots = make_bots(2)
    league.connect(*bots)
    plan = StagePlan(format=StageFormat.ROUND_ROBIN, seats=2, laps=3)
    league.play(make_running(bots, stages=[plan], turn_cap=1))
    results = asking_bot(bots[0]).get("bot")["results"]
    assert [each["match"] for each in results] == list(
        Match.objects.order_by("-pk").values_list("public_id", flat=True)[:2]
    )


def test_it_only_reads(shard: object) -> None:
    bot = make_bot()
    connect(shard, bot)
    answer = asking_bot(bot).ask("POST", "bot", {})
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
