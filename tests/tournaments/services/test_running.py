"""Start, pause, dates, byes, withdrawals, and the end."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from tests.support.factories import (
    connect,
    join_wait_over,
    make_bot,
    make_bots,
    make_running,
    make_shard,
    make_tournament,
    the_match,
)
from tests.support.league import League
from tournaments import formats
from tournaments.errors import TournamentError
from tournaments.models import (
    BotVersion,
    Bye,
    ByeKind,
    Match,
    MatchEntrant,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.ratings import leaderboard
from tournaments.selectors.standings import standings_for
from tournaments.services import pairing
from tournaments.services.dispatch import match_dispatch
from tournaments.services.pairing import next_round
from tournaments.services.registration import StagePlan, entrant_withdraw
from tournaments.services.rounds import round_open_next, tournament_advance
from tournaments.services.running import (
    tournament_cancel,
    tournament_pause,
    tournament_resume,
    tournament_start,
    tournament_start_due,
)
from tournaments.services.sweep import sweep
from tournaments.tasks import advance_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.mark.parametrize(
    ("entrants", "plan", "needed"),
    [
        (1, StagePlan(format="round_robin", seats=2), 2),
        (2, StagePlan(format="round_robin", seats=3), 3),
        (2, StagePlan(format="swiss", seats=4), 3),
    ],
)
def test_too_few_to_start(entrants: int, plan: StagePlan, needed: int) -> None:
    tournament = make_tournament(make_bots(entrants), stages=[plan])
    with pytest.raises(TournamentError, match=f"has {entrants} entrants and needs {needed}") as caught:
        tournament_start(tournament=tournament, actor=None)
    assert caught.value.code == "not_enough_entrants"
    tournament.refresh_from_db()
    assert (tournament.status, tournament.entropy) == (TournamentStatus.REGISTRATION, "")


def test_versions_are_pinned_to_the_one_last_connected() -> None:
    shard, (seen, never_seen) = make_shard(), make_bots(2)
    connect(shard, seen, version="1")
    connect(shard, seen, version="2")
    BotVersion.objects.filter(name="1").update(last_connected_at=timezone.now() + timedelta(seconds=1))
    tournament = make_running([seen, never_seen])
    assert tournament.entrants.get(bot=seen).version.name == "1"
    assert tournament.entrants.get(bot=never_seen).version is None


def test_a_bot_never_seen_is_pinned_by_its_first_hello(league: League) -> None:
    bots = make_bots(2)
    tournament = make_running(bots)
    league.connect(*bots, version="7")
    assert set(tournament.entrants.values_list("version__name", flat=True)) == {"7"}
    league.connect(*bots, version="8")
    assert set(tournament.entrants.values_list("version__name", flat=True)) == {"7"}


def test_a_second_start_is_refused() -> None:
    tournament = make_running(make_bots(2))
    with pytest.raises(TournamentError, match="is running: it cannot become running"):
        tournament_start(tournament=tournament, actor=None)


def test_seed_numbers_follow_ratings_and_then_the_lot(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    league.play(make_running(bots, turn_cap=1))
    again = make_running(bots)
    ratings = {row.row.version.bot_id: row.row.rating_after for row in leaderboard()}
    seeded = [ratings[bot] for bot in again.entrants.order_by("seed_number").values_list("bot", flat=True)]
    assert seeded == sorted(ratings.values(), reverse=True)


def test_a_pause_waits_for_the_open_round_and_holds_the_next(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    tournament_pause(tournament=tournament, actor=tournament.organiser, reason="lunch")
    for _ in range(3):
        league.step()
    assert list(TournamentRound.objects.values_list("status", flat=True)) == ["closed"]
    with pytest.raises(TournamentError, match="is paused: it cannot become paused"):
        tournament_pause(tournament=tournament, actor=None)
    tournament_resume(tournament=tournament, actor=tournament.organiser)
    tournament.refresh_from_db()
    assert tournament.status_reason == ""
    assert league.play(tournament).status == TournamentStatus.FINISHED
    with pytest.raises(TournamentError, match="only a paused one is resumed"):
        tournament_resume(tournament=tournament, actor=None)


def test_what_was_cancelled_stays_cancelled() -> None:
    tournament = make_tournament(make_bots(2))
    tournament_cancel(tournament=tournament, actor=None, reason="rain")
    tournament.refresh_from_db()
    assert (tournament.status, tournament.status_reason) == (TournamentStatus.CANCELLED, "rain")
    for act in (tournament_start, tournament_pause):
        with pytest.raises(TournamentError, match="is cancelled: it cannot become"):
            act(tournament=tournament, actor=None)
    assert tournament_advance(tournament=tournament) is None


# -- dates -------------------------------------------------------------------------------------------------------------


def test_it_starts_at_its_time() -> None:
    tournament = make_tournament(make_bots(2), start_mode="at_time", starts_at=timezone.now() + timedelta(hours=1))
    tournament_start_due(tournament=tournament)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.REGISTRATION
    _let_time_pass(tournament, hours=2)
    advance_tournament(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    assert TournamentRound.objects.get().status == "open"


def test_registration_closes_before_the_start() -> None:
    now = timezone.now()
    tournament = make_tournament(
        make_bots(2),
        start_mode="at_time",
        registration_closes_at=now + timedelta(hours=1),
        starts_at=now + timedelta(hours=3),
    )
    _let_time_pass(tournament, hours=2)
    tournament_start_due(tournament=tournament)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.REGISTRATION
    assert tournament.entropy
    assert tournament.next_try_at == tournament.starts_at


def test_without_enough_entrants_it_is_cancelled_at_its_time() -> None:
    bot = make_bot()
    tournament = make_tournament([bot], start_mode="at_time", starts_at=timezone.now())
    advance_tournament(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.CANCELLED
    assert tournament.status_reason.endswith("has 1 entrants and needs 2: wait for more, or cancel it")
    assert bot.owner.notices.count() == 1


def _let_time_pass(tournament: Tournament, **by: int) -> None:
    earlier = timedelta(**by)
    tournament.refresh_from_db()
    for name in ("starts_at", "registration_closes_at", "next_try_at"):
        at = getattr(tournament, name)
        setattr(tournament, name, at and at - earlier)
    tournament.save()


# -- rounds ------------------------------------------------------------------------------------------------------------


def test_an_odd_swiss_of_two_gives_everybody_at_most_one_bye(league: League) -> None:
    bots = make_bots(5)
    league.connect(*bots)
    tournament = league.play(make_running(bots, stages=[StagePlan(seats=2, rounds=4)], turn_cap=1))
    byes = Bye.objects.filter(kind=ByeKind.BYE)
    assert byes.count() == 4
    assert len({bye.entrant_id for bye in byes}) == 4
    table = standings_for(tournament.stages.get())
    assert sum(line.row.points.value for line in table.lines) == 4 * 2 + 4


def test_who_had_a_walkover_is_not_next_for_a_bye(league: League) -> None:
    """Nobody was met, but a round was free all the same."""
    bots = make_bots(3)
    tournament = make_running(bots, stages=[StagePlan(seats=2, rounds=2)])
    match, stage = the_match(tournament), tournament.stages.get()
    here, gone = [row.entrant for row in match.match_entrants.order_by("position")]
    league.connect(here.bot)
    join_wait_over(match)
    match_dispatch(match=match)
    (past,) = pairing._past(stage)
    assert (past.walkovers, past.pairing.tables) == ((here.pk,), ())
    assert gone.pk not in past.walkovers


def test_an_odd_round_robin_sits_out_and_counts_per_match(league: League) -> None:
    bots = make_bots(5)
    league.connect(*bots)
    tournament = league.play(make_running(bots, turn_cap=1))
    assert Bye.objects.filter(kind=ByeKind.SITS_OUT).count() == 5
    assert Bye.objects.exclude(kind=ByeKind.SITS_OUT).count() == 0
    table = standings_for(tournament.stages.get())
    assert table.per_match
    assert table.is_final
    assert {line.row.matches for line in table.lines} == {4}


def test_who_leaves_a_round_robin_is_absent_and_its_opponents_sit_out(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    league.step()
    leaver = tournament.entrants.get(bot=bots[0])
    second = TournamentRound.objects.get(number=2)
    entrant_withdraw(entrant=leaver, actor=None, reason="gone")
    assert MatchEntrant.objects.filter(tournament_round=second, entrant=leaver).exists()
    for match in Match.objects.filter(status="waiting"):
        join_wait_over(match)
    league.play(tournament)
    third = TournamentRound.objects.get(number=3)
    assert third.byes.get(entrant=leaver).kind == ByeKind.ABSENT
    assert third.byes.exclude(entrant=leaver).get().kind == ByeKind.SITS_OUT
    assert Match.objects.filter(tournament_round=third).count() == 1
    table = standings_for(tournament.stages.get())
    last = next(line for line in table.lines if line.entrant == leaver)
    assert (last.row.matches, last.row.is_withdrawn) == (3, True)


def test_everybody_leaves_and_it_ends_with_a_reason(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=4, rounds=5)], turn_cap=1)
    league.step()
    for entrant in tournament.entrants.all()[:3]:
        entrant_withdraw(entrant=entrant, actor=None, reason="gone")
    tournament = league.play(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.status_reason == "ended early: 1 active entrants: a round needs at least 3"


def test_a_round_is_not_opened_for_a_field_that_has_changed() -> None:
    tournament = make_running(make_bots(4), stages=[StagePlan(seats=2, rounds=3)])
    TournamentRound.objects.update(status="closed", closing_no=1)
    planned = next_round(tournament.stages.get())
    assert planned is not None
    entrant_withdraw(entrant=tournament.entrants.all()[0], actor=None, reason="gone")
    assert round_open_next(tournament=tournament, planned=planned) is None
    assert tournament_advance(tournament=tournament) is not None
    assert round_open_next(tournament=tournament, planned=planned) is None


def test_no_round_opens_while_one_is_open() -> None:
    tournament = make_running(make_bots(4))
    assert tournament_advance(tournament=tournament) is None
    assert TournamentRound.objects.count() == 1


def test_two_stages_follow_each_other(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    stages = [StagePlan(seats=4, rounds=2), StagePlan(format="round_robin", seats=2)]
    tournament = league.play(make_running(bots, stages=stages, turn_cap=1))
    counts = [stage.tournament_rounds.count() for stage in tournament.stages.order_by("number")]
    assert counts == [2, 3]
    assert tournament.status == TournamentStatus.FINISHED


def test_bots_of_one_owner_are_kept_apart_and_what_could_not_be_is_said(league: League) -> None:
    owner = make_bot().owner
    bots = [make_bot(owner=owner) for _ in range(3)]
    tournament = make_running(bots, stages=[StagePlan(seats=3, rounds=1)])
    notes = TournamentRound.objects.get().notes
    assert {note["kind"] for note in notes} == {formats.NoteKind.SAME_OWNER.value}
    assert all(bot.name in str(notes) for bot in bots)
    assert tournament.is_trusted is False
    trusted = make_running(bots, stages=[StagePlan(seats=3, rounds=1)], is_trusted=True)
    assert TournamentRound.objects.get(stage__tournament=trusted).notes == []


# -- hints and the sweeper ---------------------------------------------------------------------------------------------


def test_a_round_sends_one_hint_a_match(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr("tournaments.services.hints.send", lambda *message: sent.append(message))
    tournament = make_tournament(make_bots(4))
    with django_capture_on_commit_callbacks(execute=True):
        tournament_start(tournament=tournament, actor=None)
    matches = list(Match.objects.values_list("pk", flat=True))
    assert sorted(each for each in sent if each[0] == "dispatch.match") == [("dispatch.match", pk) for pk in matches]
    assert ("control.tournament", tournament.pk) in sent
    assert ("control.sync_all",) in sent


def test_the_sweeper_finds_what_is_due_and_stamps_it() -> None:
    tournament = make_running(make_bots(4))
    found = sweep()
    nothing = dict.fromkeys(("control.round", "control.tournament", "control.strength", "control.mails"), 0)
    assert found == {"dispatch.match": 2, **nothing}
    assert sweep()["dispatch.match"] == 0
    assert Match.objects.filter(next_try_at__gt=timezone.now()).count() == 2
    TournamentRound.objects.update(next_try_at=timezone.now())
    assert sweep()["control.round"] == 1
    TournamentRound.objects.update(status="closed", closing_no=1, next_try_at=None)
    assert [sweep()["control.tournament"] for _ in range(2)] == [1, 0]
    tournament.refresh_from_db()
    assert tournament.next_try_at is not None


def test_the_sweeper_takes_the_longest_due_and_at_most_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.services.sweep.AT_MOST", 3)
    make_running(make_bots(10))
    now = timezone.now()
    for number, match in enumerate(Match.objects.order_by("-pk")):
        Match.objects.filter(pk=match.pk).update(next_try_at=now - timedelta(seconds=10 - number))
    sweep()
    assert list(Match.objects.filter(next_try_at__gt=now).order_by("pk").values_list("number", flat=True)) == [3, 4, 5]
