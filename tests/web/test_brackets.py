"""What stands in a bracket: who goes on, who is still awaited, and why a match was decided without its games."""

import re

import pytest
from django.test import Client

from tests.support.elimination import play_bracket, step
from tests.support.factories import make_bots, make_running
from tests.support.league import League
from tests.tournaments.conftest import league, referee, shard
from tournaments.models import Entrant, Game, Match, Tournament
from tournaments.services.corrections import match_void
from tournaments.services.registration import StagePlan, entrant_withdraw
from tournaments.services.rounds import tournament_advance
from web.pages.brackets import ShownBracket, shown_bracket

__all__ = ["league", "referee", "shard"]

pytestmark = pytest.mark.django_db


def by_seed(_match: Match, _game: Game, seated: tuple[int, ...]) -> dict[int, int]:
    seeds = dict(Entrant.objects.filter(pk__in=seated).values_list("pk", "seed_number"))
    return {entrant: place for place, entrant in enumerate(sorted(seated, key=lambda pk: seeds[pk] or 0), start=1)}


def running(league: League, number: int, **plan: object) -> Tournament:
    bots = make_bots(number)
    league.connect(*bots)
    return make_running(bots, stages=[StagePlan(**{"seats": 2, **plan})], turn_cap=1)


def shown(tournament: Tournament) -> ShownBracket:
    found = shown_bracket(list(tournament.stages.select_related("tournament")))
    assert found is not None
    return found


def lines(tournament: Tournament) -> list[str]:
    """`2 final: 1 wins, 2; Not needed` with seeds for names."""
    return [
        f"{table.number} {table.label}".strip()
        + ": "
        + ", ".join(f"{line.seed} {line.outcome}".strip() if line.entrant else line.words for line in table.lines)
        + (f"; {table.note}" if table.note else "")
        for each in shown(tournament).rounds
        for table in each.tables
    ]


def places(tournament: Tournament) -> list[tuple[str, int | None]]:
    return [(line.place_text, line.seed) for line in shown(tournament).places]


def test_before_the_first_result(league: League) -> None:
    tournament = running(league, 4, format="single_elimination", has_third_place=True)
    assert lines(tournament) == [
        "1: 1, 4",
        "2: 2, 3",
        "3 for third place: Loser of match 2, Loser of match 1",
        "4 final: Winner of match 1, Winner of match 2",
    ]
    assert places(tournament) == [("", 1), ("", 2), ("", 3), ("", 4)]
    assert [each.row is not None for each in shown(tournament).rounds] == [True, False]


def test_to_the_end(league: League) -> None:
    tournament = running(league, 4, format="double_elimination")
    play_bracket(league, tournament, by_seed, lambda each: tournament_advance(tournament=each))
    assert lines(tournament) == [
        "1 main side: 1 goes on, 4",
        "2 main side: 2 goes on, 3",
        "3 main side: 1 goes on, 2",
        "4 losers’ side: 3 goes on, 4",
        "5 losers’ side: 2 goes on, 3",
        "6 grand final: 1 wins, 2",
        "7 grand final again, if needed: 1, 1; Not needed: who had not lost has won.",
    ]
    assert places(tournament) == [("1", 1), ("2", 2), ("3", 3), ("4", 4)]
    assert shown(tournament).is_final


def test_what_was_decided_without_games(league: League) -> None:
    tournament = running(league, 4, format="single_elimination")
    match_void(match=Match.objects.get(bracket_number=2), actor=None, reason="a power cut")
    step(league, tournament, by_seed)
    entrant_withdraw(entrant=tournament.entrants.get(seed_number=1), actor=None, reason="moves house")
    tournament_advance(tournament=tournament)
    assert lines(tournament) == [
        "1: 1 goes on, 4",
        "2: 2 goes on, 3; Void: the higher seed goes on.",
        "3 final: 2 wins, 1; Not played: the others have withdrawn.",
    ]
    assert places(tournament) == [("1", 2), ("2", 1), ("3–4", 3), ("3–4", 4)]


def test_ties_at_tables(league: League) -> None:
    tournament = running(league, 9, format="single_elimination", seats=3)

    def tied(match: Match, game: Game, seated: tuple[int, ...]) -> dict[int, int]:
        found = by_seed(match, game, seated)
        return found if game.number > 1 or len(seated) < 3 else dict.fromkeys(seated, 1)

    step(league, tournament, tied)
    step(league, tournament, tied)
    tournament_advance(tournament=tournament)
    assert lines(tournament) == [
        "1: 1 goes on, 6, 7; A tie: 1 more game, of those who were level.",
        "2: 2 goes on, 5, 8; A tie: 1 more game, of those who were level.",
        "3: 3 goes on, 4, 9; A tie: 1 more game, of those who were level.",
        "4 final: 1, 2, 3",
    ]


def test_the_podium_is_made_of_places(league: League) -> None:
    """Not of points: who came second may have fewer than who won the match for third place."""
    tournament = running(league, 4, format="single_elimination", has_third_place=True)
    play_bracket(league, tournament, by_seed, lambda each: tournament_advance(tournament=each))
    text = Client().get("/").content.decode()
    podium = text[text.index('class="podium"') :]
    names = [tournament.entrants.get(seed_number=seed).bot.name for seed in range(1, 5)]
    assert [name for name in re.findall(r">(bot \d+)<", podium) if name in names][:3] == names[:3]
    assert "points" not in podium[: podium.index("</ol>")]


def test_another_format_has_none(league: League) -> None:
    tournament = running(league, 2, format="round_robin")
    assert shown_bracket(list(tournament.stages.all())) is None
