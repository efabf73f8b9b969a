"""The rules compiled: the files of `referee.rules` themselves as extension modules, where somebody has built them.

    python -m referee.compiled              builds them beside the source, for this Python; mypy and a C compiler are needed
    python -m referee.compiled --into DIR   builds them in another folder

A build carries the digest of its source in its name, so one made from other source than today's is not found. `referee.rules`
asks `chosen_build` when it is imported. The environment variable CROWNS_RULES may say `pure`, to run the source whatever was
built, or name a DIR, whose build is then demanded; if it is not set, the build beside the source runs, if there is one.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import sys
import tempfile
from contextlib import chdir
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

VARIABLE = "CROWNS_RULES"
PURE = "pure"
RULES = Path(__file__).parent / "rules"
BESIDE = RULES / "_compiled"
"""Where builds lie that nobody has to name."""
_GROUP = "referee.rules.all"
"""Of the library that holds the code of all modules; each module's own file only points into it."""


def chosen_build() -> Path | None:
    """The folder of extension modules to import; None for the source. ImportError if a build is demanded and not there."""
    wanted = os.environ.get(VARIABLE)
    if wanted == PURE:
        return None
    build = build_in(Path(wanted) if wanted else BESIDE)
    if build.is_dir():
        return build
    if wanted:
        raise ImportError(
            f"{VARIABLE} names {wanted}, where no build of the rules as they are today lies: "
            f"build it by `python -m referee.compiled --into {wanted}`, or set {VARIABLE}={PURE}"
        )
    return None


def build_in(folder: Path) -> Path:
    """Where in `folder` the build lies that was made from today's source for this Python, if it was made."""
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return folder / f"{_tag()}-{digest.hexdigest()[:16]}"


def compile_rules(folder: Path = BESIDE) -> Path:
    """Builds into `folder` what is not there yet, removes what older source left for this Python, and says where the build is."""
    build = build_in(folder)
    if not build.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as work:
            made = _compile(Path(work).resolve())
            try:
                made.rename(build)
            except OSError:
                if not build.is_dir():  # else somebody was faster
                    raise
    for other in folder.glob(f"{_tag()}-*"):
        if other != build:
            shutil.rmtree(other, ignore_errors=True)
    return build


def _sources() -> list[Path]:
    return sorted(path for path in RULES.glob("*.py") if path.name != "__init__.py")


def _tag() -> str:
    """What the files of this kind of Python end with: `cpython-311-x86_64-linux-gnu`."""
    return EXTENSION_SUFFIXES[0].split(".")[1]


def _compile(work: Path) -> Path:
    """The folder under `work` with a file for each module and the library."""
    # Tools of developers: not there where the rules only run.
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    root = RULES.parents[1]
    with chdir(root):  # module names follow from where mypy stands
        paths = [str(path.relative_to(root)) for path in _sources()]
        options = ["--config-file=", f"--cache-dir={work / 'types'}", "--python-version=3.11"]
        extensions = mypycify(
            [*options, *paths], target_dir=str(work / "c"), group_name=_GROUP, debug_level="0", opt_level="2"
        )
        for extension in extensions:  # else no function may be inlined into another
            extension.extra_compile_args.append("-fno-semantic-interposition")
        command = build_ext(Distribution({"name": "rules", "ext_modules": extensions}))
        command.build_lib, command.build_temp = str(work / "lib"), str(work / "objects")
        command.ensure_finalized()
        command.run()
    return work / "lib/referee/rules"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m referee.compiled", description="Compile the rules.")
    parser.add_argument("--into", type=Path, default=BESIDE, metavar="DIR", help="where builds lie; beside the source")
    print(compile_rules(parser.parse_args().into))  # noqa: T201 - the answer of a command
    return 0


if __name__ == "__main__":
    sys.exit(main())
