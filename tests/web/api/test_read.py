"""What can be read: the same as the pages show, in pages, in a number of queries that does not grow with the rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from referee.record.verify import verify_record
from tests.support.factories import (
    connect,
    make_bot,
    make_bots,
    make_owner,
    make_running,
    make_shard,
    make_tournament,
    the_match,
)
from tests.support.league import League, open_attempt
from tests.support.scripted import playing, resigns, stumbling, thrower
from tests.web.api.asking import Asker, asker
from tournaments.models import (
    Account,
    Bot,
    BotVersion,
    Game,
    Match,
    Notice,
    RatingRow,
    StageFormat,
    Tournament,
    TournamentStatus,
)
from tournaments.selectors.standings import standings_for
from tournaments.services.corrections import match_void
from tournaments.services.registration import StagePlan
from tournaments.services.running import tournament_cancel
from web.api.schema import document

pytestmark = pytest.mark.django_db

SITE = "http://127.0.0.1:8000"


@dataclass
class Played:
    """A finished two-seat round robin of four bots; `bots[0]` has faults in each of its three matches."""

    league: League
    owner: Account
    bots: list[Bot]
    tournament: Tournament
    match: Match
    game: Game

    def filled(self, path: str) -> str:
        return path.format(
            tournament=self.tournament.public_id,
            stage=1,
            match=self.match.public_id,
            game=self.game.public_id,
            bot=self.bots[0].public_id,
        )


@pytest.fixture
def played(league: League) -> Played:
    owner = make_owner("author1")
    bots = [make_bot("first", owner), *make_bots(3)]
    league.connect(*bots)
    tournament = make_running(bots, name="League", turn_cap=1)
    while tournament.status == TournamentStatus.RUNNING:
        league.dispatch()
        for attempt_id, spec in list(league.referee.games.items()):
            quitter = stumbling(thrower, {2: resigns})
            players = [quitter if seat.bot_id == bots[0].public_id else playing(thrower) for seat in spec.seats]
            league.referee.finish(attempt_id, *players)
        league.step()
        tournament.refresh_from_db()
    match = Match.objects.filter(match_entrants__entrant__bot=bots[0]).first()
    assert match is not None
    return Played(league, owner, bots, tournament, match, match.games.get())


def test_a_list_of_tournaments(played: Played) -> None:
    open_one = make_tournament(name="Open")
    hidden = make_tournament(name="Hidden", is_listed=False)
    cancelled = make_tournament(name="Cancelled")
    tournament_cancel(tournament=cancelled, actor=None, reason="rain")

    answer = Asker().get("tournaments")
    assert [each["name"] for each in answer["results"]] == ["Cancelled", "Open", "League"]
    assert answer["results"][2] == {
        "id": played.tournament.public_id,
        "url": f"{SITE}/tournaments/{played.tournament.public_id}/",
        "name": "League",
        "kind": "league",
        "status": "finished",
        "status_reason": "",
        "organiser": "organiser1",
        "is_rated": True,
        "entrant_count": 4,
        "registration_closes_at": None,
        "starts_at": None,
        "opened_at": _text(played.tournament.opened_at),
        "started_at": _text(played.tournament.started_at),
        "ended_at": _text(played.tournament.ended_at),
    }
    assert _names("tournaments?status=registration") == ["Open"]
    assert _names("tournaments?kind=test") == []
    assert _names("tournaments?kind=league&status=finished") == ["League"]
    assert Asker().get(f"tournaments/{hidden.public_id}")["name"] == "Hidden"
    assert Asker().get(f"tournaments/{open_one.public_id}")["commitment"]["secret"] is None


def test_a_tournament(played: Played) -> None:
    found = Asker().get(f"tournaments/{played.tournament.public_id}")
    secret = played.tournament.secrets.get()
    assert found["budgets"] == {
        "start_ms": 30_000,
        "decision_ms": 2_000,
        "bank_ms": 30_000,
        "thinking_ms": 120_000,
        "turn_cap": 1,
        "join_wait_s": 120,
    }
    assert found["commitment"] == {
        "secret_hash": secret.secret_hash,
        "entropy": played.tournament.entropy,
        "secret": bytes(secret.secret).hex(),
    }
    assert [stage["format"] for stage in found["stages"]] == ["round_robin"]
    progress = found["progress"]
    assert (progress["rounds_closed"], progress["rounds_planned"]) == (3, 3)
    assert (progress["games_finished"], progress["games_planned"]) == (6, 6)
    # Three rounds of (120 s until all have come, two seats of 30 + 120 + 30 s).
    assert progress["worst_time_s"] == 3 * (120 + 2 * 180)
    assert progress["current_round"] == {"stage": 1, "number": 3, "status": "closed"}


def test_its_rounds(league: League) -> None:
    bots = make_bots(3)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(format=StageFormat.SWISS, seats=2, rounds=2)], turn_cap=1)
    (found,) = Asker().get(f"tournaments/{tournament.public_id}/rounds")["results"]
    bye = tournament.stages.get().tournament_rounds.get().byes.get()
    assert (found["stage"], found["number"], found["status"]) == (1, 1, "open")
    assert (found["match_count"], found["settled_count"]) == (1, 0)
    assert found["byes"] == [{"entrant": _entrant(bye.entrant), "kind": "bye"}]
    match_void(match=the_match(tournament), actor=None, reason="rain")
    assert Asker().get(f"tournaments/{tournament.public_id}/rounds")["results"][0]["settled_count"] == 1


def test_what_the_pairing_could_not_keep_is_said_without_ids_of_rows() -> None:
    owner = make_owner()
    bots = [make_bot(f"sister {number}", owner) for number in range(2)]
    tournament = make_running(bots, stages=[StagePlan(format=StageFormat.SWISS, seats=2, rounds=1)])
    (found,) = Asker().get(f"tournaments/{tournament.public_id}/rounds")["results"]
    assert len(found["notes"]) == 1
    assert "sister 0" in found["notes"][0]


def test_matches_with_their_points(played: Played) -> None:
    path = f"tournaments/{played.tournament.public_id}/matches"
    found = Asker().get(path)
    assert found["count"] == 6
    assert [(each["tournament_round"], each["number"]) for each in found["results"]] == [
        (number, table) for number in (1, 2, 3) for table in (1, 2)
    ]
    for match in found["results"]:
        assert sum(Fraction(each["points"]["exact"]) for each in match["entrants"]) == 1
        assert [seat["seat"] for seat in match["games"][0]["seats"]] == [0, 1]
        assert match == Asker().get(f"matches/{match['id']}")
    assert Asker().get(f"{path}?tournament_round=2")["count"] == 2
    assert Asker().get(f"{path}?stage=2")["count"] == 0
    assert Asker().get(f"{path}?status=scored")["count"] == 6
    assert Asker().get(f"{path}?status=void")["count"] == 0


def test_entrants_show_their_share_in_the_entropy_once_it_is_fixed(played: Played) -> None:
    found = Asker().get(f"tournaments/{played.tournament.public_id}/entrants")["results"]
    assert [each["seed_number"] for each in found] == [1, 2, 3, 4]
    assert {each["nonce"] for each in found} == set(played.tournament.entrants.values_list("nonce", flat=True))
    entering = make_tournament(played.bots)
    found = Asker().get(f"tournaments/{entering.public_id}/entrants")["results"]
    assert [each["nonce"] for each in found] == [None] * 4
    assert [each["bot"]["name"] for each in found] == [bot.name for bot in played.bots]


def test_standings_with_their_arithmetic(played: Played) -> None:
    found = Asker().get(f"tournaments/{played.tournament.public_id}/stages/1/standings")
    standings = standings_for(played.tournament.stages.get())
    assert found["tiebreaks"] == [each.value for each in standings.tiebreaks]
    assert (found["is_final"], found["rounds_closed"], found["has_open_round"]) == (True, 3, False)
    assert found["count"] == 4
    for line, shown in zip(standings.lines, found["results"], strict=True):
        assert shown["place"] == line.row.place
        assert shown["entrant"]["id"] == line.entrant.public_id
        assert shown["entrant"]["owner"] == line.entrant.bot.owner.username
        assert Fraction(shown["points"]["value"]["exact"]) == line.row.points.value
        assert shown["points"]["explanation"] == line.row.points.explanation
        assert [each["explanation"] for each in shown["tiebreaks"]] == [cell.explanation for cell in line.row.tiebreaks]
    # Who resigned in every match has beaten nobody.
    assert found["results"][-1]["entrant"]["bot"]["name"] == "first"
    assert found["results"][-1]["points"]["value"] == {"exact": "0", "text": "0", "value": 0.0}


def test_a_game_and_its_record(played: Played) -> None:
    found = Asker().get(f"games/{played.game.public_id}")
    assert found["sight"] == "everything"
    assert found["deal_set"] == {"number": played.game.deal_set.number, "mode": "independent", "status": "final"}
    assert [(each["number"], each["status"]) for each in found["attempts"]] == [(1, "finished")]
    (fault,) = found["faults"]
    assert (fault["type"], fault["retires"], fault["game_round"]) == ("RESIGN", True, 1)
    assert (found["digest"], found["finished_at"]) == (played.game.digest, _text(played.game.finished_at))

    answer = Asker().ask("GET", found["record_url"].removeprefix(SITE))
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == f'attachment; filename="{played.game.public_id}.5cgr"'
    verdict = verify_record(answer.content)
    assert verdict.problems == ()
    assert verdict.record is not None
    assert verdict.record.seal.seed.hex() == found["seed"]
    assert verdict.record.digest.hex() == found["digest"]


def test_the_scores_of_its_rounds(played: Played) -> None:
    game = Game.objects.exclude(game_seats__entrant__bot=played.bots[0]).first()
    assert game is not None
    found = Asker().get(f"games/{game.public_id}")
    assert [each["game_round"] for each in found["game_rounds"]] == list(range(1, 12))
    totals = [sum(each["scores"][seat] for each in found["game_rounds"]) for seat in (0, 1)]
    assert [each["score"] for each in found["seats"]] == totals
    assert found["faults"] == []


def test_the_transcript_of_a_game(played: Played) -> None:
    found = Asker().get(f"games/{played.game.public_id}/transcript")
    assert (found["game"], found["viewer"]) == (played.game.public_id, "all")
    kinds = [event["type"] for event in found["events"]]
    assert (kinds[0], kinds[-1]) == ("round_start", "game_end")
    assert all(card for hand in found["events"][0]["hands"] for card in hand)
    seats = found["events"][-1]["totals"]
    shown = Asker().get(f"games/{played.game.public_id}")["seats"]
    assert [seat["score"] for seat in shown] == seats
    one = Asker().get(f"games/{played.game.public_id}/transcript?seat=1")
    assert one["viewer"] == "1"
    assert one["events"][0]["hands"][0] == [None] * 3


def test_bots(played: Played) -> None:
    found = Asker().get("bots")
    assert [each["name"] for each in found["results"]] == [bot.name for bot in played.bots]
    mine = played.bots[0]
    assert found["results"][0] == {
        "id": mine.public_id,
        "name": "first",
        "url": f"{SITE}/bots/{mine.public_id}/",
        "owner": "author1",
        "description": "",
        "is_house": False,
        "created_at": _text(mine.created_at),
        "deleted_at": None,
    }
    assert [each["name"] for each in Asker().get("bots?owner=author1")["results"]] == ["first"]
    assert Asker().get("bots?owner=nobody")["results"] == []
    assert Asker().get(f"bots/{mine.public_id}") == found["results"][0]


def test_how_a_bot_fared(played: Played) -> None:
    root = f"bots/{played.bots[0].public_id}"
    (version,) = Asker().get(f"{root}/versions")["results"]
    changes = Asker().get(f"{root}/ratings")["results"]
    rows = RatingRow.objects.filter(version__bot=played.bots[0]).order_by("closing_no")
    assert [change["delta"] for change in changes] == [row.delta for row in rows]
    assert [change["number"] for change in changes] == [1, 2, 3]
    assert version["rating"] == changes[-1]["rating_after"] == rows[2].rating_after
    (opponent,) = changes[0]["opponents"]
    assert opponent["bot"]["id"] in {bot.public_id for bot in played.bots[1:]}
    assert (opponent["rating"], opponent["score"], opponent["version"]) == (1500.0, "0", "1")
    matches = Asker().get(f"{root}/matches")["results"]
    assert [match["id"] for match in matches][::-1] == [change["match"] for change in changes]
    faults = Asker().get(f"{root}/faults")["results"]
    assert [fault["type"] for fault in faults] == ["RESIGN"] * 3
    assert {fault["tournament"]["name"] for fault in faults} == {"League"}


def test_the_leaderboard(played: Played) -> None:
    found = Asker().get("leaderboard")["results"]
    ratings = [each["rating"] for each in found]
    assert ratings == sorted(ratings, reverse=True)
    assert len(found) == 4
    assert [each["matches"] for each in found] == [3] * 4
    assert (found[-1]["bot"]["name"], found[-1]["owner"]) == ("first", "author1")


def test_test_matches_are_for_the_owner_alone(league: League) -> None:
    bot, house = make_bot("mine"), make_bot("house", is_house=True)
    league.connect(bot, house)
    owner = asker(bot.owner)
    match = owner.post(f"bots/{bot.public_id}/test-matches", {"opponents": [house.public_id]}, 201)
    assert {each["entrant"]["bot"]["name"] for each in match["entrants"]} == {"mine", "house"}
    assert match["tournament"]["name"] == "Test match of mine"
    assert owner.get(f"bots/{bot.public_id}/matches")["count"] == 1
    assert Asker().get(f"bots/{bot.public_id}/matches")["count"] == 0
    assert Asker().get("tournaments")["count"] == 0
    assert Asker().get(f"matches/{match['id']}") == match
    assert [each["name"] for each in owner.get("me/tournaments")["results"]] == ["Test match of mine"]


def test_games_being_played(league: League) -> None:
    bots = make_bots(2)
    league.connect(*bots)
    listed = make_running(bots, name="Listed")
    league.dispatch()
    league.watch()
    (found,) = Asker().get("live")["results"]
    attempt = open_attempt(the_match(listed))
    assert found["game"] == attempt.game.public_id
    assert (found["game_round"], found["turn"], found["totals"]) == (3, 2, [1, 2])
    assert Asker().get(f"live?tournament={listed.public_id}")["results"] == [found]
    Tournament.objects.update(is_listed=False)
    assert Asker().get("live")["results"] == []
    assert Asker().get(f"live?tournament={listed.public_id}")["results"] == [found]


def test_what_is_mine(league: League) -> None:
    owner = make_owner()
    here, away = make_bot("here", owner), make_bot("away", owner)
    league.connect(here, version="2", max_games=3)
    me = asker(owner)
    assert me.get("me") == {"username": owner.username, "is_organiser": False, "is_operator": False}
    found = me.get("me/bots")["results"]
    assert [each["name"] for each in found] == ["here", "away"]
    (presence,) = found[0]["connections"]
    assert (presence["version"], presence["max_games"], presence["sdk"]) == ("2", 3, "test")
    assert (found[1]["connections"], found[1]["has_token"]) == ([], False)
    assert away.token_generation == 0

    tournament_cancel(tournament=make_tournament([], organiser=owner, name="Mine"), actor=None, reason="rain")
    (notice,) = me.get("me/notices")["results"]
    assert (notice["code"], notice["tournament"]["name"]) == ("tournament_cancelled", "Mine")


def test_a_referee_that_is_silent_has_nobody_connected() -> None:
    bot = make_bot()
    shard = make_shard()
    connect(shard, bot)
    assert len(asker(bot.owner).get("me/bots")["results"][0]["connections"]) == 1
    shard.last_seen_at = timezone.now() - timedelta(minutes=1)
    shard.save()
    assert asker(bot.owner).get("me/bots")["results"][0]["connections"] == []


# -- pages of lists ----------------------------------------------------------------------------------------------------

LISTS = sorted(
    path
    for path, methods in document()["paths"].items()
    if any(each["name"] == "page" for each in methods.get("get", {}).get("parameters", []))
)


@pytest.fixture
def plenty(played: Played) -> Played:
    """At least three rows in every list."""
    for number in range(3):
        BotVersion.objects.create(bot=played.bots[0], name=f"next {number}")
        Notice.objects.create(account=played.owner, code="news", text=f"news {number}", tournament=played.tournament)
        make_tournament(name=f"More {number}", organiser=played.owner)
        own = make_bot(f"own {number}", played.owner)
        played.league.connect(own)
    again = make_running(make_bots_connected(played.league, 6), name="Going on")
    make_running(make_bots(6), name="Cup", stages=[StagePlan(format=StageFormat.SINGLE_ELIMINATION, seats=2)])
    played.league.dispatch()
    assert again.status == TournamentStatus.RUNNING
    return played


def make_bots_connected(league: League, number: int) -> list[Bot]:
    bots = make_bots(number)
    league.connect(*bots)
    return bots


def test_all_lists_are_known() -> None:
    assert len(LISTS) == 18


@pytest.mark.both_databases
def test_pages_join_up_and_take_as_many_queries_however_long(plenty: Played, subtests: pytest.Subtests) -> None:
    owner, organiser = asker(plenty.owner), asker(plenty.tournament.organiser)
    cup = Tournament.objects.get(name="Cup").public_id
    for path in LISTS:
        of_cup = path.endswith(("/bracket", "/places"))
        with subtests.test(path):
            me = organiser if path.endswith("/audit") else owner
            _check_pages(me, plenty.filled(path.replace("{tournament}", cup) if of_cup else path))


def _check_pages(me: Asker, path: str) -> None:
    whole, many = _counted(me, f"{path}?page_size=100")
    small, few = _counted(me, f"{path}?page_size=2")
    assert whole["count"] == len(whole["results"]) >= 3
    assert many == few
    assert few <= 20

    pages = list(_pages(me, small))
    assert [row for page in pages for row in page["results"]] == whole["results"]
    assert {page["pages"] for page in pages} == {len(pages)}
    assert pages[0]["previous"] is None
    assert pages[1]["previous"].startswith(f"{SITE}{path}?")


def _pages(me: Asker, page: Any) -> Iterator[Any]:
    yield page
    while page["next"]:
        page = me.get(page["next"].removeprefix(SITE))
        yield page


def _counted(me: Asker, path: str) -> tuple[Any, int]:
    with CaptureQueriesContext(connection) as queries:
        answer = me.get(path)
    return answer, len(queries)


def test_an_empty_list_has_one_page() -> None:
    found = Asker().get("bots")
    assert (found["count"], found["page"], found["pages"], found["results"]) == (0, 1, 1, [])


def _names(path: str) -> list[str]:
    return [each["name"] for each in Asker().get(path)["results"]]


def _text(at: Any) -> str:
    return at.isoformat().replace("+00:00", "Z")


def _entrant(entrant: Any) -> dict[str, Any]:
    bot = entrant.bot
    return {
        "id": entrant.public_id,
        "bot": {"id": bot.public_id, "name": bot.name, "url": f"{SITE}/bots/{bot.public_id}/"},
        "version": entrant.version.name if entrant.version else None,
    }
