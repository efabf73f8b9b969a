"""From a waiting match to games that run: who may play, where, and what a lost answer costs."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from fivecrowns.referee.v1 import referee_pb2 as pb
from tests.support.factories import (
    connect,
    join_wait_over,
    make_bot,
    make_bots,
    make_owner,
    make_running,
    make_shard,
    the_match,
)
from tests.support.fake_referee import FakeReferee, serving
from tests.support.league import League, open_attempt
from tournaments import seeds
from tournaments.errors import TournamentError
from tournaments.models import (
    Attempt,
    AttemptStatus,
    Bot,
    Game,
    Match,
    MatchStatus,
    Presence,
    RatingRow,
    Shard,
    Tournament,
    TournamentKind,
)
from tournaments.services.attempts import match_retry
from tournaments.services.bots import bot_rotate_token
from tournaments.services.corrections import match_void
from tournaments.services.dispatch import START_AGAIN, TOGETHER, match_dispatch
from tournaments.services.registration import StagePlan, entrant_withdraw
from tournaments.services.running import tournament_cancel
from tournaments.services.sweep import sweep
from tournaments.tasks import dispatch_match

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TABLE_OF_FOUR = StagePlan(format="round_robin", seats=4)


def match_of(*bots: Bot, **fields: object) -> Match:
    """A table of these bots, waiting, in a tournament of its own."""
    plan = StagePlan(format="round_robin", seats=len(bots))
    return the_match(make_running(bots, stages=[plan], turn_cap=1, **fields))


def after(match: Match) -> Match:
    match.refresh_from_db()
    return match


def test_what_the_referee_is_told(league: League) -> None:
    bots = make_bots(3)
    for bot in bots:
        bot_rotate_token(bot=bot, actor=bot.owner)
    league.connect(*bots, version="2.0")
    match = match_of(*bots, start_ms=1_000, decision_ms=200, bank_ms=3_000, thinking_ms=40_000)
    match_dispatch(match=match)

    attempt = open_attempt(match)
    spec = league.referee.games[attempt.attempt_id]
    tournament = match.tournament_round.stage.tournament
    seated = [row.entrant for row in attempt.game.game_seats.select_related("entrant__bot").order_by("seat")]
    assert [seat.bot_id for seat in spec.seats] == [entrant.bot.public_id for entrant in seated]
    assert {(seat.bot_version, seat.min_generation, seat.no_show) for seat in spec.seats} == {("2.0", 1, False)}
    assert (spec.config.seats, spec.config.turn_cap) == (3, 1)
    assert (spec.budgets.start_ms, spec.budgets.decision_ms) == (1_000, 200)
    assert (spec.budgets.bank_ms, spec.budgets.thinking_ms) == (3_000, 40_000)
    assert spec.page_url == f"http://127.0.0.1:8000/games/{attempt.game.public_id}"
    assert spec.seed == seeds.deal_seed(
        bytes(tournament.secrets.get().secret),
        bytes.fromhex(Tournament.objects.get(pk=tournament.pk).entropy),
        tournament=tournament.public_id,
        stage=1,
        tournament_round=1,
        deal_set=1,
    )
    assert (after(match).status, attempt.status) == (MatchStatus.PLAYING, AttemptStatus.RUNNING)
    assert match.next_try_at is None


def test_dispatching_again_starts_nothing_more(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    assert len(match_dispatch(match=match)) == 1
    assert match_dispatch(match=match) == []
    assert len(league.referee.started) == 1


def test_no_referee_no_game_and_nobody_is_called_absent(league: League) -> None:
    match = match_of(*make_bots(2))
    join_wait_over(match)
    Shard.objects.update(last_seen_at=timezone.now() - timedelta(seconds=11))
    match_dispatch(match=match)
    assert (after(match).status, match.status_reason, match.tries) == (MatchStatus.WAITING, "no referee answers", 1)
    assert match.next_try_at is not None


# -- a round together --------------------------------------------------------------------------------------------------


def round_of(league: League, matches: int, **fields: object) -> list[Match]:
    """Two-seat matches of one round, waiting, whose bots are all there."""
    bots = make_bots(2 * matches)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=2, rounds=1)], turn_cap=1, **fields)
    return list(Match.objects.filter(tournament_round__stage__tournament=tournament).order_by("pk"))


def test_what_is_due_of_a_round_is_started_by_one_call(league: League) -> None:
    matches = round_of(league, 6)
    match_dispatch(match=matches[3], others=4)
    assert [after(match).status for match in matches] == [*["playing"] * 5, "waiting"]
    assert len(league.referee.incarnations_asked) == 1
    assert league.referee.started == [open_attempt(match).attempt_id for match in matches[:5]]


def test_of_others_only_what_is_due_and_of_the_same_round(league: League) -> None:
    later, asked = round_of(league, 2)
    elsewhere = round_of(league, 2)
    Match.objects.filter(pk=later.pk).update(next_try_at=timezone.now() + timedelta(seconds=5))
    match_dispatch(match=asked, others=10)
    assert [after(match).status for match in (later, asked, *elsewhere)] == [
        "waiting",
        "playing",
        "waiting",
        "waiting",
    ]


@pytest.mark.parametrize("matches", [1, 8])
def test_many_cost_little_more_than_one(league: League, matches: int, django_assert_max_num_queries: Any) -> None:
    """Per match the attempt, its match and no other query; all else once for all."""
    first, *_ = round_of(league, matches)
    with django_assert_max_num_queries(20 + 2 * matches):
        assert len(match_dispatch(match=first, others=TOGETHER)) == matches


def test_the_hints_of_matches_that_were_started_with_another_find_nothing_to_do(
    league: League, django_assert_num_queries: Any
) -> None:
    first, second = round_of(league, 2)
    dispatch_match(first.pk)
    with django_assert_num_queries(1):
        dispatch_match(second.pk)
    assert [after(match).status for match in (first, second)] == ["playing", "playing"]


def test_a_broken_match_does_not_hold_up_its_round(league: League, caplog: pytest.LogCaptureFixture) -> None:
    broken, *others = round_of(league, 3)
    broken.match_entrants.all().delete()
    dispatch_match(others[0].pk)
    assert "could not be dispatched together" in caplog.text
    dispatch_match(others[1].pk)
    assert [after(match).status for match in (broken, *others)] == ["waiting", "playing", "playing"]
    with pytest.raises(KeyError):
        dispatch_match(broken.pk)


def test_a_game_that_the_referee_rejects_needs_attention_alone(league: League) -> None:
    matches = round_of(league, 3)
    league.referee.rejects = matches[1].match_entrants.select_related("entrant__bot")[0].entrant.bot.public_id
    match_dispatch(match=matches[0], others=2)
    assert [after(match).status for match in matches] == ["playing", "needs_attention", "playing"]
    assert matches[1].status_reason.endswith("INVALID_ARGUMENT not a game")


# -- attempts ----------------------------------------------------------------------------------------------------------


def test_a_lost_answer_is_asked_for_again_at_the_same_shard(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    league.referee.loses_answers = True
    match_dispatch(match=match)
    attempt = open_attempt(match)
    assert attempt.status == AttemptStatus.STARTING
    assert after(match).next_try_at is not None

    league.referee.loses_answers = False
    assert match_dispatch(match=match) == []  # whoever asked may still be waiting for the answer
    Attempt.objects.update(created_at=timezone.now() - START_AGAIN)
    match_dispatch(match=match)
    attempt.refresh_from_db()
    assert attempt.status == AttemptStatus.RUNNING
    assert league.referee.started == [attempt.attempt_id] * 2
    assert len(league.referee.games) == 1


@pytest.mark.parametrize("is_answer_lost", [True, False], ids=["starting", "running"])
def test_a_silent_shard_is_left_for_another_and_its_late_result_changes_nothing(
    league: League, is_answer_lost: bool
) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    league.referee.loses_answers = is_answer_lost
    match_dispatch(match=match)
    first = open_attempt(match)
    league.referee.is_silent = True
    league.watch()
    _let_it_be_silent_for(league.shard, 31)

    with serving(FakeReferee()) as second_referee:
        connect(make_shard("second", second_referee.address), *bots)
        sweep()
        assert after(match).next_try_at is not None
        match_dispatch(match=match)
        second = open_attempt(match)
        assert (second.number, second.shard.name, second.status) == (2, "second", AttemptStatus.RUNNING)
        assert second_referee.games[second.attempt_id].seed != league.referee.games[first.attempt_id].seed
    first.refresh_from_db()
    assert (first.status, first.status_reason) == (AttemptStatus.ABANDONED, "shard main is silent")

    league.referee.loses_answers = league.referee.is_silent = False
    league.referee.finish(first.attempt_id)
    league.collect()
    first.refresh_from_db()
    assert (first.status, first.record.is_superseded) == (AttemptStatus.ABANDONED, True)
    assert Game.objects.get().result is None
    assert after(match).status == MatchStatus.PLAYING
    assert league.referee.acknowledged == [first.attempt_id]


def _let_it_be_silent_for(shard: Shard, seconds: int) -> None:
    earlier = timezone.now() - timedelta(seconds=seconds)
    Shard.objects.filter(pk=shard.pk).update(last_seen_at=earlier, unreachable_since=earlier)


@pytest.mark.parametrize("has_other", [True, False])
def test_a_shard_that_was_not_asked_or_is_the_only_one_keeps_its_games(league: League, has_other: bool) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    match_dispatch(match=match)
    if has_other:
        make_shard("second")
        Shard.objects.filter(name="main").update(last_seen_at=timezone.now() - timedelta(minutes=5))
    else:
        _let_it_be_silent_for(league.shard, 300)
    sweep()
    match_dispatch(match=match)
    assert open_attempt(match).number == 1


REFUSALS = {
    "busy": (pb.REFUSED_REASON_BOT_BUSY, 2),
    "not connected": (pb.REFUSED_REASON_BOT_NOT_CONNECTED, 1),
    "another version": (pb.REFUSED_REASON_WRONG_VERSION, 1),
    "overloaded": (pb.REFUSED_REASON_OVERLOADED, 2),
    "draining": (pb.REFUSED_REASON_DRAINING, 2),
}


@pytest.mark.parametrize(("reason", "still_present"), REFUSALS.values(), ids=REFUSALS)
def test_a_refused_start_keeps_the_deal_and_counts_for_nothing(league: League, reason: int, still_present: int) -> None:
    bots = make_bots(2)
    match = match_of(*bots)
    seen = []
    for _ in range(4):
        league.connect(*bots)
        league.referee.refusal = pb.GameState(
            status=pb.GAME_STATUS_REFUSED, refused_reason=reason, message="not now", bot_ids=[bots[0].public_id]
        )
        match_dispatch(match=match)
        assert (after(match).status, match.status_reason) == (MatchStatus.WAITING, "not now")
        assert Presence.objects.count() == still_present
        seen.append(Attempt.objects.latest("number"))
    assert {(attempt.status, attempt.started_at) for attempt in seen} == {(AttemptStatus.ABANDONED, None)}

    league.referee.refusal = None
    league.connect(*bots)
    match_dispatch(match=match)
    attempt = open_attempt(match)
    assert (attempt.number, attempt.replacement, attempt.game.replacement) == (5, 0, 0)


def test_a_start_that_can_never_work_needs_attention(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    league.referee.refusal = pb.GameState(
        status=pb.GAME_STATUS_REFUSED, refused_reason=pb.REFUSED_REASON_BAD_SPEC, message="turn_cap is 0"
    )
    match_dispatch(match=match)
    assert after(match).status == MatchStatus.NEEDS_ATTENTION
    assert match.status_reason == "the referee cannot play it: turn_cap is 0"
    assert match.next_try_at is None
    notice = match.tournament_round.stage.tournament.organiser.notices.get()
    assert notice.text == f"{match} needs attention: the referee cannot play it: turn_cap is 0"


def test_a_referee_that_was_restarted_hears_which_of_its_games_are_still_wanted(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    going_on, given_up = match_of(*bots[:2]), match_of(*bots[2:])
    for match in (going_on, given_up):
        match_dispatch(match=match)
    kept, dropped = open_attempt(going_on), open_attempt(given_up)
    Attempt.objects.filter(pk=dropped.pk).update(status=AttemptStatus.VOID)

    league.referee.restart(keeps_journal=True)
    league.watch()
    assert league.referee.reconciled == [[kept.attempt_id]]
    assert list(league.referee.games) == [kept.attempt_id]
    kept.refresh_from_db()
    assert kept.status == AttemptStatus.RUNNING
    league.watch()
    assert len(league.referee.reconciled) == 1

    league.referee.finish(kept.attempt_id)
    league.collect()
    kept.refresh_from_db()
    assert (kept.status, kept.number, kept.replacement) == (AttemptStatus.FINISHED, 1, 0)


def test_an_answer_to_the_reconciling_that_is_lost_costs_nothing(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match_dispatch(match=(match := match_of(*bots)))
    league.referee.restart(keeps_journal=True)
    league.referee.loses_answers = True
    league.watch()
    league.referee.loses_answers = False
    league.watch()
    assert open_attempt(match).status == AttemptStatus.RUNNING
    assert len(league.referee.games) == 1


def test_a_start_names_the_process_that_was_known_when_the_bots_were_reserved(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match_dispatch(match=match_of(*bots))
    assert league.referee.incarnations_asked == [league.referee.incarnation]


@pytest.mark.parametrize("hands_sent", [True, False])
def test_a_game_lost_on_the_referees_side_is_void_and_played_again(league: League, hands_sent: bool) -> None:
    """With the same cards if nobody has seen any (DESIGN 5)."""
    bots = make_bots(2)
    league.connect(*bots)
    match_dispatch(match=(match := match_of(*bots)))
    lost = open_attempt(match)
    lost_seed = league.referee.games.pop(lost.attempt_id).seed
    league.referee.closed[lost.attempt_id] = pb.GameState(
        attempt_id=lost.attempt_id, status=pb.GAME_STATUS_INFRA, message="paused for 600 s", hands_sent=hands_sent
    )
    league.watch()
    lost.refresh_from_db()
    assert (lost.status, lost.status_reason) == (AttemptStatus.VOID, "paused for 600 s")
    match_dispatch(match=match)
    again = open_attempt(match)
    assert (again.number, again.replacement) == (2, int(hands_sent))
    assert (league.referee.games[again.attempt_id].seed == lost_seed) is not hands_sent


def test_a_referee_that_was_restarted_gets_new_attempts_from_other_cards(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    match_dispatch(match=match)
    lost = open_attempt(match)
    lost_seed = league.referee.games[lost.attempt_id].seed

    league.referee.restart()
    league.watch()
    lost.refresh_from_db()
    assert (lost.status, lost.status_reason) == (AttemptStatus.ABANDONED, "the referee lost it")
    assert (after(match).status, match.status_reason) == (
        MatchStatus.WAITING,
        "game 1 is played again: the referee lost it",
    )
    assert match.join_until > timezone.now() + timedelta(seconds=100)

    league.connect(*bots)
    match_dispatch(match=match)
    again = open_attempt(match)
    assert (again.number, again.replacement) == (2, 1)
    assert league.referee.games[again.attempt_id].seed != lost_seed


def test_after_three_attempts_a_person_must_look_and_may_try_again(league: League) -> None:
    bots = make_bots(2)
    match = match_of(*bots)
    for _ in range(3):
        league.connect(*bots)
        match_dispatch(match=match)
        league.referee.restart()
        league.watch()
    league.connect(*bots)
    match_dispatch(match=match)
    assert (after(match).status, match.status_reason) == (
        MatchStatus.NEEDS_ATTENTION,
        "game 1 was begun 3 times and never finished",
    )
    assert Attempt.objects.count() == 3

    organiser = match.tournament_round.stage.tournament.organiser
    match_retry(match=match, actor=organiser)
    match_dispatch(match=match)
    assert (after(match).status, open_attempt(match).number) == (MatchStatus.PLAYING, 4)
    with pytest.raises(TournamentError, match="only one that needs attention is retried"):
        match_retry(match=match, actor=organiser)


def test_a_broken_referee_is_nobodys_fault(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    match_dispatch(match=match)
    attempt = open_attempt(match)
    del league.referee.games[attempt.attempt_id]
    league.referee.results[attempt.attempt_id] = pb.GameResult(
        attempt_id=attempt.attempt_id, status=pb.GAME_STATUS_ABORTED, message="116 cards became 115"
    )
    league.collect()
    attempt.refresh_from_db()
    assert attempt.status == AttemptStatus.VOID
    assert after(match).status == MatchStatus.NEEDS_ATTENTION
    assert match.status_reason == "game 1: the referee called the game off 116 cards became 115"
    assert league.referee.acknowledged == [attempt.attempt_id]


# -- who may play ------------------------------------------------------------------------------------------------------


def test_a_bot_that_is_busy_is_waited_for_and_is_no_no_show(league: League) -> None:
    first, second, third = make_bots(3)
    league.connect(first, second, third)
    older, younger = match_of(first, second), match_of(first, third)
    match_dispatch(match=older)
    join_wait_over(younger)
    match_dispatch(match=younger)
    assert (after(younger).status, younger.status_reason) == (
        MatchStatus.WAITING,
        f"busy: {first.name} (1 of 1 games)",
    )
    league.referee.finish_all()
    league.collect()
    match_dispatch(match=younger)
    assert after(younger).status == MatchStatus.PLAYING


def test_a_bot_plays_as_many_games_as_it_announces_and_the_site_allows(league: League) -> None:
    first, second, third, fourth = make_bots(4)
    Bot.objects.filter(pk=first.pk).update(max_games=2)
    league.connect(first, max_games=3)
    league.connect(second, third, fourth)
    matches = [match_of(first, other) for other in (second, third, fourth)]
    for match in matches:
        match_dispatch(match=match)
    assert [after(match).status for match in matches] == ["playing", "playing", "waiting"]
    assert matches[2].status_reason == f"busy: {first.name} (2 of 2 games)"


def test_a_younger_match_takes_no_bot_that_an_older_one_waits_for(league: League) -> None:
    first, late, third = make_bots(3)
    league.connect(first, third)
    older, younger = match_of(first, late), match_of(first, third)
    match_dispatch(match=older)
    match_dispatch(match=younger)
    assert [after(match).status for match in (older, younger)] == ["waiting", "waiting"]
    assert younger.status_reason == f"busy: {first.name} (0 of 1 games)"
    league.connect(late)
    match_dispatch(match=older)
    assert after(older).status == MatchStatus.PLAYING


def test_a_test_match_waits_for_the_open_round_of_its_bots_and_never_holds_it_up(league: League) -> None:
    first, second, third = make_bots(3)
    league.connect(first, second, third)
    test_match = match_of(first, third, kind=TournamentKind.TEST)
    round_match = match_of(first, second)
    match_dispatch(match=test_match)
    league_name = round_match.tournament_round.stage.tournament.name
    assert after(test_match).status_reason == f"busy: {first.name} (its round in {league_name} is open)"
    match_dispatch(match=round_match)
    assert after(round_match).status == MatchStatus.PLAYING
    league.referee.finish_all()
    league.collect()
    league.settle()
    match_dispatch(match=test_match)
    assert after(test_match).status == MatchStatus.PLAYING


def test_bots_that_share_no_shard_cannot_meet(league: League) -> None:
    first, second = make_bots(2)
    connect(league.shard, first)
    connect(make_shard("second"), second)
    match = match_of(first, second)
    match_dispatch(match=match)
    assert after(match).status == MatchStatus.WAITING
    assert match.status_reason.startswith("not connected: ")


def test_games_spread_over_shards(league: League) -> None:
    bots = make_bots(4)
    with serving(FakeReferee()) as other:
        for shard in (league.shard, make_shard("second", other.address)):
            connect(shard, *bots)
        for pair in (bots[:2], bots[2:]):
            match_dispatch(match=match_of(*pair))
        assert (len(league.referee.games), len(other.games)) == (1, 1)


@pytest.mark.parametrize("field", ["is_draining", "is_enabled"])
def test_a_shard_that_takes_no_more_games(league: League, field: str) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    Shard.objects.update(**{field: field == "is_draining"})
    match = match_of(*bots)
    match_dispatch(match=match)
    assert after(match).status_reason == "no referee answers"


# -- no-shows ----------------------------------------------------------------------------------------------------------


def test_who_is_not_connected_is_waited_for(league: League) -> None:
    here, away = make_bots(2)
    league.connect(here)
    match = match_of(here, away, join_wait_s=100)
    match_dispatch(match=match)
    assert after(match).status == MatchStatus.WAITING
    assert match.status_reason.startswith(f"not connected: {away.name}; waits until ")
    opened = match.tournament_round.opened_at
    assert match.join_until == opened + timedelta(seconds=100)


def test_then_the_referee_plays_its_seat_and_it_is_last_and_rated(league: League) -> None:
    *here, away = make_bots(4)
    league.connect(*here, away)
    league.referee.disconnect(away)
    match = match_of(*here, away)
    league.watch()
    join_wait_over(match)
    league.step()
    rows = {row.entrant.bot: row for row in match.match_entrants.select_related("entrant__bot")}
    assert {bot: row.is_absent for bot, row in rows.items()} == {**dict.fromkeys(here, False), away: True}
    seat = Game.objects.get().game_seats.get(entrant__bot=away)
    assert (seat.place, seat.retired_in_round) == (4, 1)
    assert after(match).status == MatchStatus.SCORED
    assert RatingRow.objects.get(entrant__bot=away).delta == -20.0


def test_the_no_shows_of_a_bot_never_seen_are_unrated(league: League) -> None:
    *here, never_seen = make_bots(4)
    league.connect(*here)
    match = match_of(*here, never_seen)
    join_wait_over(match)
    league.step()
    assert after(match).status == MatchStatus.SCORED
    assert set(RatingRow.objects.values_list("entrant__bot", flat=True)) == {bot.pk for bot in here}
    assert {len(row.inputs) for row in RatingRow.objects.all()} == {2}


def test_fewer_than_two_make_no_game_and_no_rating(league: League) -> None:
    here, away = make_bots(2)
    league.connect(here)
    match = match_of(here, away)
    join_wait_over(match)
    league.step()
    assert (after(match).status, match.is_unplayed) == (MatchStatus.SCORED, True)
    assert match.status_reason == f"no game: {away.name} did not come"
    assert league.referee.started == []
    assert not RatingRow.objects.exists()


def test_three_no_shows_in_a_row_withdraw(league: League) -> None:
    bots = make_bots(6)
    *here, away = bots
    league.connect(*here)
    tournament = make_running(bots, turn_cap=1)
    for _ in range(40):
        for match in Match.objects.filter(status=MatchStatus.WAITING):
            join_wait_over(match)
        league.step()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    entrant = tournament.entrants.get(bot=away)
    assert entrant.withdrawn_reason == "3 matches in a row without being connected"
    assert entrant.match_entrants.count() == 3
    assert entrant.byes.filter(kind="absent").count() == 2
    assert away.owner.notices.filter(code="entrant_withdrawn").count() == 1


def test_a_restarted_referee_gives_everybody_time_to_come_back(league: League) -> None:
    bots = make_bots(2)
    match = match_of(*bots)
    join_wait_over(match)
    league.referee.restart()
    league.watch()
    match_dispatch(match=match)
    assert after(match).status == MatchStatus.WAITING
    assert match.status_reason.startswith("not connected: ")


def test_who_has_withdrawn_is_not_waited_for(league: League) -> None:
    *here, leaving = make_bots(4)
    league.connect(*here, leaving)
    match = match_of(*here, leaving)
    entrant_withdraw(entrant=match.match_entrants.get(entrant__bot=leaving).entrant, actor=None, reason="gone")
    match_dispatch(match=match)
    attempt = open_attempt(match)
    seat = attempt.game.game_seats.get(entrant__bot=leaving).seat
    assert attempt.no_show_seats == [seat]


def test_everybody_leaves_between_two_games(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    plan = StagePlan(format="round_robin", seats=2, games_per_match=2)
    match = the_match(make_running(bots, stages=[plan], turn_cap=1))
    match_dispatch(match=match)
    league.referee.finish_all()
    league.collect()
    league.referee.disconnect(*bots)
    league.watch()
    join_wait_over(match)
    match_dispatch(match=match)
    assert (after(match).status, match.status_reason) == (
        MatchStatus.VOID,
        "all its bots left before the last game",
    )


def test_nobody_is_absent_from_a_second_game_while_the_first_is_played(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    plan = StagePlan(format="round_robin", seats=2, games_per_match=2)
    match = the_match(make_running(bots, stages=[plan], turn_cap=1))
    match_dispatch(match=match)
    league.referee.disconnect(*bots)
    league.watch()
    join_wait_over(match)
    match_dispatch(match=match)
    assert after(match).status == MatchStatus.PLAYING
    assert match.status_reason == "not all are connected; another game of the match is played first"
    league.referee.finish_all()
    league.collect()
    league.connect(bots[0])
    match_dispatch(match=match)
    league.referee.finish_all()
    league.collect()
    assert after(match).status == MatchStatus.PLAYED
    second = match.games.get(number=2)
    assert {row.entrant.bot: row.place for row in second.game_seats.all()} == {bots[0]: 1, bots[1]: 2}
    assert not match.match_entrants.filter(is_absent=True).exists()


# -- called off --------------------------------------------------------------------------------------------------------


def test_a_cancelled_tournament_voids_its_open_matches_and_calls_the_games_off(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    first, second = Match.objects.order_by("pk")
    match_dispatch(match=first)
    match_dispatch(match=second)
    league.referee.finish(open_attempt(first).attempt_id)
    league.collect()
    league.settle()
    going_on = open_attempt(second)
    tournament_cancel(tournament=tournament, actor=tournament.organiser, reason="no time")

    assert (after(first).status, after(second).status) == (MatchStatus.SCORED, MatchStatus.VOID)
    assert second.status_reason == "the tournament was cancelled: no time"
    going_on.refresh_from_db()
    assert going_on.status == AttemptStatus.VOID
    league.referee.finish(going_on.attempt_id)
    league.collect()
    league.settle()
    assert Game.objects.get(match=second).result is None
    assert set(RatingRow.objects.values_list("match", flat=True)) == {first.pk}
    assert bots[0].owner.notices.get().text == f"{tournament.name} was cancelled: no time"


def test_an_organiser_voids_an_open_match_once(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    match = match_of(*bots)
    match_void(match=match, actor=make_owner(), reason="wrong bots")
    assert (after(match).status, match.status_reason) == (MatchStatus.VOID, "wrong bots")
    with pytest.raises(TournamentError, match="it cannot be declared void"):
        match_void(match=match, actor=make_owner(), reason="again")
    assert match_dispatch(match=match) == []
    league.settle()
    match.tournament_round.refresh_from_db()
    assert match.tournament_round.status == "closed"


def test_one_bot_under_two_versions_is_seated_as_the_one_pinned(league: League) -> None:
    first, second = make_bot(), make_bot()
    league.connect(first, version="new")
    league.connect(first, version="old")
    league.connect(second)
    league.referee.connected[first.public_id, "new"].connected_ms = 5
    league.watch()
    match = match_of(first, second)
    match_dispatch(match=match)
    pinned = match.match_entrants.get(entrant__bot=first).entrant.version
    spec = league.referee.games[open_attempt(match).attempt_id]
    assert pinned is not None
    assert {seat.bot_version for seat in spec.seats if seat.bot_id == first.public_id} == {pinned.name}
