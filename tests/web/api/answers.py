"""Reading what the API answers."""

from collections.abc import Iterator
from typing import Any


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, however deep."""
    if isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value
