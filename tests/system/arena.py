"""A whole arena of real processes: referee, workers, beat, bots; on any database and broker."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bots.cli.supervisor import Process, spawn
from tests.support.bot_farm import ABSENT
from tests.support.services import free_port

START_S = 60
CALL_S = 600


@dataclass
class Child:
    """A process that a test may kill."""

    process: Process
    popen: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.process.log.open("ab") as log:
            self.popen = spawn(self.process, log)

    def kill(self) -> None:
        """As if the machine had lost it: no handler runs."""
        assert self.popen is not None
        os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def is_frozen(self) -> bool:
        """Whether it has been stopped since this was last asked, as by SIGSTOP, and lives."""
        assert self.popen is not None
        pid, status = os.waitpid(self.popen.pid, os.WUNTRACED | os.WNOHANG)
        return pid != 0 and os.WIFSTOPPED(status)

    def wake(self) -> None:
        assert self.popen is not None
        os.killpg(self.popen.pid, signal.SIGCONT)

    def stop(self) -> None:
        if self.popen is None or self.popen.poll() is not None:
            return
        self.popen.terminate()
        try:
            self.popen.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.kill()

    def has_ended(self) -> bool:
        return self.popen is not None and self.popen.poll() is not None


@dataclass(frozen=True)
class ShardPorts:
    control: int
    bots: int


@dataclass
class SystemArena:
    folder: Path
    environment: dict[str, str]
    shards: dict[str, ShardPorts]
    children: dict[str, Child] = field(default_factory=dict)

    def call(self, function: str, **arguments: Any) -> Any:
        """One of the functions of `tests.system.driving`, in a process of its own."""
        return json.loads(self._run("-m", "tests.system.driving", function, json.dumps(arguments)))

    def manage(self, *command: str) -> str:
        return self._run("-m", "django", *command)

    def start(self, name: str, *argv: str, crash_at: str = "") -> Child:
        """`crash_at`: the crash point at which it kills itself."""
        crash = {"CROWNS_CRASH_AT": crash_at, "CROWNS_DEBUG": "1"} if crash_at else {}
        environment = self.environment | crash
        child = Child(Process(name, [sys.executable, *argv], self.folder / f"{name}.log", environment))
        self.children[name] = child
        child.start()
        return child

    def start_site(self) -> None:
        for shard in self.shards:
            self.start_referee(shard)
        self.start_worker()
        self.start("beat", "-m", "celery", "-A", "web", "beat", f"--schedule={self.folder / 'beat.db'}", "--pidfile=")

    def start_referee(self, shard: str = "referee", crash_at: str = "") -> Child:
        ports = self.shards[shard]
        argv = (
            *("-m", "referee.rpc", f"--bots=127.0.0.1:{ports.bots}"),
            *(f"--control=127.0.0.1:{ports.control}", f"--data={self.folder / shard}"),
        )
        return self.start(shard, *argv, crash_at=crash_at)

    def start_worker(self, name: str = "worker", crash_at: str = "") -> Child:
        argv = ("-m", "celery", "-A", "web", "worker", "-P", "threads", "-c", "4", "-n", f"{name}@%h")
        return self.start(name, *argv, crash_at=crash_at)

    def start_bots(self, entries: Sequence[dict[str, str]], processes: int = 1) -> None:
        """Connects these bots and no others."""
        self.stop_bots()
        for number in range(processes):
            tokens = self.folder / f"bots{number}.json"
            tokens.write_text(json.dumps(entries[number::processes]))
            ports = ",".join(str(shard.bots) for shard in self.shards.values())
            self.start(f"bots{number}", "-m", "tests.support.bot_farm", ports, str(tokens))
        present = [entry["bot_id"] for entry in entries if entry["behaviour"] != ABSENT]
        assert self.call("wait_connected", bots=present, within_s=START_S) == len(present), self.logs()

    def stop_bots(self) -> None:
        for name in [name for name in self.children if name.startswith("bots")]:
            self.children.pop(name).stop()

    def stop(self) -> None:
        for child in reversed(self.children.values()):
            child.stop()

    def logs(self, lines: int = 30) -> str:
        """The end of every log, for a failure to be understood."""
        ends = [
            f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
            for path in sorted(self.folder.glob("*.log"))
        ]
        return "\n".join(ends)

    def _run(self, *argv: str) -> str:
        ran = subprocess.run(
            [sys.executable, *argv], env=self.environment, capture_output=True, text=True, timeout=CALL_S, check=False
        )
        assert ran.returncode == 0, f"{argv}\n{ran.stdout}\n{ran.stderr}\n{self.logs()}"
        return ran.stdout


def site_environment(
    folder: Path, database_url: str, broker_url: str, shard_addresses: Sequence[str]
) -> dict[str, str]:
    """All that the processes of a site are told; nothing of what this process was told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CROWNS_")}
    return {
        **kept,
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "web.settings",
        "CROWNS_DATA_DIR": str(folder / "data"),
        "CROWNS_SITE_URL": f"http://127.0.0.1:{free_port()}",
        "CROWNS_SHARDS": ",".join(shard_addresses),
        "CROWNS_BROKER_URL": broker_url,
        "CROWNS_DATABASE_URL": database_url,
        "CROWNS_HASHED_STATIC": "0",
        **{
            f"CROWNS_{name}": secrets.token_hex(32)
            for name in ("SECRET_KEY", "CONTROL_SECRET_RUN", "CONTROL_SECRET_WATCH")
        },
    }


@contextmanager
def system_arena(
    folder: Path, database_url: str, broker_url: str, shard_names: Sequence[str] = ("referee",)
) -> Iterator[SystemArena]:
    """The processes of a site with a fresh database; `database_url` empty is the embedded default."""
    shards = {name: ShardPorts(free_port(), free_port()) for name in shard_names}
    addresses = [f"{name}=127.0.0.1:{ports.control}=127.0.0.1:{ports.bots}" for name, ports in shards.items()]
    environment = site_environment(folder, database_url, broker_url, addresses)
    arena = SystemArena(folder, environment, shards)
    try:
        arena.manage("migrate", "--no-input", "--verbosity=0")
        arena.start_site()
        yield arena
    finally:
        arena.stop()
