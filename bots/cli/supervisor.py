"""Run several processes as one: all start, all stop, and one that dies ends the others.

Each child leads a session of its own, so Ctrl-C in the terminal reaches only the supervisor, which asks the children
to end, waits, and kills whatever is left of each one's process group. On Linux the kernel asks them to end even if
the supervisor is killed outright.
"""

import contextlib
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any, Self

POLL_S = 0.1
GRACE_S = 15.0
"""Longer than a Celery worker needs to finish a poll of the referee."""
HINT_LINES = 15


class ProcessFailed(Exception):
    """A child ended by itself or never became ready; the message shows the end of its log."""


class PortUnavailable(Exception):
    """A port cannot be listened on; the message is one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Process:
    """A child to run; its output goes to the file `log`, the output of the start before to `log` + `.1`."""

    name: str
    argv: Sequence[str]
    log: Path
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the supervisor's own environment."""
    ready: Callable[[], bool] | None = None
    """Asked again and again until it says yes; None: ready once started."""
    ready_within_s: float = 60.0


def supervise(
    processes: Sequence[Process],
    *,
    on_ready: Callable[[], None] | None = None,
    until: Callable[[], bool] | None = None,
    grace_s: float = GRACE_S,
) -> None:
    """Run the processes until Ctrl-C, SIGTERM or `until()`; nothing is left running afterwards.

    `on_ready` is called once, when every process is ready; `until` is asked about ten times a second from then on.
    Raises `ProcessFailed` if a process ends before that. A second Ctrl-C kills at once. Main thread only.
    """
    with _StopRequests() as requests, running(processes, grace_s=grace_s, hurry=lambda: requests.count > 1) as group:
        while not requests.count and not group.is_ready():
            time.sleep(POLL_S)
        if on_ready and not requests.count:
            on_ready()
        while not requests.count and not (until and until()):
            group.check()
            time.sleep(POLL_S)


@contextlib.contextmanager
def running(
    processes: Sequence[Process], *, grace_s: float = GRACE_S, hurry: Callable[[], bool] = lambda: False
) -> Iterator["Group"]:
    """The started processes for the time of a `with` block; `hurry()` true ends the grace early."""
    group = Group()
    try:
        for process in processes:
            group.start(process)
        yield group
    finally:
        group.stop(grace_s, hurry)


class Group:
    """Children that were started together."""

    def __init__(self) -> None:
        self._children: list[_Child] = []
        self._waiting: list[_Child] = []

    def start(self, process: Process) -> None:
        child = _Child(process)
        self._children.append(child)
        self._waiting.append(child)

    def is_ready(self) -> bool:
        """Whether every process is ready by now; raises `ProcessFailed` if one never will be."""
        self.check()
        self._waiting = [child for child in self._waiting if not child.is_ready()]
        return not self._waiting

    def check(self) -> None:
        """Raise `ProcessFailed` if a process has ended."""
        for child in self._children:
            child.check()

    def stop(self, grace_s: float, hurry: Callable[[], bool] = lambda: False) -> None:
        for child in reversed(self._children):
            child.terminate()
        give_up_at = time.monotonic() + grace_s
        while any(child.is_alive() for child in self._children) and time.monotonic() < give_up_at and not hurry():
            time.sleep(POLL_S / 2)
        for child in self._children:
            child.kill()


class _Child:
    def __init__(self, process: Process) -> None:
        self.process = process
        self.started_at = time.monotonic()
        process.log.parent.mkdir(parents=True, exist_ok=True)
        if process.log.exists():
            process.log.replace(process.log.with_name(process.log.name + ".1"))
        with process.log.open("wb") as log:
            self.popen = spawn(process, log)

    def is_alive(self) -> bool:
        return self.popen.poll() is None

    def check(self) -> None:
        if not self.is_alive():
            raise ProcessFailed(f"{self.process.name} {_how_it_ended(self.popen.returncode)}{self._hint()}")

    def is_ready(self) -> bool:
        if self.process.ready is None or self.process.ready():
            return True
        if time.monotonic() - self.started_at > self.process.ready_within_s:
            raise ProcessFailed(f"{self.process.name} was not ready in {self.process.ready_within_s:g} s{self._hint()}")
        return False

    def terminate(self) -> None:
        if not self.is_alive():
            return
        if sys.platform == "win32":
            self.popen.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            self.popen.terminate()

    def kill(self) -> None:
        """End the child and whatever it left in its process group."""
        if sys.platform == "win32":
            self.popen.kill()
        else:
            # macOS answers a group of only zombies with PermissionError.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def _hint(self) -> str:
        lines = self.process.log.read_text(errors="replace").splitlines()[-HINT_LINES:]
        if not lines:
            return f"; its log {self.process.log} is empty"
        return f"; the end of {self.process.log}:\n" + "\n".join(f"  {line}" for line in lines)


def spawn(process: Process, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start the process at the head of a session of its own. Raises `ProcessFailed`."""
    argv, options = list(process.argv), dict[str, Any](start_new_session=True)
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    elif sys.platform == "linux":
        argv = [sys.executable, "-ISc", _END_WITH_PARENT, str(os.getpid()), *argv]
    if shutil.which(process.argv[0]) is None:
        raise ProcessFailed(f"{process.name} cannot be started: there is no program {process.argv[0]}")
    try:
        return subprocess.Popen(  # noqa: S603 - the caller names the program, no shell reads it
            argv,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **process.env},
            **options,
        )
    except OSError as error:
        raise ProcessFailed(f"{process.name} cannot be started: {error}") from error


# What a child does first on Linux: it asks for SIGTERM when its parent is gone, then becomes the program. A function between
# fork and exec would be shorter, but runs in a copy of a process whose other threads (gRPC's) are missing: that may abort.
_END_WITH_PARENT = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
if os.getppid() != int(sys.argv[1]):  # it died before the kernel knew
    sys.exit(1)
try:
    os.execvp(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(f"cannot be started: {error}")
"""


def _how_it_ended(returncode: int) -> str:
    if returncode >= 0:
        return f"ended with exit code {returncode}"
    return f"was ended by {signal.Signals(-returncode).name}"


class _StopRequests:
    """Counts the signals that ask to stop, while in force."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                continue  # not on this system, or started by nohup
            self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.count += 1


def require_port(host: str, port: int, *, option: str = "--port") -> None:
    """Raise `PortUnavailable` unless this process could listen there now; `option` is how the user names another."""
    if not 0 <= port <= 65535:
        raise PortUnavailable(f"port {port} does not exist: choose one from 1 to 65535 with {option}")
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise PortUnavailable(f"host {host!r} is not known ({error.strerror}): choose another") from error
    errors = [found for family, _, _, _, address in addresses if (found := _bind_error(family, address))]
    absent = [found for found in errors if found.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)]
    # `localhost` may name an IPv6 address that this machine does not have.
    if len(errors) > len(absent) or len(absent) == len(addresses):
        worst = next((found for found in errors if found not in absent), errors[0])
        raise PortUnavailable(_why_not(host, port, option, worst)) from worst


def _bind_error(family: int, address: Any) -> OSError | None:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # there the option would share the port with its owner
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error
    return None


def port_is_free(host: str, port: int) -> bool:
    try:
        require_port(host, port)
    except PortUnavailable:
        return False
    return True


def _why_not(host: str, port: int, option: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is in use: stop what listens there or choose another with {option}"
    if error.errno == errno.EACCES:
        return f"port {port} on {host} needs more rights: choose one above 1023 with {option}"
    if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
        return f"{host} is not an address of this machine: choose another host"
    return f"port {port} on {host} cannot be used ({error.strerror}): choose another with {option}"
