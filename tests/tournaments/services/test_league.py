"""Whole tournaments, from registration to the published secret, with a referee that always does well."""

from itertools import combinations

import pytest

from referee.record.game_record import read_record
from referee.rules.state import GameConfig
from tests.support.factories import make_bots, make_running
from tests.support.league import League
from tournaments.models import (
    Game,
    GameRecord,
    Match,
    MatchStatus,
    RatingRow,
    StageFormat,
    TournamentRound,
    TournamentStatus,
)
from tournaments.services.ratings import delta_from_inputs, ratings_rebuild
from tournaments.services.registration import StagePlan

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PLANS = {
    "round robin of two": (5, StagePlan(format=StageFormat.ROUND_ROBIN, seats=2)),
    "round robin of two, two games": (4, StagePlan(format=StageFormat.ROUND_ROBIN, seats=2, games_per_match=2)),
    "round robin of tables": (9, StagePlan(format=StageFormat.ROUND_ROBIN, seats=3)),
    "swiss of two": (5, StagePlan(format=StageFormat.SWISS, seats=2, rounds=3)),
    "swiss of tables": (9, StagePlan(format=StageFormat.SWISS, seats=4, rounds=3)),
}


@pytest.mark.parametrize(("entrants", "plan"), PLANS.values(), ids=PLANS)
def test_a_league_runs_to_its_end(league: League, entrants: int, plan: StagePlan) -> None:
    bots = make_bots(entrants)
    league.connect(*bots)
    tournament = league.play(make_running(bots, stages=[plan], turn_cap=1))

    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.status_reason == ""
    assert set(Match.objects.values_list("status", flat=True)) == {MatchStatus.SCORED}
    assert not Match.objects.filter(is_unplayed=True).exists()
    games = Game.objects.count()
    assert games == Game.objects.filter(result__isnull=False).count() == GameRecord.objects.count()
    assert games == Match.objects.count() * plan.games_per_match
    assert tournament.secrets.get().published_at is not None
    closings = list(TournamentRound.objects.order_by("number").values_list("closing_no", flat=True))
    assert closings == list(range(1, len(closings) + 1))
    assert ratings_rebuild(check=True) == []


@pytest.mark.parametrize(("entrants", "seats"), [(6, 2), (7, 2), (9, 3)])
def test_a_round_robin_meets_every_pair_once(league: League, entrants: int, seats: int) -> None:
    bots = make_bots(entrants)
    league.connect(*bots)
    tournament = league.play(
        make_running(bots, stages=[StagePlan(format=StageFormat.ROUND_ROBIN, seats=seats)], turn_cap=1)
    )
    met = [
        pair
        for match in Match.objects.all()
        for pair in combinations(sorted(match.match_entrants.values_list("entrant", flat=True)), 2)
    ]
    assert sorted(met) == list(combinations(sorted(tournament.entrants.values_list("pk", flat=True)), 2))


def test_every_rating_row_equals_its_formula(league: League) -> None:
    bots = make_bots(8)
    league.connect(*bots)
    league.play(make_running(bots, stages=[StagePlan(seats=4, rounds=3)], turn_cap=1))
    rows = list(RatingRow.objects.all())
    assert len(rows) == 8 * 3
    assert [row.delta for row in rows] == [delta_from_inputs(row) for row in rows]
    for match in Match.objects.all():
        assert abs(sum(row.delta / row.k for row in match.rating_rows.all())) < 1e-9


def test_an_unrated_tournament_moves_no_rating(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    league.play(make_running(bots, is_rated=False, turn_cap=1))
    assert not RatingRow.objects.exists()


def test_a_table_of_nine_with_playoffs(league: League) -> None:
    """RULES 4, 20: what the plan says is what is ordered, and a record of another game would not be taken."""
    bots = make_bots(9)
    league.connect(*bots)
    league.play(make_running(bots, stages=[StagePlan(seats=9, rounds=1)], turn_cap=1, has_playoff=True))
    game = Game.objects.get()
    config = read_record(bytes(GameRecord.objects.get().data)).header.config
    assert config == GameConfig(9, turn_cap=1, playoff=True)
    assert sorted(game.game_seats.values_list("place", flat=True))[0] == 1
    assert all(("players" in told) == (told["game_round"] > 11) for told in game.game_rounds)
