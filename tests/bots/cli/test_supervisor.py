"""The supervisor with real children: whatever ends it, nothing is left running."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.cli.supervisor import PortUnavailable, Process, ProcessFailed, port_is_free, require_port, running, supervise
from tests.support.waiting import is_running, wait_until

# Writes its pid to the file named by its argument, then waits; ends on SIGTERM.
SLEEPER = """
import os, pathlib, signal, sys
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
signal.pause()
"""
# The same, deaf to SIGTERM and with a child of its own.
DEAF_FAMILY = """
import os, pathlib, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[1] + ".child"])
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
while True:
    signal.pause()
"""
# A supervisor of two sleepers, in a process of its own.
SUPERVISOR = """
import sys
from pathlib import Path
from bots.cli.supervisor import Process, supervise
folder = Path(sys.argv[1])
sleeper = sys.argv[2]
supervise(
    [
        Process(
            name=name,
            argv=[sys.executable, "-c", sleeper, str(folder / name)],
            log=folder / f"{name}.log",
            ready=(folder / name).exists,
        )
        for name in ("one", "two")
    ],
    on_ready=(folder / "ready").touch,
)
"""


def sleeper(folder: Path, name: str) -> Process:
    return Process(name, [sys.executable, "-c", SLEEPER, str(folder / name)], folder / f"{name}.log")


def is_left(file: Path) -> bool:
    """Whether the sleeper runs; one that was ended early may have made its file and written nothing."""
    pid = file.read_text() if file.exists() else ""
    return bool(pid) and is_running(int(pid))


def program(folder: Path, name: str, code: str, **options: object) -> Process:
    return Process(name, [sys.executable, "-c", textwrap.dedent(code)], folder / f"{name}.log", **options)  # type: ignore[arg-type] # the caller's own options


def pid_in(file: Path) -> int:
    wait_until(lambda: file.exists() and file.read_text(), f"{file.name} has started")
    return int(file.read_text())


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", SUPERVISOR, str(tmp_path), SLEEPER]) as process:
        wait_until((tmp_path / "ready").exists, "both children are ready")
        yield process
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_everything_with_exit_code_0(
    supervisor: subprocess.Popen[bytes], tmp_path: Path, number: signal.Signals
) -> None:
    children = [pid_in(tmp_path / "one"), pid_in(tmp_path / "two")]
    supervisor.send_signal(number)
    assert supervisor.wait(timeout=60) == 0
    assert not any(is_running(pid) for pid in children)


def test_ctrl_c_in_the_terminal_reaches_the_supervisor_alone(
    supervisor: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    groups = {os.getpgid(pid_in(tmp_path / name)) for name in ("one", "two")}
    assert os.getpgid(supervisor.pid) not in groups
    assert len(groups) == 2


def test_kill_9_of_the_supervisor_leaves_nothing(supervisor: subprocess.Popen[bytes], tmp_path: Path) -> None:
    children = [pid_in(tmp_path / "one"), pid_in(tmp_path / "two")]
    supervisor.kill()
    wait_until(lambda: not any(is_running(pid) for pid in children), "the children follow their parent")


def test_a_dead_child_ends_the_others_and_shows_its_last_lines(tmp_path: Path) -> None:
    broken = program(
        tmp_path,
        "broken",
        """
        for line in range(100):
            print("line", line)
        raise SystemExit("no such table: bots")
        """,
    )
    with pytest.raises(ProcessFailed) as failure:
        supervise([sleeper(tmp_path, "other"), broken])
    first, *rest = str(failure.value).splitlines()
    assert first == f"broken ended with exit code 1; the end of {broken.log}:"
    assert rest[-1] == "  no such table: bots"
    assert rest[0] == "  line 86"
    assert not is_left(tmp_path / "other")


def test_a_killed_child_is_reported_by_its_signal(tmp_path: Path) -> None:
    def kill_it() -> None:
        os.kill(pid_in(tmp_path / "victim"), signal.SIGKILL)

    with pytest.raises(ProcessFailed, match=r"victim was ended by SIGKILL; its log .*victim\.log is empty"):
        supervise([sleeper(tmp_path, "victim")], on_ready=kill_it)


def test_what_ignores_the_request_is_killed_with_its_own_children(tmp_path: Path) -> None:
    deaf = Process("deaf", [sys.executable, "-c", DEAF_FAMILY, str(tmp_path / "deaf"), SLEEPER], tmp_path / "deaf.log")
    with running([deaf], grace_s=0.3):
        family = [pid_in(tmp_path / "deaf"), pid_in(tmp_path / "deaf.child")]
    wait_until(lambda: not any(is_running(pid) for pid in family), "the whole family is gone", within_s=2)


def test_a_second_ctrl_c_does_not_wait_for_the_grace(tmp_path: Path) -> None:
    deaf = Process("deaf", [sys.executable, "-c", DEAF_FAMILY, str(tmp_path / "deaf"), SLEEPER], tmp_path / "deaf.log")

    def press_twice() -> None:
        pid_in(tmp_path / "deaf")
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    supervise([deaf], on_ready=press_twice, grace_s=3600)
    assert not is_running(pid_in(tmp_path / "deaf"))
    assert signal.getsignal(signal.SIGINT) is before


def test_until_ends_the_run(tmp_path: Path) -> None:
    supervise([sleeper(tmp_path, "one")], until=(tmp_path / "one").exists)
    assert not is_running(pid_in(tmp_path / "one"))


def test_one_that_never_becomes_ready_fails(tmp_path: Path) -> None:
    idle = program(tmp_path, "idle", "import signal; signal.pause()", ready=lambda: False, ready_within_s=0.5)
    with pytest.raises(ProcessFailed, match=r"idle was not ready in 0\.5 s; its log .* is empty"):
        supervise([idle])


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProcessFailed, match=r"worker cannot be started: there is no program no-such-program"):
        supervise([sleeper(tmp_path, "other"), Process("worker", ["no-such-program"], tmp_path / "worker.log")])
    assert not is_left(tmp_path / "other")


def test_the_log_of_the_start_before_is_kept(tmp_path: Path) -> None:
    for word in ("first", "second"):
        speaker = program(tmp_path, "speaker", f"print({word!r})")
        with pytest.raises(ProcessFailed, match="exit code 0"):
            supervise([speaker])
    assert (tmp_path / "speaker.log").read_text() == "second\n"
    assert (tmp_path / "speaker.log.1").read_text() == "first\n"


def test_a_port_in_use_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as owner:
        port = owner.getsockname()[1]
        with pytest.raises(PortUnavailable) as failure:
            require_port("127.0.0.1", port, option="--control-port")
    assert str(failure.value) == (
        f"port {port} on 127.0.0.1 is in use: stop what listens there or choose another with --control-port"
    )


def test_a_port_shared_by_its_owner_is_in_use_all_the_same() -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as owner:
        assert not port_is_free("127.0.0.1", owner.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "::"])
def test_a_free_port_is_free(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert port_is_free(host, port)


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [
        ("127.0.0.1", 65536, "port 65536 does not exist: choose one from 1 to 65535 with --port"),
        ("127.0.0.1", -1, "port -1 does not exist: choose one from 1 to 65535 with --port"),
        ("192.0.2.1", 8000, "192.0.2.1 is not an address of this machine: choose another host"),
        ("no.such.host.invalid", 8000, "host 'no.such.host.invalid' is not known"),
    ],
    ids=["too large", "negative", "foreign address", "unknown host"],
)
def test_a_port_that_cannot_be_used_says_why(host: str, port: int, message: str) -> None:
    with pytest.raises(PortUnavailable) as failure:
        require_port(host, port)
    assert str(failure.value).startswith(message)
