"""What an operator's probe wants to know."""

from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils import timezone

from tournaments.models import Game, Match, MatchStatus, Shard


def site_health() -> dict[str, Any]:
    """Counts and ages in seconds; None where nothing has happened yet. Raises what the database raises."""
    last_finished = Game.objects.aggregate(at=Max("finished_at"))["at"]
    return {
        "status": "ok",
        "matches_waiting": Match.objects.filter(status=MatchStatus.WAITING, next_try_at__isnull=False).count(),
        "matches_playing": Match.objects.filter(status=MatchStatus.PLAYING).count(),
        "matches_needing_attention": Match.objects.filter(status=MatchStatus.NEEDS_ATTENTION).count(),
        "seconds_since_last_finished_game": _age_s(last_finished),
        "shards": [
            {"name": shard.name, "seconds_since_seen": _age_s(shard.last_seen_at)}
            for shard in Shard.objects.filter(is_enabled=True)
        ],
    }


def _age_s(at: datetime | None) -> int | None:
    return None if at is None else max(0, round((timezone.now() - at).total_seconds()))
