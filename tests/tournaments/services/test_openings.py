"""Rounds at their time, the mail before them, and who may still come in."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.support.factories import make_bot, make_bots, make_organiser, make_owner, make_running, make_tournament
from tests.support.league import League
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    AuditEntry,
    Bye,
    Notice,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.standings import standings_for
from tournaments.services.late import entrant_admit
from tournaments.services.league_check import league_check
from tournaments.services.mails import mails_send
from tournaments.services.registration import StagePlan, entrant_enter, entrant_withdraw
from tournaments.services.running import tournament_pause, tournament_resume, tournament_start
from tournaments.services.sweep import sweep
from tournaments.tasks import advance_tournament, send_mails

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SWISS = StagePlan(seats=2, rounds=3)
DAILY: dict[str, Any] = {"round_pace": "daily", "round_time": "20:00", "round_zone": "Europe/Berlin"}
EVERY: dict[str, Any] = {"round_pace": "every", "round_minutes": 600}


def one_round_over(league: League, **fields: Any) -> Tournament:
    bots = make_bots(4)
    Account.objects.filter(bots__in=bots).update(email="owner@example.org")
    league.connect(*bots)
    tournament = make_running(bots, stages=[SWISS], turn_cap=1, **fields)
    while not TournamentRound.objects.filter(status="closed").exists():
        league.step()
    league.step()
    tournament.refresh_from_db()
    return tournament


def let_it_come(tournament: Tournament, before: timedelta = timedelta(0)) -> None:
    """It is so long before the next opening."""
    tournament.refresh_from_db()
    by = tournament.next_round_at - timezone.now() - before
    Tournament.objects.filter(pk=tournament.pk).update(
        next_round_at=tournament.next_round_at - by, next_try_at=tournament.next_try_at - by
    )


@pytest.mark.parametrize("pace", [DAILY, EVERY], ids=["daily", "every"])
def test_the_next_round_waits_for_its_time(league: League, pace: dict[str, Any]) -> None:
    tournament = one_round_over(league, **pace)
    assert TournamentRound.objects.count() == 1
    assert timezone.now() < tournament.next_round_at <= timezone.now() + timedelta(days=1)
    advance_tournament(tournament.pk)
    assert TournamentRound.objects.count() == 1
    let_it_come(tournament)
    assert sweep()["control.tournament"] == 1
    advance_tournament(tournament.pk)
    advance_tournament(tournament.pk)
    assert list(TournamentRound.objects.values_list("number", "status")) == [(1, "closed"), (2, "open")]
    tournament.refresh_from_db()
    assert (tournament.next_round_at, tournament.next_try_at) == (None, None)


def test_the_end_waits_for_no_time(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=2, rounds=1)], turn_cap=1, **DAILY)
    assert league.play(tournament).status == TournamentStatus.FINISHED


def test_mail_before_a_round_is_sent_once(league: League) -> None:
    tournament = one_round_over(league, **EVERY)
    let_it_come(tournament, before=timedelta(minutes=90))
    advance_tournament(tournament.pk)
    assert mails_send() == 0
    let_it_come(tournament, before=timedelta(minutes=59))
    for _ in range(2):
        advance_tournament(tournament.pk)
        sweep()
        send_mails()
    tournament.refresh_from_db()
    assert tournament.next_try_at == tournament.next_round_at
    at = f"{tournament.next_round_at:%Y-%m-%d %H:%M} UTC"
    assert [(each.to, each.subject) for each in mail.outbox] == [(["owner@example.org"], f"{tournament.name}: round 2")]
    assert f"{tournament.name}: round 2 opens at {at}." in mail.outbox[0].body
    assert f"/tournaments/{tournament.public_id}/" in mail.outbox[0].body
    assert Notice.objects.filter(code="round_opens").count() == 4


def test_mail_before_the_start() -> None:
    starts = timezone.now() + timedelta(hours=3)
    tournament = make_tournament(make_bots(2), start_mode="at_time", starts_at=starts)
    Account.objects.filter(bots__entries__tournament=tournament).update(email="owner@example.org")
    assert tournament.next_try_at == starts - timedelta(hours=1)
    starts = timezone.now() + timedelta(minutes=59)
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=starts, next_try_at=timezone.now())
    for _ in range(2):
        advance_tournament(tournament.pk)
        send_mails()
        Tournament.objects.filter(pk=tournament.pk).update(next_try_at=timezone.now())
    assert [each.subject for each in mail.outbox] == [f"{tournament.name}: the first round"]
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.REGISTRATION


def test_a_pause_keeps_the_time(league: League) -> None:
    tournament = one_round_over(league, **DAILY)
    due = tournament.next_round_at
    tournament_pause(tournament=tournament, actor=None)
    let_nothing = Tournament.objects.get(pk=tournament.pk)
    assert let_nothing.next_round_at is None
    advance_tournament(tournament.pk)
    assert TournamentRound.objects.count() == 1
    tournament_resume(tournament=tournament, actor=None)
    advance_tournament(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.next_round_at, TournamentRound.objects.count()) == (due, 1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"round_pace": "daily"}, "rounds every day need round_time"),
        ({"round_pace": "every"}, "rounds every so many minutes need round_minutes"),
        ({"round_pace": "daily", "round_time": "20:00", "round_zone": "../etc/passwd"}, "is no time zone"),
        ({"round_pace": "weekly"}, "is not a valid choice"),
        ({"round_pace": "every", "round_minutes": 0}, "greater than or equal to 1"),
    ],
)
def test_a_pace_that_is_none(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        make_tournament(**fields)


# -- who may enter -----------------------------------------------------------------------------------------------------

ENTRIES = [
    pytest.param("open", "owner", "", None, id="open"),
    pytest.param("code", "owner", "sesame", None, id="with the code"),
    pytest.param("code", "owner", " sesame ", None, id="with spaces"),
    pytest.param("code", "owner", "", "wrong_code", id="without the code"),
    pytest.param("code", "owner", "simsalabim", "wrong_code", id="with another code"),
    pytest.param("code", "organiser", "", None, id="by the organiser without the code"),
    pytest.param("private", "owner", "sesame", "entry_private", id="private"),
    pytest.param("private", "organiser", "", None, id="private, by the organiser"),
]


@pytest.mark.parametrize(("mode", "who", "code", "refused"), ENTRIES)
def test_ways_to_enter(mode: str, who: str, code: str, refused: str | None) -> None:
    tournament = make_tournament(entry_mode=mode, entry_code="sesame")
    bot = make_bot()
    actor = bot.owner if who == "owner" else tournament.organiser
    if refused is None:
        assert entrant_enter(tournament=tournament, bot=bot, actor=actor, code=code).bot == bot
        return
    with pytest.raises(TournamentError) as caught:
        entrant_enter(tournament=tournament, bot=bot, actor=actor, code=code)
    assert caught.value.code == refused
    assert "sesame" not in caught.value.message


def test_a_code_is_drawn_if_none_is_given() -> None:
    tournament = make_tournament(entry_mode="code")
    tournament.refresh_from_db()
    assert len(tournament.entry_code) == 12
    assert not AuditEntry.objects.filter(after__icontains=tournament.entry_code).exists()


def test_too_few_at_the_close_are_cancelled_with_notice() -> None:
    """Started by hand or not: nobody can enter any more."""
    bot = make_bot()
    closes = timezone.now() + timedelta(hours=1)
    tournament = make_tournament([bot], registration_closes_at=closes, min_entrants=2)
    earlier = timezone.now() - timedelta(seconds=1)
    Tournament.objects.filter(pk=tournament.pk).update(registration_closes_at=earlier, next_try_at=earlier)
    advance_tournament(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.status, bot.owner.notices.get().code) == ("cancelled", "tournament_cancelled")


def test_a_late_entry_of_a_swiss(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, stages=[SWISS], turn_cap=1)
    while TournamentRound.objects.count() < 2:
        league.step()
    late = make_bot()
    league.connect(late)
    entropy = tournament.entropy
    entrant = entrant_admit(tournament=tournament, bot=late, actor=tournament.organiser)
    assert (entrant.version.name, entrant.seed_number) == ("1", 5)
    byes = Bye.objects.filter(entrant=entrant)
    assert list(byes.values_list("kind", "tournament_round__number").order_by("pk")) == [
        ("not_entered", 1),
        ("not_entered", 2),
    ]
    league.play(tournament)
    tournament.refresh_from_db()
    assert tournament.entropy == entropy
    line = next(each for each in standings_for(tournament.stages.get()).lines if each.entrant == entrant)
    assert line.row.points.value <= 1
    assert "not entered" in line.row.points.explanation
    assert league_check().problems == []
    with pytest.raises(TournamentError, match="is finished"):
        entrant_admit(tournament=tournament, bot=make_bot(), actor=tournament.organiser)


LATE = {
    "round robin": (StagePlan(format="round_robin", seats=2), 4, "is a round robin, whose pairings are fixed"),
    "elimination": (StagePlan(format="single_elimination", seats=2), 4, "is a single elimination, whose pairings"),
    "the last round": (StagePlan(seats=2, rounds=1), 4, "the last round of stage 1 is paired"),
}


@pytest.mark.parametrize(("plan", "bots", "words"), LATE.values(), ids=LATE)
def test_nobody_is_admitted(plan: StagePlan, bots: int, words: str) -> None:
    tournament = make_running(make_bots(bots), stages=[plan])
    with pytest.raises(TournamentError, match=words) as caught:
        entrant_admit(tournament=tournament, bot=make_bot(), actor=tournament.organiser)
    assert caught.value.code == "late_entry_refused"


def test_who_left_does_not_come_back_late() -> None:
    """Leaving and coming again gains nothing (CASES B12)."""
    bots = make_bots(4)
    tournament = make_running(bots, stages=[SWISS])
    entrant_withdraw(entrant=tournament.entrants.get(bot=bots[0]), actor=bots[0].owner, reason="tired")
    with pytest.raises(TournamentError) as caught:
        entrant_admit(tournament=tournament, bot=bots[0], actor=tournament.organiser)
    assert caught.value.code == "already_entered"


@pytest.mark.parametrize("limits", [{"max_entrants": 4}, {"max_entries_per_owner": 1}])
def test_limits_hold_for_late_entries(limits: dict[str, int]) -> None:
    bots = make_bots(4)
    tournament = make_running(bots, stages=[SWISS], **limits)
    with pytest.raises(TournamentError, match=r"is full|takes 1 bots of one owner"):
        entrant_admit(tournament=tournament, bot=make_bot(owner=bots[0].owner), actor=tournament.organiser)


def test_only_organisers_admit() -> None:
    tournament = make_running(make_bots(4), stages=[SWISS])
    with pytest.raises(TournamentError, match="is not a bot of yours"):
        entrant_admit(tournament=tournament, bot=make_bot(), actor=make_owner())


def test_a_start_is_refused_before_there_are_enough() -> None:
    tournament = make_tournament(make_bots(2), min_entrants=3, organiser=make_organiser())
    with pytest.raises(TournamentError, match="has 2 entrants and needs 3"):
        tournament_start(tournament=tournament, actor=None)


def test_the_sweeper_starts_it_at_its_time() -> None:
    """What was swept is stamped, and starts all the same."""
    tournament = make_tournament(make_bots(2), start_mode="at_time", starts_at=timezone.now() + timedelta(hours=2))
    earlier = timezone.now() - timedelta(seconds=1)
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=earlier, next_try_at=earlier)
    assert sweep()["control.tournament"] == 1
    advance_tournament(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.status, TournamentRound.objects.count()) == ("running", 1)
