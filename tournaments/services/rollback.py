"""Taking rounds back: the tournament stands again where it stood when an earlier round had closed."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Attempt,
    AttemptStatus,
    DealSet,
    DealSetStatus,
    Match,
    MatchEntrant,
    MatchStatus,
    Stage,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.services.hints import CANCEL_GAMES, hint
from tournaments.services.moves import move
from tournaments.services.notes import audit, notify
from tournaments.services.ratings import ratings_refold
from tournaments.services.registration import locked_tournament
from tournaments.services.reruns import matches_rated_since, round_name, rounds_after
from tournaments.services.running import OPEN_MATCH, call_off
from tournaments.services.sequences import CLOSING_NO, locked_sequence


def tournament_roll_back(
    *, tournament_round: TournamentRound, actor: Account | None, reason: str, preview: bool = False
) -> Consequences:
    """All rounds after this one are taken back and count for nothing; they are paired anew, from cards nobody has seen.

    The tournament is paused by it, so that results can be corrected before it goes on. `preview` changes nothing and
    says what would follow. Raises `not_running` unless it runs or is paused, `invalid_transition` if no round follows.
    """
    with transaction.atomic():
        tournament = locked_tournament(tournament_round.stage.tournament)
        if tournament.status not in (TournamentStatus.RUNNING, TournamentStatus.PAUSED):
            raise TournamentError(
                "not_running",
                f"{tournament.name!r} is {tournament.status}: only a running or paused one is rolled back",
            )
        later = _later(tournament_round)
        if not later:
            raise TournamentError(
                "invalid_transition", f"no round follows {tournament_round}: there is nothing to roll back"
            )
        matches = list(
            Match.objects.select_for_update()
            .filter(tournament_round__in=later)
            .exclude(status=MatchStatus.SUPERSEDED)
            .order_by("id")
        )
        closing_no = min((each.closing_no for each in later if each.closing_no is not None), default=None)
        follows = Consequences(
            superseded=tuple(match.public_id for match in matches),
            rounds_taken_back=tuple(map(round_name, later)),
            matches_refolded=matches_rated_since(closing_no, matches),
        )
        if preview:
            return follows
        _take_back(later, matches, f"rolled back to {round_name(tournament_round)}: {reason}")
        _forget_stages(tournament_round.stage)
        if closing_no is not None:
            locked_sequence(CLOSING_NO)
            ratings_refold(closing_no)
        before = tournament.status
        _pause(tournament, tournament_round, reason)
        audit(
            action="tournament_roll_back",
            actor=actor,
            subject=f"{tournament_round}",
            tournament=tournament,
            before={"status": before, "rounds": list(follows.rounds_taken_back)},
            after={"status": tournament.status, "matches": len(matches), "reason": reason},
        )
        _tell(tournament, tournament_round, reason)
        hint(CANCEL_GAMES, tournament.pk)
        return follows


def _later(tournament_round: TournamentRound) -> list[TournamentRound]:
    pks = [each.pk for each in rounds_after(tournament_round)]
    rows = TournamentRound.objects.select_for_update(of=("self",)).filter(pk__in=pks).select_related("stage")
    return list(rows.order_by("pk"))


def _take_back(rounds: Sequence[TournamentRound], matches: Sequence[Match], reason: str) -> None:
    """What is being played is called off; the cards of what was played may be seen, for nobody will get them again."""
    for match in matches:
        if match.status in OPEN_MATCH:
            call_off(match, reason)
        move(match, MatchStatus.SUPERSEDED, status_reason=reason[:400], next_try_at=None)
    MatchEntrant.objects.filter(match__in=matches).update(is_current=False)
    Attempt.objects.filter(game__match__in=matches, status=AttemptStatus.FINISHED).update(
        status=AttemptStatus.SUPERSEDED
    )
    now = timezone.now()
    DealSet.objects.filter(tournament_round__in=rounds, status=DealSetStatus.OPEN).update(
        status=DealSetStatus.FINAL, final_at=now
    )
    TournamentRound.objects.filter(pk__in=[each.pk for each in rounds]).update(rolled_back_at=now, next_try_at=None)


def _forget_stages(stage: Stage) -> None:
    """Later stages begin anew: who plays in them follows from results that may change."""
    Stage.objects.filter(tournament=stage.tournament_id, number__gt=stage.number).update(schedule=[], seeding=[])


def _pause(tournament: Tournament, tournament_round: TournamentRound, reason: str) -> None:
    words = f"rolled back to {round_name(tournament_round)}: {reason}"[:400]
    if tournament.status == TournamentStatus.RUNNING:
        move(tournament, TournamentStatus.PAUSED, status_reason=words, next_round_at=None, next_try_at=None)
    else:
        Tournament.objects.filter(pk=tournament.pk).update(status_reason=words, next_round_at=None)


def _tell(tournament: Tournament, tournament_round: TournamentRound, reason: str) -> None:
    entrants = tournament.entrants.select_related("bot__owner")
    notify(
        tournament.organiser,
        *(entrant.bot.owner for entrant in entrants),
        code="rolled_back",
        text=f"{tournament.name} was rolled back to {round_name(tournament_round)}: {reason}",
        tournament=tournament,
    )
