"""Comparisons over REST."""

import pytest

from tests.support.factories import connect, make_bot, make_shard
from tests.web.api.asking import Asker, asker
from tournaments.models import Comparison, TournamentStatus

pytestmark = pytest.mark.django_db


def test_two_versions_of_a_bot() -> None:
    bot, shard = make_bot("Rex"), make_shard()
    connect(shard, bot, version="1")
    connect(shard, bot, version="2")
    asked = {"a": {"bot": bot.public_id, "version": "1"}, "b": {"bot": bot.public_id, "version": "2"}, "most_games": 95}
    answer = asker(bot.owner).post("comparisons", asked, 201)
    assert (answer["a"], answer["b"], answer["verdict"], answer["games"]) == ("Rex 1", "Rex 2", None, 0)
    assert (answer["most_games"], answer["least_gap"], answer["difference"]["low"]) == (100, 10.0, None)
    assert answer == Asker().get(f"comparisons/{answer['id']}")
    row = Comparison.objects.get()
    assert (row.tournament.status, row.a.version and row.a.version.name) == (TournamentStatus.RUNNING, "1")


def test_two_bots_in_the_version_connected_last() -> None:
    mine, house, shard = make_bot(), make_bot(is_house=True), make_shard()
    connect(shard, mine, house, version="7")
    answer = asker(mine.owner).post("comparisons", {"a": {"bot": house.public_id}, "b": {"bot": mine.public_id}}, 201)
    assert (answer["a"], answer["b"]) == (house.name, mine.name)
    assert answer["sentence"].startswith(f"Too early to say whether {mine.name} is stronger than {house.name}")


def test_what_is_refused() -> None:
    mine, other, shard = make_bot(), make_bot(), make_shard()
    connect(shard, mine, other)
    own, strange = {"bot": mine.public_id}, {"bot": other.public_id}
    who = asker(mine.owner)
    assert Asker().ask("POST", "comparisons", {"a": own, "b": strange}).status_code == 401
    refused = [
        ({"a": own, "b": strange}, "not_your_bot"),
        ({"a": own, "b": own}, "same_version"),
        ({"a": {**own, "version": "9"}, "b": own}, "not_found"),
        ({"a": {"bot": make_bot(owner=mine.owner).public_id}, "b": own}, "bot_not_connected"),
        ({"a": own, "b": strange, "least_gap": 0}, "invalid"),
        ({"a": own}, "invalid"),
    ]
    for asked, code in refused:
        answer = who.ask("POST", "comparisons", asked)
        assert answer.json()["code"] == code, answer.content
    assert who.ask("GET", "comparisons/nothing").status_code == 404
    assert not Comparison.objects.exists()
