"""Reading what the API answers."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from web.api.exports import FILES
from web.api.schema import document

_READABLE = [path for path, methods in document()["paths"].items() if "get" in methods and path != "/api/v1/bot"]
READABLE = sorted({path.replace("{name}", name) for path in _READABLE for name in FILES})
"""Every address that people can read, each file of an export with one of its own."""


def body_of(answer: Any) -> bytes:
    """Of an answer that may come in parts: it can be read once."""
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def texts_in(answer: Any, body: bytes) -> list[str]:
    """What can be read in it: the texts of JSON, a table as a whole, the names and contents of the files of an archive."""
    match answer.headers["Content-Type"].partition(";")[0]:
        case "application/json":
            return list(texts(answer.json()))
        case "application/zip":
            archive = zipfile.ZipFile(io.BytesIO(body))
            return [*archive.namelist(), *(archive.read(name).decode("latin-1") for name in archive.namelist())]
        case _:
            return [body.decode()]


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
