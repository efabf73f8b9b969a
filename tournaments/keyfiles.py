"""Secrets that a machine makes once and keeps in a file of its own."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def kept(path: Path, make: Callable[[], bytes]) -> bytes:
    """The bytes in the file; the first caller of all processes makes them. Only the user may read the file."""
    if not path.exists():
        _create(path, make())
    return path.read_bytes()


def _create(path: Path, data: bytes) -> None:
    """Nobody ever sees half a file: it is written beside and then linked, which fails if another was faster."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    try:
        os.link(beside, path)
    except FileExistsError:
        pass
    finally:
        beside.unlink()
