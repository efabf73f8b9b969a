"""Arenas for the tests of this folder. The idle bots begin to wait as soon as their test is known to run; it runs last."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.services import empty_database
from tests.system.arena import SystemArena, system_arena
from tournaments.queue import embedded_url

IDLE_TEST = "test_a_third_party_stays_connected_while_nothing_happens"
IDLE_S = 125
IDLING = pytest.StashKey["subprocess.Popen[str]"]()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.name == IDLE_TEST)


def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.option.collectonly or not any(item.name == IDLE_TEST for item in session.items):
        return
    command = [sys.executable, "-m", "tests.system.idle", str(IDLE_S)]
    session.config.stash[IDLING] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    idling = session.config.stash.get(IDLING, None)
    if idling is not None and idling.poll() is None:
        idling.send_signal(signal.SIGINT)
        idling.wait()


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, rabbitmq_url: str) -> Iterator[SystemArena]:
    """One site on RabbitMQ and PostgreSQL for the leagues of this module, which it has to keep apart."""
    with (
        empty_database(postgres_url) as database_url,
        system_arena(tmp_path_factory.mktemp("arena"), database_url, rabbitmq_url) as arena,
    ):
        yield arena


@pytest.fixture
def embedded_arena(tmp_path: Path) -> Iterator[SystemArena]:
    with system_arena(tmp_path, "", embedded_url(tmp_path / "broker.sqlite3")) as arena:
        yield arena
