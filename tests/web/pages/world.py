"""A site with something on every page: tournaments in all states, real games, faults, names that mean harm.

It is made once for a package of tests and not within a transaction, so that a browser sees it too. Tests that write do so under
names of their own, or within a transaction that is rolled back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle

from django.core.management import call_command
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tests.support.elimination import step
from tests.support.factories import join_wait_over, make_bot, make_owner, make_shard, make_tournament, the_match
from tests.support.fake_referee import FakeReferee, serving
from tests.support.league import MOST_STEPS, League
from tests.support.scripted import (
    Player,
    answers_garbage,
    chaotic,
    collector,
    playing,
    resigns,
    stalls,
    stumbling,
    taker,
    thrower,
    throws_what_it_does_not_hold,
)
from tournaments.models import (
    Account,
    Bot,
    DeadLetter,
    DealMode,
    DealSet,
    Game,
    Match,
    MatchStatus,
    Shard,
    StageFormat,
    Tournament,
    TournamentStatus,
)
from tournaments.services.attempts import match_stuck
from tournaments.services.bots import bot_delete, bot_rotate_token
from tournaments.services.compare import comparison_start
from tournaments.services.registration import StagePlan, tournament_create
from tournaments.services.rounds import tournament_advance
from tournaments.services.running import tournament_cancel, tournament_start
from tournaments.services.strength import strengths_compute
from tournaments.services.test_matches import bot_test_match

PASSWORD = "five suits and eleven rounds"
TURN_CAP = 9
NASTY = "<svg/onload=alert(1)>"
PLAIN = ("greedy", "planner", "careful collector", NASTY, "simple", "Пять корон", "王冠", "random & sons")


@dataclass(frozen=True)
class World:
    """Public ids, by what they stand for."""

    finished: str
    running: str
    opened: str
    empty: str
    cancelled: str
    draft: str
    field: str
    """Seven rounds of shared deals, over, with strengths."""
    field_match: str
    bracket: str
    """Its top cut is being played, in double elimination."""
    test: str
    comparison: str
    """Of two versions of `bot`, undecided yet."""
    bot: str
    """Of owner1: played everywhere, with faults."""
    nasty: str
    idle: str
    """Of owner1: never connected, in nothing."""
    deleted: str
    played: str
    """A match that is over, with faults; its game is `game`."""
    game: str
    stuck: str
    playing: str
    waiting: str
    unplayed: str
    hidden: str
    """A game with a result whose shared deal is not final."""
    hidden_seats: tuple[str, ...]
    """User names, by seat."""
    public: str
    """A game with a result whose own deal is not final."""
    going_on: str


@contextmanager
def built() -> Iterator[World]:
    """The tables must be there and empty; they are empty again afterwards."""
    try:
        with serving(FakeReferee()) as referee:
            league = League(referee, make_shard(address=referee.address))
            world = _build(league)
        yield world
    finally:
        call_command("flush", interactive=False, verbosity=0)


def _build(league: League) -> World:
    owners = [make_owner(f"owner{number}", password=PASSWORD) for number in range(1, 5)]
    organiser = make_owner("organiser1", password=PASSWORD, is_staff=True)
    make_owner("operator1", password=PASSWORD, is_staff=True, is_superuser=True)
    bots = [make_bot(name, owner) for name, owner in zip(PLAIN, cycle(owners), strict=False)]
    house = [make_bot(name, make_owner("house"), is_house=True) for name in ("house simple",)]
    house += [make_bot(name, house[0].owner, is_house=True) for name in ("house greedy", "house planner")]
    idle, deleted = make_bot("idle", owners[0]), make_bot("gone", owners[1])
    bot_delete(bot=deleted, actor=owners[1])
    for bot in [*bots, *house]:
        bot_rotate_token(bot=bot, actor=bot.owner)
    league.connect(*bots, *house, max_games=20)
    league.connect(bots[0], version="0.9", max_games=20)

    finished = _finished(league, organiser, bots)
    field = _field(league, organiser, [*bots, house[0]])
    comparison = _comparison(league, bots[0])
    waiting, unplayed = _absences(league, organiser, bots[2], make_bot("late riser", owners[3]))
    running = _running(league, organiser, bots)
    opened = make_tournament(
        bots[1:4], organiser=organiser, name="Winter cup", max_entrants=16, stages=[StagePlan(seats=4, rounds=3)]
    )
    empty = make_tournament(organiser=organiser, name=f"Cup of {NASTY}", description=f"Bring {NASTY}.\n\nAnd friends.")
    cancelled = make_tournament(bots[:2], organiser=organiser, name="Rained off")
    tournament_cancel(tournament=cancelled, actor=organiser, reason="too few came")
    draft = tournament_create(organiser=organiser, name="Plans for spring", stages=[StagePlan()])
    test = bot_test_match(bot=bots[0], actor=owners[0])
    faulty = Game.objects.filter(result__faults__isnull=False).order_by("pk")[0]
    bracket = _bracket(league, organiser, bots)
    hidden, public, going_on = _unfinished(running)
    _dead_letters(the_match(field))
    # The stand-in referee goes when all is made; the site is to think that it is there for the rest of the day.
    Shard.objects.update(last_seen_at=timezone.now() + timedelta(days=1))
    return World(
        finished=finished.public_id,
        running=running.public_id,
        opened=opened.public_id,
        empty=empty.public_id,
        cancelled=cancelled.public_id,
        draft=draft.public_id,
        field=field.public_id,
        field_match=the_match(field).public_id,
        bracket=bracket.public_id,
        test=test.tournament_round.stage.tournament.public_id,
        comparison=comparison.public_id,
        bot=bots[0].public_id,
        nasty=bots[3].public_id,
        idle=idle.public_id,
        deleted=deleted.public_id,
        played=faulty.match.public_id,
        game=faulty.public_id,
        stuck=_of(running, MatchStatus.NEEDS_ATTENTION),
        playing=_of(running, MatchStatus.PLAYING),
        waiting=waiting.public_id,
        unplayed=unplayed.public_id,
        hidden=hidden.public_id,
        hidden_seats=tuple(seat.entrant.bot.owner.username for seat in hidden.game_seats.order_by("seat")),
        public=public.public_id,
        going_on=going_on.public_id,
    )


def _finished(league: League, organiser: Account, bots: list[Bot]) -> Tournament:
    """Two rounds of four at two tables, then a two-seat round robin: played to the end, with faults in the first games."""
    tournament = make_tournament(
        bots,
        organiser=organiser,
        name="Autumn league",
        description="Sixteen hands make light work.",
        stages=[StagePlan(seats=4, rounds=2)],
        turn_cap=TURN_CAP,
    )
    tournament_start(tournament=tournament, actor=organiser)
    tournament.refresh_from_db()
    troubles = iter((_troubled, _retiring))
    while tournament.status == TournamentStatus.RUNNING:
        league.watch()
        league.dispatch()
        for attempt_id, spec in list(league.referee.games.items()):
            league.referee.finish(attempt_id, *next(troubles, _good)(len(spec.seats)))
        league.collect()
        league.settle()
        tournament.refresh_from_db()
        if tournament.status == TournamentStatus.RUNNING:
            league.step()
            tournament.refresh_from_db()
    return tournament


def _good(seats: int) -> list[Player]:
    return [playing(collector) if seat % 2 == 0 else playing(chaotic(seat)) for seat in range(seats)]


def _troubled(seats: int) -> list[Player]:
    slips = {4: stalls, 9: throws_what_it_does_not_hold, 14: answers_garbage}
    return [*_good(seats)[:-1], stumbling(collector, slips)]


def _retiring(seats: int) -> list[Player]:
    return [stumbling(collector, {31: resigns}), *_good(seats)[1:]]


def _running(league: League, organiser: Account, bots: list[Bot]) -> Tournament:
    """Eight bots, two at a table, four tables: two over but not settled, one stuck, one being played."""
    tournament = make_tournament(
        bots,
        organiser=organiser,
        name="Round robin for two",
        stages=[StagePlan(format=StageFormat.ROUND_ROBIN, seats=2)],
        turn_cap=TURN_CAP,
    )
    tournament_start(tournament=tournament, actor=organiser)
    if all(_owners(match) == 1 for match in _current(tournament)):
        tournament_cancel(tournament=tournament, actor=organiser, reason="no two owners met: drawn again")
        return _running(league, organiser, bots)
    league.step()  # the first round
    league.watch()
    league.dispatch()
    # What one owner may not see of another's is only to be asked where two owners meet.
    games = Game.objects.filter(attempts__attempt_id__in=list(league.referee.games))
    for game in sorted(games, key=lambda game: -_owners(game))[:2]:
        league.referee.finish(game.attempts.get().attempt_id, *_good(2))
    league.watch()  # progress of those being played
    league.collect()
    with transaction.atomic():
        stuck = _current(tournament).filter(status=MatchStatus.PLAYING).order_by("pk")[0]
        match_stuck(stuck, "the referee gave up on game 1: a broken invariant")
    return tournament


def _field(league: League, organiser: Account, bots: list[Bot]) -> Tournament:
    """Three tables that share their deals, seven rounds: enough for strengths."""
    tournament = make_tournament(
        bots,
        organiser=organiser,
        name="Same cards for all",
        stages=[StagePlan(seats=3, rounds=7, deal_mode=DealMode.FIELD)],
        turn_cap=1,
        is_trusted=True,
        is_listed=False,
        is_rated=False,
    )
    tournament_start(tournament=tournament, actor=organiser)
    play = {bot.public_id: playing(taker if at < 4 else thrower) for at, bot in enumerate(bots)}
    while tournament.status != TournamentStatus.FINISHED:
        league.watch()
        league.dispatch()
        for attempt_id, spec in list(league.referee.games.items()):
            league.referee.finish(attempt_id, *[play[seat.bot_id] for seat in spec.seats])
        league.collect()
        league.settle()
        tournament.refresh_from_db()
        tournament_advance(tournament=tournament)
        tournament.refresh_from_db()
    strengths_compute(tournament=tournament)
    return tournament


def _dead_letters(over: Match) -> None:
    """One that is harmless by now, one that cannot be read, and one that matters."""
    for number, (task, args, reason) in enumerate(
        [
            ("dispatch.match", [over.pk], "delivery_limit"),
            ("", ["\x80\x04 no task"], "rejected"),
            ("control.cancelled", [1], "rejected"),
        ]
    ):
        DeadLetter.objects.create(
            message_id=f"dead-{number}", task=task, args=args, reason=reason, queue="crowns.dispatch.v1"
        )


def _comparison(league: League, bot: Bot) -> Tournament:
    """Three rounds of ten games between two of a kind; the fourth is left waiting."""
    old, new = bot.versions.get(name="0.9"), bot.versions.get(name="1")
    league.watch()  # however long the rest took: who compares must be connected
    tournament = comparison_start(actor=bot.owner, a=old, b=new).tournament
    Tournament.objects.filter(pk=tournament.pk).update(turn_cap=1)
    for _ in range(3):
        league.watch()
        league.dispatch()
        for attempt_id, spec in list(league.referee.games.items()):
            league.referee.finish(attempt_id, *[playing(taker) for _ in spec.seats])
        league.collect()
        league.settle()
        tournament.refresh_from_db()
        tournament_advance(tournament=tournament)
    Match.objects.filter(tournament_round__stage__tournament=tournament).update(next_try_at=None)
    return tournament


def _bracket(league: League, organiser: Account, bots: list[Bot]) -> Tournament:
    """A round of Swiss, then the best five: one round of the bracket is over, with a tie, and one is open."""
    tournament = make_tournament(
        bots,
        organiser=organiser,
        name="Cup of the best five",
        stages=[
            StagePlan(seats=2, rounds=1),
            StagePlan(format=StageFormat.DOUBLE_ELIMINATION, seats=2, top_cut=5),
        ],
        min_entrants=5,
        turn_cap=1,
        is_listed=False,
        is_rated=False,
    )
    tournament_start(tournament=tournament, actor=organiser)
    final = tournament.stages.get(number=2)
    for _ in range(MOST_STEPS):
        tournament_advance(tournament=tournament)
        if final.tournament_rounds.count() == 2:
            return tournament
        step(
            league,
            tournament,
            lambda _match, game, seated: {each: 1 if game.number == 1 else 1 + at for at, each in enumerate(seated)},
        )
    raise AssertionError(f"{tournament} does not come to its second round of the bracket")


def _absences(league: League, organiser: Account, here: Bot, late: Bot) -> tuple[Match, Match]:
    """A match that waits for a bot, and one that ended because it did not come."""
    plan = [StagePlan(format=StageFormat.ROUND_ROBIN, seats=2)]
    found = []
    for name in ("Duel at dawn", "Duel at noon"):
        tournament = make_tournament([here, late], organiser=organiser, name=name, stages=plan, is_rated=False)
        tournament_start(tournament=tournament, actor=organiser)
        found.append(the_match(tournament))
    league.dispatch()
    join_wait_over(found[1])
    Match.objects.filter(pk=found[1].pk).update(next_try_at=timezone.now())
    league.dispatch()
    league.settle()
    return found[0], found[1]


def _current(tournament: Tournament) -> QuerySet[Match]:
    return Match.objects.filter(tournament_round__stage__tournament=tournament, tournament_round__status="open")


def _of(tournament: Tournament, status: str) -> str:
    return _current(tournament).filter(status=status).order_by("pk")[0].public_id


def _owners(played: Game | Match) -> int:
    seated = played.game_seats if isinstance(played, Game) else played.match_entrants
    return len(set(seated.values_list("entrant__bot__owner", flat=True)))


def _unfinished(tournament: Tournament) -> tuple[Game, Game, Game]:
    games = Game.objects.filter(match__in=_current(tournament)).order_by("pk")
    over = games.filter(result__isnull=False)[:2]
    hidden, public = sorted(over, key=lambda game: -_owners(game))
    DealSet.objects.filter(pk=hidden.deal_set_id).update(mode=DealMode.FIELD)
    return hidden, public, games.filter(result=None, match__status=MatchStatus.PLAYING)[0]
