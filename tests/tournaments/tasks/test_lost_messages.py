"""Messages that never arrive: what they were about is found again by its rows, and nothing happens twice."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.support.factories import make_bots, make_running, make_shard
from tests.support.fake_referee import FakeReferee
from tests.support.league import League
from tournaments import tasks
from tournaments.models import (
    Attempt,
    Game,
    GameRecord,
    Match,
    MatchStatus,
    RatingRow,
    StrengthReport,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.services import hints
from tournaments.services.ratings import ratings_rebuild
from tournaments.services.registration import StagePlan
from tournaments.services.running import tournament_cancel
from web.celery import app

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

MOST_ROUNDS_OF_BEAT = 60
NEEDS_A_BROKER = tasks.dead_letters.name
Message = tuple[object, ...]


@dataclass
class Post:
    """Broker, beat and worker at once: loses each message the first time it is sent, or whenever it is of a kind."""

    always_lost: str = ""
    lost: set[Message] = field(default_factory=set)
    waiting: list[Message] = field(default_factory=list)

    def send(self, *message: object) -> None:
        if message[0] == self.always_lost or message not in self.lost:
            self.lost.add(message)
        elif message not in self.waiting:
            self.waiting.append(message)

    def beat(self, names: list[str]) -> None:
        """Once round the schedule, at a time when all is due that waits for one."""
        for model in (Match, TournamentRound, Tournament):
            model.objects.filter(next_try_at__isnull=False).update(next_try_at=timezone.now())
        for name in names:
            self.send(name)
        delivered, self.waiting = self.waiting, []
        for (
            name,
            *ids,
        ) in delivered:  # what these send is delivered next time: a collector asks for its next poll for ever
            app.tasks[name](*ids)


@pytest.fixture
def beat_names(settings: Settings) -> list[str]:
    return [each["task"] for each in settings.BEAT_SCHEDULE.values() if each["task"] != NEEDS_A_BROKER]


@pytest.fixture
def league(referee: FakeReferee, transactional_db: None) -> League:
    return League(referee, make_shard("referee", address=referee.address))


def test_every_message_is_lost_once(
    league: League, settings: Settings, monkeypatch: pytest.MonkeyPatch, beat_names: list[str]
) -> None:
    post = Post()
    monkeypatch.setattr(hints, "send", post.send)
    settings.SHARDS = [*_only(league, settings)]
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1, stages=[StagePlan(seats=2, rounds=2)])
    for _ in range(MOST_ROUNDS_OF_BEAT):
        post.beat(beat_names)
        league.referee.finish_all()
        if StrengthReport.objects.exists():
            break
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert {str(message[0]) for message in post.lost} >= {
        hints.DISPATCH_MATCH,
        hints.COLLECT_SHARD,
        hints.SETTLE_ROUND,
        hints.ADVANCE_TOURNAMENT,
        hints.COMPUTE_STRENGTH,
        hints.WATCH_SHARD,
        hints.SYNC_ALL,
        hints.SYNC_SHARD,
        *beat_names,
    }
    assert len(league.referee.started) == len(set(league.referee.started)) == 4
    assert Game.objects.filter(result__isnull=False).count() == GameRecord.objects.count() == 4
    assert RatingRow.objects.count() == 8
    assert ratings_rebuild(check=True) == []


def test_a_cancel_that_the_referee_never_hears_of_changes_no_result(
    league: League, settings: Settings, monkeypatch: pytest.MonkeyPatch, beat_names: list[str]
) -> None:
    post = Post(always_lost=hints.CANCEL_GAMES)
    monkeypatch.setattr(hints, "send", post.send)
    settings.SHARDS = [*_only(league, settings)]
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    league.dispatch()
    tournament_cancel(tournament=tournament, actor=None, reason="no time")
    assert (hints.CANCEL_GAMES, tournament.pk) in post.lost
    for _ in range(4):
        league.referee.finish_all()
        post.beat(beat_names)
    assert league.referee.results == {}, "all were fetched and acknowledged"
    assert set(Match.objects.values_list("status", flat=True)) == {MatchStatus.VOID}
    assert not Game.objects.filter(result__isnull=False).exists()
    assert not GameRecord.objects.filter(is_superseded=False).exists()
    assert not Attempt.objects.filter(status__in=("starting", "running")).exists()
    assert RatingRow.objects.count() == 0


def _only(league: League, settings: Settings) -> tuple[object, ...]:
    """The settings' shards, of which there is one: the stand-in."""
    kind = type(settings.SHARDS[0])
    return (kind(league.shard.name, league.referee.address, league.shard.bot_address),)
