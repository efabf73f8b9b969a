"""A private RabbitMQ node and PostgreSQL cluster, on free ports of the loopback address.

As fixtures (tests/conftest.py) they start when the first test asks for them and stop with the test run. As a command
they live as long as another one:

    python -m tests.support.services pytest -m system

which finds their addresses in `CROWNS_TEST_RABBITMQ_URL` and `CROWNS_TEST_POSTGRES_URL`, and whose Django tests use
the cluster too (`CROWNS_TEST_DATABASE_URL`).

`rabbitmq_server` and `postgres_server` give what a test may kill and start again.
"""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import kombu
import kombu.exceptions
import psycopg

from bots.cli.supervisor import Process, running, spawn
from tests.support.waiting import is_running, wait_until

RABBITMQ_VARIABLE = "CROWNS_TEST_RABBITMQ_URL"
POSTGRES_VARIABLE = "CROWNS_TEST_POSTGRES_URL"
DATABASE_VARIABLE = "CROWNS_TEST_DATABASE_URL"

USER = "crowns"


class ServiceMissing(Exception):
    """A program that the tests need is not installed."""


@dataclass
class Server:
    """A server process that may be killed, and started again on what it left on disk."""

    url: str
    process: Process
    _popen: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Comes back when it answers. Started by the main thread: it ends with the thread that started it."""
        with self.process.log.open("ab") as log:
            self._popen = spawn(self.process, log)
        wait_until(self._is_ready, f"{self.process.name} answers", within_s=60)

    def kill(self) -> None:
        """With all its children, and no handler runs: as if the machine had lost power, but for its disk."""
        if self._popen is None or self._popen.poll() is not None:
            return
        family = _family(self._popen.pid)
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._popen.wait()
        wait_until(lambda: not any(map(is_running, family)), f"{self.process.name} is gone")

    def _is_ready(self) -> bool:
        assert self._popen is not None
        assert self.process.ready is not None
        assert self._popen.poll() is None, f"{self.process.name} ended: {self.process.log.read_text()[-2000:]}"
        return self.process.ready()


def _family(pid: int) -> list[int]:
    """The process and all that descend from it; it is stopped first, so that it makes no more."""
    os.kill(pid, signal.SIGSTOP)
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    family = [pid]
    for member in family:  # grows meanwhile
        family += [child for child, parent in parents.items() if parent == member]
    return family


@contextlib.contextmanager
def rabbitmq() -> Iterator[str]:
    """The address (`amqp://`) of a fresh node."""
    with rabbitmq_server() as server:
        yield server.url


@contextlib.contextmanager
def rabbitmq_server() -> Iterator[Server]:
    """A fresh node, killed at the end: nobody needs what it holds."""
    password, port, epmd_port = secrets.token_hex(8), free_port(), free_port()
    with _scratch("rabbitmq") as folder:
        environment = _node_environment(folder, port, epmd_port)
        folder.joinpath("enabled_plugins").write_text("[].\n")
        folder.joinpath("rabbitmq.conf").write_text(
            f"default_user = {USER}\ndefault_pass = {password}\ndefault_vhost = {USER}\ndisk_free_limit.absolute = 50MB\n"
        )
        url = f"amqp://{USER}:{password}@127.0.0.1:{port}/{USER}"
        # Left to itself the node would start epmd as a daemon that outlives it.
        epmd = [_program("epmd"), "-port", str(epmd_port), "-address", "127.0.0.1"]
        node = Process("rabbitmq", [_rabbitmq_program()], folder / "node.log", environment, ready=lambda: _answers(url))
        with running([Process("epmd", epmd, folder / "epmd.log")], grace_s=0):
            server = Server(url, node)
            try:
                server.start()
                yield server
            finally:
                server.kill()


def _node_environment(folder: Path, port: int, epmd_port: int) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "RABBITMQ_NODENAME": f"{USER}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "ERL_EPMD_PORT": str(epmd_port),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_BASE": str(folder),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_LOGS": "-",
        "RABBITMQ_PID_FILE": str(folder / "pid"),
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
        "RABBITMQ_CONF_ENV_FILE": os.devnull,
        # The script then becomes the node instead of watching it.
        "RUNNING_UNDER_SYSTEMD": "true",
    }


def _answers(url: str) -> bool:
    try:
        with kombu.Connection(url, connect_timeout=2) as connection:
            connection.ensure_connection(max_retries=0)
    except kombu.exceptions.OperationalError:
        return False
    return True


@contextlib.contextmanager
def postgres(*, fsync: bool = False) -> Iterator[str]:
    """The address (`postgresql://`) of a database in a fresh cluster, whose owner may create more of them."""
    with postgres_server(fsync=fsync) as server:
        yield server.url


@contextlib.contextmanager
def postgres_server(*, fsync: bool = True) -> Iterator[Server]:
    """A fresh cluster; the address is that of a database whose owner may create more. Without `fsync` a kill loses rows."""
    password, port = secrets.token_hex(8), free_port()
    with _scratch("postgres") as folder:
        data = folder / "data"
        superuser = f"postgresql://postgres:{password}@127.0.0.1:{port}/postgres"
        _create_cluster(data, password)
        process = Process(
            "postgres",
            [
                *_as_postgres(), str(_postgres_bin() / "postgres"), "-D", str(data), "-p", str(port),
                "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200",
                *(() if fsync else ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")),
            ],
            folder / "server.log",
            ready=lambda: _accepts(superuser),
        )  # fmt: skip
        server = Server(f"postgresql://{USER}:{password}@127.0.0.1:{port}/{USER}", process)
        try:
            server.start()
            create_database(superuser, USER, password)
            yield server
        finally:
            stop = [*_as_postgres(), str(_postgres_bin() / "pg_ctl"), "stop", "-s", "-m", "fast", "-D", str(data)]
            subprocess.run(stop, check=False, cwd="/")
            server.kill()


def _create_cluster(data: Path, password: str) -> None:
    password_file = data.with_name("password")
    password_file.write_text(password)
    if _as_postgres():
        for path in (data.parent, password_file):
            shutil.chown(path, "postgres", "postgres")
    initdb = [
        *_as_postgres(), str(_postgres_bin() / "initdb"), "-D", str(data), "-U", "postgres", "-A", "scram-sha-256",
        f"--pwfile={password_file}", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8",
    ]  # fmt: skip
    subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd="/")


def create_database(superuser_url: str, name: str, password: str) -> None:
    """A role that may create databases, and a database of its own, both called `name`."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN CREATEDB PASSWORD '{password}'")
        connection.execute(f"CREATE DATABASE {name} OWNER {name}")


@contextlib.contextmanager
def empty_database(url: str) -> Iterator[str]:
    """A database beside the one of this address, dropped at the end; `url` is an owner's who may create some."""
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{url.rpartition('/')[0]}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _accepts(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def _as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=INT"]


_PORTS = range(10_000, 32_000)


def free_port() -> int:
    """A port that nobody listens on at the moment.

    It lies below those that Linux gives to whoever dials out: while a server that was killed is away, its port is nobody else's."""
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", secrets.choice(_PORTS))) as probe:
            return int(probe.getsockname()[1])


@contextlib.contextmanager
def _scratch(name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"crowns-{name}-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise ServiceMissing(f"{name} is not installed: `make test` installs it as root, or says what to install")
    return found


def _rabbitmq_program() -> str:
    """Debian's command insists on a user of its own; the script that it calls does not."""
    script = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
    return str(script) if script.exists() else _program("rabbitmq-server")


def _postgres_bin() -> Path:
    """The newest version's programs, which Debian keeps off the search path."""
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(versions, key=lambda path: float(path.parent.name)) if versions else Path(_program("initdb")).parent


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with rabbitmq() as rabbitmq_url, postgres() as postgres_url:
        urls = {RABBITMQ_VARIABLE: rabbitmq_url, POSTGRES_VARIABLE: postgres_url, DATABASE_VARIABLE: postgres_url}
        return subprocess.run(command, env=os.environ | urls, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
