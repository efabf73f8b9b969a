"""Pictures of the test pages: `python -m tests.web.viewer.look DIR` writes them wide and narrow, light and dark."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import django
from playwright.sync_api import Browser, sync_playwright

import tests.support.environment  # noqa: F401  settings read the environment that it makes

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"wide": (1280, 900), "narrow": (360, 640)}


def main(folder: Path, wanted: list[str]) -> None:
    from tests.web.viewer.showcase import PAGES, PICTURES
    from tests.web.viewer.site import served

    with served(PAGES) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        for name, path in PICTURES.items():
            if not wanted or any(word in name for word in wanted):
                _pictures(browser, address + path, folder / name)
        browser.close()


def _pictures(browser: Browser, url: str, stem: Path) -> None:
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.on("console", lambda message: print(stem.name, message.type, message.text))
            page.on("pageerror", lambda error: print(stem.name, error))
            page.goto(url, wait_until="networkidle")
            page.screenshot(path=f"{stem}-{size}-{scheme}.png", full_page=True)
            page.close()


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "web.settings"
    django.setup()
    main(Path(sys.argv[1]), sys.argv[2:])
