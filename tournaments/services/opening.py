"""Rounds that open at their time, and the mail before them."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from tournaments.models import RoundStatus, Tournament, TournamentRound, TournamentStatus
from tournaments.pace import MAIL_BEFORE, next_opening
from tournaments.services.mails import mails_write
from tournaments.services.notes import notify
from tournaments.services.pairing import active_entrants


@transaction.atomic
def round_awaits_its_time(tournament: Tournament) -> bool:
    """Whether the next round is to open later; owners are told once, and the sweeper looks again when it is time."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if locked.status != TournamentStatus.RUNNING:
        return False
    due = locked.next_round_at or _next_opening(locked)
    if due is None:
        return False
    now = timezone.now()
    if due - MAIL_BEFORE <= now:
        opening_announce(locked, due)
    is_early = due > now
    next_try_at = (due if due - MAIL_BEFORE <= now else due - MAIL_BEFORE) if is_early else locked.next_try_at
    Tournament.objects.filter(pk=locked.pk).update(next_round_at=due, next_try_at=next_try_at)
    return is_early


def reset_next_opening(tournament: Tournament) -> None:
    """After a pause: the next opening is counted from now. The caller holds the tournament."""
    due = _next_opening(tournament, after=timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(next_round_at=due)


def _next_opening(tournament: Tournament, after: datetime | None = None) -> datetime | None:
    """None: at once, as the first round does, and any where rounds follow one another."""
    rounds = TournamentRound.objects.filter(stage__tournament=tournament)
    last = rounds.order_by("-opened_at").first()
    if last is None or last.opened_at is None or last.status != RoundStatus.CLOSED:
        return None
    return next_opening(
        tournament.round_pace,
        minutes=tournament.round_minutes,
        at=tournament.round_time,
        zone=tournament.round_zone,
        opened=last.opened_at,
        after=after or last.closed_at or last.opened_at,
    )


def opening_announce(tournament: Tournament, opens_at: datetime) -> None:
    """Tell the owners, once for each opening: a notice, and a mail to those who gave an address.

    The caller holds the tournament.
    """
    told = Tournament.objects.filter(pk=tournament.pk).exclude(mailed_for=opens_at).update(mailed_for=opens_at)
    if not told:
        return
    tournament.mailed_for = opens_at
    number = 1 + TournamentRound.objects.filter(stage__tournament=tournament).count()
    what = "the first round" if number == 1 else f"round {number}"
    text = f"{tournament.name}: {what} opens at {opens_at:%Y-%m-%d %H:%M} UTC. Have your bots connected."
    entrants = active_entrants(tournament).select_related("bot__owner")
    owners = {entrant.bot.owner_id: entrant.bot.owner for entrant in entrants}
    notify(*owners.values(), code="round_opens", text=text, tournament=tournament)
    addresses = sorted({owner.email for owner in owners.values() if owner.email and owner.is_active})
    body = f"{text}\n\n{settings.SITE_URL}/tournaments/{tournament.public_id}/\n"
    mails_write(addresses, f"{tournament.name}: {what}", body)
