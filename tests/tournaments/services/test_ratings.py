"""Rating rows: folded as rounds close, rebuilt to the last bit, and only for what was played."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.support.factories import make_bots, make_running
from tests.support.league import League
from tournaments.models import Match, RatingRow, TournamentRound
from tournaments.selectors.ratings import current_ratings, leaderboard, rating_history
from tournaments.services.corrections import match_void
from tournaments.services.dispatch import match_dispatch
from tournaments.services.ratings import ratings_rebuild
from tournaments.services.registration import StagePlan

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def played(league: League) -> list:
    """Two leagues of the same four bots, one after the other."""
    bots = make_bots(4)
    league.connect(*bots)
    for stages in ([StagePlan(format="round_robin", seats=4)], [StagePlan(seats=2, rounds=2)]):
        league.play(make_running(bots, stages=stages, turn_cap=1))
    return bots


def rebuild(*arguments: str) -> str:
    out = StringIO()
    call_command("rebuild_ratings", *arguments, stdout=out)
    return out.getvalue()


def test_rebuilding_gives_the_same_rows(played: list) -> None:
    before = [(row.entrant_id, row.match_id, row.delta.hex(), row.inputs) for row in RatingRow.objects.all()]
    assert len(before) == 12
    assert rebuild("--check") == "12 rating rows, 0 differ\n"
    RatingRow.objects.all().delete()
    assert rebuild().endswith("\n12 rating rows, 12 mended\n")
    assert [(row.entrant_id, row.match_id, row.delta.hex(), row.inputs) for row in RatingRow.objects.all()] == before


def test_a_changed_row_is_found_and_mended(played: list) -> None:
    row = RatingRow.objects.order_by("closing_no", "pk")[0]
    RatingRow.objects.filter(pk=row.pk).update(delta=row.delta + 1e-12)
    with pytest.raises(CommandError, match="1 rating rows differ: run it without --check"):
        rebuild("--check")
    assert RatingRow.objects.get(pk=row.pk).delta == row.delta + 1e-12
    shown, summary = rebuild().splitlines()
    assert shown.startswith(
        f"match {row.match_id}, entrant {row.entrant_id}: stored version {row.version_id} closing 1 number 1: "
    )
    assert summary == "12 rating rows, 1 mended"
    assert ratings_rebuild(check=True) == []


def test_a_missing_and_a_surplus_row(played: list) -> None:
    first, second = RatingRow.objects.order_by("pk")[:2]
    RatingRow.objects.filter(pk=first.pk).delete()
    RatingRow.objects.filter(pk=second.pk).update(closing_no=999)
    differences = ratings_rebuild(check=True)
    missing, misplaced = map(str, differences)
    assert f"entrant {first.entrant_id}: stored none, folded version {first.version_id} closing 1" in missing
    assert f"entrant {second.entrant_id}: stored version {second.version_id} closing 999" in misplaced
    assert f"folded none; stored none, folded version {second.version_id} closing 1" in misplaced


def test_the_board_and_the_history_agree(played: list) -> None:
    board = leaderboard()
    assert len(board) == 4
    assert [row.row.rating_after for row in board] == sorted((row.row.rating_after for row in board), reverse=True)
    for line in board:
        history = list(rating_history(line.row.version.bot))
        assert [row.number for row in history] == [1, 2, 3]
        assert history[0].rating_before == 1500.0
        assert [row.rating_before for row in history[1:]] == [row.rating_after for row in history[:-1]]
        assert history[-1] == line.row
        assert current_ratings([line.row.version_id]) == {line.row.version_id: line.row.rating_after}


def test_equal_ratings_share_a_place(played: list) -> None:
    RatingRow.objects.update(rating_before=1500.0, delta=0.0)
    assert {(row.place, row.is_shared) for row in leaderboard()} == {(1, True)}


def test_a_round_uses_the_ratings_from_before_it(league: League) -> None:
    """Two tables of one round: neither sees what the other changed."""
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, turn_cap=1)
    league.step()
    rows = RatingRow.objects.filter(match__tournament_round__number=1)
    assert {(row.rating_before, row.inputs[0]["rating"]) for row in rows} == {(1500.0, 1500.0)}
    assert TournamentRound.objects.get(number=1, stage__tournament=tournament).closing_no == 1


def test_a_new_version_starts_from_its_parent(played: list, league: League) -> None:
    """And a rebuild, which sees all closings at once, says the same."""
    ended = {row.row.version.bot_id: row.row.rating_after for row in leaderboard()}
    league.connect(*played, version="2")
    league.play(make_running(played, stages=[StagePlan(format="round_robin", seats=4)], turn_cap=1))
    rows = RatingRow.objects.filter(version__name="2").select_related("version")
    assert {row.version.bot_id: row.rating_before for row in rows} == ended
    assert {(row.number, row.k) for row in rows} == {(1, 40.0)}
    assert ratings_rebuild(check=True) == []


def test_a_void_match_is_in_no_rating(league: League) -> None:
    bots = make_bots(4)
    league.connect(*bots)
    make_running(bots, turn_cap=1)
    first, second = Match.objects.order_by("pk")
    match_dispatch(match=first)
    match_void(match=second, actor=None, reason="broken")
    league.referee.finish_all()
    league.collect()
    league.settle()
    assert set(RatingRow.objects.values_list("match", flat=True)) == {first.pk}
    assert ratings_rebuild(check=True) == []
