"""Acts that change results, at the organiser's desk: what follows is shown, and then asked once more."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.web.pages.page_form import fields_of
from tests.web.pages.test_admin import act
from tests.web.pages.world import World
from tournaments.models import DeadLetter, Match, Tournament, TournamentRound
from tournaments.services.late import late_entry_problem

As = Callable[[str], Client]


def facts(page: str) -> list[str]:
    return re.findall(r"<li>([^<]+)</li>", page.partition("act-facts")[2].partition("</ul>")[0])


def asked_twice(client: Client, row: Tournament | Match, name: str, **said: str) -> tuple[list[str], str]:
    """What was shown to follow, and the page after it was done."""
    url = act(row, name)
    page = client.get(url).content.decode()
    assert "Show what follows" in page
    shown = client.post(url, fields_of(page) | said).content.decode()
    follows = facts(shown)
    assert follows, shown
    assert "Show what follows" not in shown
    return follows, client.post(url, fields_of(shown), follow=True).content.decode()


def test_a_match_anew_void_and_corrected(as_user: As, world: World) -> None:
    client, match = as_user("organiser1"), Match.objects.get(public_id=world.played)
    _, page = asked_twice(client, match, "void", reason="the deck")
    match.refresh_from_db()
    assert (match.status, match.status_reason) == ("void", "the deck")
    follows, page = asked_twice(client, match, "rerun", reason="another deck")
    assert follows[0] == "1 match counts no longer."
    assert "1 match counts no longer." in page
    match.refresh_from_db()
    assert match.status == "superseded"
    assert match.replaced_by.status == "waiting"


def test_a_correction_names_each_bot(as_user: As, world: World) -> None:
    client, match = as_user("organiser1"), Match.objects.get(public_id=world.played)
    seated = list(match.match_entrants.select_related("entrant"))
    places = {row.entrant.public_id: str(place) for place, row in enumerate(seated, start=1)}
    follows, _ = asked_twice(client, match, "correct", reason="a ruling", **places)
    assert "1 match is corrected." in follows
    assert [row.corrected_place for row in match.match_entrants.all()] == list(range(1, len(seated) + 1))
    wrong = client.post(act(match, "correct"), places | {seated[0].entrant.public_id: "9", "reason": "x"})
    assert f"There are only {len(seated)} places." in wrong.content.decode()
    wrong = client.post(act(match, "correct"), {seated[0].entrant.public_id: "1", "reason": "x"})
    assert "Give a place to each of" in wrong.content.decode()


def test_a_round_again_and_back(as_user: As, world: World) -> None:
    client, running = as_user("organiser1"), Tournament.objects.get(public_id=world.running)
    first = TournamentRound.objects.filter(stage__tournament=running).order_by("number")[0]
    open_round = client.post(act(running, "rerun-round"), {"tournament_round": str(first.pk + 99999), "reason": "x"})
    assert "There is no such round" in open_round.content.decode()
    finished = Tournament.objects.get(public_id=world.finished)
    last = TournamentRound.objects.filter(stage__tournament=finished).order_by("number").last()
    follows, _ = asked_twice(client, finished, "rerun-round", tournament_round=str(last.pk), reason="a slip")
    assert "The secret of the deals is public, so a new one is committed." in follows
    last.refresh_from_db()
    assert last.status == "open"
    refused = client.post(act(running, "roll-back"), {"tournament_round": str(_latest(running).pk), "reason": "x"})
    assert "there is nothing to roll back" in refused.content.decode()


def _latest(tournament: Tournament) -> TournamentRound:
    found = TournamentRound.objects.filter(stage__tournament=tournament).order_by("number").last()
    assert found is not None
    return found


def test_what_was_shown_is_what_is_done(as_user: As, world: World) -> None:
    """A form that says something else than before is shown what follows anew."""
    client, match = as_user("organiser1"), Match.objects.get(public_id=world.played)
    shown = client.post(act(match, "void"), {"reason": "one"}).content.decode()
    again = client.post(act(match, "void"), fields_of(shown) | {"reason": "two"}).content.decode()
    assert "1 match becomes void." in again
    match.refresh_from_db()
    assert match.status == "scored"


@pytest.mark.parametrize("name", ["rerun", "correct", "void"])
def test_matches_of_others(as_user: As, world: World, name: str) -> None:
    match = Match.objects.get(public_id=world.played)
    assert as_user("owner1").post(act(match, name), {"reason": "mine"}).status_code in (302, 403)
    match.refresh_from_db()
    assert match.status == "scored"


def test_admitting_late(as_user: As, world: World) -> None:
    client, running = as_user("organiser1"), Tournament.objects.get(public_id=world.running)
    page = client.get(act(running, "admit")).content.decode()
    problem = late_entry_problem(running)
    assert (f"Nobody can be admitted now: {problem}." in page) == bool(problem)
    answer = client.post(act(running, "admit"), {"bots": [world.idle]}, follow=True).content.decode()
    assert ("admits nobody now" if problem else "Admitted: idle.") in answer


def test_dead_letters_are_the_operators(as_user: As, world: World) -> None:
    letter = DeadLetter.objects.create(message_id="x", task="dispatch.match", args=[99_999], reason="delivery_limit")
    url = f"/admin/tournaments/deadletter/{letter.pk}/"
    assert as_user("organiser1").get(f"{url}change/").status_code in (302, 403, 404)
    assert as_user("organiser1").post(f"{url}do/drop/").status_code in (302, 403, 404)
    client = as_user("operator1")
    listed = client.get("/admin/tournaments/deadletter/").content.decode()
    assert "dispatch.match(99999)" in listed
    assert "there is no such match any more" in listed
    asked = client.get(f"{url}do/drop/").content.decode()
    assert "Harmless: there is no such match any more." in asked
    assert "is dropped." in client.post(f"{url}do/drop/", follow=True).content.decode()
    assert "was dropped before" in client.post(f"{url}do/replay/").content.decode()
    letter.refresh_from_db()
    assert letter.status == "dropped"
