"""Where bot versions stand, and how they came there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import OuterRef, QuerySet, Subquery

from tournaments.models import Bot, RatingRow


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    place: int
    """From 1; equal ratings share it."""
    is_shared: bool
    row: RatingRow
    """The latest of the version; `row.rating_after` is the rating, `row.number` its rated matches, `row.version.bot` the bot."""


def latest_rating_rows() -> QuerySet[RatingRow]:
    """The latest row of each version that has one."""
    latest = RatingRow.objects.filter(version=OuterRef("version")).order_by("-closing_no")
    return RatingRow.objects.filter(pk=Subquery(latest.values("pk")[:1]))


def current_ratings(version_ids: Collection[int]) -> Mapping[int, float]:
    """Version id -> rating, for those that have one."""
    return {row.version_id: row.rating_after for row in latest_rating_rows().filter(version__in=version_ids)}


def leaderboard() -> list[LeaderboardRow]:
    """The best first: of each bot that is not deleted, the rated version it played last."""
    latest = RatingRow.objects.filter(version__bot=OuterRef("version__bot")).order_by("-closing_no", "-pk")
    rows = list(
        RatingRow.objects.filter(pk=Subquery(latest.values("pk")[:1]), version__bot__deleted_at=None).select_related(
            "version__bot__owner"
        )
    )
    rows.sort(key=lambda row: (-row.rating_after, row.version_id))
    board: list[LeaderboardRow] = []
    for _, tied in groupby(rows, key=lambda row: row.rating_after):
        group = list(tied)
        board += [LeaderboardRow(len(board) + 1, len(group) > 1, row) for row in group]
    return board


def rating_history(bot: Bot) -> QuerySet[RatingRow]:
    """Every rating change of all versions of the bot, the oldest first."""
    return (
        RatingRow.objects.filter(version__bot=bot)
        .select_related("version", "match__tournament_round__stage__tournament")
        .order_by("closing_no", "pk")
    )
