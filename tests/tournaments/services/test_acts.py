"""What an organiser does to results: play again, void, correct, roll back. The preview is what then happens."""

from collections.abc import Callable

import pytest

from tests.support.factories import make_bots, make_running
from tests.support.league import League
from tournaments import seeds
from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import (
    Attempt,
    AuditEntry,
    DealSet,
    Game,
    Match,
    MatchEntrant,
    MatchStatus,
    RatingRow,
    Tournament,
    TournamentRound,
    TournamentSecret,
    TournamentStatus,
)
from tournaments.selectors.deals import seed_of
from tournaments.selectors.results import match_result
from tournaments.selectors.standings import standings_for
from tournaments.services.corrections import match_correct, match_void
from tournaments.services.league_check import league_check
from tournaments.services.registration import StagePlan
from tournaments.services.reruns import game_rerun, match_rerun, round_rerun
from tournaments.services.rollback import tournament_roll_back
from tournaments.services.running import tournament_cancel, tournament_resume
from tournaments.services.shards import sync_request

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

Act = Callable[..., Consequences]


def the_round(number: int) -> TournamentRound:
    return TournamentRound.objects.get(number=number)


def match_of(number: int, table: int = 1) -> Match:
    return Match.objects.exclude(status="superseded").get(tournament_round__number=number, number=table)


def _turned(match: Match) -> dict:
    """The last is the first."""
    rows = list(match.match_entrants.all())
    places = dict(match.games.order_by("number")[0].game_seats.values_list("entrant", "place"))
    assert sorted(places.values()) == list(range(1, len(rows) + 1))
    return {row.entrant: len(rows) + 1 - places[row.entrant_id] for row in rows}


ACTS: dict[str, Act] = {
    "a game": lambda **said: game_rerun(game=match_of(1).games.get(number=2), **said),
    "a match": lambda **said: match_rerun(match=match_of(1), **said),
    "a round": lambda **said: round_rerun(tournament_round=the_round(1), **said),
    "void": lambda **said: match_void(match=match_of(1), **said),
    "correct": lambda **said: match_correct(match=match_of(1), places=_turned(match_of(1)), **said),
    "roll back": lambda **said: tournament_roll_back(tournament_round=the_round(1), **said),
}
RERUNS = ["a game", "a match", "a round"]


@pytest.fixture
def swiss(league: League) -> Tournament:
    """Four bots at two tables, two games a match, three rounds of which two are closed and one is open."""
    bots = make_bots(4)
    league.connect(*bots)
    plan = StagePlan(seats=2, rounds=3, games_per_match=2)
    tournament = make_running(bots, stages=[plan], turn_cap=1)
    while TournamentRound.objects.filter(status="closed").count() < 2:
        league.step()
    return tournament


def before() -> dict:
    return {
        "matches": dict(Match.objects.values_list("public_id", "status")),
        "games": set(Game.objects.values_list("pk", flat=True)),
        "closed": set(TournamentRound.objects.filter(status="closed").values_list("pk", flat=True)),
        "rounds": set(TournamentRound.objects.values_list("pk", flat=True)),
        "ratings": dict(RatingRow.objects.values_list("pk", "match")),
        "secrets": TournamentSecret.objects.count(),
    }


def happened(old: dict) -> dict:
    """What the rows say that has changed."""
    now = before()
    moved = {
        match: now["matches"][match] for match, status in old["matches"].items() if now["matches"][match] != status
    }
    return {
        "superseded": {match for match, status in moved.items() if status == "superseded"},
        "voided": {match for match, status in moved.items() if status == "void"},
        "games_to_play": len(now["games"] - old["games"]),
        "rounds_reopened": len((old["closed"] - now["closed"]) & now["rounds"]),
        "rounds_taken_back": len(old["rounds"] - now["rounds"]),
        "new_secret": now["secrets"] > old["secrets"],
    }


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_the_preview_is_what_happens(league: League, swiss: Tournament, act: Act) -> None:
    old, entries = before(), AuditEntry.objects.count()
    shown = act(actor=swiss.organiser, reason="a slip", preview=True)
    assert before() == old
    assert AuditEntry.objects.count() == entries
    rated = set(old["ratings"].values())
    assert act(actor=swiss.organiser, reason="a slip") == shown
    seen = happened(old)
    assert seen["superseded"] == set(shown.superseded)
    assert seen["voided"] == set(shown.voided)
    assert seen["games_to_play"] == shown.games_to_play
    assert seen["rounds_reopened"] == len(shown.rounds_reopened)
    assert seen["rounds_taken_back"] == len(shown.rounds_taken_back)
    assert seen["new_secret"] == shown.new_secret
    acted = set(
        Match.objects.filter(public_id__in=(*shown.superseded, *shown.voided, *shown.corrected)).values_list(
            "pk", flat=True
        )
    )
    assert shown.matches_refolded == (0 if shown.rounds_taken_back else len(rated - acted))
    assert AuditEntry.objects.count() == entries + 1
    entry = AuditEntry.objects.first()
    assert (entry.actor, entry.tournament, entry.after["reason"]) == (swiss.organiser, swiss, "a slip")
    assert league_check().problems == []
    assert shown.sentences()
    _goes_on_to_its_end(league, swiss)


def _goes_on_to_its_end(league: League, swiss: Tournament) -> None:
    swiss.refresh_from_db()
    if swiss.status == TournamentStatus.PAUSED:
        tournament_resume(tournament=swiss, actor=None)
    assert league.play(swiss).status == TournamentStatus.FINISHED
    assert list(TournamentRound.objects.order_by("number").values_list("number", "status")) == [
        (number, "closed") for number in (1, 2, 3)
    ]
    assert league_check().problems == []
    assert len({seed_of(attempt) for attempt in Attempt.objects.all()}) == Attempt.objects.count()


@pytest.mark.parametrize("act", [ACTS[name] for name in RERUNS], ids=RERUNS)
def test_in_a_finished_tournament(league: League, swiss: Tournament, act: Act) -> None:
    """It stays finished; the new deals come from a secret that is committed first, and shown when all is played."""
    league.play(swiss)
    closing_no = the_round(1).closing_no
    shown = act(actor=None, reason="a slip")
    assert shown.new_secret
    first, second = TournamentSecret.objects.order_by("number")
    assert (first.published_at is None, second.published_at, second.number) == (False, None, 2)
    assert second.secret_hash == seeds.secret_hash(bytes(second.secret))
    assert set(DealSet.objects.filter(games__result=None).values_list("secret", flat=True)) == {second.pk}
    assert {tuple(entry.versions_wanted) for entry in sync_request().bots} <= {("1",), ()}
    assert act_again_is_refused(act)
    for _ in range(6):
        league.step()
    swiss.refresh_from_db()
    assert swiss.status == TournamentStatus.FINISHED
    assert (the_round(1).status, the_round(1).closing_no) == ("closed", closing_no)
    second.refresh_from_db()
    assert second.published_at is not None
    assert league_check().problems == []
    assert RatingRow.objects.count() == 4 * 3


def act_again_is_refused(act: Act) -> bool:
    with pytest.raises(TournamentError) as caught:
        act(actor=None, reason="again")
    return caught.value.code == "invalid_transition"


def test_the_kept_game_is_linked_and_not_copied(league: League, swiss: Tournament) -> None:
    old = match_of(1)
    kept, again = old.games.order_by("number")
    game_rerun(game=again, actor=None, reason="a slip")
    new = match_of(1)
    old.refresh_from_db()
    assert (old.status, old.replacement, new.replacement, new.replaces) == ("superseded", 0, 1, old)
    assert list(old.passed_on.all()) == [kept]
    assert list(old.games.all()) == [again]
    first, second = new.games.order_by("number")
    assert (first, second.number, second.result) == (kept, 2, None)
    assert second.deal_set.number > DealSet.objects.filter(games=again).get().number
    assert [seat.entrant for seat in second.game_seats.all()] == [seat.entrant for seat in again.game_seats.all()]
    again.result.refresh_from_db()
    assert again.result.status == "superseded"
    assert set(old.match_entrants.values_list("is_current", flat=True)) == {False}
    league.play(swiss)
    assert match_of(1).status == MatchStatus.SCORED


def test_a_reopened_round_is_rated_where_it_was(league: League, swiss: Tournament) -> None:
    numbers = [the_round(number).closing_no for number in (1, 2)]
    match_rerun(match=match_of(1), actor=None, reason="a slip")
    assert set(RatingRow.objects.values_list("closing_no", flat=True)) == {numbers[1]}
    assert {row.rating_before for row in RatingRow.objects.all()} == {1500.0}
    league.play(swiss)
    assert [the_round(number).closing_no for number in (1, 2)] == numbers
    assert RatingRow.objects.filter(closing_no=numbers[0], match=match_of(1)).count() == 2
    assert league_check().problems == []


def test_a_correction_counts_and_can_be_taken_back(league: League, swiss: Tournament) -> None:
    match = match_of(1)
    played, ratings = match_result(match), list(RatingRow.objects.values_list("delta", flat=True))
    places = _turned(match)
    match_correct(match=match, places=places, actor=None, reason="cheated")
    ruled = match_result(match)
    assert dict(zip(ruled.entrants, ruled.points, strict=True)) == {
        each.pk: 2 - place for each, place in places.items()
    }
    assert list(RatingRow.objects.values_list("delta", flat=True)) != ratings
    points = {line.entrant.pk: line.row.points.value for line in standings_for(swiss.stages.get()).lines}
    assert sum(points.values()) == 4
    match_correct(match=match, places={}, actor=None, reason="did not")
    assert match_result(match).points == played.points
    assert list(RatingRow.objects.values_list("delta", flat=True)) == ratings


def test_places_that_are_none(swiss: Tournament) -> None:
    match = match_of(1)
    one, other = (row.entrant for row in match.match_entrants.all())
    stranger = swiss.entrants.exclude(pk__in=(one.pk, other.pk)).first()
    for places in ({one: 1}, {one: 1, other: 3}, {one: 2, other: 2}, {one: 1, other: 2, stranger: 3}):
        with pytest.raises(TournamentError) as caught:
            match_correct(match=match, places=places, actor=None, reason="x")
        assert caught.value.code == "invalid"
    match_correct(match=match, places={one: 1, other: 1}, actor=None, reason="a draw")
    assert [str(points) for points in match_result(match).points] == ["1/2", "1/2"]


def test_rounds_taken_back_are_paired_anew_from_other_cards(league: League, swiss: Tournament) -> None:
    taken = [the_round(number) for number in (2, 3)]
    tournament_roll_back(tournament_round=the_round(1), actor=None, reason="a slip")
    swiss.refresh_from_db()
    assert (swiss.status, swiss.status_reason) == ("paused", "rolled back to stage 1 round 1: a slip")
    assert list(TournamentRound.objects.values_list("number", flat=True)) == [1]
    gone = Match.objects.filter(tournament_round__in=taken)
    assert set(gone.values_list("status", flat=True)) == {"superseded"}
    assert not Attempt.objects.filter(game__match__in=gone, status__in=("starting", "running", "finished")).exists()
    assert not RatingRow.objects.filter(match__in=gone).exists()
    for _ in range(3):
        league.step()
    assert TournamentRound.objects.count() == 1
    tournament_resume(tournament=swiss, actor=None)
    league.play(swiss)
    seeds_taken = {seed_of(attempt) for attempt in Attempt.objects.filter(game__match__in=gone)}
    seeds_now = {seed_of(attempt) for attempt in Attempt.objects.exclude(game__match__in=gone)}
    assert seeds_taken
    assert not seeds_taken & seeds_now
    numbers = list(TournamentRound.objects.order_by("number").values_list("closing_no", flat=True))
    assert numbers == sorted(numbers)


REFUSED = {
    "a match in play": (lambda: match_rerun(match=match_of(3), actor=None, reason="x"), "invalid_transition"),
    "a round in play": (
        lambda: round_rerun(tournament_round=the_round(3), actor=None, reason="x"),
        "invalid_transition",
    ),
    "a correction of what is not played": (
        lambda: match_correct(match=match_of(3), places={}, actor=None, reason="x"),
        "invalid_transition",
    ),
    "no later round": (
        lambda: tournament_roll_back(tournament_round=the_round(3), actor=None, reason="x"),
        "invalid_transition",
    ),
}


@pytest.mark.parametrize(("act", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(swiss: Tournament, act: Callable[[], object], code: str) -> None:
    old = before()
    with pytest.raises(TournamentError) as caught:
        act()
    assert caught.value.code == code
    assert before() == old


def test_in_a_cancelled_tournament_nothing_is_played_again(swiss: Tournament) -> None:
    tournament_cancel(tournament=swiss, actor=None, reason="rain")
    for name in (*RERUNS, "roll back"):
        with pytest.raises(TournamentError, match="is cancelled"):
            ACTS[name](actor=None, reason="x")


def test_void_twice_is_refused(swiss: Tournament) -> None:
    match = match_of(1)
    match_void(match=match, actor=None, reason="broken")
    with pytest.raises(TournamentError, match="is void: it cannot be declared void"):
        match_void(match=match, actor=None, reason="broken")


def test_shared_deals_of_a_round_stay_shared(league: League) -> None:
    bots = make_bots(9)
    league.connect(*bots)
    plan = StagePlan(seats=3, rounds=2, deal_mode="field")
    tournament = make_running(bots, stages=[plan], turn_cap=1)
    while not TournamentRound.objects.filter(status="closed").exists():
        league.step()
    assert [deal_set.games.count() for deal_set in the_round(1).deal_sets.order_by("number")] == [3]
    round_rerun(tournament_round=the_round(1), actor=None, reason="a slip")
    assert [deal_set.games.count() for deal_set in the_round(1).deal_sets.order_by("number")] == [3, 3]
    assert the_round(1).deal_sets.order_by("number").last().mode == "field"
    league.play(tournament)
    match_rerun(match=match_of(1), actor=None, reason="one more")
    assert the_round(1).deal_sets.order_by("number").last().mode == "independent"
    for _ in range(5):
        league.step()
    assert the_round(1).status == "closed"
    assert league_check().problems == []
    assert MatchEntrant.objects.filter(tournament_round=the_round(1), is_current=True).count() == 9


def test_in_an_elimination_who_goes_on_is_settled_once_the_next_match_is_there(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(format="single_elimination", seats=2)], turn_cap=1)
    while TournamentRound.objects.count() < 2:
        league.step()
    semifinal = match_of(1)
    for act in ("a match", "a round", "correct"):
        with pytest.raises(TournamentError, match="roll back to round 1 first") as caught:
            ACTS[act](actor=None, reason="x")
        assert caught.value.code == "later_match_begun"
        assert caught.value.extra["matches"] == [match_of(2).public_id]
    as_played = {entrant: 3 - place for entrant, place in _turned(semifinal).items()}
    match_correct(match=semifinal, places=as_played, actor=None, reason="the same order")
    tournament_roll_back(tournament_round=the_round(1), actor=None, reason="cheated")
    match_correct(match=semifinal, places=_turned(semifinal), actor=None, reason="cheated")
    first = min(_turned(semifinal), key=_turned(semifinal).get)
    tournament_resume(tournament=tournament, actor=None)
    league.step()
    assert first.pk in match_of(2).match_entrants.values_list("entrant", flat=True)
    assert league.play(tournament).status == TournamentStatus.FINISHED
    assert league_check().problems == []
