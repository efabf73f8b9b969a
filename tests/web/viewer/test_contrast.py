"""Contrast of every pair of colours that the style sheets put together, computed from the tokens (WCAG 1.4.3, 1.4.11)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web

TOKENS = (Path(web.__file__).parent / "static/css/tokens.css").read_text(encoding="utf-8")
THEMES = ("light", "dark")
TEXT, MARK = 4.5, 3.0

PAIRS = [
    *[(ink, paper, TEXT) for ink in ("ink", "ink-soft") for paper in ("paper", "surface", "sunken", "accent-wash")],
    *[
        (ink, paper, TEXT)
        for ink in ("accent", "accent-hover")
        for paper in ("paper", "surface", "sunken", "accent-wash")
    ],
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-hover", TEXT),
    *[(state, f"{state}-wash", TEXT) for state in ("good", "warn", "bad", "info")],
    *[("ink", f"{state}-wash", TEXT) for state in ("good", "warn", "bad", "info")],
    *[("accent", f"{state}-wash", TEXT) for state in ("good", "warn", "bad", "info")],
    *[(state, paper, TEXT) for state in ("good", "warn", "bad", "info") for paper in ("paper", "surface")],
    *[("rule-strong", paper, MARK) for paper in ("paper", "surface")],
    *[("focus", paper, MARK) for paper in ("paper", "surface", "sunken", "accent-wash")],
    *[(suit, paper, MARK) for suit in ("spade", "heart", "club", "diamond", "star") for paper in ("paper", "surface")],
    *[(f"card-{suit}", "card-face", TEXT) for suit in ("spade", "heart", "club", "diamond", "star")],
    ("card-joker", "card-face", TEXT),
    ("card-face", "card-wild", TEXT),
    ("card-back-line", "card-back", MARK),
    *[
        (ink, felt, TEXT)
        for ink in ("felt-ink", "felt-soft", "felt-gold", "felt-bad")
        for felt in ("felt", "felt-seat")
    ],
    ("felt", "felt-ink", TEXT),
    ("card-joker", "felt-gold", TEXT),
    *[("felt-focus", felt, MARK) for felt in ("felt", "felt-seat")],
]


def colours(theme: str) -> dict[str, str]:
    found = re.findall(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));", TOKENS)
    return {name: both or (light if theme == "light" else dark) for name, light, dark, both in found}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_is_twenty_one() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "paper", "least"), PAIRS, ids=[f"{ink} on {paper}" for ink, paper, _ in PAIRS])
def test_contrast(theme: str, ink: str, paper: str, least: float) -> None:
    named = colours(theme)
    assert contrast(named[ink], named[paper]) >= least
