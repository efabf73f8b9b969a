"""Shared deals between many owners, and all of it again while worker, broker and database die. `make soak` has 200 bots."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.waiting import wait_until
from tests.system.big_league import BigLeague, KillableSite, killable_site, play


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KillableSite]:
    with killable_site(tmp_path_factory.mktemp("big")) as site:
        yield site


def test_a_league_on_shared_deals(site: KillableSite) -> None:
    report = play(site, BigLeague(bots=24, rounds=2, bot_processes=2), "calm")
    assert report["attempts"] == {"finished": 12}
    assert report["seconds"] <= report["worst_time_s"]


def test_worker_broker_and_database_die_while_it_is_played(site: KillableSite) -> None:
    """One at the beginning of each round."""
    league, earlier = BigLeague(bots=24, rounds=3, bot_processes=2, turn_cap=20), site.results()

    def one_each_round(tournament: str) -> None:
        for number, name in enumerate(("PostgreSQL", "worker", "RabbitMQ")):
            before = earlier + number * league.tables
            wait_until(lambda least=before: site.results() >= least, f"round {number + 1} begins")
            assert site.results() < earlier + league.games, site.arena.logs()
            victim = site.victims()[name]
            victim.kill()
            victim.start()

    play(site, league, "shaken", one_each_round)
