"""Measurements in processes of their own: each with one build of the rules, or with the packages compared with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from referee.compiled import VARIABLE
from tests.support.builds import PURE, compiled

__all__ = ["PURE", "compiled", "has_peer", "measured", "measured_peer", "told"]

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "build" / "bench-venv" / "bin" / "python"


def measured(build: str, module: str, *arguments: str) -> float:
    """The number that `python -m MODULE ARGUMENTS` prints with this build of the rules."""
    return _number([sys.executable, "-m", module, *arguments], {VARIABLE: build})


def told(build: str, module: str, *arguments: str) -> str:
    """All that `python -m MODULE ARGUMENTS` prints with this build of the rules."""
    return _output([sys.executable, "-m", module, *arguments], {VARIABLE: build})


def has_peer(package: str) -> bool:
    """Whether `make bench-peers` could install it."""
    return PEERS.exists() and _run([str(PEERS), "-c", f"import {package}"], {}).returncode == 0


def measured_peer(package: str, seconds: float) -> float:
    """Decisions per CPU second of uniformly random gin rummy of the package, see `tests/bench/peers.py`."""
    return _number([str(PEERS), "tests/bench/peers.py", package, str(seconds)], {})


def _number(command: list[str], environment: dict[str, str]) -> float:
    return float(_output(command, environment))


def _output(command: list[str], environment: dict[str, str]) -> str:
    ran = _run(command, environment)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)} failed: {ran.stderr[-2000:]}")
    return ran.stdout


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
