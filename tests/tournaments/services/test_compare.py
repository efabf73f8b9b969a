"""Comparisons of bots and of versions on the site, from the start to the verdict."""

from collections.abc import Callable

import pytest

from bots.compare import Verdict
from tests.support.factories import make_bot, make_owner
from tests.support.league import League
from tests.support.scripted import Player, collector, playing, resigns, stumbling, thrower
from tournaments.errors import TournamentError
from tournaments.models import (
    Bot,
    BotVersion,
    Comparison,
    DealSet,
    Game,
    RatingRow,
    Tournament,
    TournamentKind,
    TournamentStatus,
)
from tournaments.selectors.compare import comparison_state
from tournaments.selectors.tournaments import tournaments_running
from tournaments.services import compare
from tournaments.services.compare import GAMES_A_ROUND, comparison_start
from tournaments.services.league_check import league_check
from tournaments.services.running import tournament_cancel

pytestmark = [pytest.mark.django_db]

Plays = Callable[[], Player]
STRONG: Plays = lambda: playing(collector)  # noqa: E731
WEAK: Plays = lambda: playing(thrower)  # noqa: E731
LEAVES: Plays = lambda: stumbling(thrower, {3: resigns})  # noqa: E731


def connected(league: League, bot: Bot, *names: str) -> list[BotVersion]:
    for name in names or ("1",):
        league.connect(bot, version=name, max_games=20)
    return [bot.versions.get(name=name) for name in names or ("1",)]


def play_round(league: League, comparison: Comparison, a: Plays, b: Plays) -> Comparison:
    """The games of one round to their end, and what follows."""
    league.watch()
    league.dispatch()
    for attempt_id, spec in list(league.referee.games.items()):
        sits = [(seat.bot_id, seat.bot_version) for seat in spec.seats]
        is_b = (comparison.b.bot.public_id, comparison.b.version and comparison.b.version.name)
        league.referee.finish(attempt_id, *(b() if each == is_b else a() for each in sits))
    league.step()
    return Comparison.objects.select_related("tournament", "a__bot", "a__version", "b__bot", "b__version").get()


@pytest.mark.both_databases
def test_two_versions_of_a_bot_until_the_new_one_is_stronger(league: League) -> None:
    bot = make_bot("Rex")
    old, new = connected(league, bot, "1", "2")
    comparison = comparison_start(actor=bot.owner, a=old, b=new)
    tournament = comparison.tournament
    assert (tournament.status, comparison_state(comparison).progress.llr) == (TournamentStatus.RUNNING, 0.0)
    assert (tournament.kind, tournament.is_rated, tournament.is_listed) == (TournamentKind.COMPARE, False, False)
    assert tournament not in tournaments_running()
    Tournament.objects.update(turn_cap=3)
    comparison = play_round(league, comparison, WEAK, STRONG)
    state = comparison_state(comparison)
    assert (state.progress.sets, state.progress.verdict, state.is_over) == (GAMES_A_ROUND, None, False)
    comparison = play_round(league, comparison, WEAK, STRONG)
    state = comparison_state(comparison)
    assert (state.progress.sets, state.progress.verdict) == (20, Verdict.STRONGER)
    assert [(look.round_number, look.games) for look in state.looks] == [(1, 10), (2, 20)]
    assert state.sentence.startswith("Rex 2 is stronger than Rex 1: the difference is about +")
    tournament = comparison.tournament
    assert (tournament.status, tournament.status_reason) == (TournamentStatus.FINISHED, state.sentence)
    assert tournament.strength_due_at is None
    assert not RatingRow.objects.exists()
    assert league_check().problems == []
    deals = DealSet.objects.filter(tournament_round__stage__tournament=tournament)
    assert deals.count() == Game.objects.count() == 20, "every game has a deal of its own"
    first_seats = [game.game_seats.get(seat=0).entrant_id for game in Game.objects.all()]
    assert first_seats.count(comparison.a_id) == 10


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        (STRONG, WEAK, Verdict.NOT_STRONGER),
        (WEAK, LEAVES, Verdict.NOT_STRONGER),
        (LEAVES, WEAK, Verdict.STRONGER),
    ],
)
def test_other_answers(league: League, a: Plays, b: Plays, verdict: Verdict) -> None:
    """A bot that gives its games up has lost them by far, however small the scores."""
    mine, house = make_bot(), make_bot(is_house=True)
    comparison = comparison_start(actor=mine.owner, a=connected(league, house)[0], b=connected(league, mine)[0])
    Tournament.objects.update(turn_cap=3)
    for _ in range(2):
        comparison = play_round(league, comparison, a, b)
    assert comparison_state(comparison).progress.verdict is verdict
    assert comparison.tournament.status == TournamentStatus.FINISHED


def test_the_limit_ends_it(league: League) -> None:
    mine, house = make_bot(), make_bot(is_house=True)
    versions = {"a": connected(league, house)[0], "b": connected(league, mine)[0]}
    comparison = comparison_start(actor=mine.owner, **versions, least_gap=1.0, most_games=20)
    Tournament.objects.update(turn_cap=3)
    for _ in range(2):
        comparison = play_round(league, comparison, WEAK, WEAK)
    state = comparison_state(comparison)
    assert (state.progress.verdict, state.is_over) == (Verdict.UNDECIDED, True)
    assert comparison.tournament.status_reason == state.sentence


def test_one_that_is_called_off_says_so(league: League) -> None:
    mine, house = make_bot(), make_bot(is_house=True)
    comparison = comparison_start(actor=mine.owner, a=connected(league, house)[0], b=connected(league, mine)[0])
    Tournament.objects.update(turn_cap=3)
    comparison = play_round(league, comparison, WEAK, STRONG)
    tournament_cancel(tournament=comparison.tournament, actor=mine.owner, reason="enough")
    comparison.tournament.refresh_from_db()
    state = comparison_state(comparison)
    assert (state.is_over, state.progress.sets, state.progress.verdict) == (True, 10, None)
    assert state.sentence.startswith("It ended before the answer was clear. Too early to say whether ")


def test_what_is_refused_leaves_nothing_behind(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, house, other = make_bot(), make_bot(is_house=True), make_bot()
    (own,), (theirs,), (strange,) = (connected(league, bot) for bot in (mine, house, other))
    gone = BotVersion.objects.create(bot=mine, name="0")
    refused = [
        ("same_version", {"a": own, "b": own}),
        ("not_your_bot", {"a": own, "b": strange}),
        ("not_your_bot", {"a": theirs, "b": theirs, "actor": make_owner()}),
        ("bot_not_connected", {"a": gone, "b": own}),
        ("invalid", {"a": theirs, "b": own, "least_gap": 0.5}),
        ("invalid", {"a": theirs, "b": own, "most_games": 19}),
        ("invalid", {"a": theirs, "b": own, "most_games": 2001}),
    ]
    second = connected(league, make_bot(is_house=True))[0]
    refused[2][1]["b"] = second
    for code, asked in refused:
        with pytest.raises(TournamentError) as caught:
            comparison_start(**{"actor": mine.owner, **asked})  # type: ignore[arg-type]
        assert caught.value.code == code
    assert not Tournament.objects.exists()
    monkeypatch.setattr(compare, "AT_ONCE", 1)
    comparison_start(actor=mine.owner, a=theirs, b=own)
    with pytest.raises(TournamentError, match="1 of your comparisons are going on: wait for one to end"):
        comparison_start(actor=mine.owner, a=theirs, b=own)
    assert Tournament.objects.count() == 1
