"""What workers do: load a row by its id, call a service, return. Every task may run twice, at once, late, or never.

The first word of a name is its queue. Nothing here retries: what fails is found again by the sweeper.
"""

from celery import shared_task

from tournaments.models import Match, Shard, Tournament, TournamentRound
from tournaments.services import hints
from tournaments.services.attempts import games_call_off
from tournaments.services.collect import results_collect
from tournaments.services.dead_letters import dead_letters_collect
from tournaments.services.dispatch import TOGETHER, match_dispatch
from tournaments.services.mails import mails_send
from tournaments.services.rounds import round_settle, tournament_advance
from tournaments.services.running import tournament_start_due
from tournaments.services.shards import shard_sync, shard_watch, shards_configure
from tournaments.services.strength import strengths_compute
from tournaments.services.sweep import sweep


@shared_task(name=hints.DISPATCH_MATCH)
def dispatch_match(match_id: int) -> None:
    """A match that nothing is left to do for has no next try: most hints find that another has done what they ask."""
    for match in Match.objects.filter(pk=match_id, next_try_at__isnull=False):
        match_dispatch(match=match, others=TOGETHER)


@shared_task(name=hints.CANCEL_GAMES)
def cancel_games(tournament_id: int) -> None:
    for tournament in Tournament.objects.filter(pk=tournament_id):
        games_call_off(tournament=tournament)


@shared_task(name=hints.COLLECT_SHARD)
def collect_shard(shard_id: int) -> None:
    for shard in Shard.objects.filter(pk=shard_id):
        results_collect(shard=shard)


@shared_task(name="collect.all")
def collect_all() -> None:
    """Every second. A shard that is being collected from answers at once; a disabled one may still hold results."""
    for shard_id in Shard.objects.values_list("pk", flat=True):
        hints.send(hints.COLLECT_SHARD, shard_id)


@shared_task(name=hints.SETTLE_ROUND)
def settle_round(round_id: int) -> None:
    for tournament_round in TournamentRound.objects.filter(pk=round_id):
        round_settle(tournament_round=tournament_round)


@shared_task(name=hints.ADVANCE_TOURNAMENT)
def advance_tournament(tournament_id: int) -> None:
    for tournament in Tournament.objects.filter(pk=tournament_id):
        tournament_start_due(tournament=tournament)
        tournament_advance(tournament=tournament)


@shared_task(name=hints.COMPUTE_STRENGTH)
def compute_strength(tournament_id: int) -> None:
    for tournament in Tournament.objects.filter(pk=tournament_id):
        strengths_compute(tournament=tournament)


@shared_task(name=hints.SEND_MAILS)
def send_mails() -> None:
    mails_send()


@shared_task(name=hints.WATCH_SHARD)
def watch_shard(shard_id: int) -> None:
    for shard in Shard.objects.filter(pk=shard_id):
        shard_watch(shard=shard)


@shared_task(name="control.watch_all")
def watch_all() -> None:
    """Every two seconds."""
    for shard in shards_configure():
        hints.send(hints.WATCH_SHARD, shard.pk)


@shared_task(name=hints.SYNC_SHARD)
def sync_shard(shard_id: int) -> None:
    for shard in Shard.objects.filter(pk=shard_id):
        shard_sync(shard=shard)


@shared_task(name=hints.SYNC_ALL)
def sync_all() -> None:
    """At every change that referees must know, and every ten seconds."""
    for shard in shards_configure():
        hints.send(hints.SYNC_SHARD, shard.pk)


@shared_task(name="control.sweep")
def sweep_due() -> None:
    """Every second."""
    sweep()


@shared_task(name="control.dead_letters")
def dead_letters() -> None:
    """Every half minute."""
    dead_letters_collect()
