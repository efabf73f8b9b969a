"""The viewer as its visitors use it: links, buttons, views, playing, the page without script."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from tests.web.viewer.conftest import opened
from tests.web.viewer.samples import replay_of

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 900}
EVENTS = replay_of(4)["events"]
COUNT = len(EVENTS)


def position(page: Page) -> int:
    text = page.locator("[data-position]").inner_text()
    found = re.fullmatch(rf"Event (\d+) of {COUNT}", text)
    assert found, text
    return int(found[1])


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def stop_the_clock(page: Page) -> None:
    """From here on time passes by `page.clock.run_for` alone."""
    page.clock.install(time=datetime(2026, 1, 1, tzinfo=UTC))
    page.clock.pause_at(datetime(2026, 1, 2, tzinfo=UTC))


def hand(page: Page, seat: int) -> list[str | None]:
    cards = page.locator(f"[aria-label^='Seat {seat}:'] [data-hand] svg[role='img']")
    return cards.evaluate_all("(cards) => cards.map((card) => card.getAttribute('aria-label'))")


def spoken(face: str, wild: int) -> str:
    if face == "JK":
        return "Joker, wild"
    ranks = {"T": "10", "J": "jack", "Q": "queen", "K": "king"}
    suits = {"s": "spades", "h": "hearts", "c": "clubs", "d": "diamonds", "*": "stars"}
    is_wild = face[0] == "3456789TJQK"[wild - 3]
    return f"{ranks.get(face[0], face[0])} of {suits[face[1]]}{', wild' if is_wild else ''}"


# --- opening -----------------------------------------------------------------------------------------------------


def test_it_opens_at_the_deal_with_all_hands(replay: Page) -> None:
    assert position(replay) == 1
    expect(replay.locator("[data-round-title]")).to_have_text("Round 1")
    expect(replay.locator("[data-wild-title]")).to_have_text("3s are wild")
    for seat, faces in enumerate(EVENTS[0]["hands"]):
        assert sorted(filter(None, hand(replay, seat))) == sorted(spoken(face, 3) for face in faces)


def test_a_link_opens_exactly_its_event_and_view(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/replay?at=200&view=2", viewport=WIDE))
    assert position(page) == 200
    assert page.locator("[data-view]").input_value() == "2"
    assert "face-down card" not in hand(page, 2)
    assert "face-down card" in hand(page, 0)
    line = page.locator("[data-story] [aria-current='step']")
    expect(line).to_have_attribute("data-at", "200")
    story = page.locator("[data-story]").bounding_box() or {}
    assert story["y"] <= (line.bounding_box() or {})["y"] < story["y"] + story["height"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("at=0", f"There is no event 0: this game has {COUNT}. Showing the start."),
        ("at=9999", f"There is no event 9999: this game has {COUNT}. Showing the start."),
        ("at=<b>", f"There is no event <b>: this game has {COUNT}. Showing the start."),
        ("view=9", "There is no view 9 of this game."),
        ("bot=nobody", "No bot called nobody plays in this game."),
    ],
)
def test_a_wrong_link_says_so(new_page: Callable[..., Page], query: str, message: str) -> None:
    page = opened(new_page(f"/replay?{query}", viewport=WIDE))
    expect(page.locator("[data-problem]")).to_have_text(message)
    assert position(page) == 1


def test_a_bot_in_the_link_is_marked_and_sits_at_the_bottom(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/replay?bot=simple", viewport=WIDE))
    marked = page.locator(".seat.is-marked")
    expect(marked).to_have_attribute("aria-label", "Seat 2: simple")
    expect(marked).to_have_attribute("data-place", "b")


def test_a_replay_that_does_not_fit_says_what_and_keeps_the_words(new_page: Callable[..., Page]) -> None:
    page = new_page("/broken", viewport=WIDE)
    expect(page.locator("[data-problem]")).to_have_text(
        "This replay cannot be drawn: event 3: seat 1 throws Kh, which it does not hold."
    )
    expect(page.locator("[data-stage]")).to_be_hidden()
    expect(page.locator("[data-story] li").first).to_be_visible()
    complaints = new_page.complaints  # type: ignore[attr-defined]  # set by the fixture
    assert [complaint for complaint in complaints if "event 3" in complaint]
    complaints.clear()


def test_without_script_everything_is_told(new_page: Callable[..., Page]) -> None:
    page = new_page("/replay", viewport=WIDE, java_script_enabled=False)
    expect(page.locator("[data-stage]")).to_be_hidden()
    assert page.locator("[data-story] li").count() == COUNT
    expect(page.locator("[data-story] li").last).to_contain_text("wins with")
    assert page.locator("[data-sheet-row]").count() == 11
    expect(page.locator("noscript .message")).to_be_visible()


# --- moving ------------------------------------------------------------------------------------------------------


def test_the_buttons_move(replay: Page) -> None:
    starts = [number for number, event in enumerate(EVENTS, start=1) if event["type"] == "round_start"]
    button(replay, "Next event")
    assert position(replay) == 2
    button(replay, "On one turn of the table")
    assert position(replay) == 10
    button(replay, "Back one turn of the table")
    assert position(replay) == 2
    button(replay, "Next round")
    assert position(replay) == starts[1]
    button(replay, "Next round")
    button(replay, "Previous round")
    assert position(replay) == starts[1]
    button(replay, "Previous event")
    assert position(replay) == starts[1] - 1


def test_at_the_ends_buttons_rest(replay: Page) -> None:
    back, on = (replay.get_by_role("button", name=name) for name in ("Previous event", "Next event"))
    expect(back).to_have_attribute("aria-disabled", "true")
    back.click(force=True)
    assert position(replay) == 1
    replay.locator("[data-slider]").fill(str(COUNT))
    expect(on).to_have_attribute("aria-disabled", "true")
    on.click(force=True)
    assert position(replay) == COUNT


def test_the_slider_the_sheet_the_story_and_the_moments_lead_somewhere(replay: Page) -> None:
    replay.locator("[data-slider]").fill("77")
    assert position(replay) == 77
    replay.locator("[data-sheet-row='4'] a").click()
    assert EVENTS[position(replay) - 1] == {**EVENTS[position(replay) - 1], "type": "round_start", "round": 4}
    replay.locator("[data-event='30'] a").click()
    assert position(replay) == 30
    replay.locator(".moments-box summary").click()
    first = replay.locator(".moments a").first
    first.click()
    assert position(replay) == int(first.get_attribute("data-at") or 0)


def test_key_moments_follow_one_another(replay: Page) -> None:
    marked = [
        int(at or 0) for at in replay.locator("[data-moment]").evaluate_all("(l) => l.map((i) => i.dataset.event)")
    ]
    seen = []
    for _ in marked:
        button(replay, "Next key moment")
        seen.append(position(replay))
    assert seen == marked
    button(replay, "Previous key moment")
    assert position(replay) == marked[-2]


def test_the_slider_says_where_it_is(replay: Page) -> None:
    replay.locator("[data-slider]").fill("77")
    text = replay.locator("[data-slider]").get_attribute("aria-valuetext")
    assert re.fullmatch(rf"event 77 of {COUNT}, round \d+", text or "")


def test_the_sheet_tells_no_score_that_is_still_to_come(replay: Page) -> None:
    ahead = replay.locator("[data-sheet-row='3'] td span").first
    expect(ahead).to_be_hidden()
    replay.locator("[data-slider]").fill(str(COUNT))
    expect(ahead).to_be_visible()
    expect(replay.locator("[data-sheet-result] td span").first).to_be_visible()


def test_the_last_event_is_the_reason_of_an_early_end(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/early-end", viewport=WIDE))
    page.locator("[data-slider]").press("End")
    expect(page.locator("[data-caption]")).to_contain_text(
        "The game ended early: at most one seat was left in round 2."
    )
    expect(page.locator("[aria-label^='Seat 0:'] .mark-bad")).to_have_text("retired")


def test_a_card_is_one_node_from_draw_to_discard(replay: Page) -> None:
    button(replay, "Next event")
    replay.evaluate("document.querySelector('.is-moved').ours = true")
    node = "document.querySelector('.is-moved')"
    assert EVENTS[1]["type"] == "draw"
    thrown = next(i for i, event in enumerate(EVENTS[2:], start=3) if event["type"] == "discard")
    before = replay.evaluate("document.querySelectorAll('.card').length")
    for _ in range(thrown - 2):
        button(replay, "Next event")
    is_same = EVENTS[thrown - 1]["card"] == EVENTS[1]["card"]
    assert bool(replay.evaluate(f"{node}.ours ?? false")) == is_same
    assert replay.evaluate("[...document.querySelectorAll('.card')].filter((card) => card.ours).length") == 1
    assert replay.evaluate("document.querySelectorAll('.card').length") == before


def test_the_moved_card_is_outlined_and_glides_once(new_page: Callable[..., Page]) -> None:
    gliding = "document.querySelector('.is-moved').getAnimations().length"
    for motion, animations in (("no-preference", 1), ("reduce", 0)):
        page = opened(new_page("/replay", viewport=WIDE, reduced_motion=motion))
        moved = page.evaluate(f"document.querySelector(\"[data-act='next']\").click(), {gliding}")
        assert moved == animations
        assert page.locator(".is-moved").count() == 1


# --- what is seen ------------------------------------------------------------------------------------------------


def test_pressing_a_seat_shows_what_it_sees_and_again_all(replay: Page) -> None:
    seat = replay.locator("[aria-label^='Seat 1:'] [data-button]")
    seat.click()
    expect(seat).to_have_attribute("aria-pressed", "true")
    assert set(hand(replay, 0)) == {"face-down card"}
    assert "face-down card" not in hand(replay, 1)
    assert "view=1" in replay.url
    seat.click()
    assert "face-down card" not in hand(replay, 0)


def test_the_public_view_tells_no_hidden_card_in_words_either(replay: Page) -> None:
    draws = [n for n, event in enumerate(EVENTS, start=1) if event["type"] == "draw" and event["source"] == "pile"]
    line = replay.locator(f"[data-event='{draws[0]}']")
    expect(line.locator("[data-said-all]")).to_be_visible()
    replay.locator("[data-view]").select_option("public")
    expect(line.locator("[data-said-all]")).to_be_hidden()
    expect(line).to_contain_text("draws from the pile.")
    expect(replay.locator("[data-story] .verdict:visible")).to_have_count(0)


def test_a_public_game_offers_no_other_view(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/public?view=all", viewport=WIDE))
    expect(page.locator("[data-view] option")).to_have_text(["What everybody sees"])
    expect(page.locator("[data-problem]")).to_have_text("There is no view all of this game.")
    assert set(hand(page, 0)) == {"face-down card"}
    page.locator("[aria-label^='Seat 0:'] [data-button]").click()
    assert set(hand(page, 0)) == {"face-down card"}


def test_as_dealt_keeps_the_order_of_the_deal(replay: Page) -> None:
    replay.locator("[data-sheet-row='5'] a").click()
    start = EVENTS[position(replay) - 1]
    button(replay, "As dealt")
    assert hand(replay, 0) == [spoken(face, start["wild"]) for face in start["hands"][0]]
    replay.reload()
    opened(replay)
    expect(replay.get_by_role("button", name="As dealt")).to_have_attribute("aria-pressed", "true")


def test_melds_are_named_and_wilds_say_what_they_stand_for(new_page: Callable[..., Page]) -> None:
    page = opened(new_page(f"/replay?at={COUNT}", viewport=WIDE))
    labels = page.locator(".group > ul").evaluate_all("(lists) => lists.map((list) => list.getAttribute('aria-label'))")
    assert any(re.fullmatch(r"Run of \w+, \w+ to \w+", label) for label in labels)
    assert any(re.fullmatch(r"Book of \w+s", label) for label in labels)
    names = [name for seat in range(4) for name in hand(page, seat)]
    assert any(re.fullmatch(r"Joker, wild, as .+", name or "") for name in names)


# --- playing -----------------------------------------------------------------------------------------------------


def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(new_page: Callable[..., Page]) -> None:
    page = opened(new_page(f"/replay?at={COUNT - 4}", viewport=WIDE))
    stop_the_clock(page)
    page.locator("[data-speed]").select_option("16")
    button(page, "Play")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(60)
    assert position(page) == COUNT - 3
    page.clock.run_for(1000)
    assert position(page) == COUNT
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert f"at={COUNT}" in page.url


def test_play_at_the_end_begins_again(new_page: Callable[..., Page]) -> None:
    page = opened(new_page(f"/replay?at={COUNT}", viewport=WIDE))
    stop_the_clock(page)
    button(page, "Play")
    assert position(page) == 1


def test_the_address_follows_when_paused_only(replay: Page) -> None:
    stop_the_clock(replay)
    button(replay, "Next event")
    assert "at=2" in replay.url
    button(replay, "Play")
    replay.clock.run_for(1000)
    assert position(replay) == 3
    assert "at=2" in replay.url
    button(replay, "Pause")
    assert "at=3" in replay.url


def test_steps_by_hand_are_spoken_and_playing_is_not(replay: Page) -> None:
    status = replay.locator("[data-status]")
    button(replay, "Next event")
    said = status.inner_text()
    assert said == replay.locator("[data-event='2'] [data-said-all]").text_content()
    stop_the_clock(replay)
    button(replay, "Play")
    replay.clock.run_for(1000)
    assert position(replay) == 3
    assert status.inner_text() == said


def test_copy_link_gives_the_moment(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/replay", viewport=WIDE, permissions=["clipboard-read", "clipboard-write"]))
    page.locator("[data-slider]").fill("42")
    page.locator("[data-view]").select_option("public")
    page.locator("[data-act='link']").click()
    expect(page.locator("[data-link-text]")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/replay?at=42&view=public")


# --- small screens -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/replay?at=300", "/seven?at=370", "/two?at=190", "/showcase", "/signed-in"])
@pytest.mark.parametrize("width", [320, 360])
def test_nothing_is_wider_than_a_phone(new_page: Callable[..., Page], path: str, width: int) -> None:
    page = new_page(path, viewport={"width": width, "height": 640})
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_on_a_phone_the_controls_stay_in_sight_and_the_story_is_reached(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/replay?at=300", viewport={"width": 360, "height": 640}))
    page.locator(".replay").evaluate("(box) => box.scrollIntoView()")
    expect(page.get_by_role("button", name="Next event")).to_be_in_viewport(ratio=1)
    expect(page.locator(".seat.is-large [data-hand]")).to_be_in_viewport(ratio=1)
    page.locator("[data-story]").scroll_into_view_if_needed()
    expect(page.locator("[data-story]")).to_be_in_viewport()


def swipe(page: Page, dx: int, dy: int) -> None:
    """A finger over the table, as the browser sends it."""
    session = page.context.new_cdp_session(page)
    x, y = 180, 400
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        point = {"x": x + dx * step / 8, "y": y + dy * step / 8}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_swiping_sideways_steps_and_swiping_up_scrolls(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/replay?at=50", viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True))
    page.locator(".replay").evaluate("(box) => box.scrollIntoView()")
    swipe(page, -120, 5)
    assert position(page) == 51
    swipe(page, 120, 5)
    assert position(page) == 50
    before = page.evaluate("scrollY")
    swipe(page, 5, -150)
    page.wait_for_function("(before) => scrollY > before + 50", arg=before)
    assert position(page) == 50


def test_nothing_jumps_while_a_round_is_played(new_page: Callable[..., Page]) -> None:
    """The controls stay where they are from the deal of the last round to its last discard."""
    page = opened(new_page("/replay", viewport=WIDE))
    page.locator("[data-sheet-row='11'] a").click()
    button = page.locator("[data-act='next']")
    heights = set()
    while EVENTS[position(page) - 1]["type"] != "round_end":
        heights.add(button.evaluate("(button) => button.getBoundingClientRect().top + scrollY"))
        button.evaluate("(button) => button.click()")
    assert len(heights) == 1


# --- tables of eight and more, other faces -----------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 360])
def test_fourteen_hands_fit_on_the_screen(new_page: Callable[..., Page], width: int) -> None:
    page = opened(new_page("/fourteen?at=500", viewport={"width": width, "height": 800}))
    hands = [page.locator(f"[aria-label^='Seat {seat}:'] [data-hand]") for seat in range(14)]
    for hand_list in hands:
        expect(hand_list).to_be_visible()
        assert hand_list.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_tarot_faces_are_a_choice_that_is_remembered(replay: Page) -> None:
    """RULES 5: trumps for stars and ones for jokers, drawn and named; nothing else changes."""
    replay.goto("/replay?at=405")
    opened(replay)
    before = [hand(replay, seat) for seat in range(4)]
    button(replay, "Tarot faces")
    replay.reload()
    opened(replay)
    expect(replay.get_by_role("button", name="Tarot faces", exact=True)).to_have_attribute("aria-pressed", "true")
    renamed = [[name.replace("stars", "trumps").replace("Joker", "1, a joker") for name in names] for names in before]
    assert [hand(replay, seat) for seat in range(4)] == renamed != before
    button(replay, "Tarot faces")
    assert [hand(replay, seat) for seat in range(4)] == before
