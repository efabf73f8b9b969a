"""The schemas: in buf's style, unbroken since the last release, and the generated code as they would have it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROTOS = ROOT / "protos"
RELEASED = PROTOS / "released" / "v1.binpb"
BUF = Path(sys.executable).with_name("buf")


def buf(*arguments: str | Path, folder: Path = PROTOS) -> str:
    """What buf complains of; empty if it is content."""
    return subprocess.run([BUF, *arguments], cwd=folder, capture_output=True, text=True, check=False).stdout


def generated(folder: Path) -> dict[str, str]:
    """Generated files by their path below `folder`."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for pattern in ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py")
        for path in (folder / "fivecrowns").rglob(pattern)
    }


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    """A copy of the schemas to change."""
    for source in [PROTOS / "buf.yaml", *PROTOS.glob("fivecrowns/*/v1/*.proto")]:
        target = tmp_path / source.relative_to(PROTOS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    return tmp_path


def test_generated_code_is_that_of_the_schemas(tmp_path: Path) -> None:
    """`make proto` mends a difference."""
    command = ["make", "--silent", "-o", ".venv/.complete", "proto", f"PROTO_OUT={tmp_path}"]
    subprocess.run(command, cwd=ROOT, check=True)
    fresh, committed = generated(tmp_path), generated(PROTOS)
    assert committed.keys() == fresh.keys()
    assert [path for path in fresh if fresh[path] != committed[path]] == []


def test_schemas_are_in_style() -> None:
    assert buf("lint") == ""


def test_schemas_do_not_break_released_ones() -> None:
    """`make proto-release`, at a release, makes today's schemas the ones to keep."""
    assert buf("breaking", "--against", RELEASED) == ""


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("string game_id = 1;", "uint32 game_id = 1;", "FIELD_WIRE_JSON_COMPATIBLE_TYPE"),
        ("string game_id = 1;", "string game = 1;", "FIELD_SAME_JSON_NAME"),
        ("uint32 decision_id = 2;", "", "FIELD_NO_DELETE_UNLESS_N"),
        ("rpc Play(", "rpc Sit(", "RPC_NO_DELETE"),
    ],
    ids=["type", "name", "deleted", "method"],
)
def test_a_breaking_change_is_seen(schemas: Path, before: str, after: str, rule: str) -> None:
    bot = schemas / "fivecrowns/bot/v1/bot.proto"
    text = bot.read_text()
    assert before in text
    bot.write_text(text.replace(before, after))
    complaints = buf("breaking", "--against", RELEASED, "--error-format", "json", folder=schemas)
    assert any(json.loads(line)["type"].startswith(rule) for line in complaints.splitlines())


def test_a_new_field_breaks_nothing(schemas: Path) -> None:
    bot = schemas / "fivecrowns/bot/v1/bot.proto"
    bot.write_text(bot.read_text().replace("message Pong {", "message Pong {\n  string greeting = 900;"))
    assert buf("breaking", "--against", RELEASED, folder=schemas) == ""
