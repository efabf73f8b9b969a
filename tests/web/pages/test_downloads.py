"""What a bot author downloads, and what is said where it is missing."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from bots.cli.new import TEMPLATE, class_name

WHEEL = "crowns_arena-0.1.0-py3-none-any.whl"


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.DOWNLOADS_DIR = tmp_path
    return tmp_path


def test_nothing_is_built_yet(folder: Path, client: Client) -> None:
    text = client.get("/write-a-bot/").content.decode()
    assert "make wheel" in text
    assert "pip install" not in text
    answer = client.get("/downloads/protos.zip")
    assert answer.status_code == 404
    assert "make wheel" in answer.content.decode()


def test_what_is_there_is_served_and_named(folder: Path, client: Client) -> None:
    (folder / WHEEL).write_bytes(b"wheel")
    (folder / "protos.zip").write_bytes(b"zip")
    text = client.get("/write-a-bot/").content.decode()
    assert f"pip install http://127.0.0.1:8000/downloads/{WHEEL}" in text
    assert 'href="/downloads/protos.zip"' in text
    answer = client.get(f"/downloads/{WHEEL}")
    assert answer.content == b"wheel"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{WHEEL}"'
    assert client.get("/downloads/protos.zip").content == b"zip"


@pytest.mark.parametrize("name", ["..%2fsecrets.zip", "notes.txt", ".hidden.zip", "%2e%2e", "x.zip%00.whl"])
def test_nothing_else_is(folder: Path, client: Client, name: str) -> None:
    for inside in ("notes.txt", ".hidden.zip"):
        (folder / inside).write_bytes(b"private")
    answer = client.get(f"/downloads/{name}")
    assert answer.status_code == 404
    assert b"private" not in answer.content


def test_the_code_on_the_page_is_what_the_command_writes(folder: Path, client: Client) -> None:
    code = client.get("/write-a-bot/").context["code"]
    assert code == TEMPLATE.format(class_name=class_name("my_bot"))
    compile(code, "my_bot.py", "exec")
