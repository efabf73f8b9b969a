"""Every task twice, and twice at once: the rows are the same as after once."""

import threading
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from tests.support.at_once import at_once
from tests.support.factories import connect, make_bot, make_bots, make_running, make_shard, make_tournament, the_match
from tests.support.fake_referee import FakeReferee
from tests.support.league import League, open_attempt
from tests.support.scripted import silent
from tournaments import seeds, tasks
from tournaments.errors import TournamentError
from tournaments.models import (
    Attempt,
    AttemptStatus,
    Bot,
    DealSet,
    Entrant,
    Game,
    GameRecord,
    Match,
    MatchEntrant,
    MatchStatus,
    Presence,
    RatingRow,
    Sequence,
    Shard,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.services.bots import bot_create
from tournaments.services.collect import Recorded, result_record
from tournaments.services.ratings import ratings_rebuild
from tournaments.services.registration import StagePlan, entrant_enter
from tournaments.services.reservation import lock_bots
from tournaments.services.running import tournament_cancel, tournament_start
from tournaments.services.sequences import CLOSING_NO, next_value

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 4


@pytest.fixture
def league(referee: FakeReferee, transactional_db: None) -> League:
    return League(referee, make_shard(address=referee.address))


@pytest.fixture
def running(league: League) -> Tournament:
    bots = make_bots(4)
    league.connect(*bots)
    return make_running(bots, turn_cap=1)


def rows() -> dict[str, list[object]]:
    """Everything a task may write, but for the times at which the sweeper looks again."""
    return {
        "rounds": list(TournamentRound.objects.values_list("number", "status", "closing_no").order_by("pk")),
        "matches": list(Match.objects.values_list("status", "is_unplayed").order_by("pk")),
        "entrants": list(MatchEntrant.objects.values_list("match", "entrant").order_by("pk")),
        "deal sets": list(DealSet.objects.values_list("number", "status").order_by("pk")),
        "games": list(Game.objects.values_list("match", "number", "result", "digest").order_by("pk")),
        "attempts": list(Attempt.objects.values_list("game", "number", "status").order_by("pk")),
        "records": list(GameRecord.objects.values_list("digest", "is_superseded").order_by("pk")),
        "ratings": list(RatingRow.objects.values_list("entrant", "match", "delta", "closing_no").order_by("pk")),
        "tournaments": list(Tournament.objects.values_list("status", "entropy").order_by("pk")),
    }


def _dispatch(league: League) -> Callable[[], object]:
    match = Match.objects.order_by("pk")[0]
    return lambda: tasks.dispatch_match(match.pk)


def _collect(league: League) -> Callable[[], object]:
    league.dispatch()
    league.referee.finish_all()
    return lambda: tasks.collect_shard(league.shard.pk)


def _settle(league: League) -> Callable[[], object]:
    _collect(league)()
    tournament_round = TournamentRound.objects.get()
    return lambda: tasks.settle_round(tournament_round.pk)


def _advance(league: League) -> Callable[[], object]:
    _settle(league)()
    tournament = Tournament.objects.get()
    return lambda: tasks.advance_tournament(tournament.pk)


def _cancel_games(league: League) -> Callable[[], object]:
    league.dispatch()
    tournament = Tournament.objects.get()
    tournament_cancel(tournament=tournament, actor=None, reason="no time")
    return lambda: tasks.cancel_games(tournament.pk)


def _watch(league: League) -> Callable[[], object]:
    league.dispatch()
    league.referee.restart()
    return lambda: tasks.watch_shard(league.shard.pk)


TASKS = {
    "dispatch": _dispatch,
    "collect": _collect,
    "settle": _settle,
    "advance": _advance,
    "cancel": _cancel_games,
    "watch": _watch,
    "sync": lambda league: lambda: tasks.sync_shard(league.shard.pk),
    "sweep": lambda league: tasks.sweep_due,
    "watch all": lambda league: tasks.watch_all,
    "sync all": lambda league: tasks.sync_all,
    "collect all": lambda league: tasks.collect_all,
    "dead letters": lambda league: tasks.dead_letters,
}


@pytest.mark.parametrize("prepare", TASKS.values(), ids=TASKS)
def test_a_task_twice(league: League, running: Tournament, prepare: Callable[[League], Callable[[], object]]) -> None:
    task = prepare(league)
    task()
    once = rows()
    task()
    assert rows() == once


@pytest.mark.parametrize("prepare", TASKS.values(), ids=TASKS)
def test_a_task_at_once(league: League, running: Tournament, prepare: Callable[[League], Callable[[], object]]) -> None:
    task = prepare(league)
    assert at_once(*[task] * AT_ONCE) == [None] * AT_ONCE
    together = rows()
    task()
    assert rows() == together
    assert len(TournamentRound.objects.filter(status="open")) <= 1


@pytest.mark.parametrize(
    "task", [tasks.dispatch_match, tasks.settle_round, tasks.advance_tournament, tasks.collect_shard]
)
def test_a_task_whose_row_is_gone(transactional_db: None, task: Callable[[int], object]) -> None:
    assert task(12345) is None


def test_one_attempt_and_one_start_a_match(league: League, running: Tournament) -> None:
    first, second = Match.objects.order_by("pk")
    at_once(*[lambda: tasks.dispatch_match(first.pk), lambda: tasks.dispatch_match(second.pk)] * AT_ONCE)
    attempts = [open_attempt(match) for match in (first, second)]
    assert {attempt.status for attempt in attempts} == {AttemptStatus.RUNNING}
    assert sorted(league.referee.started) == sorted(attempt.attempt_id for attempt in attempts)


def test_two_matches_that_want_one_bot(league: League) -> None:
    first, second, third = make_bots(3)
    league.connect(first, second, third)
    matches = [the_match(make_running([first, other], turn_cap=1)) for other in (second, third)]
    at_once(*[lambda match=match: tasks.dispatch_match(match.pk) for match in matches])
    assert sorted(Match.objects.values_list("status", flat=True)) == ["playing", "waiting"]
    assert Match.objects.get(status="playing") == matches[0]


def test_connections_are_noted_while_bots_are_reserved(league: League) -> None:
    """A reservation names a shard, the note holds the shard and names bots: neither may wait for the other."""
    bots = make_bots(2)
    match = the_match(make_running(bots, turn_cap=1))
    league.referee.connect(*bots)
    noting = threading.Thread(target=at_once, args=(league.watch,))
    with transaction.atomic():
        lock_bots(row.entrant for row in match.match_entrants.select_related("entrant"))
        noting.start()
        if connection.vendor == "postgresql":  # SQLite has one writer at a time
            noting.join(timeout=20)
            assert Presence.objects.count() == 2
    noting.join(timeout=20)
    assert Presence.objects.count() == 2


def test_twenty_deliveries_of_one_result(league: League, running: Tournament) -> None:
    match = Match.objects.order_by("pk")[0]
    tasks.dispatch_match(match.pk)
    result = league.referee.finish(open_attempt(match).attempt_id)
    outcomes = at_once(*[lambda: result_record(result=result)] * 20)
    assert outcomes.count(Recorded.STORED) == 1
    assert outcomes.count(Recorded.DUPLICATE) == 19
    assert GameRecord.objects.count() == 1
    assert Match.objects.get(pk=match.pk).status == MatchStatus.PLAYED


def test_results_of_one_round_at_once(league: League) -> None:
    bots = make_bots(8)
    league.connect(*bots)
    make_running(bots, turn_cap=1)
    league.dispatch()
    results = [league.referee.finish(attempt.attempt_id) for attempt in Attempt.objects.all()]
    assert at_once(*[lambda result=result: result_record(result=result) for result in results]) == [Recorded.STORED] * 4
    tournament_round = TournamentRound.objects.get()
    at_once(*[lambda: tasks.settle_round(tournament_round.pk)] * AT_ONCE)
    tournament_round.refresh_from_db()
    assert (tournament_round.status, tournament_round.closing_no) == ("closed", 1)
    assert RatingRow.objects.count() == 8
    assert ratings_rebuild(check=True) == []


def test_a_bracket_goes_on_once(league: League) -> None:
    """From a Swiss into its top cut and through it: rounds, seeding and games are written once, whoever calls."""
    bots = make_bots(6)
    league.connect(*bots)
    plans = [StagePlan(seats=2, rounds=1), StagePlan(format="double_elimination", seats=2, top_cut=4)]
    tournament = make_running(bots, turn_cap=1, stages=plans, min_entrants=4)
    final = tournament.stages.get(number=2)
    seedings = set()
    while tournament.status == TournamentStatus.RUNNING:
        league.watch()
        at_once(*[lambda match=match: tasks.dispatch_match(match.pk) for match in Match.objects.all()] * 2)
        league.referee.finish_all()
        league.collect()
        opened = TournamentRound.objects.get(status="open")
        assert at_once(*[lambda opened=opened: tasks.settle_round(opened.pk)] * AT_ONCE) == [None] * AT_ONCE
        assert at_once(*[lambda: tasks.advance_tournament(tournament.pk)] * AT_ONCE) == [None] * AT_ONCE
        tournament.refresh_from_db()
        final.refresh_from_db()
        seedings.add(tuple(final.seeding))
    assert tournament.status == TournamentStatus.FINISHED
    assert {len(each) for each in seedings} == {4}
    assert len(seedings) == 1
    numbers = list(Match.objects.filter(tournament_round__stage=final).values_list("bracket_number", flat=True))
    assert len(numbers) == len(set(numbers))
    assert set(numbers) >= {1, 2, 3, 4, 5, 6}
    assert ratings_rebuild(check=True) == []


def test_ties_in_all_matches_at_once(league: League) -> None:
    """Each gets one more game with a deal of its own, however often the result comes."""
    bots = make_bots(8)
    league.connect(*bots)
    make_running(bots, turn_cap=1, stages=[StagePlan(format="single_elimination", seats=2)])
    league.dispatch()
    tied = [league.referee.finish(attempt.attempt_id, silent, silent) for attempt in Attempt.objects.all()]
    outcomes = at_once(*[lambda result=result: result_record(result=result) for result in tied] * 3)
    assert Counter(outcomes) == {Recorded.STORED: 4, Recorded.DUPLICATE: 8}
    assert [match.games.count() for match in Match.objects.all()] == [2] * 4
    assert sorted(DealSet.objects.values_list("number", flat=True)) == list(range(1, 9))
    assert set(Match.objects.values_list("status", flat=True)) == {MatchStatus.PLAYING}


def test_rounds_of_several_tournaments_close_one_after_the_other(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots, max_games=8)
    for _ in range(4):
        make_running(bots, turn_cap=1, stages=[StagePlan(format="round_robin", seats=4)])
    league.dispatch()
    league.referee.finish_all()
    league.collect()
    rounds = list(TournamentRound.objects.all())
    assert len(rounds) == 4
    at_once(*[lambda each=each: tasks.settle_round(each.pk) for each in rounds])
    assert sorted(TournamentRound.objects.values_list("closing_no", flat=True)) == [1, 2, 3, 4]
    assert ratings_rebuild(check=True) == []
    assert RatingRow.objects.count() == 16


def test_two_starts(transactional_db: None) -> None:
    tournament = make_tournament(make_bots(4))
    outcomes = at_once(*[lambda: tournament_start(tournament=tournament, actor=None)] * AT_ONCE)
    refused = [outcome for outcome in outcomes if isinstance(outcome, TournamentError)]
    assert [error.code for error in refused] == ["invalid_transition"] * (AT_ONCE - 1)
    assert TournamentRound.objects.count() == 1
    assert Match.objects.count() == 2


def test_entries_at_the_limit(transactional_db: None) -> None:
    tournament = make_tournament(max_entrants=2)
    bots = make_bots(AT_ONCE)
    outcomes = at_once(
        *[lambda bot=bot: entrant_enter(tournament=tournament, bot=bot, actor=bot.owner) for bot in bots]
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Entrant", "Entrant", *["TournamentError"] * 2]
    assert Entrant.objects.count() == 2


def test_an_entry_while_it_starts_is_in_the_entropy_or_refused(transactional_db: None) -> None:
    tournament, late = make_tournament(make_bots(4)), make_bot()
    at_once(
        lambda: entrant_enter(tournament=tournament, bot=late, actor=late.owner),
        lambda: tournament_start(tournament=tournament, actor=None),
    )
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    entrants = list(tournament.entrants.values_list("public_id", "nonce", "seed_number"))
    assert tournament.entropy == seeds.entropy(entrant[:2] for entrant in entrants).hex()
    assert sorted(entrant[2] for entrant in entrants) == list(range(1, len(entrants) + 1))


def test_a_cancel_while_it_is_dispatched(league: League, running: Tournament) -> None:
    match = Match.objects.order_by("pk")[0]
    at_once(
        lambda: tasks.dispatch_match(match.pk),
        lambda: tournament_cancel(tournament=running, actor=None, reason="no time"),
    )
    assert set(Match.objects.values_list("status", flat=True)) == {MatchStatus.VOID}
    assert not Attempt.objects.filter(status__in=("starting", "running")).exists()


def test_bots_of_one_name(transactional_db: None) -> None:
    owners = [make_bot().owner for _ in range(AT_ONCE)]
    outcomes = at_once(*[lambda owner=owner: bot_create(owner=owner, name="planner") for owner in owners])
    assert sorted(getattr(outcome, "code", "made") for outcome in outcomes) == ["made", *["name_taken"] * (AT_ONCE - 1)]
    assert Bot.objects.filter(name="planner").count() == 1


def test_numbers_are_given_out_once(transactional_db: None) -> None:
    drawn = at_once(*[lambda: next_value(CLOSING_NO)] * 8)
    assert sorted(drawn) == list(range(1, 9))
    assert Sequence.objects.get(name=CLOSING_NO).value == 8


def test_two_watchers_of_a_new_version(league: League) -> None:
    bot = make_bot()
    connect(league.shard, bot, version="old")
    league.referee.connect(bot, version="new")
    assert at_once(*[league.watch] * AT_ONCE) == [None] * AT_ONCE
    assert list(bot.versions.values_list("name", flat=True)) == ["old", "new"]
    assert Shard.objects.get().presences.count() == 1
