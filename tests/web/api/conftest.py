"""What tests of the API share: an asker, and a referee that plays."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.tournaments.conftest import league, referee, shard

__all__ = ["league", "referee", "shard"]


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> Iterator[None]:
    """Requests are counted for the whole process."""
    cache.clear()
    yield
    cache.clear()
