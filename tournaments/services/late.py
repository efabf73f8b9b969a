"""Letting a bot in after the start."""

from django.db import transaction
from django.db.models import Max

from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Bot,
    BotVersion,
    Bye,
    ByeKind,
    Entrant,
    Stage,
    StageFormat,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.services.notes import audit, notify
from tournaments.services.registration import check_bot, check_limits, locked_tournament
from tournaments.services.rounds import versions_wanted_changed


@transaction.atomic
def entrant_admit(*, tournament: Tournament, bot: Bot, actor: Account) -> Entrant:
    """A late entry of a Swiss, paired from its next round on; it has 0 points for each round before, and is in no entropy.

    Raises `not_running`, `late_entry_refused` with the reason, and as `entrant_enter` does.
    """
    locked = locked_tournament(tournament)
    if locked.status not in (TournamentStatus.RUNNING, TournamentStatus.PAUSED):
        raise TournamentError("not_running", f"{locked.name!r} is {locked.status}: nobody can be admitted late")
    _check_stage(locked)
    check_bot(locked, bot, actor)
    check_limits(locked, bot)
    entrant = Entrant.objects.create(
        tournament=locked,
        bot=bot,
        version=BotVersion.objects.filter(bot=bot, last_connected_at__isnull=False)
        .order_by("last_connected_at", "id")
        .last(),
        seed_number=1 + (locked.entrants.aggregate(last=Max("seed_number"))["last"] or 0),
    )
    missed = TournamentRound.objects.filter(stage__tournament=locked)
    Bye.objects.bulk_create(Bye(tournament_round=each, entrant=entrant, kind=ByeKind.NOT_ENTERED) for each in missed)
    audit(
        action="entrant_admit",
        actor=actor,
        subject=f"entrant {entrant.public_id}",
        tournament=locked,
        after={"bot": bot.public_id, "rounds_missed": missed.count()},
    )
    notify(
        bot.owner,
        code="admitted",
        text=f"{bot.name} was admitted to {locked.name} and plays from the next round on",
        tournament=locked,
    )
    versions_wanted_changed()
    return entrant


def late_entry_problem(tournament: Tournament) -> str:
    """Why nobody can be admitted now; empty if somebody can."""
    stage = _stage_now(tournament)
    paired = stage.tournament_rounds.count()
    if stage.format != StageFormat.SWISS:
        what = stage.get_format_display().lower()
        return f"stage {stage.number} is a {what}, whose pairings are fixed from its start"
    if paired >= stage.rounds:
        return f"the last round of stage {stage.number} is paired"
    return ""


def _check_stage(tournament: Tournament) -> None:
    if problem := late_entry_problem(tournament):
        raise TournamentError("late_entry_refused", f"{tournament.name!r} admits nobody now: {problem}")


def _stage_now(tournament: Tournament) -> Stage:
    """That of the last round that was paired; the first before that."""
    last = TournamentRound.objects.filter(stage__tournament=tournament).order_by("-stage__number").first()
    return last.stage if last else tournament.stages.order_by("number")[0]
