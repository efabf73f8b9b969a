"""Who sees what of a game, by role and by state of its deal set."""

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.support.factories import make_bots, make_owner, make_running, the_match
from tests.support.fake_referee import FakeReferee
from tests.support.league import League, open_attempt
from tests.support.scripted import playing, silent, thrower
from tournaments.models import Account, DealMode, DealSet, DealSetStatus, Game
from tournaments.selectors.deals import seed_of
from tournaments.selectors.games import match_detail, record_bytes
from tournaments.selectors.tournaments import published_secret
from tournaments.selectors.visibility import Sight, Visibility, visibility
from tournaments.services.dispatch import match_dispatch
from tournaments.services.registration import StagePlan

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PROGRESS, PUBLIC, EVERYTHING = Sight.PROGRESS, Sight.PUBLIC, Sight.EVERYTHING
OPEN, FINAL = DealSetStatus.OPEN, DealSetStatus.FINAL
FIELD, ROTATED, INDEPENDENT = DealMode.FIELD, DealMode.ROTATED, DealMode.INDEPENDENT


@pytest.fixture
def game(league: League) -> Game:
    """Three bots at a table; its game is over, the round is not settled yet."""
    bots = make_bots(3)
    league.connect(*bots)
    match = the_match(make_running(bots, stages=[StagePlan(format="round_robin", seats=3)], turn_cap=1))
    match_dispatch(match=match)
    league.referee.finish(open_attempt(match).attempt_id, playing(thrower), silent, playing(thrower))
    league.collect()
    return Game.objects.select_related("deal_set", "result").get()


def user_of(role: str, game: Game) -> Account | AnonymousUser:
    tournament = game.match.tournament_round.stage.tournament
    match role:
        case "anybody":
            return AnonymousUser()
        case "another owner":
            return make_owner()
        case "author":
            return game.game_seats.get(seat=1).entrant.bot.owner
        case "organiser":
            return tournament.organiser
        case "operator" | "operator who asks":
            return make_owner(is_superuser=True)
        case "operator who is locked out":
            return make_owner(is_superuser=True, is_active=False)
    raise AssertionError(role)


ROLES = [
    # role, mode, status, sight, own seats, seed, audit
    ("anybody", FIELD, OPEN, PROGRESS, (), False, False),
    ("anybody", ROTATED, OPEN, PROGRESS, (), False, False),
    ("anybody", INDEPENDENT, OPEN, PUBLIC, (), False, False),
    ("anybody", FIELD, FINAL, EVERYTHING, (), True, False),
    ("anybody", INDEPENDENT, FINAL, EVERYTHING, (), True, False),
    ("another owner", FIELD, OPEN, PROGRESS, (), False, False),
    ("another owner", INDEPENDENT, OPEN, PUBLIC, (), False, False),
    ("organiser", FIELD, OPEN, PROGRESS, (), False, False),
    ("organiser", INDEPENDENT, OPEN, PUBLIC, (), False, False),
    ("organiser", FIELD, FINAL, EVERYTHING, (), True, False),
    ("author", FIELD, OPEN, PROGRESS, (1,), False, False),
    ("author", INDEPENDENT, OPEN, PUBLIC, (1,), False, False),
    ("author", FIELD, FINAL, EVERYTHING, (1,), True, False),
    ("operator", FIELD, OPEN, PROGRESS, (), False, False),
    ("operator who asks", FIELD, OPEN, EVERYTHING, (), False, True),
    ("operator who asks", INDEPENDENT, OPEN, EVERYTHING, (), False, True),
    ("operator who asks", FIELD, FINAL, EVERYTHING, (), True, False),
    ("operator who is locked out", FIELD, OPEN, PROGRESS, (), False, False),
]


@pytest.mark.parametrize(
    ("role", "mode", "status", "sight", "own", "has_seed", "must_audit"),
    ROLES,
    ids=[f"{role}, {mode}, {status}" for role, mode, status, *_ in ROLES],
)
def test_by_role_and_state(
    game: Game, role: str, mode: str, status: str, sight: Sight, own: tuple[int, ...], has_seed: bool, must_audit: bool
) -> None:
    game.deal_set.mode, game.deal_set.status = mode, status
    asks = role in ("operator who asks", "operator who is locked out")
    seen = visibility(user_of(role, game), game, as_operator=asks)
    assert seen == Visibility(sight, own, has_seed, must_audit)
    assert [seen.shows_seat(seat) for seat in range(3)] == [sight is EVERYTHING or seat in own for seat in range(3)]


@pytest.mark.parametrize("role", ["anybody", "another owner", "author", "organiser", "operator"])
def test_no_record_and_no_reply_before_the_deal_set_is_final(game: Game, role: str) -> None:
    """On a shared deal, where another table may still be playing it."""
    DealSet.objects.update(mode=FIELD)
    game.deal_set.refresh_from_db()
    user = user_of(role, game)
    assert record_bytes(game, user) is None
    [shown] = match_detail(game.match, user).games
    assert shown.faults[0].fault.seat == 1
    assert shown.faults[0].seat_name == game.game_seats.get(seat=1).entrant.bot.name
    details = {fault.detail for fault in shown.faults}
    assert (details == {""}) == (role != "author")


def test_afterwards_the_record_comes_with_its_seed(league: League, game: Game) -> None:
    league.settle()
    game.refresh_from_db()
    data = record_bytes(game, AnonymousUser())
    assert data is not None
    assert seed_of(game.result) in data
    [shown] = match_detail(game.match, AnonymousUser()).games
    assert all(fault.detail for fault in shown.faults)


def test_the_operator_sees_the_record_without_the_seed(game: Game) -> None:
    data = record_bytes(game, user_of("operator", game), as_operator=True)
    assert data is not None
    assert seed_of(game.result) not in data


def test_the_secret_is_published_at_the_end(league: League, referee: FakeReferee) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    assert published_secret(tournament) is None
    league.play(tournament)
    assert published_secret(tournament) == bytes(tournament.secrets.get().secret).hex()
