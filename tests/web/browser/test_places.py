"""Every page in Chromium, wide and light, then narrow and dark: axe finds nothing, nothing is in the console, nothing overflows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import WIDE, OpenPage
from tests.web.browser.places import DESK, PLACES, Place
from tests.web.pages.world import World
from tests.web.viewer.test_access import violations

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}


def overflow(page: Page) -> int:
    """By how many pixels one would have to scroll sideways."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


@pytest.mark.parametrize("place", PLACES, ids=[place.name for place in PLACES])
@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", NARROW)], ids=["light", "dark"])
def test_a_place(world: World, open_page: OpenPage, place: Place, scheme: str, size: dict[str, int]) -> None:
    """Without motion: a colour on its way to another has no contrast of its own."""
    path = place.path(world)
    page = open_page(path, place.user, color_scheme=scheme, viewport=size, reduced_motion="reduce")
    assert violations(page) == []
    assert overflow(page) == 0


def test_one_heading_of_the_first_rank(world: World, open_page: OpenPage) -> None:
    page = open_page("/")
    for place in PLACES:
        if not place.user:
            page.goto(place.path(world))
            assert page.locator("h1").count() == 1, place.name


@pytest.mark.parametrize("place", DESK, ids=[place.name for place in DESK])
def test_the_desk_works_under_the_policy(world: World, open_page: OpenPage, place: Place) -> None:
    page = open_page(place.path(world), place.user)
    expect(page.locator("#content")).to_be_visible()
