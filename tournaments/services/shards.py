"""What the site hears from its referees, and what it tells them."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2 as pb
from tournaments import referee_client
from tournaments.models import (
    Attempt,
    AttemptStatus,
    Bot,
    BotVersion,
    CollectorLease,
    Entrant,
    Match,
    MatchEntrant,
    Presence,
    RoundStatus,
    Shard,
    Tournament,
    TournamentStatus,
)
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.referee_client import RefereeUnavailable
from tournaments.services.attempts import record_state
from tournaments.services.bots import DAY, bot_version_seen
from tournaments.services.hints import DISPATCH_MATCH, SYNC_SHARD, hint, hint_each
from tournaments.services.rounds import matches_waiting_for
from tournaments.services.sequences import SYNC_REVISION, current_value
from tournaments.tokens import signing_key

ASKED_AT_ONCE = 500
HINTS_A_WATCH = 200
SAME_CONNECTION = timedelta(seconds=1)
PAUSED = "paused: the referee waits for bots whose connections were lost on its side; no clock runs"
_RUNNING = (pb.GAME_STATUS_STARTING, pb.GAME_STATUS_RUNNING)
_PLAYED_IN = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
logger = logging.getLogger(__name__)


def shards_configure() -> list[Shard]:
    """Bring the rows in line with the settings; the enabled ones."""
    known = {shard.name: shard for shard in Shard.objects.all()}
    for address in settings.SHARDS:
        wanted = {"control_address": address.control, "bot_address": address.bots, "is_enabled": True}
        shard = known.pop(address.name, None)
        if shard is None or any(getattr(shard, field) != value for field, value in wanted.items()):
            # Several workers may start at once: whoever comes second finds the row.
            shard, _ = Shard.objects.update_or_create(name=address.name, defaults=wanted)
        CollectorLease.objects.get_or_create(shard=shard)
    Shard.objects.filter(pk__in=[shard.pk for shard in known.values()], is_enabled=True).update(is_enabled=False)
    return list(Shard.objects.filter(is_enabled=True))


def shard_watch(*, shard: Shard) -> None:
    """Who is connected, and how its games do. Of an unreachable referee only that is noted; its rows grow old."""
    try:
        bots = referee_client.list_bots(shard.control_address)
    except RefereeUnavailable as error:
        logger.info("shard %s: %s", shard.name, error)
        Shard.objects.filter(pk=shard.pk, unreachable_since=None).update(unreachable_since=timezone.now())
        return
    _record_bots(shard, bots)
    if bots.held_games:
        shard_reconcile(shard=shard)
    running = list(
        Attempt.objects.filter(shard=shard, status=AttemptStatus.RUNNING).select_related("game").order_by("pk")
    )
    for start in range(0, len(running), ASKED_AT_ONCE):
        _ask_for(shard, running[start : start + ASKED_AT_ONCE])


def shard_reconcile(*, shard: Shard) -> None:
    """A restarted referee holds games until it hears which attempts are still open: those, and no others, go on there."""
    wanted = list(Attempt.objects.filter(shard=shard, status__in=OPEN_ATTEMPT).values_list("attempt_id", flat=True))
    try:
        answer = referee_client.reconcile(shard.control_address, wanted)
    except RefereeUnavailable as error:
        logger.info("shard %s: %s", shard.name, error)
        return
    logger.warning("shard %s: %d games go on, %d were dropped", shard.name, answer.resumed, answer.dropped)


@transaction.atomic
def _record_bots(shard: Shard, answer: pb.ListBotsResponse) -> None:
    locked = Shard.objects.select_for_update().get(pk=shard.pk)
    now = timezone.now()
    if locked.incarnation != answer.incarnation:
        locked.incarnation, locked.incarnation_since, locked.synced_revision = answer.incarnation, now, 0
        hint(SYNC_SHARD, shard.pk)
    locked.last_seen_at, locked.unreachable_since = now, None
    locked.save(
        update_fields=["incarnation", "incarnation_since", "synced_revision", "last_seen_at", "unreachable_since"]
    )
    here = _presences(locked, answer.bots, now)
    arrived = _replace_presences(locked, here)
    BotVersion.objects.filter(pk__in=[row.version_id for row in here]).update(last_connected_at=now)
    _pin([row.version for row in here])
    waiting = matches_waiting_for(sorted(arrived)) if arrived else Match.objects.none()
    hint_each(DISPATCH_MATCH, waiting.values_list("pk", flat=True)[:HINTS_A_WATCH])


def _presences(shard: Shard, connected: Sequence[pb.ConnectedBot], now: datetime) -> list[Presence]:
    """Unsaved rows of what the shard says, the newest connection last; unknown bots and surplus versions are left out."""
    bots = {
        bot.public_id: bot
        for bot in Bot.objects.filter(public_id__in=[each.bot_id for each in connected], deleted_at=None)
    }
    known = {(version.bot_id, version.name): version for version in BotVersion.objects.filter(bot__in=bots.values())}
    rows = []
    for each in sorted(connected, key=lambda each: each.connected_ms, reverse=True):
        bot = bots.get(each.bot_id)
        version = bot and (known.get((bot.pk, each.bot_version)) or bot_version_seen(bot=bot, name=each.bot_version))
        if bot and version:
            rows.append(
                Presence(
                    bot=bot,
                    version=version,
                    shard=shard,
                    max_games=each.max_games,
                    games_in_flight=each.games_in_flight,
                    seats=list(each.seats),
                    sdk=each.sdk[:120],
                    connected_at=now - timedelta(milliseconds=each.connected_ms),
                )
            )
    return rows


def _replace_presences(shard: Shard, here: Sequence[Presence]) -> set[int]:
    """The rows of the shard become these; bots that were not there before. What has not changed is not written."""
    before = {row.version_id: row for row in Presence.objects.filter(shard=shard)}
    kept = {row.version_id for row in here if row.version_id in before and _is_same(before[row.version_id], row)}
    Presence.objects.filter(pk__in=[row.pk for version, row in before.items() if version not in kept]).delete()
    Presence.objects.bulk_create(row for row in here if row.version_id not in kept)
    return {row.bot_id for row in here} - {row.bot_id for row in before.values()}


def _is_same(one: Presence, other: Presence) -> bool:
    """The same connection with the same load; its age is told in milliseconds, which travel."""
    fields = ("max_games", "games_in_flight", "seats", "sdk")
    is_same_connection = abs(one.connected_at - other.connected_at) < SAME_CONNECTION
    return is_same_connection and all(getattr(one, field) == getattr(other, field) for field in fields)


def _pin(versions: Iterable[BotVersion]) -> None:
    """Entrants whose bot was never seen before are pinned by its first Hello, the newest connection winning."""
    newest = {version.bot_id: version for version in versions}
    unpinned = Entrant.objects.filter(version=None, tournament__status__in=_PLAYED_IN, bot__in=newest)
    for entrant in unpinned:
        Entrant.objects.filter(pk=entrant.pk, version=None).update(version=newest[entrant.bot_id])


def _ask_for(shard: Shard, attempts: Sequence[Attempt]) -> None:
    """Progress of running games; whatever the referee no longer plays is given up or waits to be collected."""
    try:
        answer = referee_client.get_games(shard.control_address, [attempt.attempt_id for attempt in attempts])
    except RefereeUnavailable as error:
        logger.info("shard %s: %s", shard.name, error)
        return
    states = {state.attempt_id: state for state in answer.games}
    moved_on = []
    for attempt in attempts:
        state = states.get(attempt.attempt_id)
        if state is not None and state.status in _RUNNING:
            if _take_progress(attempt, state):
                moved_on.append(attempt)
        elif state is not None:
            record_state(attempt=attempt, state=state)
    Attempt.objects.bulk_update(moved_on, ["game_round", "turn", "totals", "heard_at", "status_reason"])


def _take_progress(attempt: Attempt, state: pb.GameState) -> bool:
    """Whether there is news of the game since it was last asked for."""
    reason = PAUSED if state.is_paused else ""
    if (attempt.game_round, attempt.turn, attempt.status_reason) == (state.game_round, state.turn, reason):
        return False
    attempt.game_round, attempt.turn, attempt.totals = state.game_round, state.turn, list(state.totals)
    attempt.status_reason = reason
    attempt.heard_at = timezone.now()
    return True


def shard_sync(*, shard: Shard) -> bool:
    """Tell a referee which bots, keys and budgets count; False if it could not be reached."""
    try:
        answer = referee_client.sync(shard.control_address, sync_request())
    except RefereeUnavailable as error:
        logger.info("shard %s: %s", shard.name, error)
        return False
    Shard.objects.filter(pk=shard.pk).update(synced_revision=answer.revision, is_draining=answer.draining)
    return True


def sync_request() -> pb.SyncRequest:
    """The site's word. The revision is read first, so what is told is at least as new as it claims."""
    revision = current_value(SYNC_REVISION)
    key = signing_key()
    defaults = Tournament()
    return pb.SyncRequest(
        revision=revision,
        site_url=settings.SITE_URL,
        shards=[address.bots for address in settings.SHARDS],
        keys=[pb.PublicKey(kid=key.kid, key=key.public_bytes)],
        default_budgets=game_pb2.Budgets(
            start_ms=defaults.start_ms,
            decision_ms=defaults.decision_ms,
            bank_ms=defaults.bank_ms,
            thinking_ms=defaults.thinking_ms,
        ),
        bots=_bot_entries(),
    )


def _bot_entries() -> list[pb.BotEntry]:
    """All bots with a token. One that is missing does not exist any more, so deleted ones are left out."""
    wanted: dict[int, list[str]] = {}
    # In a finished tournament those still play whose round was opened again.
    again = MatchEntrant.objects.filter(
        entrant=OuterRef("pk"), is_current=True, tournament_round__status=RoundStatus.OPEN
    )
    pinned = Entrant.objects.filter(
        Q(tournament__status__in=_PLAYED_IN) | Exists(again), version__isnull=False
    ).order_by("pk")
    for bot_id, name in pinned.values_list("bot", "version__name"):
        wanted.setdefault(bot_id, []).append(name)
    new_today = Count("versions", filter=Q(versions__created_at__gt=timezone.now() - DAY))
    bots = Bot.objects.filter(deleted_at=None, token_generation__gt=0).prefetch_related("versions")
    full = set(
        bots.annotate(new_today=new_today)
        .filter(new_today__gte=settings.MAX_NEW_VERSIONS_A_DAY)
        .values_list("pk", flat=True)
    )
    return [
        pb.BotEntry(
            bot_id=bot.public_id,
            name=bot.name,
            max_games=bot.max_games,
            min_generation=bot.token_generation,
            versions_wanted=sorted(set(wanted.get(bot.pk, ()))),
            versions_known=[version.name for version in bot.versions.all()],
            may_add_version=bot.pk not in full,
        )
        for bot in bots
    ]
