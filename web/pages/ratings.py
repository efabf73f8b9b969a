"""Ratings beside names."""

from collections.abc import Iterable

from tournaments.models import Bot, RatingRow
from tournaments.selectors.ratings import latest_rating_rows


def latest_of(bots: Iterable[Bot]) -> dict[int, RatingRow]:
    """Bot id -> the latest row of the rated version it played last; one query."""
    rows = latest_rating_rows().filter(version__bot__in=[bot.pk for bot in bots]).select_related("version")
    return {row.version.bot_id: row for row in rows.order_by("closing_no", "pk")}
