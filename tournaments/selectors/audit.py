"""Who did what to a tournament."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from tournaments.models import AuditEntry, Tournament

_BEFORE_THE_CLOSE = ("nonce",)
"""The entrants' shares: whoever knew all of them before registration closes could choose the last one (DESIGN 6)."""


@dataclass(frozen=True, slots=True)
class ShownEntry:
    entry: AuditEntry
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def audit_list(tournament: Tournament) -> QuerySet[AuditEntry]:
    """The latest first."""
    return tournament.audit.select_related("actor").order_by("-at", "-pk")


def shown_entries(tournament: Tournament, entries: list[AuditEntry]) -> list[ShownEntry]:
    """As the organiser may read them."""
    return [ShownEntry(each, _shown(tournament, each.before), _shown(tournament, each.after)) for each in entries]


def _shown(tournament: Tournament, values: Mapping[str, Any]) -> Mapping[str, Any]:
    hidden = () if tournament.entropy else _BEFORE_THE_CLOSE
    return {name: value for name, value in values.items() if name not in hidden}
