"""The idle bots begin to wait as soon as it is known that their test will run, and it runs last."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

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
