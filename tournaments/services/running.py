"""Starting a tournament, and what may befall one that runs."""

from django.db import transaction
from django.utils import timezone

from tournaments import seeds
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Attempt,
    AttemptStatus,
    BotVersion,
    Entrant,
    Match,
    MatchStatus,
    StartMode,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.pace import MAIL_BEFORE
from tournaments.ranking.elo import START
from tournaments.selectors.deals import place_of
from tournaments.selectors.plans import entrants_needed
from tournaments.selectors.ratings import current_ratings
from tournaments.services.hints import ADVANCE_TOURNAMENT, CANCEL_GAMES, SETTLE_ROUND, hint, hint_each
from tournaments.services.moves import move
from tournaments.services.notes import audit, notify
from tournaments.services.opening import opening_announce, reset_next_opening
from tournaments.services.pairing import active_entrants
from tournaments.services.registration import locked_tournament, next_date, registration_close
from tournaments.services.rounds import secrets_publish, tournament_advance, versions_wanted_changed

OPEN_MATCH = (MatchStatus.WAITING, MatchStatus.PLAYING, MatchStatus.PLAYED, MatchStatus.NEEDS_ATTENTION)


def tournament_start(*, tournament: Tournament, actor: Account | None) -> TournamentRound | None:
    """Close registration, pin versions, give out seed numbers, open the first round.

    Raises `invalid_transition`, `not_enough_entrants`. The round may also be opened by a worker that was faster: None.
    """
    with transaction.atomic():
        locked = locked_tournament(tournament)
        if locked.status == TournamentStatus.REGISTRATION:
            _check_field(locked)
            registration_close(locked)
        move(locked, TournamentStatus.RUNNING, started_at=timezone.now(), next_try_at=None)
        _pin_versions(locked)
        _number_entrants(locked)
        audit(
            action="tournament_start",
            actor=actor,
            subject=f"tournament {locked.public_id}",
            tournament=locked,
            after={"entrants": locked.entrants.count(), "entropy": locked.entropy},
        )
        versions_wanted_changed()
        hint(ADVANCE_TOURNAMENT, locked.pk)
    return tournament_advance(tournament=locked)


def _check_field(tournament: Tournament) -> None:
    here = active_entrants(tournament).count()
    needed = max(tournament.min_entrants, *(entrants_needed(stage) for stage in tournament.stages.all()))
    if here < needed:
        raise TournamentError(
            "not_enough_entrants",
            f"{tournament.name!r} has {here} entrants and needs {needed}: wait for more, or cancel it",
            entrants=here,
            needed=needed,
        )


def _pin_versions(tournament: Tournament) -> None:
    """To the version last connected. A bot that was never seen is pinned when it first says hello."""
    entrants = list(active_entrants(tournament).filter(version=None))
    latest: dict[int, int] = dict(
        BotVersion.objects.filter(bot__entries__in=entrants, last_connected_at__isnull=False)
        .order_by("last_connected_at", "id")
        .values_list("bot", "id")
    )
    for entrant in entrants:
        entrant.version_id = latest.get(entrant.bot_id)
    Entrant.objects.bulk_update(entrants, ["version"])


def _number_entrants(tournament: Tournament) -> None:
    """By rating where it is rated, equals by lot. Who has left before the start gets the last numbers."""
    lots = seeds.seating_seed(**place_of(tournament.stages.order_by("number")[0]))
    entrants = list(tournament.entrants.all())
    ratings = current_ratings({entrant.version_id for entrant in entrants if entrant.version_id})

    def order(entrant: Entrant) -> tuple[bool, float, bytes]:
        rating = ratings.get(entrant.version_id or 0, START) if tournament.is_rated else 0.0
        return (entrant.withdrawn_at is not None, -rating, seeds.lot(lots, entrant.public_id))

    for number, entrant in enumerate(sorted(entrants, key=order), start=1):
        entrant.seed_number = number
    Entrant.objects.bulk_update(entrants, ["seed_number"])


@transaction.atomic
def tournament_pause(*, tournament: Tournament, actor: Account | None, reason: str = "") -> None:
    """The open round is played to its end; no further one opens until `tournament_resume`."""
    locked = locked_tournament(tournament)
    move(locked, TournamentStatus.PAUSED, status_reason=reason[:400], next_round_at=None)
    audit(
        action="tournament_pause",
        actor=actor,
        subject=f"tournament {locked.public_id}",
        tournament=locked,
        after={"reason": reason},
    )


@transaction.atomic
def tournament_resume(*, tournament: Tournament, actor: Account | None) -> None:
    locked = locked_tournament(tournament)
    if locked.status != TournamentStatus.PAUSED:
        raise TournamentError("invalid_transition", f"{locked.name!r} is {locked.status}: only a paused one is resumed")
    move(locked, TournamentStatus.RUNNING, status_reason="")
    reset_next_opening(locked)
    audit(action="tournament_resume", actor=actor, subject=f"tournament {locked.public_id}", tournament=locked)
    hint(ADVANCE_TOURNAMENT, locked.pk)


@transaction.atomic
def tournament_cancel(*, tournament: Tournament, actor: Account | None, reason: str) -> None:
    """Open matches become void and their games are called off; what was scored stays."""
    locked = locked_tournament(tournament)
    before = locked.status
    move(
        locked,
        TournamentStatus.CANCELLED,
        ended_at=timezone.now(),
        status_reason=reason[:400],
        next_try_at=None,
        next_round_at=None,
    )
    secrets_publish(locked)
    rounds = TournamentRound.objects.filter(stage__tournament=locked)
    open_matches = Match.objects.select_for_update().filter(tournament_round__in=rounds, status__in=OPEN_MATCH)
    for match in open_matches.order_by("id"):
        call_off(match, f"the tournament was cancelled: {reason}")
    hint(CANCEL_GAMES, locked.pk)
    hint_each(SETTLE_ROUND, rounds.values_list("pk", flat=True))
    audit(
        action="tournament_cancel",
        actor=actor,
        subject=f"tournament {locked.public_id}",
        tournament=locked,
        before={"status": before},
        after={"status": locked.status, "reason": reason},
    )
    owners = [entrant.bot.owner for entrant in locked.entrants.select_related("bot__owner")]
    notify(
        locked.organiser,
        *owners,
        code="tournament_cancelled",
        text=f"{locked.name} was cancelled: {reason}",
        tournament=locked,
    )
    versions_wanted_changed()


def call_off(match: Match, reason: str) -> None:
    """The match becomes void and its open attempts with it. The caller holds it, and tells the referees (`CANCEL_GAMES`)."""
    move(match, MatchStatus.VOID, status_reason=reason[:400], next_try_at=None)
    Attempt.objects.filter(game__match=match, status__in=OPEN_ATTEMPT).update(
        status=AttemptStatus.VOID, status_reason=reason[:400], ended_at=timezone.now()
    )


def tournament_start_due(*, tournament: Tournament) -> None:
    """What a date asks for: close registration, start, or cancel for want of entrants. Safe to call at any time."""
    with transaction.atomic():
        locked = locked_tournament(tournament)
        now = timezone.now()
        if locked.status != TournamentStatus.REGISTRATION:
            return
        if locked.registration_closes_at and locked.registration_closes_at <= now:
            registration_close(locked)
        starts = locked.starts_at if locked.start_mode == StartMode.AT_TIME else None
        if starts and starts - MAIL_BEFORE <= now < starts:
            opening_announce(locked, starts)
        is_due = starts is not None and starts <= now
        Tournament.objects.filter(pk=locked.pk).update(next_try_at=now if is_due else next_date(locked, now))
    try:
        if is_due:
            tournament_start(tournament=locked, actor=None)
        elif locked.entropy:
            _check_field(locked)
    except TournamentError as error:
        if error.code != "not_enough_entrants":
            raise
        tournament_cancel(tournament=locked, actor=None, reason=error.message)
