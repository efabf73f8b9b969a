"""Rounds open, settle and close, and the tournament goes on. Whether it may is always asked of the rows, never counted."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from referee.record.crash_points import reach
from tournaments import formats
from tournaments.models import (
    DealSet,
    DealSetStatus,
    Entrant,
    EntrantStatus,
    Game,
    Match,
    MatchEntrant,
    MatchStatus,
    RoundStatus,
    Stage,
    StageFormat,
    Tournament,
    TournamentRound,
    TournamentSecret,
    TournamentStatus,
)
from tournaments.models.status import SETTLED_MATCH
from tournaments.selectors.compare import comparison_answer
from tournaments.services.hints import ADVANCE_TOURNAMENT, DISPATCH_MATCH, SYNC_ALL, hint, hint_each
from tournaments.services.moves import move
from tournaments.services.notes import audit, notify
from tournaments.services.opening import round_awaits_its_time
from tournaments.services.pairing import NextRound, active_entrants, make_schedule, next_round, write_round
from tournaments.services.ratings import ratings_fold_round
from tournaments.services.registration import entrant_withdraw, locked_tournament
from tournaments.services.sequences import CLOSING_NO, SYNC_REVISION, locked_sequence, next_value
from tournaments.services.strength import strengths_due

NO_SHOWS_UNTIL_WITHDRAWAL = 3
LOOK_AGAIN = timedelta(seconds=5)
PAIRING_TRIES = 3
HINTS_A_ROUND = 500
"""The matches of a larger round are found by the sweeper, a few seconds later."""


def tournament_advance(*, tournament: Tournament) -> TournamentRound | None:
    """Open the next round, or finish, if it is running and no round of it is open. Any number of callers may try at once.

    Pairing is computed before the transaction: a big field takes seconds, and others want to write.
    """
    for _ in range(PAIRING_TRIES):
        tournament.refresh_from_db()
        if tournament.status != TournamentStatus.RUNNING:
            return None
        if _unclosed_rounds(tournament).exists():
            Tournament.objects.filter(pk=tournament.pk, status=TournamentStatus.RUNNING).update(next_try_at=None)
            return None
        if answer := comparison_answer(tournament):
            tournament_finish(tournament=tournament, reason=answer)
            return None
        try:
            planned = _planned(tournament)
        except formats.NotEnoughEntrants as error:
            tournament_finish(tournament=tournament, reason=f"ended early: {error}")
            return None
        if planned is None:
            tournament_finish(tournament=tournament)
            return None
        if round_awaits_its_time(tournament):
            return None
        opened = round_open_next(tournament=tournament, planned=planned)
        if opened:
            reach("round.paired")
            return opened
    return None


def round_open_next(*, tournament: Tournament, planned: NextRound) -> TournamentRound | None:
    """Write the planned round and open it; None if the tournament has moved on since it was planned."""
    with transaction.atomic():
        locked = locked_tournament(tournament)
        if locked.status != TournamentStatus.RUNNING or _unclosed_rounds(locked).exists():
            return None
        if planned.rounds_before != planned.stage.tournament_rounds.count():
            return None
        if planned.active != frozenset(active_entrants(locked).values_list("pk", flat=True)):
            return None
        written = write_round(planned)
        _open(written, locked)
        Tournament.objects.filter(pk=locked.pk).update(next_round_at=None, next_try_at=None)
        reach("round.pairing")
        return written


def _open(paired: TournamentRound, tournament: Tournament) -> None:
    now = timezone.now()
    move(paired, RoundStatus.OPEN, opened_at=now, next_try_at=now + LOOK_AGAIN)
    matches = Match.objects.filter(tournament_round=paired)
    matches.update(next_try_at=now, join_until=now + timedelta(seconds=tournament.join_wait_s))
    hint_each(DISPATCH_MATCH, matches.order_by("id").values_list("pk", flat=True)[:HINTS_A_ROUND])


def _planned(tournament: Tournament) -> NextRound | None:
    """The next round of the first stage that has one left; a round robin that begins gets its schedule first."""
    for stage in tournament.stages.select_related("tournament").order_by("number"):
        if stage.format == StageFormat.ROUND_ROBIN and not stage.schedule:
            _begin_schedule(stage)
        planned = next_round(stage)
        if planned:
            return planned
    return None


def _begin_schedule(stage: Stage) -> None:
    """Once: whoever was faster has written the same."""
    Stage.objects.filter(pk=stage.pk, schedule=[]).update(schedule=make_schedule(stage))
    stage.refresh_from_db(fields=["schedule"])


def _unclosed_rounds(tournament: Tournament) -> QuerySet[TournamentRound]:
    return TournamentRound.objects.filter(stage__tournament=tournament).exclude(status=RoundStatus.CLOSED)


def round_settle(*, tournament_round: TournamentRound) -> bool:
    """Score what can be scored, and close the round if all its matches are scored or void. True if it is closed now."""
    with transaction.atomic():
        locked = TournamentRound.objects.select_for_update().filter(pk=tournament_round.pk).order_by("pk").first()
        if locked is None:
            return False  # rolled back since
        if locked.status != RoundStatus.OPEN:
            return locked.status == RoundStatus.CLOSED
        _finish_deal_sets(locked)
        _score(locked)
        _withdraw_no_shows(locked)
        if locked.matches.exclude(status__in=(*SETTLED_MATCH, MatchStatus.SUPERSEDED)).exists():
            TournamentRound.objects.filter(pk=locked.pk).update(next_try_at=timezone.now() + LOOK_AGAIN)
            return False
        _close(locked)
        reach("round.closing")
    reach("round.closed")
    return True


def _finish_deal_sets(tournament_round: TournamentRound) -> None:
    """A deal set is final when each of its games has a result or will never have one.

    A match may be played without the last game after a tie: nobody came to it.
    """
    undecided = Game.objects.filter(deal_set=OuterRef("pk"), result=None).exclude(
        match__status__in=(MatchStatus.PLAYED, *SETTLED_MATCH, MatchStatus.SUPERSEDED)
    )
    DealSet.objects.filter(~Exists(undecided), tournament_round=tournament_round, status=DealSetStatus.OPEN).update(
        status=DealSetStatus.FINAL, final_at=timezone.now()
    )


def _score(tournament_round: TournamentRound) -> None:
    unfinal = Game.objects.filter(match=OuterRef("pk"), deal_set__status=DealSetStatus.OPEN)
    Match.objects.filter(~Exists(unfinal), tournament_round=tournament_round, status=MatchStatus.PLAYED).update(
        status=MatchStatus.SCORED, status_reason="", next_try_at=None
    )


def _withdraw_no_shows(tournament_round: TournamentRound) -> None:
    """Three no-shows in a row end an entry. Its last matches are looked up: no counter can be wrong."""
    absent = MatchEntrant.objects.filter(
        tournament_round=tournament_round,
        is_current=True,
        is_absent=True,
        match__status=MatchStatus.SCORED,
        entrant__status=EntrantStatus.ENTERED,
        entrant__tournament__status__in=(TournamentStatus.RUNNING, TournamentStatus.PAUSED),
    ).select_related("entrant__bot__owner", "entrant__tournament__organiser")
    for row in absent:
        if _no_shows_in_a_row(row.entrant) >= NO_SHOWS_UNTIL_WITHDRAWAL:
            reason = f"{NO_SHOWS_UNTIL_WITHDRAWAL} matches in a row without being connected"
            entrant_withdraw(entrant=row.entrant, actor=None, reason=reason)


def _no_shows_in_a_row(entrant: Entrant) -> int:
    latest = MatchEntrant.objects.filter(entrant=entrant, is_current=True, match__status=MatchStatus.SCORED).order_by(
        "-id"
    )
    absences = list(latest.values_list("is_absent", flat=True)[:NO_SHOWS_UNTIL_WITHDRAWAL])
    return absences.index(False) if False in absences else len(absences)


def _close(tournament_round: TournamentRound) -> None:
    """Ratings follow in the order of the closing numbers; whoever has drawn one holds its row until the commit.

    A round that was opened again keeps its number, and what was rated after it is rated again.
    """
    locked_sequence(CLOSING_NO)
    move(
        tournament_round,
        RoundStatus.CLOSED,
        closing_no=tournament_round.closing_no or next_value(CLOSING_NO),
        closed_at=timezone.now(),
        next_try_at=None,
    )
    ratings_fold_round(tournament_round)
    _publish_after_reruns(tournament_round.stage.tournament)
    strengths_due(tournament_round.stage.tournament)
    hint(ADVANCE_TOURNAMENT, tournament_round.stage.tournament_id)


@transaction.atomic
def tournament_finish(*, tournament: Tournament, reason: str = "") -> None:
    """All is played: publish the secret. Nothing happens if it is no longer running."""
    locked = locked_tournament(tournament)
    if locked.status != TournamentStatus.RUNNING or _unclosed_rounds(locked).exists():
        return
    now = timezone.now()
    move(locked, TournamentStatus.FINISHED, ended_at=now, status_reason=reason, next_try_at=None)
    secrets_publish(locked)
    strengths_due(locked)
    audit(
        action="tournament_finish",
        actor=None,
        subject=f"tournament {locked.public_id}",
        tournament=locked,
        after={"reason": reason},
    )
    notify(
        locked.organiser,
        code="tournament_finished",
        text=f"{locked.name} is finished" + (f": {reason}" if reason else ""),
        tournament=locked,
    )
    versions_wanted_changed()


def _publish_after_reruns(tournament: Tournament) -> None:
    """What was played again after the end had a secret of its own: it is shown once no deal of it is left to play."""
    if tournament.status != TournamentStatus.FINISHED:
        return
    in_use = DealSet.objects.filter(secret=OuterRef("pk")).exclude(tournament_round__status=RoundStatus.CLOSED)
    TournamentSecret.objects.filter(~Exists(in_use), tournament=tournament, published_at=None).update(
        published_at=timezone.now()
    )
    versions_wanted_changed()


def secrets_publish(tournament: Tournament) -> None:
    TournamentSecret.objects.filter(tournament=tournament, published_at=None).update(published_at=timezone.now())


def versions_wanted_changed() -> None:
    """Referees tell a bot that connects with another version."""
    next_value(SYNC_REVISION)
    hint(SYNC_ALL)


def matches_waiting_for(bot_ids: list[int]) -> QuerySet[Match]:
    """Matches of open rounds that one of these bots could help to start, the oldest first."""
    return (
        Match.objects.filter(
            status__in=(MatchStatus.WAITING, MatchStatus.PLAYING),
            next_try_at__isnull=False,
            tournament_round__status=RoundStatus.OPEN,
            match_entrants__entrant__bot__in=bot_ids,
        )
        .order_by("id")
        .distinct()
    )
