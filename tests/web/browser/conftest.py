"""The site with its world in Chromium; what a visitor would only find in the console fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.browser.look import sign_in
from tests.web.browser.served import served
from tests.web.pages.world import World, built
from tests.web.viewer.look import CHROMIUM, CHROMIUM_ARGS

WIDE = {"width": 1280, "height": 900}
OpenPage = Callable[..., Page]


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Committed, for the server answers in threads of its own; tests that write do it under names of their own."""
    with django_db_blocker.unblock(), built() as world:
        yield world


@pytest.fixture(autouse=True)
def db(world: World) -> None:
    """In place of the usual one: within a transaction the server would see nothing. The name has the tables made."""


@pytest.fixture(scope="package")
def address(world: World) -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="package")
def browser(address: str) -> Iterator[Browser]:
    """Asked for after the world: while it lives, the main thread has a running event loop."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


NO_FADING = "ViewTransition opt-in disabled"


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """`open_page(path, user, **context)`; the page complains at the end of the test of anything in its console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(path: str, user: str = "", **options: Any) -> Page:
        context = browser.new_context(base_url=address, **{"viewport": WIDE, **options})
        contexts.append(context)
        sign_in(context, address, user)
        page = context.new_page()
        # Chromium says so of a page that would fade into one of the admin, which does not; nothing is wrong with either.
        page.on("pageerror", lambda error: None if NO_FADING in str(error) else complaints.append(str(error)))
        page.on("console", lambda message: _hear(message, complaints))
        page.goto(path)  # until it is loaded, and modules have run by then
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def _hear(message: Any, complaints: list[str]) -> None:
    """A page that is not there is said in the console too; that is what it was asked for."""
    if message.type in ("error", "warning") and "status of 40" not in message.text:
        complaints.append(message.text)
