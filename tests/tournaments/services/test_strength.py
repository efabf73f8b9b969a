"""Strengths of a finished tournament: when they are computed, how often, and that they are those of its games."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.factories import make_bots, make_running
from tests.support.field_league import make_skilled
from tests.support.league import League
from tournaments.models import Game, StrengthReport, Tournament, TournamentKind, TournamentStatus
from tournaments.selectors.strength import tournament_strength
from tournaments.services.registration import StagePlan
from tournaments.services.strength import LEASE, strengths_compute, strengths_due
from tournaments.services.sweep import sweep
from tournaments.tasks import compute_strength

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def league_of_nine(league: League, rounds: int, *, deal_mode: str = "field") -> tuple[Tournament, int]:
    """Finished; and the one entrant that can play."""
    bots = make_bots(9)
    league.connect(*bots)
    plan = StagePlan(seats=3, rounds=rounds, deal_mode=deal_mode)
    tournament = league.play(make_running(bots, stages=[plan], turn_cap=1))
    skilled = tournament.entrants.get(bot=bots[0]).pk
    make_skilled(tournament, {skilled})
    return tournament, skilled


def due_at(tournament: Tournament) -> object:
    tournament.refresh_from_db()
    return tournament.strength_due_at


def test_who_can_play_is_told_from_who_cannot(league: League) -> None:
    tournament, skilled = league_of_nine(league, 7)
    assert due_at(tournament) is not None
    assert tournament_strength(tournament) is None
    strengths_compute(tournament=tournament)
    assert due_at(tournament) is None

    found = tournament_strength(tournament)
    assert (found.games, found.is_enough, found.most_deal_sets) == (21, True, 7)
    margin, fit = found.tables
    assert (margin.measure, fit.measure) == ("margin", "bradley_terry")
    for table in (margin, fit):
        assert table.lines[0].entrant.pk == skilled
        assert [line.value for line in table.lines] == sorted((line.value for line in table.lines), reverse=True)
        assert all(line.interval[0] <= line.value <= line.interval[1] for line in table.lines)
        assert {line.deal_sets for line in table.lines} == {7}
    assert margin.verdict in ("clear", "tie")
    assert margin.leaders[0].pk == skilled
    best, second, *_, last = margin.lines
    assert (best.could_be, best.is_clear_of_above) == ((1, 1), False)
    assert best.next_below.entrant == second.entrant
    assert (best.next_below.is_separated, best.next_below.more_sets) == (True, None)
    assert best.next_below.above > 0.975
    assert second.is_clear_of_above
    assert second.could_be[0] == 2
    assert last.next_below is None


def test_with_few_deals_nothing_is_said(league: League) -> None:
    tournament, _ = league_of_nine(league, 1)
    strengths_compute(tournament=tournament)
    found = tournament_strength(tournament)
    assert (found.games, found.is_enough, found.most_deal_sets) == (3, False, 1)
    for line in found.tables[0].lines:
        assert (line.interval, line.could_be) == (None, None)
    assert {table.verdict for table in found.tables} == {"too few"}


def test_a_deal_that_nobody_shared_counts_by_itself(league: League) -> None:
    """The margins less those of the same seat add up to nothing over a shared deal, plain ones over each table."""
    shared, _ = league_of_nine(league, 1)
    alone, _ = league_of_nine(league, 1, deal_mode="independent")
    values = {}
    for tournament in (shared, alone):
        strengths_compute(tournament=tournament)
        lines = tournament_strength(tournament).tables[0].lines
        values[tournament.pk] = {line.entrant.pk: line.value for line in lines}
    by_table = {
        game.pk: [
            values[game.match.tournament_round.stage.tournament_id][row.entrant_id] for row in game.game_seats.all()
        ]
        for game in Game.objects.all()
    }
    of_alone = Game.objects.filter(match__tournament_round__stage__tournament=alone).values_list("pk", flat=True)
    assert all(abs(sum(by_table[pk])) < 1e-9 for pk in of_alone)
    by_seat = {}
    for game in Game.objects.filter(match__tournament_round__stage__tournament=shared):
        for row in game.game_seats.all():
            by_seat.setdefault(row.seat, []).append(values[shared.pk][row.entrant_id])
    assert all(abs(sum(each)) < 1e-9 for each in by_seat.values())


def test_once_for_every_time_it_is_due(league: League) -> None:
    tournament, _ = league_of_nine(league, 1)
    compute_strength(tournament.pk)
    first = StrengthReport.objects.get()
    compute_strength(tournament.pk)
    assert StrengthReport.objects.get().computed_at == first.computed_at
    strengths_due(tournament)
    compute_strength(tournament.pk)
    again = StrengthReport.objects.get()
    assert again.computed_at > first.computed_at
    assert again.measures == first.measures


def test_a_lost_message_or_worker_costs_time_alone(league: League) -> None:
    tournament, _ = league_of_nine(league, 1)
    assert sweep()["control.strength"] == 1
    Tournament.objects.filter(pk=tournament.pk).update(strength_due_at=timezone.now() + LEASE)
    assert sweep()["control.strength"] == 0
    assert strengths_compute(tournament=tournament) is None
    Tournament.objects.filter(pk=tournament.pk).update(strength_due_at=timezone.now() - timedelta(seconds=1))
    assert strengths_compute(tournament=tournament) is not None
    assert sweep()["control.strength"] == 0


def test_nobody_asks_for_test_matches_or_what_goes_on(league: League) -> None:
    tournament, _ = league_of_nine(league, 1)
    strengths_compute(tournament=tournament)
    for changes in ({"kind": TournamentKind.TEST}, {"kind": "league", "status": TournamentStatus.RUNNING}):
        Tournament.objects.filter(pk=tournament.pk).update(**changes)
        strengths_due(tournament)
        assert due_at(tournament) is None
