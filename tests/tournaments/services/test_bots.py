"""Bots, tokens and versions."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.support.factories import make_bot, make_bots, make_owner, make_running, make_tournament
from tournaments.errors import TournamentError
from tournaments.models import AuditEntry, Bot, BotVersion, Entrant, EntrantStatus
from tournaments.selectors.bots import bot_of_token
from tournaments.services.bots import bot_create, bot_delete, bot_rotate_token, bot_version_seen
from tournaments.services.sequences import SYNC_REVISION, current_value
from tournaments.tokens import issue_token

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

REFUSED = {
    "bad name": ("x", "name_refused", "'x' has 1 characters: give 2 to 30"),
    "taken": ("planner", "name_taken", "the name 'planner' is taken. Choose another"),
    "reads alike": ("PIanner", "name_taken", "the name 'PIanner' is taken: it reads like 'planner'. Choose another"),
}


@pytest.mark.parametrize(("name", "code", "message"), REFUSED.values(), ids=REFUSED)
def test_a_name_that_is_refused_makes_no_bot(name: str, code: str, message: str) -> None:
    make_bot("planner")
    with pytest.raises(TournamentError, match=message) as caught:
        bot_create(owner=make_owner(), name=name)
    assert caught.value.code == code
    assert Bot.objects.count() == 1


def test_the_name_of_a_deleted_bot_stays_taken() -> None:
    bot = make_bot("planner")
    bot_delete(bot=bot, actor=bot.owner)
    with pytest.raises(TournamentError, match="is taken"):
        make_bot("planner")


def test_an_owner_has_so_many_bots_and_may_delete_one(settings: Settings) -> None:
    settings.MAX_BOTS_PER_OWNER = 2
    owner = make_owner()
    first, _ = make_bot(owner=owner), make_bot(owner=owner)
    with pytest.raises(TournamentError, match="you have 2 bots, the most allowed") as caught:
        make_bot(owner=owner)
    assert (caught.value.code, caught.value.extra) == ("too_many_bots", {"limit": 2})
    bot_delete(bot=first, actor=owner)
    make_bot(owner=owner)


def test_a_rotated_token_voids_the_one_before() -> None:
    bot = make_bot()
    old = bot_rotate_token(bot=bot, actor=bot.owner)
    assert bot_of_token(old) == bot
    new = bot_rotate_token(bot=bot, actor=bot.owner)
    assert bot_of_token(new) == bot
    with pytest.raises(TournamentError, match="replaced by a newer one"):
        bot_of_token(old)


def test_tokens_of_no_bot_and_of_a_deleted_one() -> None:
    bot = make_bot()
    token = bot_rotate_token(bot=bot, actor=bot.owner)
    bot_delete(bot=bot, actor=bot.owner)
    for each in (token, issue_token(bot="nobody", owner="1", generation=9)):
        with pytest.raises(TournamentError, match="does not exist any more"):
            bot_of_token(each)
    with pytest.raises(TournamentError, match="copy it again"):
        bot_of_token("nonsense")


def test_no_token_is_written_down() -> None:
    bot = make_bot()
    token = bot_rotate_token(bot=bot, actor=bot.owner)
    entry = AuditEntry.objects.get(action="bot_rotate_token")
    assert entry.actor == bot.owner
    assert token not in str(entry.before | entry.after)


def test_a_deleted_bot_is_out_of_everything_and_cannot_be_deleted_again() -> None:
    bot, other, third = make_bots(3)
    open_for_entry, running = make_tournament([bot, other]), make_running([bot, other, third])
    bot_delete(bot=bot, actor=bot.owner)
    assert list(open_for_entry.entrants.values_list("bot", flat=True)) == [other.pk]
    entrant = Entrant.objects.get(tournament=running, bot=bot)
    assert (entrant.status, entrant.withdrawn_reason) == (EntrantStatus.WITHDRAWN, "the bot was deleted")
    for act in (bot_delete, bot_rotate_token):
        with pytest.raises(TournamentError, match="was deleted"):
            act(bot=bot, actor=bot.owner)


def test_five_new_versions_a_day() -> None:
    bot = make_bot()
    versions = [bot_version_seen(bot=bot, name=f"{number}") for number in range(6)]
    assert [version and version.name for version in versions] == ["0", "1", "2", "3", "4", None]
    assert bot_version_seen(bot=bot, name="3") == versions[3]
    assert versions[4].parent == versions[3]
    BotVersion.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert bot_version_seen(bot=bot, name="5")


@pytest.mark.parametrize("name", ["", "  ", "x" * 41])
def test_a_version_without_a_sensible_name_is_not_kept(name: str) -> None:
    assert bot_version_seen(bot=make_bot(), name=name) is None
    assert not BotVersion.objects.exists()


def test_whatever_referees_must_know_raises_the_revision() -> None:
    revisions = [current_value(SYNC_REVISION)]
    bot = make_bot()
    for act in (
        lambda: bot_rotate_token(bot=bot, actor=bot.owner),
        lambda: bot_version_seen(bot=bot, name="1"),
        lambda: bot_delete(bot=bot, actor=bot.owner),
    ):
        revisions.append(current_value(SYNC_REVISION))
        act()
    revisions.append(current_value(SYNC_REVISION))
    assert sorted(set(revisions[1:])) == revisions[1:]


def test_the_database_knows_one_bot_of_a_name() -> None:
    assert "name_key" in {
        column
        for constraint in connection.introspection.get_constraints(connection.cursor(), Bot._meta.db_table).values()
        if constraint["unique"]
        for column in constraint["columns"]
    }
