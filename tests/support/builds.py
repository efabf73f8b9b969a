"""The two builds of the rules, for tests and measurements: what to set CROWNS_RULES to."""

from __future__ import annotations

from pathlib import Path

from referee.compiled import PURE, compile_rules

FOLDER = Path(__file__).parents[2] / "build" / "rules"
"""Kept from run to run; a build is found again as long as its source is the same."""

__all__ = ["FOLDER", "PURE", "compiled"]


def compiled() -> str:
    """The folder of the compiled build, made if need be (about half a minute)."""
    compile_rules(FOLDER)
    return str(FOLDER)
