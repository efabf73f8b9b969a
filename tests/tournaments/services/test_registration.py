"""Plans, entries, and the close of registration."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.utils import timezone

from tests.support.factories import make_bot, make_bots, make_organiser, make_owner, make_tournament
from tournaments import seeds
from tournaments.errors import TournamentError
from tournaments.models import AuditEntry, Entrant, EntrantStatus, Tournament, TournamentStatus
from tournaments.services.bots import bot_delete
from tournaments.services.registration import (
    StagePlan,
    entrant_enter,
    entrant_leave,
    entrant_withdraw,
    tournament_create,
    tournament_open_registration,
)
from tournaments.services.running import tournament_start

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ROUND_ROBIN = StagePlan(format="round_robin", seats=2)
BAD_PLANS: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": "  "}, "name: This field cannot be blank"),
    "one seat": ({"stages": [StagePlan(seats=1)]}, "seats: .*greater than or equal to 2"),
    "fifteen seats": ({"stages": [StagePlan(seats=15)]}, "seats: .*less than or equal to 14"),
    "no round": ({"stages": [StagePlan(rounds=0)]}, "rounds: .*greater than or equal to 1"),
    "unknown format": ({"stages": [StagePlan(format="knockout")]}, "format: Value 'knockout' is not a valid choice"),
    "no time to decide": ({"decision_ms": 0}, "decision_ms: .*greater than or equal to 1"),
    "one entrant": ({"min_entrants": 1}, "min_entrants: .*greater than or equal to 2"),
    "fewer at most than at least": (
        {"min_entrants": 5, "max_entrants": 4},
        "fewer entrants at most than at least: raise max_entrants",
    ),
    "timed without a time": ({"start_mode": "at_time"}, "a start at a time needs starts_at"),
}


@pytest.mark.parametrize(("fields", "message"), BAD_PLANS.values(), ids=BAD_PLANS)
def test_a_bad_plan_is_refused_whole(fields: dict[str, Any], message: str) -> None:
    plan = {"name": "League", "stages": [ROUND_ROBIN], **fields}
    with pytest.raises(TournamentError, match=message) as caught:
        tournament_create(organiser=make_organiser(), **plan)
    assert caught.value.code == "invalid"
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("stages", "message"),
    [([], "has no stage: add a Swiss"), ([StagePlan(deal_mode="rotated")], "stage 1: .* is for hosted bots")],
)
def test_a_plan_that_cannot_be_played_does_not_open(stages: list[StagePlan], message: str) -> None:
    draft = tournament_create(organiser=make_organiser(), name="League", stages=stages)
    with pytest.raises(TournamentError, match=message):
        tournament_open_registration(tournament=draft, actor=None)
    draft.refresh_from_db()
    assert (draft.status, draft.secrets.count()) == (TournamentStatus.DRAFT, 0)


def test_the_secret_is_committed_when_registration_opens_and_shown_nowhere() -> None:
    tournament = make_tournament()
    secret = tournament.secrets.get()
    assert tournament.secret_hash == secret.secret_hash == sha256(bytes(secret.secret)).hexdigest()
    assert secret.published_at is None
    shown = f"{Tournament.objects.values().get()} {list(AuditEntry.objects.values())} {secret}"
    assert bytes(secret.secret).hex() not in shown
    assert str(bytes(secret.secret)) not in shown


def test_it_opens_once() -> None:
    with pytest.raises(TournamentError, match="is registration: it cannot become registration"):
        tournament_open_registration(tournament=make_tournament(), actor=None)


def _full(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(min_entrants=2, max_entrants=2)
    for bot in make_bots(2):
        entrant_enter(tournament=tournament, bot=bot, actor=bot.owner)


def _closed(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(registration_closes_at=timezone.now())


def _running(tournament: Tournament) -> None:
    for bot in make_bots(2):
        entrant_enter(tournament=tournament, bot=bot, actor=bot.owner)
    tournament_start(tournament=tournament, actor=None)


NOT_NOW = {
    "full": (_full, "tournament_full", "is full: 2 entrants"),
    "closed": (_closed, "entry_closed", "has closed"),
    "running": (_running, "entry_closed", "is running: registration is not open"),
}


@pytest.mark.parametrize(("happens", "code", "message"), NOT_NOW.values(), ids=NOT_NOW)
def test_no_entry_any_more(happens: Any, code: str, message: str) -> None:
    tournament, bot = make_tournament(), make_bot()
    happens(tournament)
    before = tournament.entrants.count()
    with pytest.raises(TournamentError, match=message) as caught:
        entrant_enter(tournament=tournament, bot=bot, actor=bot.owner)
    assert (caught.value.code, tournament.entrants.count()) == (code, before)


def test_whose_bot_and_how_often() -> None:
    owner = make_owner()
    mine, second, third, foreign = make_bot(owner=owner), make_bot(owner=owner), make_bot(owner=owner), make_bot()
    tournament = make_tournament([mine], max_entries_per_owner=2)
    attempts = {
        "not_your_bot": (foreign, "is not a bot of yours"),
        "already_entered": (mine, "is entered in .* already"),
    }
    for code, (bot, message) in attempts.items():
        with pytest.raises(TournamentError, match=message) as caught:
            entrant_enter(tournament=tournament, bot=bot, actor=owner)
        assert caught.value.code == code
    entrant_enter(tournament=tournament, bot=second, actor=owner)
    with pytest.raises(TournamentError, match="takes 2 bots of one owner at most"):
        entrant_enter(tournament=tournament, bot=third, actor=owner)
    bot_delete(bot=third, actor=owner)
    with pytest.raises(TournamentError, match="was deleted"):
        entrant_enter(tournament=tournament, bot=third, actor=owner)
    assert tournament.entrants.count() == 2


@pytest.mark.parametrize("nonce", ["x" * 65, "tab\t", "ünïcode"])
def test_a_nonce_is_short_and_plain(nonce: str) -> None:
    tournament, bot = make_tournament(), make_bot()
    with pytest.raises(TournamentError, match="1 to 64 printable ASCII"):
        entrant_enter(tournament=tournament, bot=bot, actor=bot.owner, nonce=nonce)


def test_entropy_is_of_those_who_are_in_at_the_close() -> None:
    bots = make_bots(3)
    tournament = make_tournament(bots[:1])
    entrant_enter(tournament=tournament, bot=bots[1], actor=bots[1].owner, nonce="my own")
    entrant_enter(tournament=tournament, bot=bots[2], actor=bots[2].owner)
    entrant_leave(tournament=tournament, bot=bots[2], actor=bots[2].owner)
    tournament_start(tournament=tournament, actor=None)
    tournament.refresh_from_db()
    pairs = list(tournament.entrants.values_list("public_id", "nonce"))
    assert len(pairs) == 2
    assert "my own" in dict(pairs).values()
    assert tournament.entropy == seeds.entropy(pairs).hex()


def test_leaving_is_for_those_who_are_in() -> None:
    tournament, bot = make_tournament(), make_bot()
    with pytest.raises(TournamentError, match="is not entered in"):
        entrant_leave(tournament=tournament, bot=bot, actor=bot.owner)
    entrant_enter(tournament=tournament, bot=bot, actor=bot.owner)
    with pytest.raises(TournamentError, match="is not a bot of yours"):
        entrant_leave(tournament=tournament, bot=bot, actor=make_owner())
    entrant_leave(tournament=tournament, bot=bot, actor=bot.owner)
    assert not tournament.entrants.exists()


def test_withdrawing_is_for_once_and_told_to_owner_and_organiser() -> None:
    bots = make_bots(3)
    tournament = make_tournament(bots)
    tournament_start(tournament=tournament, actor=None)
    entrant = Entrant.objects.get(tournament=tournament, bot=bots[0])
    with pytest.raises(TournamentError, match="not a bot of yours"):
        entrant_withdraw(entrant=entrant, actor=make_owner(), reason="no")
    entrant_withdraw(entrant=entrant, actor=bots[0].owner, reason="on holiday")
    entrant.refresh_from_db()
    assert (entrant.status, entrant.withdrawn_reason) == (EntrantStatus.WITHDRAWN, "on holiday")
    for account in (bots[0].owner, tournament.organiser):
        assert account.notices.get().text == f"{bots[0].name} was withdrawn from {tournament.name}: on holiday"
    with pytest.raises(TournamentError, match=r"has withdrawn from .* already"):
        entrant_withdraw(entrant=entrant, actor=tournament.organiser, reason="again")


def test_nobody_withdraws_from_what_is_over() -> None:
    tournament = make_tournament(make_bots(2))
    Tournament.objects.filter(pk=tournament.pk).update(status=TournamentStatus.FINISHED)
    with pytest.raises(TournamentError, match="is finished: nobody plays in it"):
        entrant_withdraw(entrant=Entrant.objects.filter(tournament=tournament)[0], actor=None, reason="late")


def test_the_sweeper_knows_when_to_look() -> None:
    now = timezone.now()
    closes, starts = now + timedelta(hours=1), now + timedelta(hours=2)
    assert make_tournament().next_try_at is None
    assert make_tournament(registration_closes_at=closes).next_try_at == closes
    assert make_tournament(start_mode="at_time", starts_at=starts).next_try_at == starts - timedelta(hours=1)
    assert make_tournament(start_mode="at_time", starts_at=starts, registration_closes_at=closes).next_try_at == closes
    with pytest.raises(TournamentError, match=r"would close at .* after the start"):
        make_tournament(start_mode="at_time", starts_at=closes, registration_closes_at=starts)
