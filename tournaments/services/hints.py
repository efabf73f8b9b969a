"""Messages to the workers: each is a hint that a row is worth a look, sent once the transaction is committed.

A hint may be lost, come twice or come late. The row is the truth, and the sweeper finds by itself what is due.
"""

import logging
from collections.abc import Iterable

from celery import current_app
from django.db import transaction

from referee.record.crash_points import reach
from tournaments.queue import PUBLISH_ERRORS

DISPATCH_MATCH = "dispatch.match"
CANCEL_GAMES = "dispatch.cancel"
SETTLE_ROUND = "control.round"
ADVANCE_TOURNAMENT = "control.tournament"
WATCH_SHARD = "control.watch"
SYNC_SHARD = "control.sync"
SYNC_ALL = "control.sync_all"
COMPUTE_STRENGTH = "control.strength"
SEND_MAILS = "control.mails"
COLLECT_SHARD = "collect.shard"

logger = logging.getLogger(__name__)


def hint(task: str, *ids: int) -> None:
    """Send it after commit, or now if no transaction is open."""
    transaction.on_commit(lambda: send(task, *ids), robust=True)


def hint_each(task: str, ids: Iterable[int]) -> None:
    for each in ids:
        hint(task, each)


def send(task: str, *ids: int) -> None:
    try:
        reach("hint.before")
        current_app.send_task(task, args=ids)
        reach("hint.published")
    except PUBLISH_ERRORS as error:
        logger.warning("%s%s was not sent (%s): the sweeper will", task, ids, error)
