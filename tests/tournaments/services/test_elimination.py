"""Elimination on the site: rows give the bracket that the pure part draws, whoever withdraws, ties or calls twice."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction

import pytest

from tests.support.elimination import Places, play_bracket, step
from tests.support.factories import join_wait_over, make_bots, make_running, make_tournament
from tests.support.league import League
from tournaments import formats
from tournaments.errors import TournamentError
from tournaments.models import (
    Bye,
    ByeKind,
    Entrant,
    Game,
    Match,
    MatchEntrant,
    MatchStatus,
    RatingRow,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.brackets import bracket_for, matches_after, stage_bracket
from tournaments.selectors.places import bracket_places
from tournaments.selectors.results import match_result
from tournaments.selectors.standings import standings_for
from tournaments.services.corrections import match_void
from tournaments.services.league_check import league_check
from tournaments.services.pairing import active_entrants
from tournaments.services.registration import StagePlan, entrant_withdraw
from tournaments.services.rounds import tournament_advance
from tournaments.services.running import tournament_start

pytestmark = pytest.mark.django_db

PLANS = {
    "two": (2, StagePlan(format="single_elimination", seats=2)),
    "five, third place": (5, StagePlan(format="single_elimination", seats=2, has_third_place=True)),
    "seven, double": (7, StagePlan(format="double_elimination", seats=2)),
    "eleven at four": (11, StagePlan(format="single_elimination", seats=4)),
    "nine at three, two go on": (9, StagePlan(format="single_elimination", seats=3, go_on=2)),
    "ten at four, double": (10, StagePlan(format="double_elimination", seats=4)),
}


def places_by(order: Sequence[int]) -> Places:
    """Whoever stands earlier beats whoever stands later, in every game."""
    rank = {entrant: place for place, entrant in enumerate(order)}

    def places(_match: Match, _game: Game, seated: tuple[int, ...]) -> Mapping[int, int]:
        return {entrant: place for place, entrant in enumerate(sorted(seated, key=rank.__getitem__), start=1)}

    return places


def shuffled(seed: int) -> Places:
    """Anybody beats anybody, but the same match always ends the same way."""

    def places(match: Match, _game: Game, seated: tuple[int, ...]) -> Mapping[int, int]:
        order = random.Random(f"{seed} {match.bracket_number} {seated}").sample(seated, len(seated))
        return {entrant: place for place, entrant in enumerate(order, start=1)}

    return places


def connected(league: League, number: int, plan: StagePlan, *more: StagePlan, **fields: object) -> Tournament:
    bots = make_bots(number)
    league.connect(*bots)
    return make_running(bots, stages=[plan, *more], turn_cap=1, **fields)


def by_seed(tournament: Tournament) -> list[int]:
    return list(tournament.entrants.order_by("seed_number").values_list("pk", flat=True))


@pytest.mark.parametrize(("number", "plan"), PLANS.values(), ids=PLANS)
def test_rows_follow_the_bracket(league: League, number: int, plan: StagePlan) -> None:
    """With any results: who meets whom, who goes on without a match, and who comes where."""
    tournament = connected(league, number, plan)
    stage = tournament.stages.get()
    places = shuffled(number)
    play_bracket(league, tournament, places, advance)

    assert (tournament.status, tournament.status_reason) == (TournamentStatus.FINISHED, "")
    seeding = by_seed(tournament)
    assert stage.tournament.stages.get().seeding == seeding
    met = {match.bracket_number: sorted(match.match_entrants.values_list("entrant", flat=True)) for match in _matches()}
    pure, results = _pure(bracket_for(stage, number), seeding, places)
    assert met == {number: sorted(order) for number, order in results.items()}
    found = stage_bracket(tournament.stages.get())
    assert found is not None
    assert found.progress == pure
    assert sorted(pure.places) == sorted(seeding)
    assert league_check().problems == []
    _everybody_is_once_in_a_round(tournament)


def _matches() -> list[Match]:
    return list(Match.objects.exclude(status=MatchStatus.SUPERSEDED))


def _pure(
    bracket: formats.Bracket, seeding: Sequence[int], places: Places
) -> tuple[formats.BracketProgress, dict[int, tuple[int, ...]]]:
    results: dict[int, tuple[int, ...]] = {}
    while True:
        progress = formats.bracket_progress(bracket, seeding, results)
        if not progress.next_round:
            return progress, results
        for each in progress.next_round:
            found = places(Match(bracket_number=each.match.number), Game(), tuple(sorted(each.playing)))
            results[each.match.number] = tuple(sorted(each.playing, key=found.__getitem__))


def _everybody_is_once_in_a_round(tournament: Tournament) -> None:
    """At a table or going on without one; the fewer, the later."""
    here = set(by_seed(tournament))
    for each in TournamentRound.objects.order_by("number"):
        playing = list(each.matches.values_list("match_entrants__entrant", flat=True))
        free = list(each.byes.values_list("entrant", flat=True))
        assert set(each.byes.values_list("kind", flat=True)) <= {ByeKind.GOES_ON}
        assert max(Counter(playing + free).values()) == 1
        assert set(playing + free) <= here
        here = set(playing + free)


# -- a top cut ---------------------------------------------------------------------------------------------------------

CUTS = {
    "swiss of two": (StagePlan(seats=2, rounds=2), StagePlan(format="single_elimination", seats=2, top_cut=4), 7),
    "round robin": (
        StagePlan(format="round_robin", seats=2),
        StagePlan(format="double_elimination", seats=2, top_cut=3),
        5,
    ),
    "swiss of tables": (StagePlan(seats=4, rounds=2), StagePlan(format="single_elimination", seats=4, top_cut=6), 9),
    "everybody": (StagePlan(seats=3, rounds=1), StagePlan(format="single_elimination", seats=2), 6),
}


@pytest.mark.parametrize(("first", "final", "number"), CUTS.values(), ids=CUTS)
def test_the_best_of_the_stage_before_go_on(league: League, first: StagePlan, final: StagePlan, number: int) -> None:
    tournament = connected(league, number, first, final, min_entrants=final.top_cut or 2)
    play_bracket(league, tournament, places_by(by_seed(tournament)), advance)
    assert tournament.status == TournamentStatus.FINISHED
    before, last = tournament.stages.order_by("number")
    lines = standings_for(before).lines
    by_place = sorted(lines, key=lambda line: (line.row.place, line.entrant.seed_number))
    assert last.seeding == [line.entrant.pk for line in by_place][: final.top_cut]
    assert before.seeding == []
    found = stage_bracket(last)
    assert found is not None
    assert found.progress.is_decided
    lines_out = [line for line in bracket_places(found) if line.seed is None]
    assert {line.entrant.pk for line in lines_out} == set(by_seed(tournament)) - set(last.seeding)
    taken = [place for line in bracket_places(found) for place in (line.placing.first, line.placing.last)]
    assert (min(taken), max(taken)) == (1, number)
    # Nobody but those taken has a row in the final stage.
    played = set(MatchEntrant.objects.filter(tournament_round__stage=last).values_list("entrant", flat=True))
    assert played | set(Bye.objects.filter(tournament_round__stage=last).values_list("entrant", flat=True)) == set(
        last.seeding
    )


def test_who_has_withdrawn_is_not_taken(league: League) -> None:
    plans = (StagePlan(format="round_robin", seats=2), StagePlan(format="single_elimination", seats=2, top_cut=4))
    tournament = connected(league, 5, *plans, min_entrants=4)
    seeding = by_seed(tournament)
    withdraw(seeding[0])
    play_bracket(league, tournament, places_by(seeding), advance)
    assert tournament.stages.get(number=2).seeding == seeding[1:]
    assert final_places(tournament) == {"1": [seeding[1]], "2": [seeding[2]], "3–4": seeding[3:], "5": seeding[:1]}


@pytest.mark.both_databases
def test_a_cut_takes_those_who_are_left(league: League) -> None:
    plans = (StagePlan(format="round_robin", seats=2), StagePlan(format="single_elimination", seats=2, top_cut=4))
    tournament = connected(league, 4, *plans, min_entrants=4)
    seeding = by_seed(tournament)
    withdraw(seeding[2])
    play_bracket(league, tournament, places_by(seeding), advance)
    assert tournament.stages.get(number=2).seeding == [seeding[0], seeding[1], seeding[3]]


def test_too_few_for_the_final_stage_end_it_with_a_reason(league: League) -> None:
    plans = (StagePlan(seats=4, rounds=1), StagePlan(format="single_elimination", seats=4, top_cut=4))
    tournament = connected(league, 4, *plans, min_entrants=4)
    for entrant in by_seed(tournament)[:2]:
        withdraw(entrant)
    play_bracket(league, tournament, places_by(by_seed(tournament)), advance)
    assert tournament.status_reason == "ended early: 2 active entrants: a round needs at least 3"
    assert tournament.stages.get(number=2).seeding == []


# -- ties, void matches, nobody there ----------------------------------------------------------------------------------


def level(_match: Match, _game: Game, seated: tuple[int, ...]) -> Mapping[int, int]:
    return dict.fromkeys(seated, 1)


def test_a_tie_is_played_on_and_at_last_the_higher_seed_goes_on(league: League) -> None:
    tournament = connected(league, 2, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    play_bracket(league, tournament, level, advance)
    match = Match.objects.get()
    assert match.status == MatchStatus.SCORED
    assert list(match.games.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert final_places(tournament) == {"1": seeding[:1], "2": seeding[1:]}
    # Each game has a deal and a seat order of its own.
    assert len(set(match.games.values_list("deal_set__number", flat=True))) == 4
    first_seats = [game.game_seats.get(seat=0).entrant_id for game in match.games.order_by("number")]
    assert first_seats == [first_seats[0], first_seats[1]] * 2
    assert len(set(first_seats)) == 2


def test_games_after_a_tie_decide_who_goes_on_and_nothing_else(league: League) -> None:
    tournament = connected(league, 2, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)

    def places(match: Match, game: Game, seated: tuple[int, ...]) -> Mapping[int, int]:
        return level(match, game, seated) if game.number < 3 else {seeding[0]: 2, seeding[1]: 1}

    play_bracket(league, tournament, places, advance)
    assert final_places(tournament) == {"1": seeding[1:], "2": seeding[:1]}
    match = Match.objects.get()
    assert match.games.count() == 3
    result = match_result(match)
    assert result is not None
    assert set(result.points) == {Fraction(1, 2)}
    assert [row.delta for row in RatingRow.objects.all()] == [0.0, 0.0]
    assert league_check().problems == []


@pytest.mark.both_databases
def test_only_the_tied_play_on_at_a_table(league: League) -> None:
    """Places 1, 2, 2, 4 where two go on: the two in the middle play one game, and the rest has no seat in it."""
    tournament = connected(league, 8, StagePlan(format="single_elimination", seats=4))
    seeding = by_seed(tournament)

    def places(match: Match, game: Game, seated: tuple[int, ...]) -> Mapping[int, int]:
        order = sorted(seated, key=seeding.index)
        if len(order) == 2:
            return {order[0]: 2, order[1]: 1}
        return dict(zip(order, (1, 2, 2, 4) if match.bracket_number == 1 else (1, 2, 3, 4), strict=True))

    play_bracket(league, tournament, places, advance)
    first = Match.objects.get(bracket_number=1)
    extra = first.games.get(number=2)
    tied = sorted(first.match_entrants.values_list("entrant", flat=True), key=seeding.index)[1:3]
    assert sorted(extra.game_seats.values_list("entrant", flat=True)) == sorted(tied)
    final = Match.objects.get(bracket_number=3)
    assert tied[1] in final.match_entrants.values_list("entrant", flat=True)
    assert tied[0] not in final.match_entrants.values_list("entrant", flat=True)
    assert league_check().problems == []
    assert tournament.status == TournamentStatus.FINISHED


def test_to_a_game_after_a_tie_nobody_needs_to_come(league: League) -> None:
    tournament = connected(league, 2, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    step(league, tournament, level)
    match = Match.objects.get()
    assert (match.status, match.games.count()) == (MatchStatus.PLAYING, 2)
    league.referee.disconnect(*(entrant.bot for entrant in tournament.entrants.all()))
    league.watch()
    league.dispatch()
    match.refresh_from_db()
    assert match.status == MatchStatus.PLAYING, "they are waited for as at the beginning"
    join_wait_over(match)
    league.dispatch()
    league.settle()
    match.refresh_from_db()
    assert (match.status, match.is_unplayed) == (MatchStatus.SCORED, False)
    assert league_check().problems == []
    advance(tournament)
    assert final_places(tournament) == {"1": seeding[:1], "2": seeding[1:]}


def test_a_game_after_a_tie_is_won_by_who_comes(league: League) -> None:
    tournament = connected(league, 2, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    step(league, tournament, level)
    league.referee.disconnect(tournament.entrants.get(pk=seeding[0]).bot)
    league.watch()
    join_wait_over(Match.objects.get())
    step(league, tournament, places_by(seeding))
    advance(tournament)
    assert final_places(tournament) == {"1": seeding[1:], "2": seeding[:1]}


def test_of_a_void_match_the_higher_seed_goes_on(league: League) -> None:
    tournament = connected(league, 4, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    match_void(match=Match.objects.get(bracket_number=1), actor=None, reason="a power cut")
    play_bracket(league, tournament, places_by(seeding[::-1]), advance)
    final = Match.objects.get(bracket_number=3)
    assert set(final.match_entrants.values_list("entrant", flat=True)) == {seeding[0], seeding[2]}


def test_who_comes_goes_on_and_if_nobody_comes_the_higher_seed(league: League) -> None:
    tournament = connected(league, 4, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    here = tournament.entrants.get(pk=seeding[3]).bot
    league.referee.disconnect(*(entrant.bot for entrant in tournament.entrants.exclude(bot=here)))
    league.watch()
    for match in Match.objects.all():
        join_wait_over(match)
    step(league, tournament, level)
    advance(tournament)
    final = Match.objects.get(bracket_number=3)
    assert set(final.match_entrants.values_list("entrant", flat=True)) == {seeding[3], seeding[1]}


# -- withdrawals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "plan"), PLANS.values(), ids=PLANS)
def test_somebody_withdraws_after_every_round(league: League, number: int, plan: StagePlan) -> None:
    """Nobody who has gone is paired, places are whole, and what was once decided stays so."""
    tournament = connected(league, number, plan)
    chance = random.Random(number)
    decided: dict[int, tuple[int, ...]] = {}

    def after_step() -> None:
        found = stage_bracket(tournament.stages.get())
        assert found is not None
        orders = {each.match.number: each.order for each in found.progress.matches if each.order}
        assert orders.items() >= decided.items()
        decided.update(orders)
        left = list(active_entrants(tournament).values_list("pk", flat=True))
        if left and chance.random() < 0.7:
            withdraw(chance.choice(left))

    play_bracket(league, tournament, shuffled(number), advance, after_step)
    assert tournament.status == TournamentStatus.FINISHED
    found = stage_bracket(tournament.stages.get())
    assert found is not None
    assert found.progress.is_decided
    assert sorted(found.progress.places) == sorted(by_seed(tournament))
    for row in MatchEntrant.objects.select_related("entrant", "tournament_round"):
        gone = row.entrant.withdrawn_at
        assert gone is None or gone > row.tournament_round.paired_at
    _everybody_is_once_in_a_round(tournament)


@pytest.mark.both_databases
def test_a_round_in_which_nobody_must_play_is_left_out(league: League) -> None:
    """Who lost the main final withdraws before the losers' final, the third round: the grand final is next."""
    tournament = connected(league, 4, StagePlan(format="double_elimination", seats=2))
    seeding = by_seed(tournament)
    places = places_by(seeding)
    step(league, tournament, places)
    advance(tournament)
    step(league, tournament, places)
    withdraw(seeding[1])
    advance(tournament)
    assert list(TournamentRound.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 4]
    final = Match.objects.get(bracket_number=6)
    assert set(final.match_entrants.values_list("entrant", flat=True)) == {seeding[0], seeding[2]}
    play_bracket(league, tournament, places, advance)
    assert final_places(tournament) == {str(place): [entrant] for place, entrant in zip("1324", seeding, strict=True)}


def test_if_all_who_are_left_go_it_is_over(league: League) -> None:
    tournament = connected(league, 3, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    step(league, tournament, places_by(seeding))
    withdraw(seeding[0])
    advance(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    assert final_places(tournament) == {"1": [seeding[1]], "2": [seeding[0]], "3": [seeding[2]]}


@pytest.mark.both_databases
def test_who_leaves_a_round_while_it_is_paired_is_in_it(league: League) -> None:
    """Its time of leaving is before that of the pairing, which had begun; the match stands all the same."""
    tournament = connected(league, 4, StagePlan(format="single_elimination", seats=2))
    seeding = by_seed(tournament)
    withdraw(seeding[0])
    earlier = TournamentRound.objects.get().paired_at - timedelta(seconds=1)
    Entrant.objects.filter(pk=seeding[0]).update(withdrawn_at=earlier)
    found = stage_bracket(tournament.stages.get())
    assert found is not None
    assert [each.match.number for each in found.progress.ready] == [1, 2]


# -- plans -------------------------------------------------------------------------------------------------------------

SINGLE, DOUBLE = "single_elimination", "double_elimination"
BAD_PLANS = {
    "cut in stage 1": ([StagePlan(format=SINGLE, top_cut=4)], 8, "stage 1: a top cut of 4 needs a stage before it"),
    "not the last": ([StagePlan(format=SINGLE), StagePlan()], 8, "stage 1: nothing can follow an elimination"),
    "cut above the fewest": (
        [StagePlan(), StagePlan(format=SINGLE, top_cut=16)],
        8,
        "stage 2: a top cut of 16 is more than the 8 it may start with: raise min_entrants",
    ),
    "cut below a table": ([StagePlan(), StagePlan(format=SINGLE, top_cut=2)], 8, "fills no table: take at least 3"),
    "cut of a swiss": ([StagePlan(), StagePlan(top_cut=4)], 8, "stage 2: a top cut, how many go on and a match for"),
    "third place at tables": ([StagePlan(format=SINGLE, has_third_place=True)], 8, "only in single elimination at two"),
    "third place in double": ([StagePlan(format=DOUBLE, seats=2, has_third_place=True)], 8, "only in single elim"),
    "all go on": ([StagePlan(format=SINGLE, seats=3, go_on=3)], 8, "stage 1: 3 of 3 go on: 1 to 2"),
    "two of two go on": ([StagePlan(format=DOUBLE, seats=2, go_on=2)], 8, "stage 1: 2 of 2 go on: 1 to 1"),
    "field deals": ([StagePlan(format=SINGLE, deal_mode="field")], 8, "independent deals"),
}


@pytest.mark.parametrize(("stages", "fewest", "message"), BAD_PLANS.values(), ids=BAD_PLANS)
def test_what_cannot_be_played_is_said(stages: list[StagePlan], fewest: int, message: str) -> None:
    with pytest.raises(TournamentError, match=message) as caught:
        make_tournament(stages=stages, min_entrants=fewest)
    assert caught.value.code == "invalid"


def test_a_cut_is_needed_at_the_start() -> None:
    plans = [StagePlan(seats=2, rounds=1), StagePlan(format=SINGLE, seats=2, top_cut=4)]
    tournament = make_tournament(make_bots(3), stages=plans, min_entrants=4)
    with pytest.raises(TournamentError, match="has 3 entrants and needs 4"):
        tournament_start(tournament=tournament, actor=None)


# -- corrections -------------------------------------------------------------------------------------------------------


def test_what_has_begun_after_a_match_holds_its_correction_up(league: League) -> None:
    tournament = connected(league, 4, StagePlan(format="single_elimination", seats=2))
    first = Match.objects.get(bracket_number=1)
    assert matches_after(first) == []
    step(league, tournament, places_by(by_seed(tournament)))
    assert matches_after(first) == []
    advance(tournament)
    assert matches_after(first) == [Match.objects.get(bracket_number=3)]
    assert matches_after(Match.objects.get(bracket_number=3)) == []


def advance(tournament: Tournament) -> None:
    tournament_advance(tournament=tournament)
    tournament.refresh_from_db()


def withdraw(entrant: int) -> None:
    entrant_withdraw(entrant=Entrant.objects.get(pk=entrant), actor=None, reason="moves house")


def final_places(tournament: Tournament) -> dict[str, list[int]]:
    """`1`, `3–4` -> entrants, by seed."""
    found = stage_bracket(tournament.stages.latest("number"))
    assert found is not None
    placed: dict[str, list[int]] = {}
    for line in bracket_places(found):
        placed.setdefault(line.place_text, []).append(line.entrant.pk)
    return placed
