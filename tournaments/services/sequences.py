"""Numbers that only grow."""

import time

from django.db import transaction

from tournaments.models import Sequence

CLOSING_NO = "closing_no"
"""Whoever holds its row is the only one to write ratings."""
SYNC_REVISION = "sync_revision"


def next_value(name: str) -> int:
    """One more than ever before; the row stays locked until the transaction ends."""
    with transaction.atomic():
        row = locked_sequence(name)
        row.value += 1
        row.save(update_fields=["value"])
        return row.value


def locked_sequence(name: str) -> Sequence:
    """Inside a transaction."""
    Sequence.objects.get_or_create(name=name, defaults={"value": _first(name)})
    return Sequence.objects.select_for_update().get(name=name)


def current_value(name: str) -> int:
    row = Sequence.objects.filter(name=name).first()
    return row.value if row else _first(name)


def _first(name: str) -> int:
    """A referee that outlives a site's database must not take the new one's word for older than the old one's."""
    return time.time_ns() // 1_000_000 if name == SYNC_REVISION else 0
