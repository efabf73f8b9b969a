"""Every page by who asks: its status, and what must stand on it."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.html import escape

from tests.web.pages.world import NASTY, World
from tournaments.models import Match, Notice, RatingRow, Tournament

As = Callable[[str], Client]

Path = Callable[[World], str]
PAGES: list[tuple[str, Path, str, int, tuple[str, ...]]] = [
    (
        "home",
        lambda w: "/",
        "",
        200,
        ("Round robin for two", "Winter cup", "Autumn league", "Write a bot", "Leaderboard"),
    ),
    ("home of an owner", lambda w: "/", "owner1", 200, ("My bots", "Log out")),
    ("home of an organiser", lambda w: "/", "organiser1", 200, ('href="/admin/"',)),
    ("part of home", lambda w: "/live/", "", 200, ("data-live", "Round robin for two", "game round 3, turn 2")),
    ("tournaments", lambda w: "/tournaments/", "", 200, ("Winter cup", "Rained off", "Swiss, 3 rounds, tables of 4")),
    ("tournaments that run", lambda w: "/tournaments/?status=running", "", 200, ("Round robin for two",)),
    ("tournaments by name", lambda w: "/tournaments/?q=winter", "", 200, ("Winter cup", "Show all")),
    ("no tournament", lambda w: "/tournaments/?q=zzz", "", 200, ("No tournament like this",)),
    ("nonsense in filters", lambda w: "/tournaments/?status=zzz&page=-7&q=", "", 200, ("Winter cup",)),
    (
        "finished",
        lambda w: f"/tournaments/{w.finished}/",
        "",
        200,
        (
            "Standings",
            "final",
            "Opponents",
            "hashlib",
            "Fair deals",
            "How places are made",
            "Plan and limits",
            "2 s, then the bank",
        ),
    ),
    (
        "running",
        lambda w: f"/tournaments/{w.running}/",
        "",
        200,
        (
            "so far",
            "data-live",
            "Needs attention",
            "a broken invariant",
            "since",
            "6 of 28",
            "Longest it can take",
            "56 min",
            "Round 2",
        ),
    ),
    (
        "bracket",
        lambda w: f"/tournaments/{w.bracket}/",
        "",
        200,
        (
            "Double elimination of the best 5",
            "Places",
            "still in",
            "Bracket",
            "A tie: 1 more game.",
            "goes on",
            "Loser of match 2",
            "Round 7",
            "Standings, stage 1",
            "Stage 2, round 2",
            "goes on without a match",
        ),
    ),
    ("running, own bots", lambda w: f"/tournaments/{w.running}/", "owner1", 200, ("My bots in it", "is-mine")),
    ("running, organised", lambda w: f"/tournaments/{w.running}/", "organiser1", 200, ("Organise",)),
    ("part of a tournament", lambda w: f"/tournaments/{w.running}/live/", "", 200, ("data-live", "Standings")),
    ("open, anonymous", lambda w: f"/tournaments/{w.opened}/", "", 200, ("Log in to enter a bot", "3 of 16", "dot-on")),
    (
        "open, owner",
        lambda w: f"/tournaments/{w.opened}/",
        "owner2",
        200,
        ("Enter my bot", "Leave", "Your share in the shuffle"),
    ),
    (
        "open, without a bot",
        lambda w: f"/tournaments/{w.empty}/",
        "organiser1",
        200,
        ("Make a bot first", "Nobody has entered yet"),
    ),
    ("cancelled", lambda w: f"/tournaments/{w.cancelled}/", "", 200, ("Too few came", "Cancelled")),
    ("draft, organiser", lambda w: f"/tournaments/{w.draft}/", "organiser1", 200, ("A draft",)),
    ("draft, anonymous", lambda w: f"/tournaments/{w.draft}/", "", 404, ("Nothing here",)),
    ("draft, owner", lambda w: f"/tournaments/{w.draft}/", "owner1", 404, ()),
    ("test match", lambda w: f"/tournaments/{w.test}/", "", 200, ("Test match", "not listed")),
    (
        "round",
        lambda w: f"/tournaments/{w.finished}/rounds/1/2/",
        "",
        200,
        ("Table 1", "Table 2", "Round before", "What the pairing could not keep"),
    ),
    ("no such round", lambda w: f"/tournaments/{w.finished}/rounds/1/9/", "", 404, ()),
    ("no such stage", lambda w: f"/tournaments/{w.finished}/rounds/7/1/", "", 404, ()),
    (
        "match",
        lambda w: f"/matches/{w.played}/",
        "",
        200,
        (
            "Replay",
            "3s wild",
            "kings wild",
            "No answer in time",
            "Illegal answer",
            "Unreadable answer",
            "32 s",
            "It answered",
            "1500 → ",
        ),
    ),
    (
        "match that is stuck",
        lambda w: f"/matches/{w.stuck}/",
        "",
        200,
        ("Needs attention", "broken invariant", "The organiser must look at it"),
    ),
    ("match being played", lambda w: f"/matches/{w.playing}/", "", 200, ("data-live", "Total so far", "As last heard")),
    ("part of a match", lambda w: f"/matches/{w.playing}/live/", "", 200, ("data-live",)),
    ("match that waits", lambda w: f"/matches/{w.waiting}/", "", 200, ("Not connected: late riser",)),
    ("match without a game", lambda w: f"/matches/{w.unplayed}/", "", 200, ("no game was played", "absent")),
    (
        "game",
        lambda w: f"/games/{w.game}/",
        "",
        200,
        ("replay-data", "The game in words", "Score sheet", "Seed of the deal", "crowns verify", "Record"),
    ),
    ("game being played", lambda w: f"/games/{w.going_on}/", "", 200, ("This game is being played",)),
    ("leaderboard", lambda w: "/leaderboard/", "", 200, ("provisional", "Rated matches", "planner")),
    ("bots", lambda w: "/bots/", "", 200, ("late riser", "house simple")),
    ("bots by name or owner", lambda w: "/bots/?q=owner1", "", 200, ("greedy", "idle")),
    (
        "bot",
        lambda w: f"/bots/{w.bot}/",
        "",
        200,
        ("Rating of greedy 0.9", "Against whom", "Versions", "connected since", "Round robin for two", "provisional"),
    ),
    ("bot, owner", lambda w: f"/bots/{w.bot}/", "owner1", 200, ("Manage it", "Test match of greedy")),
    (
        "bot without a match",
        lambda w: f"/bots/{w.idle}/",
        "owner1",
        200,
        ("No match yet", "the chart begins with the first"),
    ),
    ("deleted bot", lambda w: f"/bots/{w.deleted}/", "", 200, ("deleted",)),
    (
        "write a bot",
        lambda w: "/write-a-bot/",
        "",
        200,
        ("class MyBot(Bot)", "crowns new my_bot", "crowns play", "crowns connect", "BotService.Play"),
    ),
    ("my bots", lambda w: "/my-bots/", "owner1", 200, ("greedy", "no token yet", "since", "was cancelled")),
    ("my bots, none", lambda w: "/my-bots/", "organiser1", 200, ("No bot yet", "Make a bot")),
    ("my bots, anonymous", lambda w: "/my-bots/", "", 302, ()),
    ("new bot", lambda w: "/my-bots/new/", "owner1", 200, ("2 to 30 characters",)),
    (
        "my bot",
        lambda w: f"/my-bots/{w.bot}/",
        "owner1",
        200,
        ("Make a new token", "Play a test match", "house greedy", "Delete this bot"),
    ),
    ("my bot, without token", lambda w: f"/my-bots/{w.idle}/", "owner1", 200, ("Make its token",)),
    ("another's bot", lambda w: f"/my-bots/{w.bot}/", "owner2", 403, ("is not a bot of yours",)),
    ("deleting", lambda w: f"/my-bots/{w.bot}/delete/", "owner1", 200, ("Delete it", "Keep it")),
    ("log in", lambda w: "/accounts/login/", "", 200, ("User name",)),
    ("sign up", lambda w: "/accounts/signup/", "", 200, ("User name", "Password")),
    ("log out", lambda w: "/accounts/logout/", "owner1", 200, ("Log out?",)),
    ("password", lambda w: "/accounts/password/change/", "owner1", 200, ("Change my password",)),
    ("e-mail of allauth, in our frame", lambda w: "/accounts/email/", "owner1", 200, ("site-header",)),
    ("reset of allauth, in our frame", lambda w: "/accounts/password/reset/", "", 200, ("site-header",)),
    ("nothing", lambda w: "/nothing/here/", "", 404, ("No page has the address", "/nothing/here/")),
    ("no such match", lambda w: "/matches/zzz/", "", 404, ()),
    ("no such game", lambda w: "/games/zzz/record", "", 404, ()),
    ("no such bot", lambda w: "/bots/zzz/", "", 404, ()),
]


@pytest.mark.parametrize(
    ("path", "user", "status", "words"), [page[1:] for page in PAGES], ids=[page[0] for page in PAGES]
)
def test_a_page(world: World, as_user: As, path: Path, user: str, status: int, words: tuple[str, ...]) -> None:
    answer = as_user(user).get(path(world))
    text = answer.content.decode()
    assert answer.status_code == status
    for word in words:
        assert word in text, word
    assert "None" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert f"<{NASTY[1:]}" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", ["/", "/tournaments/", "/leaderboard/", "/bots/", "/write-a-bot/"])
def test_titles_and_addresses_for_those_who_search(as_user: As, path: str) -> None:
    text = as_user("").get(f"{path}?page=1").content.decode()
    assert re.search(r"<title>[^<]{4,60} · Crowns Arena</title>", text)
    assert re.search(r'<meta name="description" content="[^"]{20,}">', text)
    assert f'<link rel="canonical" href="http://127.0.0.1:8000{path}">' in text


def test_no_row_number_in_any_address(world: World, as_user: As) -> None:
    """Ids in addresses are public ones; the admin's own pages are another matter."""
    client = as_user("owner1")
    for path in (f"/tournaments/{world.running}/", f"/bots/{world.bot}/", f"/matches/{world.played}/", "/my-bots/"):
        links = re.findall(r'(?:href|action)="(/[^"?#]*)', client.get(path).content.decode())
        assert links
        bare = [link for link in links if re.search(r"/(?:bots|matches|games|tournaments|my-bots)/\d+/", link)]
        assert not bare


def test_the_standings_show_their_arithmetic(world: World, as_user: As) -> None:
    text = as_user("").get(f"/tournaments/{world.finished}/").content.decode()
    sums = re.findall(
        r'<details class="sum[^"]*"><summary>([^<]+)(?:<span[^>]*>[^<]*</span>)?</summary><span class="why">([^<]*)</span>',
        text,
    )
    assert len(sums) >= 8 * 4
    assert any(" + " in why and " = " in why for _, why in sums)
    assert text.count("decided the place") >= 2


def test_the_secret_is_shown_at_the_end_and_not_before(world: World, as_user: As) -> None:
    finished, running = (Tournament.objects.get(public_id=each) for each in (world.finished, world.running))
    client = as_user("organiser1")
    assert bytes(finished.secrets.get().secret).hex() in client.get(f"/tournaments/{world.finished}/").content.decode()
    for path in (f"/tournaments/{world.running}/", f"/matches/{world.played}/", "/admin/"):
        assert bytes(running.secrets.get().secret).hex() not in client.get(path).content.decode()


def test_nonces_are_told_after_registration_alone(world: World, as_user: As) -> None:
    opened, running = (Tournament.objects.get(public_id=each) for each in (world.opened, world.running))
    for user in ("", "organiser1", "operator1"):
        page = as_user(user).get(f"/tournaments/{world.opened}/").content.decode()
        assert not [entrant.nonce for entrant in opened.entrants.all() if entrant.nonce in page]
    page = as_user("").get(f"/tournaments/{world.running}/").content.decode()
    assert all(entrant.nonce in page for entrant in running.entrants.all())


def test_hidden_tournaments_are_in_no_list(world: World, as_user: As) -> None:
    for user in ("", "owner2"):
        for path in ("/", "/tournaments/", f"/bots/{world.bot}/"):
            assert "Test match of greedy" not in as_user(user).get(path).content.decode()


def test_a_match_that_was_played_again_says_so(world: World, as_user: As) -> None:
    old = Match.objects.get(public_id=world.played)
    RatingRow.objects.filter(match=old).delete()
    Match.objects.filter(pk=old.pk).update(status="superseded")
    new = Match.objects.create(tournament_round=old.tournament_round, number=old.number, replacement=1, replaces=old)
    assert f"/matches/{new.public_id}/" in as_user("").get(f"/matches/{old.public_id}/").content.decode()
    assert f"/matches/{old.public_id}/" in as_user("").get(f"/matches/{new.public_id}/").content.decode()


def test_news_are_told_to_whom_they_concern(world: World, as_user: As) -> None:
    told = Notice.objects.filter(account__username="organiser1", code="match_needs_attention").get()
    assert escape(told.text) in as_user("organiser1").get("/my-bots/").content.decode()
    assert escape(told.text) not in as_user("owner1").get("/my-bots/").content.decode()


def test_a_leaderboard_in_pages(world: World, as_user: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.pages.bots.BOTS_A_PAGE", 3)
    first = as_user("").get("/leaderboard/").content.decode()
    last = as_user("").get("/leaderboard/?page=99").content.decode()
    assert "1 to 3 of 8" in first
    assert 'href="?page=2"' in first
    assert "7 to 8 of 8" in last


@pytest.mark.parametrize("path", ["/live/", "/", "/tournaments/"])
def test_only_reading_is_answered(as_user: As, path: str) -> None:
    assert as_user("").post(path).status_code == 405


def test_errors_of_ours_have_a_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)

    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("web.pages.bots.leaderboard_rows", broken)
    answer = client.get("/leaderboard/")
    assert answer.status_code == 500
    assert "An error of ours" in answer.content.decode()
    assert "secret detail" not in answer.content.decode()


def test_a_host_that_is_not_ours(client: Client) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "Not understood" in answer.content.decode()


def test_a_form_without_its_token_is_refused_with_words(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/accounts/login/", {"login": "owner1", "password": "x"})
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()
