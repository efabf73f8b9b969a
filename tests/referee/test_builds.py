"""The game as source and compiled: which of the two runs, and that everything here holds for both."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee.compiled import BESIDE, VARIABLE, build_in
from tests.support.builds import PURE, QUICK, quickly_compiled

ROOT = Path(__file__).parents[2]
WHICH = "import referee; from referee.rules import state; print(referee.IS_COMPILED, state.__file__)"

COMPILED = (
    "tests/rules",
    "tests/referee/record",
    "tests/referee/play",
    "tests/referee/rpc/test_connection.py",
    "tests/referee/rpc/test_games.py",
    "tests/referee/rpc/test_journal_store.py",
)
"""Tests of what is compiled."""


@pytest.fixture(scope="module")
def build() -> Path:
    quickly_compiled()
    return build_in(QUICK)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the package without builds, as `pip install` leaves it."""
    shutil.copytree(ROOT / "referee", tmp_path / "referee", ignore=shutil.ignore_patterns("__pycache__", BESIDE.name))
    return tmp_path


def run(project: Path, *command: str, which: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if which is not None:
        environment[VARIABLE] = which
    return subprocess.run(
        [sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def runs_from(project: Path, which: str | None = None) -> tuple[str, Path]:
    """Whether the game says that it is compiled, and the file of a module of it."""
    ran = run(project, "-c", WHICH, which=which)
    assert ran.returncode == 0, ran.stderr
    is_compiled, _, path = ran.stdout.strip().partition(" ")
    return is_compiled, Path(path)


def test_what_is_compiled_passes_its_tests_with_the_other_build() -> None:
    """Tables, brute force, properties, golden games, sessions: this run has them with one build, this test with the other.

    Left out is what puts functions of the test's own into a module: compiled ones call each other directly."""
    other = PURE if referee.IS_COMPILED else quickly_compiled()
    assert runs_from(ROOT, other)[0] == str(not referee.IS_COMPILED)
    ran = run(ROOT, "-m", "pytest", "-q", *COMPILED, "--ignore=tests/referee/play/test_no_leaks.py", which=other)
    assert ran.returncode == 0, ran.stdout[-5000:]
    passed = re.search(r"^(\d+) passed", ran.stdout, re.MULTILINE)
    assert passed, ran.stdout[-5000:]
    assert int(passed[1]) > 1_200


def test_without_a_build_the_source_runs(project: Path) -> None:
    assert runs_from(project) == ("False", project / "referee/rules/state.py")


def test_a_build_beside_the_source_is_found(project: Path, build: Path) -> None:
    beside = project / "referee" / BESIDE.name / build.name
    shutil.copytree(build, beside)
    is_compiled, path = runs_from(project)
    assert (is_compiled, path.parent) == ("True", beside / "rules")
    assert runs_from(project, PURE) == ("False", project / "referee/rules/state.py")


def test_a_build_of_other_source_is_never_used(project: Path, build: Path) -> None:
    folder = project / "referee" / BESIDE.name
    shutil.copytree(build, folder / build.name)
    with (project / "referee/rules/melds.py").open("a") as file:
        file.write("\n# changed\n")
    assert runs_from(project) == ("False", project / "referee/rules/state.py")
    ran = run(project, "-c", WHICH, which=str(folder))
    assert ran.returncode == 1
    assert f"ImportError: CROWNS_BUILD names {folder}, where no build of the source as it is today lies" in ran.stderr


def test_a_build_for_another_python_is_never_used(project: Path, build: Path) -> None:
    folder = project / "referee" / BESIDE.name
    shutil.copytree(build, folder / build.name.replace("cpython-3", "cpython-2"))
    assert runs_from(project)[0] == "False"


def test_compiling_again_compiles_nothing_and_clears_away_what_is_old(tmp_path: Path, build: Path) -> None:
    shutil.copytree(build, tmp_path / build.name)
    tag = build.name.rpartition("-")[0]
    old, others = tmp_path / f"{tag}-0123456789abcdef", tmp_path / "cpython-299-elsewhere-0123456789abcdef"
    old.mkdir()
    others.mkdir()
    ran = run(ROOT, "-m", "referee.compiling", "--into", str(tmp_path))
    assert ran.stdout == f"{tmp_path / build.name}\n"
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / build.name, others])


@pytest.mark.parametrize("is_compiled", [False, True], ids=["source", "compiled"])
def test_the_command_line_says_which_runs(is_compiled: bool) -> None:
    ran = run(ROOT, "-m", "bots.cli", "--version", which=quickly_compiled() if is_compiled else PURE)
    assert re.fullmatch(rf"crowns \S+, {'compiled' if is_compiled else 'not compiled'}\n", ran.stdout)
