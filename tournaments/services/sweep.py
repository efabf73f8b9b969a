"""The sweeper: whatever is due is found by its rows, so that a lost message costs a little time and nothing else."""

from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from tournaments.models import Attempt, Match, RoundStatus, Tournament, TournamentRound, TournamentStatus
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.selectors.shards import lost_shards
from tournaments.services.hints import (
    ADVANCE_TOURNAMENT,
    COMPUTE_STRENGTH,
    DISPATCH_MATCH,
    SEND_MAILS,
    SETTLE_ROUND,
    hint_each,
)
from tournaments.services.mails import mails_sweep
from tournaments.services.strength import strengths_sweep

AT_MOST = 500
STAMP = timedelta(seconds=10)
"""A row that was swept is not swept again before this, whatever becomes of the message."""


def sweep() -> Mapping[str, int]:
    """Send a hint for every due row, the longest due first, at most `AT_MOST` of a kind; how many of each."""
    _wake_matches_of_lost_shards()
    return {
        COMPUTE_STRENGTH: strengths_sweep(),
        SEND_MAILS: mails_sweep(),
        DISPATCH_MATCH: _sweep(DISPATCH_MATCH, Match.objects.all()),
        SETTLE_ROUND: _sweep(SETTLE_ROUND, TournamentRound.objects.all()),
        ADVANCE_TOURNAMENT: _sweep(ADVANCE_TOURNAMENT, Tournament.objects.all()) + _sweep_idle_tournaments(),
    }


def _sweep(task: str, rows: QuerySet[Match] | QuerySet[TournamentRound] | QuerySet[Tournament]) -> int:
    """Two sweepers at once never send the same: a row that one has locked is skipped by the other."""
    now = timezone.now()
    if not rows.filter(next_try_at__lte=now).exists():
        return 0  # an idle site writes nothing
    with transaction.atomic():
        due = rows.select_for_update(skip_locked=True).filter(next_try_at__lte=now).order_by("next_try_at", "pk")
        ids = list(due.values_list("pk", flat=True)[:AT_MOST])
        rows.filter(pk__in=ids).update(next_try_at=now + STAMP)
        hint_each(task, ids)
    return len(ids)


def _wake_matches_of_lost_shards() -> None:
    """Nobody will ever report on their games: dispatch gives them up."""
    lost = lost_shards()
    if lost:
        stranded = Attempt.objects.filter(shard__in=lost, status__in=OPEN_ATTEMPT).values("game__match")
        Match.objects.filter(pk__in=stranded, next_try_at=None).update(next_try_at=timezone.now())


def _sweep_idle_tournaments() -> int:
    """Running ones between two rounds: the next should have opened when the last one closed."""
    unclosed = TournamentRound.objects.filter(stage__tournament=OuterRef("pk")).exclude(status=RoundStatus.CLOSED)
    idle = Tournament.objects.filter(~Exists(unclosed), status=TournamentStatus.RUNNING, next_try_at=None)
    ids = list(idle.values_list("pk", flat=True)[:AT_MOST])
    Tournament.objects.filter(pk__in=ids, next_try_at=None).update(next_try_at=timezone.now() + STAMP)
    hint_each(ADVANCE_TOURNAMENT, ids)
    return len(ids)
