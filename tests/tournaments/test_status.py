"""Every move of every status machine, and every move that none allows."""

import pytest
from django.db import models

from tests.support.factories import make_bots, make_running, the_match
from tournaments.errors import InvalidTransition
from tournaments.models import Match
from tournaments.models.status import (
    AttemptStatus,
    DealSetStatus,
    MatchStatus,
    RoundStatus,
    TournamentStatus,
    attempt_moves,
    deal_set_moves,
    match_moves,
    round_moves,
    tournament_moves,
)
from tournaments.services.moves import move, try_move

TOURNAMENT = """
draft: registration cancelled
registration: running cancelled
running: paused finished cancelled
paused: running cancelled
finished:
cancelled:
"""
ROUND = """
paired: open
open: closed
closed: open
"""
MATCH = """
waiting: playing scored needs_attention void
playing: played waiting needs_attention void
played: scored needs_attention void
needs_attention: waiting played void
scored: void superseded
void: superseded
superseded:
"""
DEAL_SET = """
open: final
final:
"""
ATTEMPT = """
starting: running abandoned void
running: finished void abandoned
finished: superseded
abandoned:
void:
superseded:
"""
MACHINES = {
    "tournament": (TOURNAMENT, TournamentStatus, tournament_moves),
    "round": (ROUND, RoundStatus, round_moves),
    "match": (MATCH, MatchStatus, match_moves),
    "deal set": (DEAL_SET, DealSetStatus, deal_set_moves),
    "attempt": (ATTEMPT, AttemptStatus, attempt_moves),
}


@pytest.mark.parametrize(("table", "statuses", "moves"), MACHINES.values(), ids=MACHINES)
def test_exactly_these_moves(table: str, statuses: type[models.TextChoices], moves: object) -> None:
    lines = dict(line.split(":") for line in table.strip().splitlines())
    assert set(lines) == set(statuses.values)
    assert {status: moves(status) for status in lines} == {
        status: frozenset(to.split()) for status, to in lines.items()
    }


@pytest.fixture
def match(db: None) -> Match:
    return the_match(make_running(make_bots(2)))


def test_a_move_that_is_not_allowed_changes_nothing(match: Match) -> None:
    with pytest.raises(InvalidTransition, match=r"match 1 is waiting: it cannot become played") as caught:
        move(match, MatchStatus.PLAYED, status_reason="no")
    assert (caught.value.code, caught.value.extra) == ("invalid_transition", {"status": "waiting", "to": "played"})
    match.refresh_from_db()
    assert (match.status, match.status_reason) == (MatchStatus.WAITING, "")


def test_who_comes_second_does_not_move(match: Match) -> None:
    late = Match.objects.get(pk=match.pk)
    assert try_move(match, MatchStatus.NEEDS_ATTENTION, status_reason="first")
    assert not try_move(late, MatchStatus.PLAYING, status_reason="second")
    with pytest.raises(InvalidTransition, match="is needs_attention: it cannot become playing"):
        move(
            Match(pk=match.pk, status=MatchStatus.WAITING, tournament_round=match.tournament_round), MatchStatus.PLAYING
        )
    match.refresh_from_db()
    assert (match.status, match.status_reason) == (MatchStatus.NEEDS_ATTENTION, "first")
