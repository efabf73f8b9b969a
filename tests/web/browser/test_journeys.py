"""What people come for, from the first click to the last."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.factories import make_bot, make_owner, make_running
from tests.web.browser.conftest import OpenPage
from tests.web.pages.world import PASSWORD, World
from tournaments.models import Bot, Match, Tournament, TournamentStatus
from tournaments.services.corrections import match_void
from tournaments.services.rounds import round_settle, tournament_advance
from tournaments.tokens import token_claims

pytestmark = pytest.mark.browser


def test_from_nothing_to_a_token(world: World, open_page: OpenPage) -> None:
    page = open_page("/")
    page.get_by_role("navigation", name="Account").get_by_role("link", name="Sign up").click()
    page.get_by_label("User name").fill("newcomer")
    page.get_by_label("Password", exact=True).fill("five suits, one joker")
    page.get_by_label("Password (again)").fill("five suits, one joker")
    page.get_by_role("button", name="Sign up").click()
    expect(page).to_have_title(re.compile("My bots"))

    page.get_by_role("link", name="Make a bot").click()
    page.get_by_role("button", name="Make the bot").click()
    expect(page.get_by_role("alert")).to_contain_text("Give the bot a name.")
    page.get_by_label("Name", exact=True).fill("Newcomer's first")
    page.get_by_role("button", name="Make the bot").click()

    line = page.get_by_role("region", name="Connect", exact=True).inner_text()
    found = re.fullmatch(r"CROWNS_TOKEN=(\S+) crowns connect newcomer_s_first\.py --server \S+:\d+", line.strip())
    assert found
    bot = Bot.objects.get(name="Newcomer's first")
    assert token_claims(found[1]).bot_id == bot.public_id
    expect(page.get_by_role("button", name=re.compile("^Copy ?: Connect$"))).to_be_visible()
    page.get_by_role("link", name="Public page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Newcomer's first")


def test_logging_in_brings_back_to_where_one_was(world: World, open_page: OpenPage) -> None:
    page = open_page(f"/tournaments/{world.opened}/")
    page.get_by_role("link", name="Log in to enter a bot").click()
    page.get_by_label("User name").fill("owner1")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Winter cup")
    page.get_by_label("Bot", exact=True).select_option(label="simple")
    page.get_by_role("button", name="Enter my bot").click()
    expect(page.get_by_text("simple is entered.")).to_be_visible()
    page.get_by_role("button", name="Leave with simple").click()
    expect(page.get_by_text("simple has left Winter cup.")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def test_an_organiser_makes_opens_and_starts_a_tournament(world: World, open_page: OpenPage) -> None:
    page = open_page("/", "organiser1")
    page.get_by_role("link", name="Organise").click()
    page.locator("#tournaments-tournament").get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="Add tournament").click()
    page.get_by_label("Name:").fill("Made by hand")
    page.locator("#id_stages-0-format").select_option("round_robin")
    page.locator("#id_stages-0-seats").fill("2")
    page.get_by_role("button", name="Save and open registration").click()
    page.get_by_role("button", name="Open registration").click()
    expect(page.locator(".messagelist")).to_contain_text("Registration for Made by hand is open.")
    page.get_by_role("link", name="Enter bots").click()
    for name in ("greedy", "planner"):
        page.get_by_role("checkbox", name=re.compile(f"^{name} ")).check()
    page.get_by_role("button", name="Enter bots").click()
    expect(page.locator(".messagelist")).to_contain_text("Entered: ")
    page.get_by_role("link", name="Start", exact=True).click()
    expect(page.locator(".act-facts")).to_contain_text("2 bots are entered.")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".messagelist")).to_contain_text("Made by hand has started.")
    page.get_by_role("link", name="See it on the site").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    Tournament.objects.filter(name="Made by hand").update(status="cancelled")


def test_a_replay_steps(world: World, open_page: OpenPage) -> None:
    page = open_page(f"/matches/{world.played}/")
    page.get_by_role("link", name="Replay").click()
    position = page.locator("[data-position]")
    expect(position).to_have_text(re.compile(r"^Event 1 of \d+$"))
    page.get_by_role("button", name="Next event").click()
    expect(position).to_have_text(re.compile(r"^Event 2 of"))
    page.get_by_role("button", name="Next round").click()
    expect(page.locator("[data-round-title]")).to_have_text("Round 2")
    assert "at=" in page.url


def test_a_replay_from_the_page_of_a_bot_opens_in_its_view(world: World, open_page: OpenPage) -> None:
    page = open_page(f"/bots/{world.bot}/")
    page.get_by_role("link", name=re.compile("^replay")).last.click()
    marked = page.locator(".seat.is-marked")
    expect(marked).to_have_count(1)
    expect(marked.locator("[data-name]")).to_have_text("greedy")
    assert page.locator("[data-view]").input_value() == str(marked.get_attribute("aria-label")).split()[1].rstrip(":")


def test_before_the_deal_is_final_an_owner_has_his_own_view(world: World, open_page: OpenPage) -> None:
    page = open_page(f"/games/{world.hidden}/", world.hidden_seats[1])
    assert page.locator("[data-view] option").all_inner_texts()[1:] == ["What everybody sees"]
    assert "All hands" not in page.locator("[data-view]").inner_text()


# --- the part that renews itself --------------------------------------------------------------------------------------


@pytest.fixture
def going_on(world: World) -> Iterator[Tournament]:
    """A tournament of its own, with two bots that never come."""
    owner = make_owner(f"owner-of-{Bot.objects.count()}")
    bots = [make_bot(f"renewed {number} of {owner.username}", owner) for number in range(2)]
    tournament = make_running(bots, name=f"Renewed for {owner.username}", is_trusted=True)
    yield tournament
    Tournament.objects.filter(pk=tournament.pk, status="running").update(status="cancelled")


def soon(page: Page) -> None:
    """The next look is four seconds away: not to wait for it, the part is told that it is time."""
    page.evaluate("document.querySelector('[data-live]')?.dispatchEvent(new CustomEvent('refresh'))")


def test_a_running_tournament_renews_itself(world: World, open_page: OpenPage, going_on: Tournament) -> None:
    page = open_page(f"/tournaments/{going_on.public_id}/")
    match = Match.objects.get(tournament_round__stage__tournament=going_on)
    expect(page.locator("#live .badge", has_text="Waiting")).to_be_visible()
    match_void(match=match, actor=None, reason="nobody came")
    soon(page)
    expect(page.locator("#live .badge", has_text="Void")).to_be_visible()
    expect(page.locator("#live")).to_contain_text("Nobody came")


def test_the_page_follows_when_it_has_come_to_its_end(world: World, open_page: OpenPage, going_on: Tournament) -> None:
    page = open_page(f"/tournaments/{going_on.public_id}/")
    match = Match.objects.get(tournament_round__stage__tournament=going_on)
    match_void(match=match, actor=None, reason="nobody came")
    round_settle(tournament_round=match.tournament_round)
    tournament_advance(tournament=going_on)
    going_on.refresh_from_db()
    assert going_on.status == TournamentStatus.FINISHED
    soon(page)
    expect(page.locator(".page-head .badge")).to_have_text("Finished")
    expect(page.locator("[data-live-switch]")).to_have_count(0)
    expect(page.get_by_role("heading", name="Fair deals")).to_be_visible()


def test_it_can_be_halted(world: World, open_page: OpenPage, going_on: Tournament) -> None:
    page = open_page(f"/tournaments/{going_on.public_id}/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    button = page.get_by_role("button", name="Pause")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-live-switch]")).to_contain_text("Paused.")
    page.clock.install()
    page.clock.run_for(20_000)
    assert not [url for url in asked if "/live/" in url]


def test_it_asks_by_itself_and_not_while_somebody_reads(world: World, open_page: OpenPage) -> None:
    page = open_page("/")  # a page to set the clock on, before the script of the next one starts
    page.clock.install()
    page.goto(f"/tournaments/{world.running}/")
    with page.expect_response(re.compile("/live/")):
        page.clock.run_for(4_100)
    page.locator("#live .sum summary").first.click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(20_000)
    assert not [url for url in asked if "/live/" in url]
    expect(page.locator("#live .sum .why").first).to_be_visible()


def test_without_script_all_is_there(world: World, open_page: OpenPage) -> None:
    page = open_page(f"/tournaments/{world.running}/", java_script_enabled=False)
    expect(page.locator("[data-live-switch]")).to_be_hidden()
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    page.locator("#live .sum summary").first.click()
    expect(page.locator("#live .sum .why").first).to_be_visible()


def test_the_colours_chosen_hold_on_every_page(world: World, open_page: OpenPage) -> None:
    page = open_page("/leaderboard/")
    page.get_by_role("button", name="Colours: automatic").click()
    page.get_by_role("button", name="Colours: light").click()
    page.goto("/bots/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
