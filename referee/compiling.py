"""Compile the game with mypyc; mypy, setuptools, a C compiler and the headers of Python are needed.

python -m referee.compiling              builds beside the source, for this Python
python -m referee.compiling --into DIR   builds in another folder
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from referee.compiled import BESIDE, REFEREE, build_in, build_tag, inits, modules

_GROUP = "referee.all"
"""Of the library that holds the code of all modules; each module's own file only points into it."""


def compile_referee(folder: Path = BESIDE, opt_level: str = "2") -> Path:
    """Builds into `folder` what is not there yet, removes what older source left for this Python, and says where the build is.

    `opt_level` is the C compiler's; a folder holds builds of one level.
    """
    build = build_in(folder)
    if not build.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".building-") as work:
            made = _compile(Path(work).resolve(), opt_level)
            try:
                made.rename(build)
            except OSError:
                if not build.is_dir():  # else somebody was faster
                    raise
    for other in folder.glob(f"{build_tag()}-*"):
        if other != build:
            shutil.rmtree(other, ignore_errors=True)
    return build


def _compile(work: Path, opt_level: str) -> Path:
    """The folder under `work` with a file for each module and the library."""
    # Tools of developers: not there where the game only runs.
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    root = REFEREE.parent
    with chdir(root):  # module names follow from where mypy stands
        paths = [str(path.relative_to(root)) for path in modules()]
        options = [
            "--config-file=",
            "--ignore-missing-imports",
            f"--cache-dir={work / 'types'}",
            "--python-version=3.11",
        ]
        extensions = mypycify(
            [*options, *paths], target_dir=str(work / "c"), group_name=_GROUP, debug_level="0", opt_level=opt_level
        )
        for extension in extensions:  # else no function may be inlined into another
            extension.extra_compile_args.append("-fno-semantic-interposition")
        command = build_ext(Distribution({"name": "referee", "ext_modules": extensions}))
        command.build_lib, command.build_temp = str(work / "lib"), str(work / "objects")
        command.ensure_finalized()
        command.run()
    made = work / "lib/referee"
    for path in inits():
        shutil.copy(path, made / path.relative_to(REFEREE))
    return made


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m referee.compiling", description="Compile rules, record and play.")
    parser.add_argument("--into", type=Path, default=BESIDE, metavar="DIR", help="where builds lie; beside the source")
    print(compile_referee(parser.parse_args().into))  # noqa: T201 - the answer of a command
    return 0


if __name__ == "__main__":
    sys.exit(main())
