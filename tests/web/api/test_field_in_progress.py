"""A round of shared deals while it is played: two of three tables are over, the third plays the same cards.

By role and state, over every address of the API and every page: nothing of the cards is out before the last table is done,
but what one's own seat was sent and answered.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from referee.record.game_record import read_record
from tests.support.factories import make_bot, make_organiser, make_owner, make_running
from tests.support.field_league import matches, players
from tests.support.league import League, open_attempt
from tests.support.scripted import collector, stumbling, throws_what_it_does_not_hold
from tests.web.api.answers import READABLE, body_of, texts_in
from tests.web.api.asking import Asker, asker
from tournaments.models import Account, Game, GameFault, Match, MatchStatus, Tournament
from tournaments.selectors.deals import seed_of
from tournaments.services.attempts import match_stuck
from tournaments.services.registration import StagePlan

pytestmark = pytest.mark.django_db

PAGES = (
    "/tournaments/{tournament}/",
    "/tournaments/{tournament}/live/",
    "/tournaments/{tournament}/rounds/1/1/",
    "/matches/{match}/",
    "/matches/{match}/live/",
    "/games/{game}/",
    "/bots/{bot}/",
    "/live/",
)
CARD = re.compile(r"(?<![\w*])(?:[3-9TJQK][shdc*]|JK)(?![\w*])")
DRAWN = re.compile(r"suit-(?:spade|heart|club|diamond|star)\b")
"""A card on a page; the sprite that all pages hold is cut out first."""
ROLES = ("anybody", "author here", "author at another table", "author at the table that plays", "organiser", "operator")
STATES = ("two tables over", "the third needs attention")


@dataclass
class Field:
    league: League
    tournament: Tournament
    tables: list[Match]
    game: Game
    """Of the first table, over; in its seat 0 sits a bot that tried to throw a card it did not hold."""

    def account(self, role: str) -> Account | None:
        at = {"author here": 0, "author at another table": 1, "author at the table that plays": 2}
        if role in at:
            return self.tables[at[role]].games.get().game_seats.get(seat=0).entrant.bot.owner
        if role == "organiser":
            return make_organiser()
        return Account.objects.get(username="operator") if role == "operator" else None

    def ask_as(self, role: str) -> Asker:
        account = self.account(role)
        return asker(account) if account else Asker()

    def browse_as(self, role: str) -> Client:
        client, account = Client(), self.account(role)
        if account:
            client.force_login(account)
        return client

    def filled(self, path: str) -> str:
        return path.format(
            tournament=self.tournament.public_id,
            stage=1,
            match=self.game.match.public_id,
            game=self.game.public_id,
            bot=self.game.game_seats.get(seat=0).entrant.bot.public_id,
            comparison=self.tournament.public_id,
        )


@pytest.fixture
def field(league: League, request: pytest.FixtureRequest) -> Field:
    caches["replays"].clear()
    make_owner("operator", is_superuser=True, is_staff=True)
    bots = [make_bot() for _ in range(9)]
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=3, rounds=2, deal_mode="field")], turn_cap=2, name="League")
    tables = matches(tournament)
    league.dispatch()
    slip = stumbling(collector, {4: throws_what_it_does_not_hold})
    league.referee.finish(open_attempt(tables[0]).attempt_id, slip, *players(1)[1:])
    league.referee.finish(open_attempt(tables[1]).attempt_id, *players(2))
    league.watch()  # how far the third is
    league.collect()
    league.settle()
    if request.param == "the third needs attention":
        match_stuck(Match.objects.get(pk=tables[2].pk), "the referee gave up on game 1")
    game = Game.objects.select_related("deal_set", "match").get(match=tables[0])
    return Field(league, tournament, tables, game)


@pytest.mark.parametrize("field", STATES, indirect=True)
def test_nothing_of_the_cards_is_out(field: Field, subtests: pytest.Subtests) -> None:
    fault = GameFault.objects.get()
    assert (fault.seat, bool(CARD.search(fault.detail)), bool(CARD.search(fault.reply))) == (0, True, True)
    secrets = [seed_of(field.game.result).hex(), bytes(field.tournament.secrets.get().secret).hex()]
    for role in ROLES:
        asking, browsing = field.ask_as(role), field.browse_as(role)
        for path in READABLE:
            with subtests.test(f"{role}: {path}"):
                _check_answer(asking.ask("GET", field.filled(path)), role, path, secrets, fault)
        for path in PAGES:
            with subtests.test(f"{role}: {path}"):
                _check_page(browsing.get(field.filled(path)), role, path, secrets, fault)


def _check_answer(answer: Any, role: str, path: str, secrets: list[str], fault: GameFault) -> None:
    is_own = role == "author here"
    body = body_of(answer)
    assert not any(secret.encode() in body for secret in secrets)
    if path.endswith("records.zip"):
        assert texts_in(answer, body) == [], "no record is out"
        return
    if path.endswith(("/record", "/transcript")):
        may_see = is_own and path.endswith("/transcript")
        assert answer.status_code == (200 if may_see else 403), body
        assert not may_see or answer.json()["viewer"] == "0"
        return
    assert answer.status_code in (200, 401, 403, 404), body
    cards = [text for text in texts_in(answer, body) if CARD.search(text)]
    assert cards == ([fault.detail, fault.reply] if is_own and path.endswith("{game}") else [])


def _check_page(answer: Any, role: str, path: str, secrets: list[str], fault: GameFault) -> None:
    is_own = role == "author here"
    assert answer.status_code == 200
    text = re.sub(r"<symbol.*?</symbol>", "", answer.content.decode(), flags=re.DOTALL)
    shows_own = is_own and ("/games/" in path or "/matches/" in path)
    assert not any(secret in text for secret in secrets)
    assert is_own or fault.reply not in text
    assert shows_own or not DRAWN.search(text)
    assert shows_own or 'id="replay-data"' not in text
    if is_own and "/games/" in path:
        assert 'id="replay-data"' in text
        assert "what your bot in seat 0 could see" in text


@pytest.mark.parametrize("field", STATES[:1], indirect=True)
def test_progress_is_for_all(field: Field) -> None:
    """Scores of finished game rounds, faults by kind, how far the others are; no points before the set is final."""
    shown = Asker().get(f"games/{field.game.public_id}")
    assert (shown["sight"], shown["deal_set"]["status"], shown["seed"]) == ("progress", "open", None)
    assert len(shown["game_rounds"]) == 11
    assert [fault["type"] for fault in shown["faults"]] == ["ILLEGAL"]
    assert shown["shared_deal"] == {
        "matches": [match.public_id for match in field.tables[1:]],
        "own_reason": "",
        "seats": [],
    }
    match = Asker().get(f"matches/{field.game.match.public_id}")
    assert [each["points"] for each in match["entrants"]] == [None] * 3
    standings = Asker().get(f"tournaments/{field.tournament.public_id}/stages/1/standings")
    assert {line["points"]["value"]["exact"] for line in standings["results"]} == {"0"}
    page = Client().get(f"/matches/{field.game.match.public_id}/").content.decode()
    assert "Points come when all of them are over" in page
    assert f'/matches/{field.tables[2].public_id}/">table 3</a>' in page


@pytest.mark.parametrize("field", STATES[:1], indirect=True)
def test_all_is_out_when_the_last_table_is_done(field: Field, subtests: pytest.Subtests) -> None:
    league = field.league
    league.referee.finish(open_attempt(field.tables[2]).attempt_id, *players(3))
    league.collect()
    assert Match.objects.filter(status=MatchStatus.PLAYED).count() == 3
    assert Asker().ask("GET", f"games/{field.game.public_id}/record").status_code == 403
    league.settle()
    seed = seed_of(field.game.result)
    for role in ROLES:
        with subtests.test(role):
            who = field.ask_as(role)
            assert read_record(who.ask("GET", f"games/{field.game.public_id}/record").content).seal.seed == seed
            assert who.get(f"games/{field.game.public_id}/transcript")["viewer"] == "all"
    seats = Asker().get(f"games/{field.game.public_id}")["shared_deal"]["seats"]
    assert [each["seat"] for each in seats] == [0, 1, 2]
    points = {each["entrant"]["id"]: each["points"] for each in _match(field)["entrants"]}
    at_table = field.game.game_seats.order_by("seat").values_list("entrant__public_id", flat=True)
    assert [each["points"] for each in seats] == [points[entrant] for entrant in at_table]
    assert "How the points of game 1 came about" in Client().get(field.filled("/matches/{match}/")).content.decode()


def _match(field: Field) -> Any:
    return Asker().get(f"matches/{field.game.match.public_id}")
