"""Shared deals from the plan to the standings: real games, one deal at several tables."""

from fractions import Fraction
from typing import Any

import pytest

from referee.record.game_record import read_record
from tests.support.factories import join_wait_over, make_bot, make_bots, make_organiser, make_owner, make_running
from tests.support.field_league import matches, play, players, points_by_hand, points_of, shares
from tests.support.league import League, open_attempt
from tournaments.errors import TournamentError
from tournaments.models import (
    DealMode,
    DealSet,
    Game,
    GameRecord,
    Match,
    MatchStatus,
    Stage,
    Tournament,
    TournamentRound,
)
from tournaments.selectors.deals import seed_of
from tournaments.selectors.fairness import tournament_fairness
from tournaments.selectors.results import match_result, stage_results
from tournaments.selectors.shared_deals import SharedDeal, shared_deals
from tournaments.selectors.standings import standings_for
from tournaments.services.corrections import match_correct, match_void
from tournaments.services.dispatch import match_dispatch
from tournaments.services.ratings import delta_from_inputs, ratings_rebuild
from tournaments.services.registration import StagePlan, tournament_create, tournament_open_registration
from tournaments.services.reruns import match_rerun
from tournaments.services.rounds import tournament_advance
from tournaments.services.strength import strengths_compute

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FIELD = StagePlan(seats=3, rounds=2, deal_mode="field")
PLANS: dict[str, tuple[dict[str, Any], StagePlan, str]] = {
    "any number": ({}, FIELD, ""),
    "three tables": ({"max_entrants": 9}, FIELD, ""),
    "two tables": ({"max_entrants": 8}, FIELD, "need 3 tables of one size, which 8 entrants at tables of 3 never make"),
    "eleven at tables of four": ({"max_entrants": 11}, StagePlan(seats=4, deal_mode="field"), ""),
    "eight at tables of four": (
        {"max_entrants": 8},
        StagePlan(seats=4, deal_mode="field"),
        "need 3 tables of one size",
    ),
    "one table": (
        {"max_entrants": 7},
        StagePlan(format="round_robin", seats=7, deal_mode="field"),
        "stage 1: shared deals need 3 tables of one size, .* raise max_entrants, or play independent deals",
    ),
    "three pairs": ({"max_entrants": 6}, StagePlan(seats=2, deal_mode="field"), ""),
    "round robin": ({"max_entrants": 12}, StagePlan(format="round_robin", seats=4, deal_mode="field"), ""),
    "rotated": ({}, StagePlan(deal_mode="rotated"), "a remote one could remember the deal"),
    "elimination": ({}, StagePlan(format="single_elimination", seats=2, deal_mode="field"), "plays independent deals"),
}


@pytest.mark.parametrize(("fields", "plan", "problem"), PLANS.values(), ids=PLANS)
def test_plans_that_ask_for_shared_deals(fields: dict[str, Any], plan: StagePlan, problem: str) -> None:
    draft = tournament_create(organiser=make_organiser(), name="League", stages=[plan], **fields)
    if not problem:
        assert tournament_open_registration(tournament=draft, actor=None).status == "registration"
        return
    with pytest.raises(TournamentError, match=problem) as caught:
        tournament_open_registration(tournament=draft, actor=None)
    assert caught.value.code == "invalid"


def deal_of(match: Match) -> SharedDeal:
    game = match.games.get()
    return shared_deals([game])[game.pk]


def start(league: League, bots: int = 9, plan: StagePlan = FIELD, **fields: Any) -> Tournament:
    made = make_bots(bots)
    league.connect(*made)
    return make_running(made, stages=[plan], turn_cap=2, **fields)


def test_tables_of_a_set_play_one_deal_and_are_compared_by_seat(league: League) -> None:
    tournament = start(league)
    tables = matches(tournament)
    deal_set = DealSet.objects.get()
    assert (deal_set.mode, deal_set.games.count(), len(tables)) == (DealMode.FIELD, 3, 3)
    play(league, tables)
    results = [game.result for game in Game.objects.filter(match__in=tables).select_related("result")]
    assert len({seed_of(result) for result in results}) == 1
    records = [read_record(bytes(row.data)) for row in GameRecord.objects.all()]
    assert {record.header.deal_mode.value for record in records} == {"field"}
    assert len({record.header.commitment for record in records}) == 1
    points = points_of(tables)
    assert points == points_by_hand(tables)
    assert any(points[entrant] != share for match in tables for entrant, share in shares(match).items())
    assert sum(points.values()) == Fraction(9, 2)
    for match in tables:
        deal = deal_of(match)
        assert (deal.own_reason, deal.is_final) == ("", True)
        assert list(deal.tables) == [other for other in tables if other != match]
        assert {line.seat.entrant_id: line.points for line in deal.seats} == {
            entrant: points[entrant] for entrant in shares(match)
        }
        for line in deal.seats:
            assert [each.seat.seat for each in line.others] == [line.seat.seat] * 2


def test_one_match_has_the_same_points_as_all_of_them(league: League) -> None:
    tournament = start(league)
    tables = matches(tournament)
    play(league, tables)
    one_by_one = {}
    for match in tables:
        result = match_result(match)
        one_by_one |= dict(zip(result.entrants, result.points, strict=True))
    whole = stage_results(Stage.objects.get())
    assert one_by_one == points_of(tables)
    assert one_by_one == {
        entrant: points for each in whole for entrant, points in zip(each.entrants, each.points, strict=True)
    }


def test_a_match_is_scored_when_its_set_is_final(league: League) -> None:
    tournament = start(league)
    *first, last = matches(tournament)
    play(league, first)
    for match in first:
        match.refresh_from_db()
        assert (match.status, match_result(match)) == (MatchStatus.PLAYED, None)
        deal = deal_of(match)
        assert (deal.is_final, deal.own_reason, deal.seats) == (False, "", ())
    assert stage_results(Stage.objects.get()) == []
    play(league, [last])
    assert set(Match.objects.filter(tournament_round__number=1).values_list("status", flat=True)) == {"scored"}
    assert DealSet.objects.get(tournament_round__number=1).status == "final"


@pytest.mark.parametrize(("tables", "others_compared"), [(3, False), (4, True)])
def test_a_table_with_a_retired_seat_leaves_its_set(league: League, tables: int, others_compared: bool) -> None:
    tournament = start(league, 3 * tables)
    absent, *others = matches(tournament)
    gone = absent.match_entrants.get(position=1).entrant.bot
    league.referee.disconnect(gone)
    league.watch()
    join_wait_over(absent)
    play(league, [absent, *others])
    assert absent.games.get().game_seats.get(entrant__bot=gone).retired_in_round is not None
    by_place = {entrant: share for match in [absent, *others] for entrant, share in shares(match).items()}
    expected = by_place | (points_by_hand(others) if others_compared else {})
    assert points_of([absent, *others]) == expected
    assert deal_of(absent).own_reason == "a seat retired and so the table has left its deal set"
    left = "" if others_compared else "fewer than 3 tables of its deal set are left to compare"
    assert [deal_of(match).own_reason for match in others] == [left] * len(others)
    assert all(bool(deal_of(match).seats) == others_compared for match in others)


def test_a_table_with_a_replacement_seed_leaves_its_set(league: League) -> None:
    tournament = start(league, 12)
    lost, *others = matches(tournament)
    match_dispatch(match=lost)
    league.referee.restart()
    league.referee.connect(*[entrant.bot for entrant in tournament.entrants.all()])
    league.watch()
    play(league, others)
    for _ in range(3):
        league.watch()
        match_dispatch(match=lost)
        if league.referee.games:
            break
    league.referee.finish(open_attempt(lost).attempt_id, *players(1))
    league.collect()
    league.settle()
    game = lost.games.get()
    assert (game.replacement, game.result.replacement) == (1, 1)
    seeds = {seed_of(each.result) for each in Game.objects.filter(match__in=[lost, *others])}
    assert len(seeds) == 2
    assert points_of([lost, *others]) == shares(lost) | points_by_hand(others)
    assert "from another seed" in deal_of(lost).own_reason


def test_a_void_table_leaves_its_set(league: League) -> None:
    tournament = start(league, 12)
    void, *others = matches(tournament)
    play(league, others)
    match_void(match=void, actor=None, reason="the organiser said so")
    league.settle()
    expected = dict.fromkeys(void.match_entrants.values_list("entrant", flat=True), Fraction(1, 2))
    assert points_of([void, *others]) == expected | points_by_hand(others)
    assert deal_of(void).own_reason == "it has no result that counts"


def test_a_table_played_again_or_corrected_leaves_its_set(league: League) -> None:
    """And strengths are worked out anew for a tournament that is over."""
    tournament = start(league, 15, StagePlan(seats=3, rounds=1, deal_mode="field"))
    again, ruled, *others = matches(tournament)
    play(league, [again, ruled, *others])
    tournament_advance(tournament=tournament)
    strengths_compute(tournament=tournament)
    match_rerun(match=again, actor=None, reason="a cable")
    entrants = [row.entrant for row in ruled.match_entrants.order_by("position")]
    match_correct(match=ruled, places=dict(zip(entrants, (3, 1, 2), strict=True)), actor=None, reason="a ruling")
    new = Match.objects.get(replaces=again)
    play(league, [new])
    tournament.refresh_from_db()
    assert (tournament.status, tournament.strength_due_at is not None) == ("finished", True)
    ruling = dict(zip([entrant.pk for entrant in entrants], (Fraction(0), Fraction(1), Fraction(1, 2)), strict=True))
    assert points_of([new, ruled, *others]) == shares(new) | ruling | points_by_hand(others)
    assert [deal_of(match).own_reason for match in (new, ruled, *others)] == [
        "it was played again with a deal of its own",
        "the organiser ruled on its places",
        *[""] * 3,
    ]
    deals = tournament_fairness(tournament).deals
    assert (deals.sets, deals.compared, deals.left_over, deals.replaced, deals.too_few) == (1, 3, 0, 1, 1)


def test_a_table_left_over_counts_by_place_and_the_round_says_so(league: League) -> None:
    """Thirteen at tables of four: three tables of three, which share, and one of four."""
    tournament = start(league, 13, StagePlan(seats=4, rounds=1, deal_mode="field"))
    tables = matches(tournament)
    sizes = [match.match_entrants.count() for match in tables]
    assert sizes.count(3) == 3
    (odd,) = [match for match, size in zip(tables, sizes, strict=True) if size == 4]
    assert odd.games.get().deal_set.mode == DealMode.INDEPENDENT
    (note,) = TournamentRound.objects.get().notes
    assert note["kind"] == "own_deals"
    assert note["text"] == f"table {odd.number} plays deals of its own and counts by place at the table: unavoidable"
    assert sorted(note["entrants"]) == sorted(odd.match_entrants.values_list("entrant", flat=True))
    play(league, tables)
    assert "no set of three tables" in deal_of(odd).own_reason
    shared = [match for match in tables if match != odd]
    assert points_of(tables) == shares(odd) | points_by_hand(shared)


def test_owners_reach_the_cut(league: League) -> None:
    """Three tables: two bots of one owner sit at different ones, so the field shares no deal, unless it is trusted."""
    for is_trusted in (False, True):
        owner = make_owner()
        bots = [make_bot(owner=owner), make_bot(owner=owner), *make_bots(7)]
        league.connect(*bots)
        tournament = make_running(bots, stages=[FIELD], turn_cap=1, is_trusted=is_trusted, name=f"trusted {is_trusted}")
        (paired,) = TournamentRound.objects.filter(stage__tournament=tournament)
        apart = len(
            {match.pk for match in matches(tournament) if match.match_entrants.filter(entrant__bot__owner=owner)}
        )
        modes = set(paired.deal_sets.values_list("mode", flat=True))
        kinds = [note["kind"] for note in paired.notes]
        if is_trusted:
            assert (modes, kinds) == ({"field"}, [])
        else:
            assert (apart, modes, kinds) == (2, {"independent"}, ["own_deals"] * 3)


def test_several_games_a_match(league: League) -> None:
    tournament = start(league, 9, StagePlan(seats=3, rounds=1, games_per_match=2, deal_mode="field"))
    assert DealSet.objects.count() == 2
    league.play(tournament)
    for result in stage_results(Stage.objects.get()):
        assert len(result.games) == 2
        assert {game.deal_set for game in result.games} == {1, 2}
    assert Game.objects.filter(result=None).count() == 0
    assert {each.status for each in Match.objects.all()} == {"scored"}


def test_elo_is_of_the_pairs_at_the_table(league: League) -> None:
    tournament = start(league)
    tables = matches(tournament)
    play(league, tables)
    assert ratings_rebuild(check=True) == []
    for match in tables:
        by_place = shares(match)
        for row in match.rating_rows.all():
            assert row.delta == delta_from_inputs(row)
            assert sum(Fraction(term["score"]) for term in row.inputs) == 2 * by_place[row.entrant_id]


def test_a_field_league_to_its_end(league: League) -> None:
    tournament = league.play(start(league, 12, StagePlan(seats=4, rounds=3, deal_mode="field")))
    assert tournament.status == "finished"
    standings = standings_for(Stage.objects.get())
    earned = dict.fromkeys((line.entrant.pk for line in standings.lines), Fraction(0))
    for number in (1, 2, 3):
        for entrant, points in points_by_hand(matches(tournament, number)).items():
            earned[entrant] += points
    assert {line.entrant.pk: line.row.points.value for line in standings.lines} == earned
    assert [line.row.points.value for line in standings.lines] == sorted(earned.values(), reverse=True)
