"""The two builds of the game, for tests and measurements: what to set CROWNS_BUILD to."""

from __future__ import annotations

from pathlib import Path

from referee.compiled import PURE
from referee.compiling import compile_referee

FOLDER = Path(__file__).parents[2] / "build" / "compiled"
"""Kept from run to run; a build is found again as long as its source is the same."""

QUICK = FOLDER.with_name("compiled-quickly")
"""Builds that the C compiler did not optimise."""

__all__ = ["FOLDER", "PURE", "QUICK", "compiled", "quickly_compiled"]


def compiled() -> str:
    """The folder of the compiled build, made if need be (about a minute)."""
    compile_referee(FOLDER)
    return str(FOLDER)


def quickly_compiled() -> str:
    """The folder of one that is made in a third of the time and is slower: for those who ask only whether it works."""
    compile_referee(QUICK, opt_level="0")
    return str(QUICK)
