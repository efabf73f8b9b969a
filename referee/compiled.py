"""The game compiled: the files of `rules`, `record` and `play` themselves as extension modules, where somebody has built them.

`python -m referee.compiling` builds them. A build carries the digest of its source in its name, so one made from other source than
today's is not found. `referee` asks `chosen_build` when it is imported. The environment variable CROWNS_BUILD may say `pure`, to
run the source whatever was built, or name a DIR, whose build is then demanded; if it is not set, the build beside the source runs,
if there is one.
"""

from __future__ import annotations

import hashlib
import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

VARIABLE = "CROWNS_BUILD"
PURE = "pure"
REFEREE = Path(__file__).parent
PACKAGES = ("rules", "record", "record/codec", "play")
"""All of their modules are compiled."""
HOT = ("rpc/connection.py", "rpc/games.py", "rpc/journal_store.py", "rpc/lag.py")
"""Of what is at the edge, which waits more than it computes, these are passed with every decision."""
BESIDE = REFEREE / "_compiled"
"""Where builds lie that nobody has to name."""


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
            f"{VARIABLE} names {wanted}, where no build of the source as it is today lies: "
            f"build it by `python -m referee.compiling --into {wanted}`, or set {VARIABLE}={PURE}"
        )
    return None


def build_in(folder: Path) -> Path:
    """Where in `folder` the build lies that was made from today's source for this Python, if it was made."""
    digest = hashlib.sha256()
    for path in (*modules(), *inits()):
        name = path.relative_to(REFEREE).as_posix()
        digest.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return folder / f"{build_tag()}-{digest.hexdigest()[:16]}"


def modules() -> list[Path]:
    found = [path for package in PACKAGES for path in (REFEREE / package).glob("*.py")]
    return sorted([*(path for path in found if path.name != "__init__.py"), *(REFEREE / name for name in HOT)])


def inits() -> list[Path]:
    """They stay as they are."""
    return [REFEREE / package / "__init__.py" for package in PACKAGES]


def build_tag() -> str:
    """What the files of this kind of Python end with: `cpython-311-x86_64-linux-gnu`."""
    return EXTENSION_SUFFIXES[0].split(".")[1]
