"""The keyboard: what each key does, and which keys stay the browser's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.viewer.conftest import opened
from tests.web.viewer.test_viewer import COUNT, EVENTS, WIDE, position, stop_the_clock

pytestmark = pytest.mark.browser

ROUND = [number for number, event in enumerate(EVENTS, start=1) if event["type"] == "round_start"]


@pytest.fixture
def at_twenty(new_page: Callable[..., Page]) -> Page:
    return opened(new_page("/replay?at=20", viewport=WIDE))


def focus_inside(page: Page) -> None:
    page.locator("[data-story]").focus()


@pytest.mark.parametrize(
    ("key", "event"),
    [
        ("ArrowRight", 21),
        ("ArrowLeft", 19),
        ("Home", 1),
        ("End", COUNT),
        ("PageDown", next(number for number in ROUND if number > 20)),
        ("PageUp", max(number for number in ROUND if number < 20)),
    ],
)
def test_keys_that_move(at_twenty: Page, key: str, event: int) -> None:
    focus_inside(at_twenty)
    at_twenty.keyboard.press(key)
    assert position(at_twenty) == event


@pytest.mark.parametrize(("keys", "step"), [(("]", "Shift+ArrowRight"), 1), (("[", "Shift+ArrowLeft"), -1)])
def test_keys_of_a_turn_of_the_table(at_twenty: Page, keys: tuple[str, str], step: int) -> None:
    focus_inside(at_twenty)
    at_twenty.keyboard.press(keys[0])
    there = position(at_twenty)
    assert (there - 20) * step > 1
    at_twenty.locator("[data-slider]").fill("20")
    focus_inside(at_twenty)
    at_twenty.keyboard.press(keys[1])
    assert position(at_twenty) == there


def test_keys_of_moments_views_and_speed(at_twenty: Page) -> None:
    focus_inside(at_twenty)
    view, speed = at_twenty.locator("[data-view]"), at_twenty.locator("[data-speed]")
    for key, shown in (("2", "2"), ("h", "public"), ("0", "0"), ("a", "all"), ("9", "all")):
        at_twenty.keyboard.press(key)
        expect(view).to_have_value(shown)
    for key, shown in ((".", "2"), (".", "4"), (",", "2")):
        at_twenty.keyboard.press(key)
        expect(speed).to_have_value(shown)
    at_twenty.keyboard.press("n")
    later = position(at_twenty)
    assert later > 20
    at_twenty.keyboard.press("p")
    assert position(at_twenty) < later


def test_space_plays_and_presses_a_button_that_has_the_focus(at_twenty: Page) -> None:
    stop_the_clock(at_twenty)
    focus_inside(at_twenty)
    at_twenty.keyboard.press("Space")
    expect(at_twenty.get_by_role("button", name="Pause")).to_be_visible()
    at_twenty.keyboard.press("Space")
    expect(at_twenty.get_by_role("button", name="Play")).to_be_visible()
    at_twenty.get_by_role("button", name="Next event").focus()
    at_twenty.keyboard.press("Space")
    assert position(at_twenty) == 21
    expect(at_twenty.get_by_role("button", name="Play")).to_be_visible()


def test_outside_the_viewer_keys_are_the_page_s(at_twenty: Page) -> None:
    at_twenty.locator(".brand").focus()
    for key in ("n", "a", "h", "1", "?", "[", "]", ",", ".", "Space", "Home", "End", "PageDown", "ArrowRight"):
        at_twenty.keyboard.press(key)
        assert position(at_twenty) == 20, key
        assert at_twenty.locator("[data-view]").input_value() == "all", key
    expect(at_twenty.locator("[data-help]")).to_be_hidden()


def test_with_nothing_in_focus_left_and_right_alone_step(at_twenty: Page) -> None:
    at_twenty.evaluate("document.activeElement.blur()")
    at_twenty.keyboard.press("ArrowRight")
    assert position(at_twenty) == 21
    for key in ("n", "h", "End", "Space"):
        at_twenty.keyboard.press(key)
    assert position(at_twenty) == 21


WITH_MODIFIER = ("Control+ArrowRight", "Alt+Home", "Meta+ArrowRight", "Control+a", "Alt+1")
NEVER_TAKEN = ("ArrowUp", "ArrowDown", "Enter", "Escape", "Tab")


def test_keys_that_are_never_swallowed(at_twenty: Page) -> None:
    focus_inside(at_twenty)
    at_twenty.evaluate(
        "() => { window.taken = []; addEventListener('keydown', (e) => e.defaultPrevented && taken.push(e.key)); }"
    )
    for key in (*WITH_MODIFIER, *NEVER_TAKEN):
        at_twenty.keyboard.press(key)
        assert position(at_twenty) == 20, key
    assert at_twenty.evaluate("taken") == []
    at_twenty.keyboard.press("ArrowRight")
    assert at_twenty.evaluate("taken") == ["ArrowRight"]


def test_a_list_of_choices_keeps_its_keys(at_twenty: Page) -> None:
    at_twenty.locator("[data-speed]").focus()
    for key in ("n", "ArrowRight", "a"):
        at_twenty.keyboard.press(key)
    assert position(at_twenty) == 20


def test_the_slider_keeps_its_own_keys_and_steps_once(at_twenty: Page) -> None:
    at_twenty.locator("[data-slider]").focus()
    at_twenty.keyboard.press("ArrowRight")
    assert position(at_twenty) == 21
    at_twenty.keyboard.press("End")
    assert position(at_twenty) == COUNT


def test_help_opens_closes_and_gives_the_focus_back(at_twenty: Page) -> None:
    focus_inside(at_twenty)
    at_twenty.keyboard.press("?")
    expect(at_twenty.locator("[data-help]")).to_be_visible()
    at_twenty.keyboard.press("ArrowRight")
    assert position(at_twenty) == 20
    at_twenty.keyboard.press("Escape")
    expect(at_twenty.locator("[data-help]")).to_be_hidden()
    expect(at_twenty.locator("[data-story]")).to_be_focused()


def test_the_story_is_one_stop_for_tab(at_twenty: Page) -> None:
    focus_inside(at_twenty)
    at_twenty.keyboard.press("Tab")
    expect(at_twenty.locator("[data-event='20'] a")).to_be_focused()
    at_twenty.keyboard.press("Tab")
    assert at_twenty.evaluate("document.activeElement.closest('[data-story]')") is None
