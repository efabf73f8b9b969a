"""Who sees what, by role and state, over every address that can be read: before the deal set is final no card, no reply and no seed
comes out of any of them, but what one's own seat was sent and answered.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest

from referee.record.game_record import read_record
from referee.record.transcript import ALL, transcript
from tests.support.factories import make_bot, make_organiser, make_owner, make_running, the_match
from tests.support.league import League, open_attempt
from tests.support.scripted import collector, playing, stumbling, throws_what_it_does_not_hold
from tests.web.api.answers import READABLE, body_of, texts_in
from tests.web.api.asking import Asker, asker
from tournaments.models import (
    Account,
    AuditEntry,
    Bot,
    DealMode,
    DealSet,
    Game,
    GameFault,
    GameRecord,
    StageFormat,
    Tournament,
)
from tournaments.selectors.deals import seed_of
from tournaments.services.registration import StagePlan

pytestmark = pytest.mark.django_db

ROLES = ("anybody", "author of seat 0", "author of seat 1", "stranger", "organiser", "operator")
STATES = ("shared, open", "independent, open", "final")
CARD = re.compile(r"(?<![\w*])(?:[3-9TJQK][shdc*]|JK)(?![\w*])")


@dataclass
class Deal:
    """A game of two seats that has a result; in seat 0 sits a bot that tried to throw a card it did not hold."""

    league: League
    tournament: Tournament
    game: Game
    authors: list[Account]
    bots: list[Bot]

    def ask_as(self, role: str) -> Asker:
        if role == "anybody":
            return Asker()
        accounts = {
            "author of seat 0": self.authors[0],
            "author of seat 1": self.authors[1],
            "organiser": make_organiser(),
            "stranger": Account.objects.get(username="stranger"),
            "operator": Account.objects.get(username="operator"),
        }
        return asker(accounts[role])

    def filled(self, path: str) -> str:
        return path.format(
            tournament=self.tournament.public_id,
            stage=1,
            match=self.game.match.public_id,
            game=self.game.public_id,
            bot=self.bots[0].public_id,
            comparison=self.tournament.public_id,
        )

    def secrets(self) -> list[str]:
        """What nobody may read as a text before the end."""
        fault = GameFault.objects.get()
        seed = seed_of(self.game.result)
        secret = bytes(self.tournament.secrets.get().secret)
        return [fault.reply, fault.detail, seed.hex(), secret.hex()]


@pytest.fixture
def deal(league: League, request: pytest.FixtureRequest) -> Deal:
    """In the state that the test asks for."""
    state = request.param
    authors = [make_owner("author1"), make_owner("author2")]
    make_owner("stranger")
    make_owner("operator", is_superuser=True, is_staff=True)
    bots = [make_bot("first", authors[0]), make_bot("second", authors[1])]
    make_bot("third", Account.objects.get(username="stranger"))
    league.connect(*bots)
    plan = StagePlan(format=StageFormat.ROUND_ROBIN, seats=2, laps=2)
    tournament = make_running(bots, stages=[plan], turn_cap=2, name="League")
    league.dispatch()
    match = the_match(tournament)
    seats = list(match.games.get().game_seats.order_by("seat"))
    if seats[0].entrant.bot != bots[0]:
        authors.reverse()
        bots.reverse()
    slip = stumbling(collector, {4: throws_what_it_does_not_hold})
    league.referee.finish(open_attempt(match).attempt_id, slip, playing(collector))
    league.collect()
    if state == "shared, open":
        DealSet.objects.update(mode=DealMode.FIELD)
    if state == "final":
        league.settle()
    game = Game.objects.select_related("deal_set", "match").get(match=match)
    return Deal(league, tournament, game, authors, bots)


def in_state(*states: str) -> Any:
    return pytest.mark.parametrize("deal", states, ids=states, indirect=True)


# -- nothing leaks -----------------------------------------------------------------------------------------------------


@in_state("shared, open", "independent, open")
def test_no_address_gives_away_an_unfinished_deal(deal: Deal, subtests: pytest.Subtests) -> None:
    for role in ROLES:
        with subtests.test(role):
            _check_nothing_leaks(deal, role)


def _check_nothing_leaks(deal: Deal, role: str) -> None:
    who, own = deal.ask_as(role), role == "author of seat 0"
    fault = GameFault.objects.get()
    hidden = [text for text in deal.secrets() if not (own and text in (fault.reply, fault.detail))]
    for path in READABLE:
        answer = who.ask("GET", deal.filled(path))
        body = body_of(answer)
        is_there = "{comparison}" not in path  # the tournament is none
        assert answer.status_code in ((200, 401, 403) if is_there else (404,)), (path, body)
        for text in hidden:
            assert text.encode() not in body, path
        if path.endswith("records.zip"):
            assert texts_in(answer, body) == [], "no record is out"
        elif answer.status_code == 200 and not path.endswith("/transcript"):
            cards = [text for text in texts_in(answer, body) if CARD.search(text)]
            assert cards == ([fault.detail, fault.reply] if own and path.endswith("{game}") else []), path


@in_state("independent, open")
def test_the_fixture_has_something_to_hide(deal: Deal) -> None:
    """Else the test before this one could not fail."""
    fault = GameFault.objects.get()
    assert fault.seat == 0
    assert CARD.search(fault.detail)
    assert CARD.search(fault.reply)
    assert all(len(text) > 4 for text in deal.secrets())
    assert deal.tournament.secrets.get().published_at is None


# -- records and transcripts -------------------------------------------------------------------------------------------


@in_state(*STATES)
def test_the_record_is_out_once_the_deal_is_final(deal: Deal, subtests: pytest.Subtests) -> None:
    for role in ROLES:
        with subtests.test(role):
            _check_record(deal, role)
    assert not AuditEntry.objects.filter(action="operator_look").exists()


def _check_record(deal: Deal, role: str) -> None:
    is_final = deal.game.deal_set.status == "final"
    who = deal.ask_as(role)
    answer = who.ask("GET", f"games/{deal.game.public_id}/record")
    shown = who.get(f"games/{deal.game.public_id}")
    if not is_final:
        assert (answer.status_code, answer.json()["code"]) == (403, "not_visible")
        assert deal.game.public_id in answer.json()["message"]
        assert (shown["record_url"], shown["seed"]) == (None, None)
        return
    seed = seed_of(deal.game.result)
    assert read_record(answer.content).seal.seed == seed
    assert shown["seed"] == seed.hex()
    assert shown["record_url"] is not None


VIEWERS = {
    "shared, open": {"author of seat 0": "0", "author of seat 1": "1"},
    "independent, open": {"author of seat 0": "0", "author of seat 1": "1"}
    | dict.fromkeys(("anybody", "stranger", "organiser", "operator"), "public"),
    "final": dict.fromkeys(ROLES, "all"),
}


@pytest.mark.parametrize(("deal", "state"), [(state, state) for state in STATES], ids=STATES, indirect=["deal"])
def test_whose_eyes_the_transcript_is_seen_with(deal: Deal, state: str, subtests: pytest.Subtests) -> None:
    for role in ROLES:
        with subtests.test(role):
            _check_transcript(deal, state, role)


def _check_transcript(deal: Deal, state: str, role: str) -> None:
    who = deal.ask_as(role)
    viewer = VIEWERS[state].get(role)
    answer = who.ask("GET", f"games/{deal.game.public_id}/transcript")
    assert (who.get(f"games/{deal.game.public_id}")["transcript_url"] is None) == (viewer is None)
    if viewer is None:
        assert (answer.status_code, answer.json()["code"]) == (403, "not_visible")
        return
    found = answer.json()
    assert found["viewer"] == viewer
    _check_hidden(
        found["events"], deal, seen=(0, 1) if viewer == "all" else () if viewer == "public" else (int(viewer),)
    )


def _check_hidden(events: list[dict[str, Any]], deal: Deal, seen: tuple[int, ...]) -> None:
    """Against the whole of it: equal where it may be seen, empty where not."""
    record = read_record(bytes(GameRecord.objects.get(attempt=deal.game.result).data))
    whole = transcript(record, seed_of(deal.game.result), ALL)
    assert [event["type"] for event in events] == [event["type"] for event in whole]
    for event, full in zip(events, whole, strict=True):
        match event["type"]:
            case "round_start":
                for seat, hand in enumerate(event["hands"]):
                    assert hand == (full["hands"][seat] if seat in seen else [None] * len(hand))
            case "draw":
                is_seen = event["seat"] in seen or event["source"] == "discard"
                assert event["card"] == (full["card"] if is_seen else None)
                assert event["points"] == (full["points"] if event["seat"] in seen else None)
            case "discard":
                assert event["best"] == (full["best"] if event["seat"] in seen else None)
                assert event["points"] == (full["points"] if event["seat"] in seen else None)
            case "fault":
                assert event["reply"] == (full["reply"] if event["seat"] in seen else "")
                assert event["detail"] == (full["detail"] if event["seat"] in seen else "")
            case "round_end":
                for seat, layout in enumerate(event["layouts"]):
                    is_seen = seat in seen or seat == event["went_out"]
                    assert layout["melds"] == (full["layouts"][seat]["melds"] if is_seen else None)


ASKED_SEATS = [
    ("author of seat 0", 0, 200),
    ("author of seat 0", 1, 403),
    ("anybody", 0, 403),
    ("author of seat 1", 7, 400),
]


@in_state("independent, open")
def test_another_seat_is_not_to_be_had(deal: Deal, subtests: pytest.Subtests) -> None:
    for role, seat, status in ASKED_SEATS:
        with subtests.test(f"{role}: {seat}"):
            answer = deal.ask_as(role).ask("GET", f"games/{deal.game.public_id}/transcript?seat={seat}")
            assert answer.status_code == status, answer.content


# -- words of faults ---------------------------------------------------------------------------------------------------


@in_state(*STATES)
def test_numbers_of_faults_are_for_all_and_words_for_those_who_see_the_cards(
    deal: Deal, subtests: pytest.Subtests
) -> None:
    for role in ROLES:
        with subtests.test(role):
            _check_fault(deal, role)


def _check_fault(deal: Deal, role: str) -> None:
    (found,) = deal.ask_as(role).get(f"games/{deal.game.public_id}")["faults"]
    fault = GameFault.objects.get()
    assert (found["type"], found["seat"], found["used_ms"]) == ("ILLEGAL", 0, fault.used_ms)
    sees = role == "author of seat 0" or deal.game.deal_set.status == "final"
    assert (found["detail"], found["reply"]) == ((fault.detail, fault.reply) if sees else ("", ""))


# -- the operator ------------------------------------------------------------------------------------------------------


@in_state("shared, open")
def test_the_operator_may_look_and_it_is_written_down(deal: Deal) -> None:
    operator, path = deal.ask_as("operator"), f"games/{deal.game.public_id}"
    answer = operator.ask("GET", f"{path}/record?as_operator=true")
    assert answer.status_code == 200
    assert read_record(answer.content).seal.seed == b""
    assert operator.get(f"{path}/transcript?as_operator=true")["viewer"] == "all"
    looks = AuditEntry.objects.filter(action="operator_look")
    assert {(look.actor.username, look.subject, look.tournament) for look in looks} == {
        ("operator", f"game {deal.game.public_id}", deal.tournament)
    }
    assert looks.count() == 2


@in_state("shared, open")
def test_nobody_else_has_the_operators_right(deal: Deal, subtests: pytest.Subtests) -> None:
    for role in ("anybody", "author of seat 0", "organiser"):
        for what in ("record", "transcript"):
            with subtests.test(f"{role}, {what}"):
                answer = deal.ask_as(role).ask("GET", f"games/{deal.game.public_id}/{what}?as_operator=true")
                assert (answer.status_code, answer.json()["code"]) == (403, "not_operator")
    assert not AuditEntry.objects.filter(action="operator_look").exists()


# -- secrets -----------------------------------------------------------------------------------------------------------


@in_state("final")
def test_the_secret_is_out_when_the_tournament_has_ended(deal: Deal) -> None:
    path = f"tournaments/{deal.tournament.public_id}"
    assert Asker().get(path)["commitment"]["secret"] is None
    deal.league.play(deal.tournament)
    assert Asker().get(path)["commitment"]["secret"] == bytes(deal.tournament.secrets.get().secret).hex()
