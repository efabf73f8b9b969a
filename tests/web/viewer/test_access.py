"""Accessibility of every test page by axe, and what axe does not see: sizes of targets, names of cards, the CSP."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page

import web
from tests.web.viewer.conftest import opened

pytestmark = pytest.mark.browser

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = {"wide": 1280, "narrow": 320}
MODULES = sorted(set((Path(web.__file__).parent / "static/js").rglob("*.js")))
TEMPLATES = sorted((Path(web.__file__).parent / "templates").rglob("*.html"))


def violations(page: Page) -> list[str]:
    """Axe speaks to the page through the debugger, which the content security policy does not stop."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        "(tags) => axe.run(document, {runOnly: tags}).then((found) => found.violations)", TAGS
    )
    return [f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


def ready(page: Page) -> Page:
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.parametrize("path", ["/showcase", "/replay?at=200", "/seven?at=392", "/troubled?at=70&view=1"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_axe_finds_nothing(new_page: Callable[..., Page], path: str, scheme: str, width: int) -> None:
    page = ready(new_page(path, viewport={"width": width, "height": 800}, color_scheme=scheme))
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_the_help_open(new_page: Callable[..., Page], scheme: str) -> None:
    page = opened(new_page("/replay", color_scheme=scheme))
    page.locator("[data-act='help']").click()
    assert violations(page) == []


def test_axe_would_find_something(new_page: Callable[..., Page]) -> None:
    assert any(found.startswith("html-has-lang") for found in violations(new_page("/blank")))


@pytest.mark.parametrize("path", ["/showcase", "/replay?at=200"])
def test_targets_are_at_least_24_pixels(new_page: Callable[..., Page], path: str) -> None:
    """WCAG 2.5.8; links within a sentence and what only the keyboard reaches are exempt."""
    page = ready(new_page(path, viewport={"width": 360, "height": 800}))
    small = page.evaluate(
        """() => [...document.querySelectorAll("a, button, input, select, summary")]
            .filter((node) => !node.closest(".prose, .message, .skip-link, template, dialog:not([open])"))
            .map((node) => [node, node.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 24 || box.width < 24))
            .map(([node, box]) => `${node.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
    )
    assert small == []


def test_every_card_on_the_table_has_a_name(new_page: Callable[..., Page]) -> None:
    page = opened(new_page("/seven?at=380&view=3"))
    names = page.locator(".card svg").evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    pattern = r"((\d+|jack|queen|king) of (spade|heart|club|diamond|star)s|Joker|face-down card)(, wild)?(, as .+)?"
    assert names
    assert [name for name in names if not re.fullmatch(pattern, name or "")] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=[path.name for path in TEMPLATES])
def test_templates_hold_nothing_that_the_policy_forbids(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:|hx-on|hx-vals=['\"]js:|hx-trigger=[^>]*\[", text)
    for script in re.findall(r"<script(.*?)>", text):
        assert "src=" in script


@pytest.mark.parametrize("module", MODULES, ids=[path.name for path in MODULES])
def test_modules_import_so_that_hashed_names_are_found(module: Path) -> None:
    """The static storage rewrites relative static imports that end in a semicolon, and nothing else."""
    text = module.read_text(encoding="utf-8")
    imports = re.findall(r"^import\b.*?$(?:\n  .*$|\n}.*$)*", text, re.MULTILINE)
    assert len(imports) == len(re.findall(r"\bfrom \"", text))
    assert all(re.search(r' from "\.\.?/[\w/]+\.js";$', statement) for statement in imports)
    assert not re.search(r"\bimport\(", text)


def test_who_is_signed_in_may_leave_by_a_form(new_page: Callable[..., Page]) -> None:
    page = ready(new_page("/signed-in"))
    form = page.locator(".account form")
    assert (form.get_attribute("method"), form.get_attribute("action")) == ("post", "/account_logout/")
    assert form.locator("[name='csrfmiddlewaretoken']").count() == 1
    assert page.get_by_role("link", name="My bots").get_attribute("aria-current") == "true"
    assert page.get_by_role("link", name="Log in").count() == 0


def test_the_policy_forbids_a_style_in_the_page(new_page: Callable[..., Page]) -> None:
    """The fixture would fail this test if it did not: the test pages do run under the policy."""
    page = new_page("/replay")
    page.evaluate("""document.body.insertAdjacentHTML("beforeend", '<p style="color: red">x</p>')""")
    complaints = new_page.complaints  # type: ignore[attr-defined]  # set by the fixture
    assert "Content Security Policy" in complaints.pop()


@pytest.mark.parametrize(("presses", "theme"), [(1, "light"), (2, "dark"), (3, None)])
def test_the_colour_switch_is_remembered(new_page: Callable[..., Page], presses: int, theme: str | None) -> None:
    page = ready(new_page("/showcase"))
    for _ in range(presses):
        page.get_by_role("button", name="Colours").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme ?? null") == theme


def test_code_is_copied(new_page: Callable[..., Page]) -> None:
    page = ready(new_page("/showcase", permissions=["clipboard-read", "clipboard-write"]))
    page.get_by_role("button", name=re.compile("^Copy.+Connect$")).click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("crowns connect my_bot.py:MyBot")


def test_a_wrong_form_takes_the_focus_and_points_at_its_fields(new_page: Callable[..., Page]) -> None:
    page = ready(new_page("/showcase"))
    assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    page.get_by_role("link", name="Name", exact=True).click()
    field = page.locator("#id_name")
    assert field.get_attribute("aria-invalid") == "true"
    described = (field.get_attribute("aria-describedby") or "").split()
    assert described
    assert all(page.locator(f"#{name}").count() == 1 for name in described)
