"""What tests of the referee's edge share."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def quiet_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever strangers do is no error of ours: nothing above INFO is logged, and no traceback."""
    yield
    records = caplog.get_records("call")
    assert [record.getMessage() for record in records if record.levelno > logging.INFO or record.exc_info] == []
