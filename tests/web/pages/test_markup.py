"""What no template may hold: it would be refused by the content security policy, or let names do harm."""

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[3] / "web" / "templates"
OWN = [path for folder in ("pages", "account", "allauth", "admin") for path in (TEMPLATES / folder).rglob("*.html")]
OWN += list(TEMPLATES.glob("*.html"))


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_a_template(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "|safe" not in text
    assert "autoescape off" not in text
    assert not re.search(r"\sstyle\s*=", text)
    assert "hx-on" not in text
    assert "js:" not in text
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"\son[a-z]+\s*=", text)
    assert not re.search(r'hx-trigger="[^"]*\[', text)


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_names_stand_in_bdi(path: Path) -> None:
    """Where a name is shown, not where it is part of a title, a description or an address."""
    text = re.sub(r"{% block (?:title|description|heading) %}.*?{% endblock %}", "", path.read_text(encoding="utf-8"))
    text = re.sub(r"{% [^%]*%}", "", text)
    text = re.sub(r'="[^"]*"', "", text)
    shown = re.findall(r"(.{0,5}){{ [\w.]*(?:bot|owner|tournament|version)\.(?:name|username) }}", text)
    if path.parent.name != "tournaments":  # the organiser's desk shows names as Django does
        assert [before for before in shown if not before.endswith("<bdi>")] == []
