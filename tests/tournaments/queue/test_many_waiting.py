"""Ten thousand matches that wait and nobody who dispatches: the sweeper's hints pile up to a bound, and no further."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from celery import Celery
from django.utils import timezone
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from tests.support.bulk import many_matches, many_versions, running_tournament
from tournaments.models import Match, MatchStatus
from tournaments.queue import DISPATCH, celery_settings
from tournaments.queue.settings import MAX_LENGTH, dead_letter_queue, task_queues
from tournaments.services.sweep import AT_MOST, sweep

WAITING, BOTS = 10_000, 500
OVER = 100
"""RabbitMQ counts a quorum queue a little late."""


@pytest.mark.django_db
def test_the_queue_stays_bounded(
    broker_url: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    _make_them_wait()
    with Celery("publisher", set_as_current=False) as app:
        app.conf.update(celery_settings(broker_url))
        monkeypatch.setattr("tournaments.services.hints.current_app", app)
        with app.connection_for_write() as connection, connection.channel() as channel:
            for queue in [dead_letter_queue(), *task_queues()]:
                queue(channel).declare()
            for _ in range(WAITING // AT_MOST + 2):
                Match.objects.update(next_try_at=timezone.now() - timedelta(seconds=1))
                with django_capture_on_commit_callbacks(execute=True):
                    assert sweep()["dispatch.match"] == AT_MOST, "never more at once"
            depth = channel.queue_declare(DISPATCH, passive=True).message_count
    assert MAX_LENGTH - AT_MOST <= depth <= MAX_LENGTH + OVER


def _make_them_wait() -> None:
    versions, dice = many_versions(BOTS), random.Random(1)
    while Match.objects.count() < WAITING:
        stage, entrants = running_tournament(versions, seats=2)
        many_matches(stage, entrants, dice, status=MatchStatus.WAITING)
