"""From the plan of a tournament to its list of entrants."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from tournaments import seeds
from tournaments.errors import TournamentError
from tournaments.ids import new_nonce, new_public_id
from tournaments.models import (
    Account,
    Bot,
    DealMode,
    Entrant,
    EntrantStatus,
    EntryMode,
    Stage,
    StageFormat,
    StartMode,
    Tournament,
    TournamentKind,
    TournamentSecret,
    TournamentStatus,
)
from tournaments.pace import MAIL_BEFORE
from tournaments.selectors.plans import elimination_problem
from tournaments.services.dealing import deals_check
from tournaments.services.moves import move
from tournaments.services.notes import audit, notify

MAX_NONCE_LENGTH = 64


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage as an organiser asks for it; the fields are those of `Stage`."""

    format: str = StageFormat.SWISS
    seats: int = 4
    rounds: int = 4
    laps: int = 1
    games_per_match: int = 1
    deal_mode: str = DealMode.INDEPENDENT
    top_cut: int | None = None
    go_on: int | None = None
    has_third_place: bool = False


@transaction.atomic
def tournament_create(
    *,
    organiser: Account,
    name: str,
    stages: Sequence[StagePlan],
    kind: str = TournamentKind.LEAGUE,
    **fields: Any,
) -> Tournament:
    """A draft. `fields` are those of `Tournament`: is_rated, is_trusted, limits, times, budgets. Raises `invalid`."""
    tournament = Tournament(organiser=organiser, name=name.strip(), kind=kind, **fields)
    _clean(tournament)
    tournament.save()
    for number, plan in enumerate(stages, start=1):
        stage = Stage(tournament=tournament, number=number, **asdict(plan))
        _clean(stage)
        stage.save()
    audit(
        action="tournament_create",
        actor=organiser,
        subject=f"tournament {tournament.public_id}",
        tournament=tournament,
        after={"name": tournament.name, "stages": [asdict(plan) for plan in stages]},
    )
    return tournament


@transaction.atomic
def tournament_open_registration(*, tournament: Tournament, actor: Account | None) -> Tournament:
    """Commit to a secret and let entrants in. Raises `invalid` for a plan that cannot be played."""
    locked = locked_tournament(tournament)
    plan_check(locked)
    if locked.entry_mode == EntryMode.CODE and not locked.entry_code:
        Tournament.objects.filter(pk=locked.pk).update(entry_code=new_public_id())
    secret = seeds.new_secret()
    commitment = seeds.secret_hash(secret)
    move(
        locked,
        TournamentStatus.REGISTRATION,
        secret_hash=commitment,
        opened_at=timezone.now(),
        next_try_at=next_date(locked, timezone.now()),
    )
    TournamentSecret.objects.create(tournament=locked, number=1, secret=secret, secret_hash=commitment)
    audit(
        action="tournament_open_registration",
        actor=actor,
        subject=f"tournament {locked.public_id}",
        tournament=locked,
        after={"secret_hash": commitment},
    )
    return locked


def plan_check(tournament: Tournament) -> None:
    """Whether the plan can be played as it stands. Raises `invalid`, with what is wrong."""
    _clean(tournament)
    stages = list(tournament.stages.all())
    if not stages:
        raise TournamentError("invalid", f"{tournament.name!r} has no stage: add a Swiss or a round robin")
    for stage in stages:
        _clean(stage)
        is_last = stage.number == len(stages)
        if problem := elimination_problem(stage, is_last=is_last, min_entrants=tournament.min_entrants):
            raise TournamentError("invalid", f"stage {stage.number}: {problem}", stage=stage.number)
        deals_check(tournament, stage)
    closes, starts = tournament.registration_closes_at, tournament.starts_at
    if tournament.start_mode == StartMode.AT_TIME and starts and closes and closes > starts:
        raise TournamentError("invalid", f"registration would close at {closes:%Y-%m-%d %H:%M} UTC, after the start")


@transaction.atomic
def entrant_enter(*, tournament: Tournament, bot: Bot, actor: Account, nonce: str = "", code: str = "") -> Entrant:
    """Enter a bot; the nonce is the owner's share in the entropy (1 to 64 printable ASCII characters), or one is drawn.

    `code`: the invitation, where one is needed; not by the organiser. Raises `entry_closed`, `entry_private`,
    `wrong_code`, `not_your_bot`, `bot_deleted`, `already_entered`, `tournament_full`, `too_many_entries`, `invalid`.
    """
    locked = locked_tournament(tournament)
    _check_is_open(locked)
    check_bot(locked, bot, actor)
    _check_invited(locked, actor, code)
    check_limits(locked, bot)
    entrant = Entrant.objects.create(tournament=locked, bot=bot, nonce=_checked_nonce(nonce))
    audit(
        action="entrant_enter",
        actor=actor,
        subject=f"entrant {entrant.public_id}",
        tournament=locked,
        after={"bot": bot.public_id, "nonce": entrant.nonce},
    )
    return entrant


@transaction.atomic
def entrant_leave(*, tournament: Tournament, bot: Bot, actor: Account) -> None:
    """Take an entry back while registration is open; from its close on use `entrant_withdraw`."""
    locked = locked_tournament(tournament)
    _check_is_open(locked)
    _check_owner(bot, actor)
    entrant = entrant_of(locked, bot)
    audit(
        action="entrant_leave",
        actor=actor,
        subject=f"entrant {entrant.public_id}",
        tournament=locked,
        before={"bot": bot.public_id, "nonce": entrant.nonce},
    )
    entrant.delete()


@transaction.atomic
def entrant_withdraw(*, entrant: Entrant, actor: Account | None, reason: str) -> None:
    """Out for the rest of the tournament; what was played stays. Raises `already_withdrawn`, `not_running`."""
    tournament = entrant.tournament
    if tournament.status not in (TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED):
        raise TournamentError("not_running", f"{tournament.name!r} is {tournament.status}: nobody plays in it")
    if actor is not None and not may_organise(actor, tournament):
        _check_owner(entrant.bot, actor)
    withdrawn = Entrant.objects.filter(pk=entrant.pk, status=EntrantStatus.ENTERED).update(
        status=EntrantStatus.WITHDRAWN, withdrawn_at=timezone.now(), withdrawn_reason=reason[:400]
    )
    if not withdrawn:
        raise TournamentError(
            "already_withdrawn", f"{entrant.bot.name!r} has withdrawn from {tournament.name!r} already"
        )
    audit(
        action="entrant_withdraw",
        actor=actor,
        subject=f"entrant {entrant.public_id}",
        tournament=tournament,
        before={"status": EntrantStatus.ENTERED},
        after={"status": EntrantStatus.WITHDRAWN, "reason": reason},
    )
    notify(
        entrant.bot.owner,
        tournament.organiser,
        code="entrant_withdrawn",
        text=f"{entrant.bot.name} was withdrawn from {tournament.name}: {reason}",
        tournament=tournament,
    )


def registration_close(tournament: Tournament) -> None:
    """Fix the list of entrants in the entropy, once. The caller holds the lock of the tournament."""
    if tournament.entropy:
        return
    pairs = tournament.entrants.values_list("public_id", "nonce")
    tournament.entropy = seeds.entropy(pairs).hex()
    tournament.registration_closed_at = timezone.now()
    tournament.next_try_at = next_date(tournament, tournament.registration_closed_at)
    tournament.save(update_fields=["entropy", "registration_closed_at", "next_try_at"])


def may_organise(actor: Account, tournament: Tournament) -> bool:
    return actor.is_superuser or actor.pk == tournament.organiser_id


def entrant_of(tournament: Tournament, bot: Bot) -> Entrant:
    entrant = tournament.entrants.select_related("bot").filter(bot=bot).first()
    if entrant is None:
        raise TournamentError("not_entered", f"{bot.name!r} is not entered in {tournament.name!r}")
    return entrant


def locked_tournament(tournament: Tournament) -> Tournament:
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def _clean(row: Tournament | Stage) -> None:
    try:
        row.full_clean()
    except ValidationError as error:
        problems = {name: " ".join(texts) for name, texts in error.message_dict.items()}
        words = "; ".join(text if name == "__all__" else f"{name}: {text}" for name, text in problems.items())
        raise TournamentError("invalid", words, fields=problems) from error


def next_date(tournament: Tournament, now: datetime) -> datetime | None:
    """The next moment before the start at which something is to be done: close registration, tell the owners, start."""
    start = tournament.starts_at if tournament.start_mode == StartMode.AT_TIME else None
    closes = None if tournament.entropy else tournament.registration_closes_at
    told = start - MAIL_BEFORE if start and start - MAIL_BEFORE > now else None
    return min((at for at in (closes, told, start) if at), default=None)


def _check_is_open(tournament: Tournament) -> None:
    closes = tournament.registration_closes_at
    if tournament.status != TournamentStatus.REGISTRATION:
        raise TournamentError(
            "entry_closed",
            f"{tournament.name!r} is {tournament.status}: registration is not open",
            status=tournament.status,
        )
    if tournament.entropy or (closes and closes <= timezone.now()):
        raise TournamentError("entry_closed", f"registration for {tournament.name!r} has closed", closed_at=closes)


def _check_invited(tournament: Tournament, actor: Account, code: str) -> None:
    if may_organise(actor, tournament) or tournament.entry_mode == EntryMode.OPEN:
        return
    if tournament.entry_mode == EntryMode.PRIVATE:
        raise TournamentError(
            "entry_private",
            f"bots are entered in {tournament.name!r} by its organiser alone: ask {tournament.organiser}",
        )
    if not compare_digest(code.strip().encode(), tournament.entry_code.encode()):
        what = "that is not the invitation code" if code.strip() else "an invitation code is needed"
        raise TournamentError("wrong_code", f"{what} of {tournament.name!r}: ask {tournament.organiser} for it")


def check_limits(tournament: Tournament, bot: Bot) -> None:
    """Whether there is room for one more, and for one more of this owner. The caller holds the tournament."""
    entrants, most = tournament.entrants.all(), tournament.max_entries_per_owner
    if tournament.max_entrants is not None and entrants.count() >= tournament.max_entrants:
        raise TournamentError(
            "tournament_full",
            f"{tournament.name!r} is full: {tournament.max_entrants} entrants",
            limit=tournament.max_entrants,
        )
    if most is not None and entrants.filter(bot__owner_id=bot.owner_id).count() >= most:
        raise TournamentError(
            "too_many_entries", f"{tournament.name!r} takes {most} bots of one owner at most", limit=most
        )


def check_bot(tournament: Tournament, bot: Bot, actor: Account) -> None:
    """Whether this account may enter it, and it is not in already. The caller holds the tournament."""
    if not may_organise(actor, tournament):
        _check_owner(bot, actor)
    if bot.deleted_at or Bot.objects.filter(pk=bot.pk, deleted_at__isnull=False).exists():
        raise TournamentError("bot_deleted", f"the bot {bot.name!r} was deleted", bot=bot.public_id)
    if tournament.entrants.filter(bot=bot).exists():
        raise TournamentError("already_entered", f"{bot.name!r} is entered in {tournament.name!r} already")


def _check_owner(bot: Bot, actor: Account) -> None:
    if bot.owner_id != actor.pk:
        raise TournamentError("not_your_bot", f"{bot.name!r} is not a bot of yours", bot=bot.public_id)


def _checked_nonce(nonce: str) -> str:
    if not nonce:
        return new_nonce()
    if len(nonce) > MAX_NONCE_LENGTH or not (nonce.isascii() and nonce.isprintable()):
        raise TournamentError(
            "invalid",
            f"the nonce {nonce[:80]!r} is not 1 to {MAX_NONCE_LENGTH} printable ASCII characters",
            nonce=nonce[:80],
        )
    return nonce
