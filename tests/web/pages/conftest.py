"""The world of the pages, made once for the package; what a test writes is rolled back."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import caches
from django.test import Client

from tests.web.pages.world import World, built
from tournaments.models import Account


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[World]:
    with django_db_blocker.unblock(), built() as world:  # type: ignore[attr-defined]  # pytest-django's own
        yield world


@pytest.fixture(autouse=True)
def _in_the_world(world: World, db: None) -> None:
    """Every test of a page has rows to show."""
    caches["replays"].clear()


@pytest.fixture
def as_user() -> Callable[[str], Client]:
    """A client logged in under this name; "" for nobody."""

    def client(name: str) -> Client:
        browser = Client()
        if name:
            browser.force_login(Account.objects.get(username=name))
        return browser

    return client
