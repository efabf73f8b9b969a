"""Waiting for something that another process does."""

import time
from collections.abc import Callable
from pathlib import Path


def wait_until(condition: Callable[[], object], what: str, within_s: float = 60.0) -> None:
    """Return as soon as the condition holds; fail the test if it does not in time."""
    give_up_at = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < give_up_at, f"waited {within_s:g} s in vain: {what}"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether the process lives; one that ended and waits for its parent does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")
