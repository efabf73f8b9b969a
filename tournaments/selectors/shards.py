"""Referees and connections."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import Bot, Presence, Shard

SHARD_SILENT = timedelta(seconds=10)
"""A referee not heard of for this long gets no new games, and nobody is called absent because of it."""
SHARD_LOST = timedelta(seconds=30)


def live_shards() -> list[Shard]:
    """Referees that answer and take new games."""
    since = timezone.now() - SHARD_SILENT
    return list(Shard.objects.filter(is_enabled=True, is_draining=False, last_seen_at__gte=since).order_by("name"))


def lost_shards() -> list[Shard]:
    """Referees that have not answered for so long that their games go to another, if there is one that answers."""
    lost = list(Shard.objects.filter(unreachable_since__lt=timezone.now() - SHARD_LOST))
    return lost if any(shard not in lost for shard in live_shards()) else []


def presences(bot: Bot) -> QuerySet[Presence]:
    """Where the bot is connected, the newest connection first; nothing of a referee that does not answer."""
    return bot.presences.filter(shard__in=live_shards()).select_related("version", "shard").order_by("-connected_at")
