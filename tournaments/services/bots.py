"""Bots, their versions and their tokens."""

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from tournaments.errors import TournamentError
from tournaments.models import Account, Bot, BotVersion, Entrant, EntrantStatus, TournamentStatus
from tournaments.names import NameRefused, checked_name, name_key
from tournaments.services.hints import SYNC_ALL, hint
from tournaments.services.notes import audit
from tournaments.services.sequences import SYNC_REVISION, next_value
from tournaments.tokens import issue_token

DAY = timedelta(days=1)
MAX_VERSION_LENGTH = 40


@transaction.atomic
def bot_create(*, owner: Account, name: str, description: str = "", is_house: bool = False, max_games: int = 0) -> Bot:
    """A bot without a token yet. Raises `name_refused`, `name_taken`, `too_many_bots`."""
    try:
        checked = checked_name(name)
    except NameRefused as error:
        raise TournamentError("name_refused", str(error), name=name[:200]) from error
    limit = settings.MAX_BOTS_PER_OWNER
    if not is_house and owner.bots.filter(deleted_at=None).count() >= limit:
        raise TournamentError(
            "too_many_bots", f"you have {limit} bots, the most allowed: delete one first", limit=limit
        )
    key = name_key(checked)
    if other := Bot.objects.filter(name_key=key).first():
        raise _name_taken(checked, other.name)
    try:
        with transaction.atomic():
            bot = Bot.objects.create(
                owner=owner,
                name=checked,
                name_key=key,
                description=description.strip()[:400],
                is_house=is_house,
                max_games=max_games,
            )
    except IntegrityError as error:
        raise _name_taken(checked, checked) from error
    audit(action="bot_create", actor=owner, subject=f"bot {bot.public_id}", after={"name": checked})
    _bots_changed()
    return bot


def _name_taken(name: str, other: str) -> TournamentError:
    alike = f": it reads like {other!r}" if other != name else ""
    return TournamentError("name_taken", f"the name {name!r} is taken{alike}. Choose another", name=name, other=other)


def bot_rotate_token(*, bot: Bot, actor: Account) -> str:
    """A new token, shown this once; all older ones are void and their streams end within 15 s."""
    with transaction.atomic():
        locked = _locked(bot)
        locked.token_generation += 1
        locked.save(update_fields=["token_generation"])
        audit(
            action="bot_rotate_token",
            actor=actor,
            subject=f"bot {bot.public_id}",
            before={"generation": locked.token_generation - 1},
            after={"generation": locked.token_generation},
        )
        _bots_changed()
    return issue_token(bot=locked.public_id, owner=str(locked.owner_id), generation=locked.token_generation)


@transaction.atomic
def bot_delete(*, bot: Bot, actor: Account) -> None:
    """It can no longer connect and is withdrawn from what it plays in; its results stay. Raises `bot_deleted`."""
    locked = _locked(bot)
    locked.deleted_at = timezone.now()
    locked.save(update_fields=["deleted_at"])
    entries = Entrant.objects.filter(bot=locked, status=EntrantStatus.ENTERED)
    entries.filter(tournament__status=TournamentStatus.REGISTRATION, tournament__entropy="").delete()
    entries.filter(
        tournament__status__in=(TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    ).update(status=EntrantStatus.WITHDRAWN, withdrawn_at=timezone.now(), withdrawn_reason="the bot was deleted")
    audit(action="bot_delete", actor=actor, subject=f"bot {bot.public_id}", before={"name": locked.name})
    _bots_changed()


def bot_version_seen(*, bot: Bot, name: str) -> BotVersion | None:
    """The version of this name, made if it is new; None if it would be one too many today.

    Runs inside the transaction of whoever heard of it.
    """
    known = bot.versions.filter(name=name).first()
    if known:
        return known
    if not name.strip() or len(name) > MAX_VERSION_LENGTH or not may_add_version(bot):
        return None
    parent = bot.versions.order_by("-id").first()
    version, _ = BotVersion.objects.get_or_create(bot=bot, name=name, defaults={"parent": parent})
    _bots_changed()
    return version


def may_add_version(bot: Bot) -> bool:
    new_today = bot.versions.filter(created_at__gt=timezone.now() - DAY).count()
    return new_today < settings.MAX_NEW_VERSIONS_A_DAY


def _locked(bot: Bot) -> Bot:
    locked = Bot.objects.select_for_update().get(pk=bot.pk)
    if locked.deleted_at:
        raise TournamentError("bot_deleted", f"the bot {locked.name!r} was deleted", bot=locked.public_id)
    return locked


def _bots_changed() -> None:
    next_value(SYNC_REVISION)
    hint(SYNC_ALL)
