"""`check_league`: a played league is sound, and every kind of damage is found and named."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.models import F

from tests.support.factories import make_bots, make_running
from tests.support.league import League
from tournaments.models import (
    Attempt,
    DealSet,
    Game,
    GameRecord,
    GameSeat,
    Match,
    MatchEntrant,
    RatingRow,
    Tournament,
    TournamentRound,
    TournamentSecret,
)
from tournaments.services.league_check import league_check
from tournaments.services.registration import StagePlan

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def check(*arguments: str) -> tuple[int, str]:
    out, code = StringIO(), 0
    try:
        call_command("check_league", *arguments, stdout=out)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, out.getvalue()


def first(rows: type) -> object:
    return rows.objects.order_by("pk")[0]


def _change(rows: type, **fields: object) -> Callable[[], object]:
    return lambda: rows.objects.filter(pk=first(rows).pk).update(**fields)


def _lose_a_rating() -> None:
    first(RatingRow).delete()


def _rate_a_void_match() -> None:
    match = first(Match)
    Match.objects.filter(pk=match.pk).update(status="void")


def _other_record() -> None:
    one, other = GameRecord.objects.order_by("pk")[:2]
    GameRecord.objects.filter(pk=one.pk).update(data=other.data)


def _lose_a_record() -> None:
    first(GameRecord).delete()


def _swap_results() -> None:
    one, other = Game.objects.order_by("pk")[:2]
    results = one.result_id, other.result_id
    for game in (one, other):
        Game.objects.filter(pk=game.pk).update(result=None, finished_at=None, digest="")
    for game, result in zip((one, other), reversed(results), strict=True):
        Game.objects.filter(pk=game.pk).update(result=result, finished_at="2026-01-01T00:00Z", digest=game.digest)


def _lose_a_result() -> None:
    Game.objects.filter(pk=first(Game).pk).update(result=None, finished_at=None, digest="")


def _winner_changed() -> None:
    """The places of a table are turned round, and the ratings are no longer what they give."""
    for seat in GameSeat.objects.filter(game=first(Game)):
        GameSeat.objects.filter(pk=seat.pk).update(place=3 - seat.place)


DAMAGE: dict[str, tuple[Callable[[], object], set[str]]] = {
    "a rating changed": (
        lambda: RatingRow.objects.filter(pk=first(RatingRow).pk).update(delta=F("delta") + 1e-6),
        {"rating_formula", "rating_sum", "rating_rebuild"},
    ),
    "a rating lost": (_lose_a_rating, {"rating_missing", "rating_sum", "rating_rebuild"}),
    "a void match rated": (_rate_a_void_match, {"rating_surplus", "rating_rebuild"}),
    "places changed": (_winner_changed, {"scores", "rating_rebuild"}),
    "a score changed": (_change(GameSeat, score=1234), {"scores"}),
    "a score lost": (_change(GameSeat, score=None), {"seat_without_score", "scores"}),
    "a record of another game": (_other_record, {"record", "digest", "record_of_another"}),
    "a record lost": (_lose_a_record, {"record_missing"}),
    "a digest changed": (_change(Game, digest="00"), {"digest"}),
    "results swapped": (_swap_results, {"result_of_another"}),
    "a result lost": (_lose_a_result, {"game_without_result", "result_lost"}),
    "an attempt not finished": (_change(Attempt, status="abandoned"), {"result_unfinished"}),
    "a closed round with an open match": (
        _change(Match, status="waiting"),
        {"closed_unsettled", "rating_surplus", "rating_rebuild"},
    ),
    "a match counted as a walkover": (
        _change(Match, is_unplayed=True),
        {"walkover_with_result", "rating_surplus", "rating_rebuild"},
    ),
    "an entrant of no current match": (_change(MatchEntrant, is_current=False), {"entrant_current"}),
    "a deal set open": (_change(DealSet, status="open"), {"deal_set_open"}),
    "a secret too early": (_change(Tournament, status="running"), {"secret_early"}),
    "a secret too late": (_change(TournamentSecret, published_at=None), {"secret_late"}),
    "another seed": (_change(TournamentSecret, secret=b"x" * 32), {"record"}),
    "a closing number changed": (_change(TournamentRound, closing_no=77), {"rating_rebuild"}),
}


def test_a_league_is_sound_and_every_damage_is_named(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    league.play(make_running(bots, stages=[StagePlan(seats=2, rounds=2)], turn_cap=1))
    assert check() == (
        0,
        "1 tournaments, 4 matches, 4 games, 8 rating rows, 4 records verified: no problems\n",
    )
    for name, (damage, codes) in DAMAGE.items():
        with transaction.atomic():
            damage()
            report = league_check()
            transaction.set_rollback(True)
        assert codes <= {problem.code for problem in report.problems}, (name, report.problems)
        assert all(problem.row and problem.text for problem in report.problems), name
    assert league_check().problems == []


def test_what_is_wrong_is_listed_with_its_row(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    league.play(make_running(bots, turn_cap=1))
    GameSeat.objects.filter(seat=0).update(score=3)
    code, out = check()
    assert code == 1
    game = Game.objects.get()
    assert out.splitlines()[0].startswith(f"scores: game {game.pk} ({game.public_id}): its seats say [(3, ")
    code, out = check("--json")
    assert code == 1
    report = json.loads(out)
    assert [problem["code"] for problem in report["problems"]] == ["scores"]
    assert (report["games"], report["records"], report["spreads"]) == (1, 1, [])


def test_walkovers_and_void_matches_are_sound(league: League) -> None:
    here, away = make_bots(2), make_bots(2)
    league.connect(*here)
    league.play(make_running([*here, *away], stages=[StagePlan(seats=2, rounds=1)], turn_cap=1, join_wait_s=0))
    assert Match.objects.filter(is_unplayed=True).exists()
    assert league_check().problems == []


def test_a_wide_seat_spread_is_listed_and_no_error(league: League) -> None:
    bots = make_bots(3)
    league.connect(*bots)
    plan = StagePlan(format="round_robin", seats=3, games_per_match=3)
    tournament = league.play(make_running(bots, stages=[plan], turn_cap=1))
    assert league_check().spreads == []
    games = list(Game.objects.all())
    GameSeat.objects.all().delete()
    entrants = list(tournament.entrants.order_by("pk"))
    for game in games:
        for seat, entrant in enumerate(entrants):
            GameSeat.objects.create(game=game, seat=seat, entrant=entrant, score=0, place=1)
    assert [(each.entrant, each.sittings) for each in league_check().spreads] == [
        (entrants[0].public_id, (3, 0, 0)),
        (entrants[1].public_id, (0, 3, 0)),
        (entrants[2].public_id, (0, 0, 3)),
    ]
    assert f"seats of {bots[0].name} in {tournament.public_id}, stage 1: 3-0-0 (no error)\n" in check()[1]


def test_the_league_of_another_folder(transactional_db: None, tmp_path: Path) -> None:
    make_bots(1)
    if connection.vendor == "postgresql":
        with pytest.raises(CommandError, match="run it without CROWNS_DATABASE_URL"):
            check("--data", str(tmp_path))
        return
    with pytest.raises(CommandError, match="does not exist: --data takes the folder that CROWNS_DATA_DIR names"):
        check("--data", str(tmp_path))
    (tmp_path / "db.sqlite3").touch()
    with pytest.raises(CommandError, match=r"is not of this version: run .manage\.py migrate. there"):
        check("--data", str(tmp_path))
    (tmp_path / "db.sqlite3").unlink()
    make_running(make_bots(2))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(tmp_path / "db.sqlite3")])
    make_running(make_bots(2))
    assert check("--data", str(tmp_path))[1].startswith("1 tournaments, 1 matches, 0 games, ")
    assert check()[1].startswith("2 tournaments, 2 matches, 0 games, ")
