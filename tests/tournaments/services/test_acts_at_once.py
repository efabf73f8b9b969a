"""What an organiser does, four times at once: it is done once, and the league is sound."""

from collections.abc import Callable

import pytest

from tests.support.at_once import at_once
from tests.support.factories import make_bots, make_running, make_shard
from tests.support.fake_referee import FakeReferee
from tests.support.league import League
from tournaments import tasks
from tournaments.errors import TournamentError
from tournaments.models import AuditEntry, Match, Tournament, TournamentRound
from tournaments.services.corrections import match_void
from tournaments.services.league_check import league_check
from tournaments.services.registration import StagePlan
from tournaments.services.reruns import game_rerun, match_rerun, round_rerun
from tournaments.services.rollback import tournament_roll_back

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 4


@pytest.fixture
def league(referee: FakeReferee, transactional_db: None) -> League:
    return League(referee, make_shard(address=referee.address))


@pytest.fixture
def swiss(league: League) -> Tournament:
    """One round closed, the second open."""
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=2, rounds=3)], turn_cap=1)
    while TournamentRound.objects.count() < 2:
        league.step()
    return tournament


def the_round() -> TournamentRound:
    return TournamentRound.objects.get(number=1)


def the_match() -> Match:
    return Match.objects.filter(tournament_round__number=1).order_by("pk")[0]


ACTS = {
    "game_rerun": lambda: game_rerun(game=the_match().games.get(), actor=None, reason="x"),
    "match_rerun": lambda: match_rerun(match=the_match(), actor=None, reason="x"),
    "round_rerun": lambda: round_rerun(tournament_round=the_round(), actor=None, reason="x"),
    "match_void": lambda: match_void(match=the_match(), actor=None, reason="x"),
    "tournament_roll_back": lambda: tournament_roll_back(tournament_round=the_round(), actor=None, reason="x"),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_at_once(swiss: Tournament, name: str) -> None:
    outcomes = at_once(*[ACTS[name]] * AT_ONCE)
    refused = [outcome for outcome in outcomes if isinstance(outcome, TournamentError)]
    assert [error.code for error in refused] == ["invalid_transition"] * (AT_ONCE - 1), outcomes
    assert AuditEntry.objects.filter(action=name).count() == 1
    assert league_check().problems == []


def _settle() -> Callable[[], object]:
    number = TournamentRound.objects.get(number=2).pk
    return lambda: tasks.settle_round(number)


@pytest.mark.parametrize("name", ["match_rerun", "match_void", "tournament_roll_back"])
def test_an_act_while_the_next_round_closes(league: League, swiss: Tournament, name: str) -> None:
    league.dispatch()
    league.referee.finish_all()
    league.collect()
    outcomes = at_once(ACTS[name], _settle(), _settle(), lambda: tasks.advance_tournament(swiss.pk))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    assert league_check().problems == []
