"""What is written down beside an act: for the audit, and for the people concerned."""

from collections.abc import Mapping
from typing import Any

from tournaments.models import Account, AuditEntry, Notice, Tournament


def audit(
    *,
    action: str,
    actor: Account | None,
    subject: str,
    tournament: Tournament | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """`actor` None: the site itself. Secrets, tokens and seeds never go in here."""
    AuditEntry.objects.create(
        action=action,
        actor=actor,
        subject=subject[:200],
        tournament=tournament,
        before=dict(before or {}),
        after=dict(after or {}),
    )


def notify(*accounts: Account, code: str, text: str, tournament: Tournament | None = None) -> None:
    """Each account once."""
    unique = {account.pk: account for account in accounts}.values()
    Notice.objects.bulk_create(
        Notice(account=account, code=code, text=text, tournament=tournament) for account in unique
    )
