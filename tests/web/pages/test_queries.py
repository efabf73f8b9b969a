"""A page asks the database as often for a long list as for a short one."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.factories import make_bot, make_owner, make_running, make_tournament
from tests.web.pages.world import World
from tournaments.models import Account, Bot, Tournament
from tournaments.services.registration import StagePlan, entrant_enter

As = Callable[[str], Client]


def asked(client: Client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def more_bots(count: int, owner: Account | None = None) -> list[Bot]:
    return [make_bot(f"one more {count} {number}", owner) for number in range(count)]


def test_entrants(world: World, as_user: As) -> None:
    client = as_user("owner1")
    before = asked(client, f"/tournaments/{world.opened}/")
    opened = Tournament.objects.get(public_id=world.opened)
    for bot in more_bots(9):
        entrant_enter(tournament=opened, bot=bot, actor=bot.owner)
    assert asked(client, f"/tournaments/{world.opened}/") == before <= 40


def test_a_running_tournament_with_more_tables(as_user: As) -> None:
    small, large = make_running(more_bots(4)), make_running([make_bot() for _ in range(16)])
    client = as_user("owner1")
    assert asked(client, f"/tournaments/{large.public_id}/") == asked(client, f"/tournaments/{small.public_id}/") <= 50
    path = "/tournaments/{}/rounds/1/1/"
    assert asked(client, path.format(large.public_id)) == asked(client, path.format(small.public_id)) <= 15


def test_a_bracket_with_more_matches(as_user: As) -> None:
    plan = StagePlan(format="double_elimination", seats=2)
    small, large = (make_running(more_bots(count), stages=[plan]) for count in (5, 16))
    few, more = (asked(as_user(""), f"/tournaments/{each.public_id}/") for each in (small, large))
    assert more == few <= 50


def test_a_part_that_renews_itself(world: World, as_user: As) -> None:
    assert asked(as_user(""), f"/tournaments/{world.running}/live/") <= 40
    assert asked(as_user(""), f"/matches/{world.playing}/live/") <= 20


def test_a_match_with_more_games(as_user: As) -> None:
    """A few queries for each game of the page, and pages of ten."""
    one = make_running(more_bots(2), stages=[StagePlan(format="round_robin", seats=2, games_per_match=1)])
    many = make_running([make_bot(), make_bot()], stages=[StagePlan(format="round_robin", seats=2, games_per_match=40)])
    client = as_user("")
    paths = [
        f"/matches/{tournament.stages.get().tournament_rounds.get().matches.get().public_id}/"
        for tournament in (one, many)
    ]
    few, more = (asked(client, path) for path in paths)
    assert more - few <= 9


@pytest.mark.parametrize("path", ["/tournaments/", "/bots/", "/leaderboard/", "/my-bots/"])
def test_lists(as_user: As, path: str) -> None:
    client, owner = as_user("owner1"), Account.objects.get(username="owner1")
    before = asked(client, path)
    more_bots(5, owner)
    for _ in range(3):
        make_tournament(stages=[StagePlan()])
    assert asked(client, path) == before <= 15


def test_home(as_user: As) -> None:
    before = asked(as_user(""), "/")
    for number in range(4):
        make_tournament(name=f"Cup {number}")
    assert asked(as_user(""), "/") == before <= 120


@pytest.mark.parametrize("user", ["", "owner1"])
def test_a_bot_with_a_history(world: World, as_user: As, user: str) -> None:
    assert asked(as_user(user), f"/bots/{world.bot}/") <= 45


def test_a_game_that_is_kept(world: World, as_user: As) -> None:
    client = as_user("owner1")
    client.get(f"/games/{world.game}/")
    assert asked(client, f"/games/{world.game}/") <= 15


def test_an_owner_of_many_bots(as_user: As) -> None:
    owner = make_owner("owner7")
    more_bots(3, owner)
    few = asked(as_user("owner7"), "/my-bots/")
    for number in range(9):
        make_bot(f"yet another {number}", owner)
    assert asked(as_user("owner7"), "/my-bots/") == few
