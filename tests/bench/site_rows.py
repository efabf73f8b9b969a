"""Measurements with the settings of a site, in an empty database: `python -m tests.bench.site_rows NAME [MATCHES]`."""

from __future__ import annotations

import random
import sys
import time
from io import StringIO

import django

django.setup()

from django.core.management import call_command  # noqa: E402 - Django comes first
from django.db import connection  # noqa: E402

from tests.support.bulk import give_results, many_matches, many_versions, running_tournament  # noqa: E402
from tests.support.factories import make_shard  # noqa: E402
from tournaments.models import MatchStatus, RatingRow  # noqa: E402
from tournaments.services.ratings import ratings_rebuild  # noqa: E402
from tournaments.services.rounds import round_settle  # noqa: E402

CLOSED_MATCHES = 1_000
TABLES_A_SET = 10
RATED_MATCHES = 100_000
ROUNDS, BOTS = 10, 400
"""Of each tournament; all are played by the same bots."""
SEATS = 4


def close() -> float:
    """Seconds to settle and close one round, in which all has been played."""
    dice = random.Random(1)
    stage, entrants = running_tournament(many_versions(SEATS * CLOSED_MATCHES), SEATS)
    tournament_round = many_matches(stage, entrants, dice, status=MatchStatus.PLAYED, tables_a_set=TABLES_A_SET)
    give_results(tournament_round, make_shard())
    _know_the_tables()
    began = time.perf_counter()
    assert round_settle(tournament_round=tournament_round)
    took = time.perf_counter() - began
    assert RatingRow.objects.count() == SEATS * CLOSED_MATCHES
    return took


def rebuild(matches: int = RATED_MATCHES) -> float:
    """Seconds to fold and write all rating rows, of which there are none."""
    dice = random.Random(2)
    versions = many_versions(BOTS)
    closing_no = 0
    while closing_no * BOTS // SEATS < matches:
        stage, entrants = running_tournament(versions, SEATS)
        for _ in range(ROUNDS):
            closing_no += 1
            many_matches(stage, entrants, dice, closing_no=closing_no)
    _know_the_tables()
    began = time.perf_counter()
    call_command("rebuild_ratings", stdout=StringIO())
    took = time.perf_counter() - began
    assert RatingRow.objects.count() == SEATS * matches
    assert ratings_rebuild(check=True) == []
    return took


def _know_the_tables() -> None:
    """As the database does by itself after a while."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    print({"close": close, "rebuild": rebuild}[sys.argv[1]](*map(int, sys.argv[2:])))
