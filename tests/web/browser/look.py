"""Pictures of every page: `python -m tests.web.browser.look DIR [WORD ...]` writes them wide and narrow, light and dark."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import django
from playwright.sync_api import Browser, BrowserContext, sync_playwright

import tests.support.environment  # noqa: F401  settings read the environment that it makes
from tests.web.viewer.look import CHROMIUM, CHROMIUM_ARGS

SIZES = {"wide": (1280, 900), "narrow": (360, 740)}


def main(folder: Path, wanted: list[str]) -> None:
    from django.core.management import call_command

    from tests.web.browser.places import DESK, PLACES
    from tests.web.browser.served import served
    from tests.web.pages.world import built

    call_command("migrate", verbosity=0, interactive=False)
    with built() as world, served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        for place in (*PLACES, *DESK):
            if not wanted or any(word in place.name for word in wanted):
                _pictures(browser, address, place.path(world), place.user, folder / place.name)
        browser.close()


def _pictures(browser: Browser, address: str, path: str, user: str, stem: Path) -> None:
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            sign_in(context, address, user)
            page = context.new_page()
            page.on("console", lambda message: print(stem.name, message.type, message.text))
            page.on("pageerror", lambda error: print(stem.name, error))
            page.goto(address + path, wait_until="networkidle")
            page.screenshot(path=f"{stem}-{size}-{scheme}.png", full_page=True)
            print(stem.name, size, scheme, page.evaluate("document.documentElement.scrollWidth"), flush=True)
            context.close()


def sign_in(context: BrowserContext, address: str, user: str) -> None:
    """A session made by hand: logging in is another test's business."""
    if not user:
        return
    from django.conf import settings
    from django.test import Client

    from tournaments.models import Account

    client = Client()
    client.force_login(Account.objects.get(username=user))
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": address}])


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "web.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps a loop in this thread
    django.setup()
    main(Path(sys.argv[1]), sys.argv[2:])
