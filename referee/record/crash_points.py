"""Named places at which a process kills itself, so that tests can show what survives.

`CROWNS_CRASH_AT=journal.written:37` ends the process, as `kill -9` would, when it reaches that place for the 37th time; `:1` if no
number is given. It is refused unless `CROWNS_DEBUG` is on: a site that people use has no such switch.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

VARIABLE = "CROWNS_CRASH_AT"
DEBUG = "CROWNS_DEBUG"

REFEREE = (
    "journal.before",
    "journal.written",
    "frame.before",
    "frame.sent",
    "result.before",
    "result.on_disk",
    "result.offered",
    "acknowledged.before",
    "acknowledged",
)
SITE = (
    "round.pairing",
    "round.paired",
    "attempt.written",
    "start.answered",
    "result.collected",
    "result.committing",
    "result.committed",
    "acknowledge.before",
    "acknowledge.after",
    "hint.before",
    "hint.published",
    "round.closing",
    "round.closed",
)


class CrashPointError(ValueError):
    """The variable names no place, or may not be used here."""


_armed: dict[str, int] = {}
"""Where to end, and how often that place must still be reached."""


def arm(environment: Mapping[str, str]) -> None:
    """Reads the variable. Raises CrashPointError for a name that no place has, and where people use the site."""
    wanted = environment.get(VARIABLE, "")
    if not wanted:
        return
    if environment.get(DEBUG, "").lower() not in ("1", "true", "yes", "on"):
        raise CrashPointError(f"{VARIABLE}={wanted!r} is for tests: it is refused unless {DEBUG}=1")
    name, _, count = wanted.partition(":")
    if name not in REFEREE + SITE or not (count or "1").isdecimal() or count == "0":
        raise CrashPointError(f"{VARIABLE}={wanted!r}: give NAME or NAME:COUNT with one of {', '.join(REFEREE + SITE)}")
    _armed[name] = int(count or "1")


def reach(name: str) -> None:
    """The process is at this place."""
    if name not in _armed:
        return
    _armed[name] -= 1
    if not _armed[name]:
        os.kill(os.getpid(), signal.SIGKILL)
