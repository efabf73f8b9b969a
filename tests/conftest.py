"""Rules and fixtures of every test. What starts a service is marked `system`, wherever it stands."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import kombu
import pytest
import pytest_socket

from tests.support import services
from tournaments.queue import embedded_url, register
from tournaments.queue.settings import dead_letter_queue, task_queues

LOOPBACK = ["127.0.0.1", "::1", "localhost"]
SERVICE_FIXTURES = {"rabbitmq_url", "postgres_url"}

register()

# A busy machine is no failure.
hypothesis.settings.register_profile("crowns", deadline=None, print_blob=True)
hypothesis.settings.load_profile("crowns")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    pytest_socket.socket_allow_hosts(LOOPBACK, allow_unix_socket=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    for item in items:
        if "tests/system/" in item.path.as_posix() or SERVICE_FIXTURES & set(item.fixturenames):
            item.add_marker("system")


@pytest.fixture(scope="session")
def rabbitmq_url() -> Iterator[str]:
    """A RabbitMQ node of this test run, as an `amqp://` address."""
    if given := os.environ.get(services.RABBITMQ_VARIABLE):
        yield given
        return
    with services.rabbitmq() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A database in a PostgreSQL cluster of this test run; its owner may create others."""
    if given := os.environ.get(services.POSTGRES_VARIABLE):
        yield given
        return
    with services.postgres() as url:
        yield url


@pytest.fixture
def empty_rabbitmq_url(rabbitmq_url: str) -> str:
    """The node without the site's queues."""
    with kombu.Connection(rabbitmq_url) as connection, connection.channel() as channel:
        for queue in [*task_queues(), dead_letter_queue()]:
            channel.queue_delete(queue.name)
    return rabbitmq_url


@pytest.fixture
def empty_postgres_url(postgres_url: str) -> Iterator[str]:
    """An empty database, dropped after the test."""
    with services.empty_database(postgres_url) as url:
        yield url


@pytest.fixture(params=["embedded", pytest.param("rabbitmq", marks=pytest.mark.system)])
def broker_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty broker; a test that asks for it runs once on each kind."""
    if request.param == "embedded":
        return embedded_url(tmp_path / "queue.db")
    url: str = request.getfixturevalue("empty_rabbitmq_url")
    return url
