"""Elimination on the site: rows give the bracket that the pure part draws, whoever withdraws, ties or calls twice."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from tests.support.elimination import Places, play_bracket
from tests.support.factories import make_bots, make_running, make_tournament
from tests.support.league import League
from tests.tournaments.formats.bracket_play import play
from tournaments import formats
from tournaments.models import (
    Bye,
    ByeKind,
    Game,
    Match,
    MatchEntrant,
    MatchStatus,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.brackets import bracket_for, stage_bracket
from tournaments.services.ratings import ratings_rebuild
from tournaments.services.registration import StagePlan
from tournaments.services.rounds import tournament_advance

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

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
    play_bracket(league, tournament, places, lambda each: tournament_advance(tournament=each))

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
    assert ratings_rebuild(check=True) == []
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
