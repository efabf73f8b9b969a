"""Fixtures of tests that need rows or a referee."""

from collections.abc import Iterator

import pytest

from tests.support.factories import make_shard
from tests.support.fake_referee import FakeReferee, serving
from tests.support.league import League
from tournaments.models import Shard


@pytest.fixture
def referee() -> Iterator[FakeReferee]:
    with serving(FakeReferee()) as fake:
        yield fake


@pytest.fixture
def shard(db: None, referee: FakeReferee) -> Shard:
    """The row of the stand-in referee; it answered just now."""
    return make_shard(address=referee.address)


@pytest.fixture
def league(referee: FakeReferee, shard: Shard) -> League:
    return League(referee, shard)
