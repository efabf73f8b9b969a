"""What pages and API read."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from tests.support.factories import (
    connect,
    join_wait_over,
    make_bot,
    make_bots,
    make_running,
    make_shard,
    make_tournament,
    the_match,
)
from tests.support.league import League
from tournaments.models import GameFault, Match, Shard, Stage, Tournament, TournamentKind
from tournaments.selectors.bots import bot_entries, bot_faults, bot_matches, bot_results, bots_of
from tournaments.selectors.games import match_detail
from tournaments.selectors.health import site_health
from tournaments.selectors.plans import game_worst_time_s, round_worst_time_s, stage_size, tournament_size
from tournaments.selectors.results import match_result
from tournaments.selectors.shards import live_shards, presences
from tournaments.selectors.standings import standings_for, tournament_standings
from tournaments.selectors.tournaments import (
    matches_needing_attention,
    rounds_with_matches,
    running_attempts,
    tournament_progress,
    tournaments_open,
    tournaments_recent,
    tournaments_running,
)
from tournaments.services.corrections import match_void
from tournaments.services.dispatch import match_dispatch
from tournaments.services.registration import StagePlan
from tournaments.services.running import tournament_cancel

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


# -- plans -------------------------------------------------------------------------------------------------------------

SIZES = {
    "swiss 16 at 4": (StagePlan(seats=4, rounds=4), 16, (4, 16, 16)),
    "swiss 18 at 4": (StagePlan(seats=4, rounds=2), 18, (2, 10, 10)),
    "swiss 5 at 4": (StagePlan(seats=4, rounds=1), 5, (1, 1, 1)),
    "swiss 7 at 2": (StagePlan(seats=2, rounds=3), 7, (3, 9, 9)),
    "round robin 8 at 2": (StagePlan(format="round_robin", seats=2), 8, (7, 28, 28)),
    "round robin 9 at 3": (StagePlan(format="round_robin", seats=3), 9, (4, 12, 12)),
    "round robin 11 at 4, no design": (StagePlan(format="round_robin", seats=4), 11, (11, 22, 22)),
    "single 6 at 2": (StagePlan(format="single_elimination", seats=2), 6, (3, 5, 5)),
    "single 6 at 2, third place": (StagePlan(format="single_elimination", seats=2, has_third_place=True), 6, (3, 6, 6)),
    "double 8 at 2": (StagePlan(format="double_elimination", seats=2, games_per_match=3), 8, (7, 15, 45)),
    "single 16 at 4": (StagePlan(format="single_elimination", seats=4), 16, (3, 7, 7)),
    "top cut": (StagePlan(format="single_elimination", seats=2, top_cut=4), 40, (2, 3, 3)),
    "two laps, three games": (StagePlan(format="round_robin", seats=2, laps=2, games_per_match=3), 4, (6, 12, 36)),
}


@pytest.mark.parametrize(("plan", "entrants", "size"), SIZES.values(), ids=SIZES)
def test_how_large_a_plan_is(plan: StagePlan, entrants: int, size: tuple[int, int, int]) -> None:
    tournament = make_tournament(stages=[StagePlan(), plan], min_entrants=4)
    found = stage_size(tournament, tournament.stages.get(number=2), entrants)
    assert (found.rounds, found.matches, found.games) == size


@pytest.mark.parametrize("entrants", [3, 5, 6, 7, 9, 10, 11, 13, 14, 17])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_plan_foresees_the_tables_that_are_paired(entrants: int, seats: int) -> None:
    tournament = make_running(make_bots(entrants), stages=[StagePlan(seats=seats, rounds=1)])
    size = tournament_size(tournament)
    assert size is not None
    assert (size.rounds, size.games) == (1, Match.objects.count())
    largest = max(match.match_entrants.count() for match in Match.objects.all())
    assert size.worst_time_s == round_worst_time_s(tournament, tournament.stages.get(), largest)


def test_the_worst_time_is_the_sum_of_its_budgets() -> None:
    tournament = Tournament(start_ms=30_000, thinking_ms=120_000, bank_ms=30_000, join_wait_s=120)
    assert game_worst_time_s(tournament, 4) == 720
    assert round_worst_time_s(tournament, Stage(games_per_match=2), 4) == 120 + 2 * 720
    # After a tie up to three more games, to each of which everybody is waited for.
    assert round_worst_time_s(tournament, Stage(format="single_elimination"), 2) == 4 * (120 + 360)
    assert game_worst_time_s(Tournament(start_ms=1, thinking_ms=1, bank_ms=0), 2) == 1


def test_a_field_that_is_too_small_has_no_size() -> None:
    tournament = make_tournament(stages=[StagePlan(seats=4, rounds=4)])
    assert tournament_size(tournament) is None
    assert tournament_size(tournament, 3).rounds == 4


# -- tournaments -------------------------------------------------------------------------------------------------------


def test_lists_show_what_is_listed(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots, max_games=5)
    open_one, running = make_tournament(bots), make_running(bots, turn_cap=1)
    make_running(bots, kind=TournamentKind.TEST, is_listed=False)
    cancelled = make_tournament()
    tournament_cancel(tournament=cancelled, actor=None, reason="rain")
    assert list(tournaments_open()) == [open_one]
    assert [(each.pk, each.entrant_count) for each in tournaments_running()] == [(running.pk, 2)]
    assert list(tournaments_recent()) == [cancelled]


def test_progress_from_start_to_end(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    match_dispatch(match=the_match(tournament))
    progress = tournament_progress(tournament)
    assert (progress.rounds_closed, progress.rounds_planned, progress.current_round.number) == (0, 3, 1)
    assert (progress.matches_settled, progress.matches_in_round) == (0, 2)
    assert (progress.games_finished, progress.games_planned, progress.games_running) == (0, 6, 1)
    assert progress.last_progress_at is None
    assert [attempt.game.match for attempt in running_attempts(tournament)] == [the_match(tournament)]
    league.play(tournament)
    progress = tournament_progress(tournament)
    assert (progress.rounds_closed, progress.games_finished, progress.games_running) == (3, 6, 0)
    assert progress.last_progress_at is not None


def test_rounds_come_with_everything_in_a_handful_of_queries(
    league: League, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    bots = make_bots(5)
    league.connect(*bots)
    tournament = league.play(make_running(bots, turn_cap=1))
    with django_assert_num_queries(6):
        shown = [
            (
                tournament_round.number,
                len(tournament_round.byes.all()),
                [
                    [row.entrant.bot.owner.username for row in match.match_entrants.all()]
                    + [seat.entrant.bot.name for game in match.games.all() for seat in game.game_seats.all()]
                    for match in tournament_round.matches.all()
                ],
            )
            for tournament_round in rounds_with_matches(tournament)
        ]
    assert [(number, byes, len(matches)) for number, byes, matches in shown] == [(n, 1, 2) for n in range(1, 6)]


def test_standings_need_no_more_queries_for_more_matches(
    league: League, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    bots = make_bots(6)
    league.connect(*bots)
    tournament = league.play(make_running(bots, turn_cap=1))
    stage = tournament.stages.select_related("tournament").get()
    with django_assert_num_queries(10):
        table = standings_for(stage)
    assert [line.row.place for line in table.lines] == sorted(line.row.place for line in table.lines)
    assert sum(line.row.points.value * 5 for line in table.lines) == 15
    assert tournament_standings(tournament) == [table]


def test_standings_while_a_round_is_open(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    match_dispatch(match=the_match(tournament))
    league.referee.finish_all()
    league.collect()
    league.settle()
    table = standings_for(tournament.stages.get())
    assert (table.is_final, table.rounds_closed, table.has_open_round) == (False, 0, True)
    assert sorted(line.row.matches for line in table.lines) == [0, 0, 1, 1]


# -- matches -----------------------------------------------------------------------------------------------------------


def test_points_of_a_match(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    match = the_match(make_running(bots, stages=[StagePlan(format="round_robin", seats=4)], turn_cap=1))
    assert match_result(match) is None
    assert match_detail(match, AnonymousUser()).points == (None,) * 4
    league.step()
    shown = match_detail(match, AnonymousUser())
    places = [row.place for row in shown.games[0].game.game_seats.order_by("seat")]
    if len(set(places)) == 4:
        assert list(shown.points) == [Fraction(4 - place, 3) for place in places]
    assert sum(shown.points) == 2


def test_points_without_a_game(league: League) -> None:
    here, away = make_bots(2)
    league.connect(here)
    match = the_match(make_running([here, away]))
    join_wait_over(match)
    league.step()
    shown = match_detail(match, AnonymousUser())
    assert {row.entrant.bot: points for row, points in zip(shown.entrants, shown.points, strict=True)} == {
        here: 1,
        away: 0,
    }
    assert shown.games[0].faults == ()


def test_points_of_a_void_match() -> None:
    match = the_match(make_running(make_bots(2)))
    match_void(match=match, actor=None, reason="broken")
    match.refresh_from_db()
    assert match_detail(match, AnonymousUser()).points == (Fraction(1, 2), Fraction(1, 2))


def test_what_needs_attention_says_why() -> None:
    match = the_match(make_running(make_bots(2)))
    Match.objects.filter(pk=match.pk).update(status="needs_attention", status_reason="stuck")
    assert [(each, each.status_reason) for each in matches_needing_attention()] == [(match, "stuck")]
    assert site_health()["matches_needing_attention"] == 1


# -- bots --------------------------------------------------------------------------------------------------------------


def test_a_bots_matches_results_faults_and_entries(league: League) -> None:
    *here, away = make_bots(3)
    league.connect(*here, away)
    league.referee.disconnect(away)
    league.watch()
    tournament = make_running([*here, away], stages=[StagePlan(seats=3, rounds=2)], turn_cap=1)
    join_wait_over(the_match(tournament))
    league.step()
    assert [match.tournament_round.number for match in bot_matches(away)] == [2, 1]
    assert [match.tournament_round.number for match in bot_results(away)] == [1]
    [fault] = bot_faults(away)
    assert (fault, fault.get_type_display()) == (GameFault.objects.get(), "Not connected")
    assert list(bot_faults(here[0])) == []
    [entry] = bot_entries(away)
    assert (entry.entrant.tournament, entry.next_round.number) == (tournament, 2)
    tournament_cancel(tournament=tournament, actor=None, reason="rain")
    assert bot_entries(away) == []


def test_presence_counts_only_while_its_referee_answers() -> None:
    shard, bot = make_shard(), make_bot()
    connect(shard, bot)
    assert [presence.version.name for presence in presences(bot)] == ["1"]
    assert list(bots_of(bot.owner)) == [bot]
    Shard.objects.update(last_seen_at=timezone.now() - timedelta(seconds=11))
    assert live_shards() == []
    assert not presences(bot).exists()
