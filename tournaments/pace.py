"""When the next round opens."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from tournaments.models.status import RoundPace

MAIL_BEFORE = timedelta(hours=1)
"""Owners are told so long before a round opens, or as soon as its time is known."""


def next_opening(
    pace: str,
    *,
    minutes: int | None,
    at: time | None,
    zone: str,
    opened: datetime,
    after: datetime,
) -> datetime | None:
    """UTC; None: at once. `opened` is when the round before was opened, `after` when it closed or the tournament went on.

    Every so many minutes: from opening to opening, and at once if the round before took longer. Every day: the first
    time after `after` at which clocks in the zone show `at`. A time that the clocks leave out in spring comes as much
    later as they leave out, one that they show twice in autumn counts once, the first time.
    """
    if pace == RoundPace.EVERY and minutes is not None:
        return max(after, opened + timedelta(minutes=minutes))
    if pace == RoundPace.DAILY and at is not None:
        day = after.astimezone(ZoneInfo(zone)).date()
        days = (datetime.combine(day + timedelta(days=more), at, ZoneInfo(zone)).astimezone(UTC) for more in range(3))
        return next(moment for moment in days if moment > after)
    return None
