"""What the site hears from referees, and what it tells them."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from tests.support.factories import connect, make_bot, make_bots, make_running, make_shard, the_match
from tests.support.league import League, open_attempt
from tournaments.models import Attempt, Bot, BotVersion, Presence, Shard
from tournaments.services.bots import bot_delete, bot_rotate_token
from tournaments.services.dispatch import match_dispatch
from tournaments.services.sequences import SYNC_REVISION, current_value
from tournaments.services.shards import shard_sync, shard_watch, shards_configure, sync_request
from tournaments.tokens import signing_key
from web.settings.env import ShardAddress

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_rows_follow_the_settings(settings: Settings) -> None:
    settings.SHARDS = (ShardAddress("a", "127.0.0.1:1", "example:1"), ShardAddress("b", "127.0.0.1:2", "example:2"))
    assert [shard.name for shard in shards_configure()] == ["a", "b"]
    settings.SHARDS = (ShardAddress("b", "127.0.0.1:3", "example:2"), ShardAddress("c", "127.0.0.1:4", "example:4"))
    assert [(shard.name, shard.control_address) for shard in shards_configure()] == [
        ("b", "127.0.0.1:3"),
        ("c", "127.0.0.1:4"),
    ]
    assert Shard.objects.get(name="a").is_enabled is False
    settings.SHARDS = (ShardAddress("a", "127.0.0.1:1", "example:1"),)
    assert [shard.name for shard in shards_configure()] == ["a"]


def test_presence_is_what_the_referee_says(league: League) -> None:
    first, second = make_bots(2)
    league.referee.connect(first, version="1.0", max_games=3)
    league.referee.connected[first.public_id, "1.0"].seats.extend([4, 2])
    league.connect(second)
    presence = Presence.objects.get(bot=first)
    assert (presence.version.name, presence.max_games, presence.seats, presence.sdk) == ("1.0", 3, [4, 2], "test")
    assert timezone.now() - presence.connected_at < timedelta(seconds=10)
    assert presence.version.last_connected_at is not None
    league.referee.disconnect(first)
    league.watch()
    assert list(Presence.objects.values_list("bot", flat=True)) == [second.pk]


def test_a_new_version_is_learned_and_a_sixth_today_is_not(league: League) -> None:
    bot = make_bot()
    for number in range(7):
        league.connect(bot, version=f"v{number}")
    assert list(bot.versions.values_list("name", flat=True)) == [f"v{number}" for number in range(5)]
    assert Presence.objects.count() == 5


def test_deleted_and_unknown_bots_are_nobody(league: League) -> None:
    bot = make_bot()
    bot_delete(bot=bot, actor=bot.owner)
    league.connect(bot, Bot(public_id="someone"))
    assert not Presence.objects.exists()
    assert not BotVersion.objects.exists()


def test_of_a_silent_referee_only_that_is_noted(league: League) -> None:
    bot = make_bot()
    league.connect(bot)
    before = Shard.objects.values().get()
    league.referee.is_silent = True
    league.watch()
    since = Shard.objects.get().unreachable_since
    league.watch()
    assert since is not None
    assert Shard.objects.values().get() == before | {"unreachable_since": since}
    assert Presence.objects.count() == 1
    league.referee.is_silent = False
    league.watch()
    assert Shard.objects.get().unreachable_since is None


def test_a_restart_is_noticed_and_answered_by_a_sync(
    league: League, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr("tournaments.services.hints.send", lambda *message: sent.append(message))
    league.watch()
    shard_sync(shard=league.shard)
    league.referee.restart()
    with django_capture_on_commit_callbacks(execute=True):
        league.watch()
    shard = Shard.objects.get()
    assert (shard.incarnation, shard.synced_revision) == ("first+", 0)
    assert timezone.now() - shard.incarnation_since < timedelta(seconds=10)
    assert ("control.sync", shard.pk) in sent


def test_who_arrives_wakes_the_matches_that_wait_for_it(
    league: League, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr("tournaments.services.hints.send", lambda *message: sent.append(message))
    bots = make_bots(4)
    make_running(bots)
    first = the_match(make_running(bots[:2]))
    with django_capture_on_commit_callbacks(execute=True):
        league.connect(bots[0])
    woken = [message[1] for message in sent if message[0] == "dispatch.match"]
    assert first.pk in woken
    assert len(woken) == len(set(woken)) == 2


def test_progress_is_taken_from_running_games(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = the_match(make_running(bots))
    match_dispatch(match=match)
    league.watch()
    attempt = open_attempt(match)
    assert (attempt.game_round, attempt.turn, attempt.totals) == (3, 2, [1, 2])
    heard_at = attempt.heard_at
    league.watch()
    assert open_attempt(match).heard_at == heard_at


def test_a_finished_game_is_left_to_the_collector(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = the_match(make_running(bots, turn_cap=1))
    match_dispatch(match=match)
    league.referee.finish_all()
    league.watch()
    assert Attempt.objects.get().status == "running"


def test_a_start_under_way_is_not_taken_for_lost(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = the_match(make_running(bots))
    league.referee.is_silent = True
    match_dispatch(match=match)
    league.referee.is_silent = False
    league.watch()
    assert Attempt.objects.get().status == "starting"


# -- sync --------------------------------------------------------------------------------------------------------------


def test_what_referees_are_told(settings: Settings) -> None:
    settings.SHARDS = (ShardAddress("a", "127.0.0.1:1", "example:1"), ShardAddress("b", "127.0.0.1:2", "example:2"))
    shard, (first, second, without_token, deleted) = make_shard(), make_bots(4)
    for bot in (first, first, second, deleted):
        bot_rotate_token(bot=bot, actor=bot.owner)
    bot_delete(bot=deleted, actor=deleted.owner)
    Bot.objects.filter(pk=second.pk).update(max_games=3)
    for number in range(5):
        connect(shard, first, version=f"v{number}")
    make_running([first, second])
    request = sync_request()
    assert request.revision == current_value(SYNC_REVISION)
    assert request.site_url == "http://127.0.0.1:8000"
    assert list(request.shards) == ["example:1", "example:2"]
    assert [(key.kid, key.key) for key in request.keys] == [(signing_key().kid, signing_key().public_bytes)]
    assert request.default_budgets.thinking_ms == 120_000
    entries = {entry.bot_id: entry for entry in request.bots}
    assert set(entries) == {first.public_id, second.public_id}
    told = entries[first.public_id]
    assert (told.name, told.min_generation, told.max_games) == (first.name, 2, 0)
    assert list(told.versions_known) == [f"v{number}" for number in range(5)]
    assert list(told.versions_wanted) == ["v4"]
    assert told.may_add_version is False
    told = entries[second.public_id]
    assert (told.min_generation, told.max_games, told.may_add_version) == (1, 3, True)
    assert list(told.versions_wanted) == []
    assert without_token.public_id not in entries


def test_no_secret_and_no_private_key_leaves_with_it() -> None:
    tournament = make_running(make_bots(2))
    sent = sync_request().SerializeToString()
    assert bytes(tournament.secrets.get().secret) not in sent
    assert signing_key().private.private_bytes_raw() not in sent


def test_the_shard_remembers_what_was_acknowledged(league: League) -> None:
    bot = make_bot()
    bot_rotate_token(bot=bot, actor=bot.owner)
    assert shard_sync(shard=league.shard)
    shard = Shard.objects.get()
    assert shard.synced_revision == league.referee.syncs[0].revision == current_value(SYNC_REVISION)
    league.referee.is_silent = True
    assert not shard_sync(shard=league.shard)


def test_an_unreachable_address(db: None) -> None:
    shard = make_shard(address="127.0.0.1:1")
    shard_watch(shard=shard)
    assert not shard_sync(shard=shard)


def test_a_watch_asks_as_much_for_many_bots_as_for_few_and_writes_only_what_changed(
    league: League, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    bots = make_bots(12)
    league.connect(*bots)
    rows = list(Presence.objects.values())
    with django_assert_num_queries(10):
        league.watch()
    assert list(Presence.objects.values()) == rows
    league.referee.connected[bots[0].public_id, "1"].games_in_flight = 1
    league.watch()
    changed = [row for row in Presence.objects.values() if row not in rows]
    assert [(row["bot_id"], row["games_in_flight"]) for row in changed] == [(bots[0].pk, 1)]


def test_a_paused_game_says_so_until_it_goes_on(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = the_match(make_running(bots))
    match_dispatch(match=match)
    for is_paused in (True, False):
        league.referee.is_paused = is_paused
        league.watch()
        assert open_attempt(match).status_reason.startswith("paused: the referee waits") is is_paused
