"""Test matches against house bots."""

import pytest
from pytest_django.fixtures import Settings

from tests.support.factories import connect, make_bot, make_bots, make_owner, make_running
from tests.support.league import League
from tournaments.errors import TournamentError
from tournaments.models import Bot, MatchStatus, RatingRow, Tournament, TournamentKind, TournamentStatus
from tournaments.selectors.tournaments import tournaments_running
from tournaments.services.test_matches import bot_test_match, house_bots_here

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def bot(league: League) -> Bot:
    bot = make_bot()
    league.connect(bot)
    return bot


def house_bots(league: League, number: int) -> list[Bot]:
    bots = [make_bot(is_house=True) for _ in range(number)]
    league.connect(*bots, max_games=8)
    return bots


@pytest.mark.parametrize(("here", "seats"), [(1, 2), (2, 3), (5, 4)])
def test_it_is_played_on_the_common_path_and_is_neither_rated_nor_listed(
    league: League, bot: Bot, here: int, seats: int
) -> None:
    house_bots(league, here)
    match = bot_test_match(bot=bot, actor=bot.owner)
    assert match.match_entrants.count() == seats
    tournament = match.tournament_round.stage.tournament
    assert (tournament.kind, tournament.organiser) == (TournamentKind.TEST, bot.owner)
    assert tournament not in tournaments_running()
    Tournament.objects.update(turn_cap=1)
    league.step()
    match.refresh_from_db()
    tournament.refresh_from_db()
    assert (match.status, tournament.status) == (MatchStatus.SCORED, TournamentStatus.FINISHED)
    assert not RatingRow.objects.exists()


def test_against_chosen_ones(league: League, bot: Bot) -> None:
    first, second, _ = house_bots(league, 3)
    match = bot_test_match(bot=bot, actor=bot.owner, opponents=[second, first])
    assert {row.entrant.bot for row in match.match_entrants.all()} == {bot, first, second}


def test_house_bots_that_play_elsewhere_come_last(league: League) -> None:
    first, second = house_bots(league, 2)
    assert house_bots_here() == [first, second]
    make_running([first, make_bot()])
    assert house_bots_here() == [second, first]


def test_what_is_refused_leaves_nothing_behind(league: League, bot: Bot, settings: Settings) -> None:
    other = make_bot()
    connect(league.shard, other)
    with pytest.raises(TournamentError, match="no house bot is connected now"):
        bot_test_match(bot=bot, actor=bot.owner)
    house_bots(league, 1)
    refusals = {
        "not_your_bot": (bot, make_owner(), None),
        "bot_not_connected": (make_bots(1)[0], None, None),
        "not_a_house_bot": (bot, None, [other]),
    }
    for code, (whose, actor, opponents) in refusals.items():
        with pytest.raises(TournamentError) as caught:
            bot_test_match(bot=whose, actor=actor or whose.owner, opponents=opponents)
        assert caught.value.code == code
    assert not Tournament.objects.exists()
    settings.MAX_TEST_MATCHES_PER_OWNER = 1
    bot_test_match(bot=bot, actor=bot.owner)
    with pytest.raises(TournamentError, match="1 of your test matches are going on: wait for one to end"):
        bot_test_match(bot=bot, actor=bot.owner)
    assert Tournament.objects.count() == 1
