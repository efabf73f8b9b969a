"""Chromium, the served test pages, and a page that complains of what a visitor would only find in the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.viewer.look import CHROMIUM, CHROMIUM_ARGS
from tests.web.viewer.showcase import PAGES
from tests.web.viewer.site import served


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Of the package, not of the session: while it lives, the main thread has a running event loop."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    with served(PAGES) as address:
        yield address


@pytest.fixture
def new_page(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """`new_page(path, **context)` opens a page of the test site; errors and refused styles or scripts fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, **options: Any) -> Page:
        context = browser.new_context(base_url=address, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.goto(path)
        return page

    open_page.complaints = complaints  # type: ignore[attr-defined]  # for the test of a broken replay
    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def replay(new_page: Callable[..., Page]) -> Page:
    """The four-seat game in a wide window, with the viewer running."""
    return opened(new_page("/replay", viewport={"width": 1280, "height": 900}))


def opened(page: Page) -> Page:
    page.locator("[data-stage]").wait_for()
    return page
