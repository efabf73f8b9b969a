"""Results come home once, whatever is lost, repeated, late or broken on the way."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from fivecrowns.referee.v1 import referee_pb2 as pb
from referee.record.verify import verify_record
from tests.support.factories import make_bots, make_running, the_match
from tests.support.fake_referee import play_spec
from tests.support.league import League, open_attempt
from tests.support.scripted import collector, playing, silent, taker, thrower
from tournaments.models import (
    Attempt,
    AttemptStatus,
    CollectorLease,
    Game,
    GameFault,
    GameRecord,
    Match,
    MatchStatus,
    RatingRow,
)
from tournaments.models.status import FaultType
from tournaments.selectors.deals import seed_of
from tournaments.services.collect import LEASE, Recorded, result_record, results_collect
from tournaments.services.corrections import match_void
from tournaments.services.dispatch import match_dispatch
from tournaments.services.registration import StagePlan

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def match(league: League) -> Match:
    """Three bots whose game runs."""
    bots = make_bots(3)
    league.connect(*bots)
    match = the_match(make_running(bots, stages=[StagePlan(format="round_robin", seats=3)], turn_cap=1))
    match_dispatch(match=match)
    return match


@pytest.fixture
def attempt(match: Match) -> Attempt:
    return open_attempt(match)


def state() -> list[object]:
    """All that a result may change."""
    return [
        *Match.objects.values_list("status", "status_reason", "is_unplayed"),
        *Game.objects.values_list("result", "digest", "replacement", "finished_at"),
        *Attempt.objects.values_list("status", "status_reason"),
        *GameRecord.objects.values_list("digest", "is_superseded"),
        *RatingRow.objects.values_list("entrant", "delta"),
        GameFault.objects.count(),
    ]


def test_a_result_fills_game_seats_and_match(league: League, match: Match, attempt: Attempt) -> None:
    result = league.referee.finish(attempt.attempt_id, playing(collector), playing(thrower), playing(taker))
    assert league.collect() == 1
    game = Game.objects.get()
    assert game.result == attempt
    assert [row.score for row in game.game_seats.order_by("seat")] == list(result.scores.totals)
    assert [row.place for row in game.game_seats.order_by("seat")] == list(result.scores.places)
    assert {row.retired_in_round for row in game.game_seats.all()} == {None}
    assert [each["scores"] for each in game.game_rounds] == [list(each.scores) for each in result.scores.rounds]
    assert len(game.game_rounds) == 11
    record = GameRecord.objects.get()
    assert bytes(record.data) == result.record
    assert game.digest == record.digest == verify_record(result.record).record.digest.hex()
    match.refresh_from_db()
    assert (match.status, match.next_try_at) == (MatchStatus.PLAYED, None)
    assert league.referee.acknowledged == [attempt.attempt_id]
    assert league.referee.results == {}


def test_faults_are_kept_with_their_numbers(league: League, match: Match, attempt: Attempt) -> None:
    league.referee.finish(attempt.attempt_id, playing(thrower), silent, playing(thrower, think_ms=2_500.0))
    league.collect()
    faults = GameFault.objects.filter(attempt=attempt).order_by("number")
    kinds = [FaultType(fault.type).name for fault in faults]
    assert kinds[0] == "START_TIMEOUT"
    assert (faults[0].seat, faults[0].retires, faults[0].budget_ms) == (1, True, 30_000)
    assert faults[0].used_ms >= faults[0].budget_ms
    assert Game.objects.get().game_seats.get(seat=1).retired_in_round == 1


def test_the_same_result_again_changes_nothing(league: League, match: Match, attempt: Attempt) -> None:
    result = league.referee.finish(attempt.attempt_id)
    assert result_record(result=result) is Recorded.STORED
    league.settle()
    before = state()
    for _ in range(3):
        assert result_record(result=result) is Recorded.DUPLICATE
        league.settle()
    assert state() == before


def test_another_result_of_the_same_attempt_is_ignored_and_said(
    league: League, match: Match, attempt: Attempt, caplog: pytest.LogCaptureFixture
) -> None:
    spec = league.referee.games[attempt.attempt_id]
    result_record(result=league.referee.finish(attempt.attempt_id))
    before = state()
    assert result_record(result=play_spec(spec, *[playing(taker)] * 3)) is Recorded.DUPLICATE
    assert state() == before
    assert f"attempt {attempt.attempt_id} came again with another record" in caplog.text


def test_a_lost_acknowledgement_brings_them_once_more(league: League, match: Match, attempt: Attempt) -> None:
    league.referee.finish(attempt.attempt_id)
    waiting = dict(league.referee.results)
    league.collect()
    before = state()
    league.referee.results = waiting
    assert league.collect() == 1
    assert state() == before
    assert league.referee.acknowledged == [attempt.attempt_id] * 2


def test_a_result_whose_start_was_never_answered(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = the_match(make_running(bots, turn_cap=1))
    league.referee.loses_answers = True
    match_dispatch(match=match)
    attempt = open_attempt(match)
    assert attempt.status == AttemptStatus.STARTING
    league.referee.loses_answers = False
    league.referee.finish_all()
    league.collect()
    attempt.refresh_from_db()
    assert (attempt.status, Game.objects.get().result) == (AttemptStatus.FINISHED, attempt)
    assert attempt.started_at is not None


def test_a_result_nobody_wants_any_more(league: League, match: Match, attempt: Attempt) -> None:
    match_void(match=match, actor=None, reason="re-seated")
    before = state()
    result = league.referee.finish(attempt.attempt_id)
    assert result_record(result=result) is Recorded.SUPERSEDED
    assert result_record(result=result) is Recorded.SUPERSEDED
    record = GameRecord.objects.get()
    assert record.is_superseded
    assert state() == [*before[:-1], (record.digest, True), 0]


def test_a_result_of_another_site_is_let_go(league: League, caplog: pytest.LogCaptureFixture) -> None:
    league.referee.results["f" * 32] = pb.GameResult(attempt_id="f" * 32, status=pb.GAME_STATUS_FINISHED)
    assert league.collect() == 1
    assert league.referee.acknowledged == ["f" * 32]
    assert "no such attempt" in caplog.text


def other_cards(result: pb.GameResult, spec: pb.GameSpec) -> pb.GameResult:
    changed = pb.GameSpec()
    changed.CopyFrom(spec)
    changed.seed = bytes(32)
    return play_spec(changed)


def another_cap(result: pb.GameResult, spec: pb.GameSpec) -> pb.GameResult:
    changed = pb.GameSpec()
    changed.CopyFrom(spec)
    changed.config.turn_cap = 2
    return play_spec(changed)


def another_attempt(result: pb.GameResult, spec: pb.GameSpec) -> pb.GameResult:
    changed = pb.GameSpec()
    changed.CopyFrom(spec)
    changed.attempt_id = "another-attempt"
    result = play_spec(changed)
    result.attempt_id = spec.attempt_id
    return result


def a_flipped_bit(result: pb.GameResult, spec: pb.GameSpec) -> pb.GameResult:
    data = bytearray(result.record)
    data[len(data) // 2] ^= 1
    result.record = bytes(data)
    return result


def cut_short(result: pb.GameResult, spec: pb.GameSpec) -> pb.GameResult:
    result.record = result.record[:-5]
    return result


BROKEN = {
    "other cards": (other_cards, "seed: does not match the commitment"),
    "another cap": (another_cap, "turn cap is 2, asked was 1"),
    "another attempt": (another_attempt, "attempt is another-attempt, asked was "),
    "a flipped bit": (a_flipped_bit, ""),
    "cut short": (cut_short, "unreadable: torn"),
}


@pytest.mark.parametrize(("spoil", "message"), BROKEN.values(), ids=BROKEN)
def test_a_result_that_does_not_verify_is_published_nowhere(
    league: League, match: Match, attempt: Attempt, spoil: object, message: str
) -> None:
    spec = league.referee.games[attempt.attempt_id]
    league.referee.results[attempt.attempt_id] = spoil(league.referee.finish(attempt.attempt_id), spec)
    assert league.collect() == 1
    attempt.refresh_from_db()
    match.refresh_from_db()
    game = Game.objects.get()
    assert (attempt.status, match.status) == (AttemptStatus.VOID, MatchStatus.NEEDS_ATTENTION)
    assert message in match.status_reason
    assert (game.result, game.digest, game.replacement) == (None, "", 1)
    assert GameRecord.objects.get().is_superseded
    assert match.tournament_round.stage.tournament.organiser.notices.count() == 1


def test_one_result_that_cannot_be_stored_does_not_hold_up_the_others(
    league: League, match: Match, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.referee.finish(attempt.attempt_id)
    good = dict(league.referee.results)
    poison = pb.GameResult(attempt_id="\x00" * 32, status=pb.GAME_STATUS_FINISHED)
    league.referee.results = {poison.attempt_id: poison, **good}
    monkeypatch.setattr("tournaments.services.collect.result_record", _failing_for(poison.attempt_id))
    assert league.collect() == 1
    assert league.referee.acknowledged == [attempt.attempt_id]
    assert list(league.referee.results) == [poison.attempt_id]


def _failing_for(attempt_id: str) -> object:
    def record(*, result: pb.GameResult) -> Recorded:
        if result.attempt_id == attempt_id:
            raise IntegrityError("poison")
        return result_record(result=result)

    return record


def test_one_collector_a_shard(league: League, match: Match, attempt: Attempt) -> None:
    league.referee.finish(attempt.attempt_id)
    CollectorLease.objects.update(holder="another", expires_at=timezone.now() + LEASE)
    assert results_collect(shard=league.shard, wait_ms=0) is None
    assert league.referee.acknowledged == []
    CollectorLease.objects.update(expires_at=timezone.now())
    assert results_collect(shard=league.shard, wait_ms=0) == 1
    assert CollectorLease.objects.get().holder == ""


def test_a_referee_that_is_away_costs_nothing(league: League) -> None:
    league.referee.is_silent = True
    assert league.collect() is None
    assert CollectorLease.objects.get().expires_at is None


def test_the_database_takes_one_result_a_game(league: League, match: Match, attempt: Attempt) -> None:
    result_record(result=league.referee.finish(attempt.attempt_id))
    game = Game.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.create(game=game, number=2, shard=league.shard, status=AttemptStatus.FINISHED)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(digest="")


def test_two_games_of_a_match_follow_each_other(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    plan = StagePlan(format="round_robin", seats=2, games_per_match=2)
    match = the_match(make_running(bots, stages=[plan], turn_cap=1))
    match_dispatch(match=match)
    assert Attempt.objects.count() == 1
    league.referee.finish_all()
    league.collect()
    match.refresh_from_db()
    assert (match.status, match.next_try_at is None) == (MatchStatus.PLAYING, False)
    match_dispatch(match=match)
    assert [attempt.game.number for attempt in Attempt.objects.order_by("pk")] == [1, 2]
    seats = [list(game.game_seats.order_by("seat").values_list("entrant", flat=True)) for game in match.games.all()]
    assert seats[0] == seats[1][::-1]
    league.referee.finish_all()
    league.collect()
    match.refresh_from_db()
    assert match.status == MatchStatus.PLAYED


def test_the_record_verifies_with_the_seed_of_its_attempt(league: League, match: Match, attempt: Attempt) -> None:
    league.referee.finish(attempt.attempt_id)
    league.collect()
    verdict = verify_record(bytes(GameRecord.objects.get().data), seed_of(attempt))
    assert verdict.ok
