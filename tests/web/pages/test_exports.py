"""A tournament to take away, what was done to it, its rehearsal, and ways in and out."""

import csv
import io
import json
import zipfile
from collections.abc import Callable

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from django.urls import reverse

from referee.record.game_record import read_record
from tests.support.factories import make_bot, make_tournament
from tests.web.pages.page_form import fields_of
from tests.web.pages.world import World
from tournaments.models import Account, AuditEntry, Bot, Entrant, Game, Match, Tournament
from tournaments.services.registration import StagePlan
from web.exports import records_archive

As = Callable[[str], Client]


def fetched(client: Client, tournament: str, name: str) -> bytes:
    answer = client.get(f"/tournaments/{tournament}/export/{name}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{tournament}-{name}"'
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.mark.parametrize("name", ["tournament.json", "standings.csv", "results.csv"])
def test_the_api_gives_the_same_files(client: Client, world: World, name: str) -> None:
    answer = client.get(f"/api/v1/tournaments/{world.finished}/export/{name}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{world.finished}-{name}"'
    assert answer.content == fetched(client, world.finished, name)


def test_the_api_gives_the_records_and_names_what_there_is_not(client: Client, world: World) -> None:
    answer = client.get(f"/api/v1/tournaments/{world.finished}/export/records.zip")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert (
        len(archive.namelist())
        == Game.objects.filter(
            match__tournament_round__stage__tournament__public_id=world.finished, result__isnull=False
        ).count()
    )
    answer = client.get(f"/api/v1/tournaments/{world.finished}/export/secrets.txt")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert client.get(f"/api/v1/tournaments/{world.draft}/export/standings.csv").status_code == 404


def test_everything_as_json(client: Client, world: World) -> None:
    told = json.loads(fetched(client, world.finished, "tournament.json"))
    row = Tournament.objects.get(public_id=world.finished)
    assert told["tournament"]["id"] == world.finished
    assert len(told["entrants"]) == row.entrants.count()
    matches = Match.objects.filter(tournament_round__stage__tournament=row).exclude(status="superseded")
    assert {match["id"] for match in told["matches"]} == set(matches.values_list("public_id", flat=True))
    assert [each["stage"] for each in told["standings"]] == list(row.stages.values_list("number", flat=True))


def test_an_elimination_has_places(client: Client, world: World) -> None:
    told = json.loads(fetched(client, world.bracket, "tournament.json"))
    assert [each["stage"] for each in told["standings"]] == [1]
    (places,) = told["places"]
    assert places["stage"] == 2
    assert [(line["seed"], line["first"], line["last"]) for line in places["lines"]] == [
        *((seed, None, None) for seed in range(1, 6)),
        *((None, 6, 8) for _ in range(3)),
    ]
    lines = csv.DictReader(io.StringIO(fetched(client, world.bracket, "standings.csv").decode()))
    assert [(line["place"], line["shared"], line["points"]) for line in lines if line["stage"] == "2"] == [
        *(("", "", "") for _ in range(5)),
        *(("6", "yes", "") for _ in range(3)),
    ]


@pytest.mark.parametrize("name", ["finished", "running", "empty", "cancelled", "bracket"])
def test_tables(client: Client, world: World, name: str) -> None:
    public_id = getattr(world, name)
    row = Tournament.objects.get(public_id=public_id)
    standings = list(csv.DictReader(io.StringIO(fetched(client, public_id, "standings.csv").decode())))
    assert {line["bot"].removeprefix("'") for line in standings} == set(
        row.entrants.values_list("bot__name", flat=True)
    )
    results = list(csv.DictReader(io.StringIO(fetched(client, public_id, "results.csv").decode())))
    games = Game.objects.filter(match__tournament_round__stage__tournament=row).exclude(match__status="superseded")
    assert {line["game_id"] for line in results} == set(games.values_list("public_id", flat=True))


def test_no_name_is_a_formula(as_user: As, world: World) -> None:
    bots = [make_bot(name) for name in ("=1+1", "@sum", "plain")]
    tournament = make_tournament(bots, stages=[StagePlan(seats=3)])
    lines = fetched(as_user("owner1"), tournament.public_id, "standings.csv").decode().splitlines()[1:]
    assert sorted(line.split(",")[3] for line in lines) == ["'=1+1", "'@sum", "plain"]


def test_records_as_an_archive(client: Client, world: World) -> None:
    archive = zipfile.ZipFile(io.BytesIO(fetched(client, world.finished, "records.zip")))
    assert archive.testzip() is None
    games = Game.objects.filter(match__tournament_round__stage__tournament__public_id=world.finished)
    assert len(archive.namelist()) == games.filter(result__isnull=False).count()
    game = Game.objects.get(public_id=world.game)
    name = next(each for each in archive.namelist() if world.game in each)
    match = game.match
    assert name == f"stage1/round{match.tournament_round.number}/table{match.number}-game1-{world.game}.5cgr"
    assert read_record(archive.read(name)).seal.seed, "the deal set is final"


@pytest.mark.parametrize("who", ["", "owner1", "organiser1", "operator1"])
def test_no_record_before_its_deal_set_is_final(as_user: As, client: Client, world: World, who: str) -> None:
    for public_id in (world.hidden, world.public):
        game = Game.objects.get(public_id=public_id)
        tournament = game.match.tournament_round.stage.tournament.public_id
        asker = as_user(who) if who else client
        archive = zipfile.ZipFile(io.BytesIO(fetched(asker, tournament, "records.zip")))
        assert not [name for name in archive.namelist() if public_id in name]


def test_an_archive_comes_in_parts(world: World) -> None:
    from django.contrib.auth.models import AnonymousUser

    row = Tournament.objects.get(public_id=world.finished)
    assert len(list(records_archive(row, AnonymousUser()))) > 2


def test_the_server_streams_it(world: World) -> None:
    async def read() -> bytes:
        answer = await AsyncClient().get(f"/tournaments/{world.finished}/export/records.zip")
        return b"".join([part async for part in answer.streaming_content])

    assert zipfile.ZipFile(io.BytesIO(async_to_sync(read)())).testzip() is None


def test_what_there_is_not(client: Client, as_user: As, world: World) -> None:
    assert client.get(f"/tournaments/{world.finished}/export/secrets.txt").status_code == 404
    assert client.get(f"/tournaments/{world.draft}/export/tournament.json").status_code == 404
    assert as_user("organiser1").get(f"/tournaments/{world.draft}/export/tournament.json").status_code == 200


# -- what was done -----------------------------------------------------------------------------------------------------


def test_the_audit_log(as_user: As, client: Client, world: World) -> None:
    url = f"/tournaments/{world.running}/audit/"
    assert client.get(url).status_code == 302
    assert as_user("owner1").get(url).status_code == 403
    for who in ("organiser1", "operator1"):
        text = as_user(who).get(url).content.decode()
        assert "tournament start" in text
        assert "organiser1" in text


def test_shares_are_not_told_before_registration_closes(as_user: As, world: World) -> None:
    row = Tournament.objects.get(public_id=world.opened)
    nonces = list(row.entrants.values_list("nonce", flat=True))
    assert nonces
    assert AuditEntry.objects.filter(tournament=row, action="entrant_enter").exists()
    text = as_user("organiser1").get(f"/tournaments/{world.opened}/audit/").content.decode()
    assert "entrant enter" in text
    assert not [nonce for nonce in nonces if nonce in text]


# -- before the start --------------------------------------------------------------------------------------------------


def test_the_rehearsal_is_the_organisers(as_user: As, client: Client, world: World) -> None:
    text = as_user("organiser1").get(f"/tournaments/{world.draft}/").content.decode()
    assert "Rehearsal" in text
    assert "It can tell bots apart that differ by" in text or "tables of" in text
    assert "Rehearsal" not in client.get(f"/tournaments/{world.opened}/").content.decode()


# -- in and out --------------------------------------------------------------------------------------------------------


def test_an_invitation(as_user: As, world: World) -> None:
    row = make_tournament(entry_mode="code", entry_code="sesame", organiser=None)
    client, idle = as_user("owner1"), Bot.objects.get(public_id=world.idle)
    page = client.get(f"/tournaments/{row.public_id}/").content.decode()
    assert "sesame" not in page
    url = reverse("tournament_enter", args=[row.public_id])
    said = fields_of(page) | {"bot": idle.public_id}
    assert "Give the invitation code" in client.post(url, said).content.decode()
    assert "is not the invitation code" in client.post(url, said | {"code": "open"}).content.decode()
    assert client.post(url, said | {"code": "sesame"}).status_code == 302
    assert row.entrants.get().bot == idle


def test_a_private_tournament(as_user: As, world: World) -> None:
    row = make_tournament(entry_mode="private")
    client = as_user("owner1")
    assert "enters the bots: ask there" in client.get(f"/tournaments/{row.public_id}/").content.decode()
    client.post(reverse("tournament_enter", args=[row.public_id]), {"bot": world.idle, "nonce": ""})
    assert not row.entrants.exists()


def test_an_owner_withdraws(as_user: As, world: World) -> None:
    row = Tournament.objects.get(public_id=world.running)
    entrant = Entrant.objects.filter(tournament=row, bot__owner__username="owner1", status="entered").first()
    url = reverse("tournament_withdraw", args=[row.public_id, entrant.bot.public_id])
    assert as_user("owner2").get(url).status_code == 403
    client = as_user("owner1")
    assert url in client.get(f"/tournaments/{row.public_id}/").content.decode()
    page = client.get(url).content.decode()
    assert "It cannot come back." in page
    answer = client.post(url, fields_of(page) | {"reason": "a bug"}, follow=True).content.decode()
    assert "is withdrawn from" in answer
    entrant.refresh_from_db()
    assert (entrant.status, entrant.withdrawn_reason) == ("withdrawn", "a bug")
    again = client.post(url, {"reason": ""}, follow=True).content.decode()
    assert "has withdrawn from" in again
    assert url not in again


def test_a_mail_address(as_user: As, world: World) -> None:
    client = as_user("owner1")
    assert "/my-bots/mail/" in client.get("/my-bots/").content.decode()
    for given, said in (("a@example.org", "You get mail before rounds."), ("", "You get no mail.")):
        assert said in client.post("/my-bots/mail/", {"email": given}, follow=True).content.decode()
        assert Account.objects.get(username="owner1").email == given
    assert "That is no mail address" in client.post("/my-bots/mail/", {"email": "nobody"}).content.decode()
