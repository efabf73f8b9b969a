"""What deploy/ says is what the code does."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
VARIABLE = re.compile(r"\bCROWNS_[A-Z_]+\b")


def commands() -> list[str]:
    """Every command line of the units and of the containers, once."""
    lines = [line for unit in UNITS for line in re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)]
    lines += [service["command"] for service in COMPOSE["services"].values() if "command" in service]
    return sorted({line.removeprefix("/opt/crowns/.venv/bin/") for line in lines})


def test_the_example_names_every_variable_that_is_read() -> None:
    read = VARIABLE.findall("".join(path.read_text() for path in (ROOT / "web" / "settings").glob("*.py")))
    offered = re.findall(r"^(CROWNS_[A-Z_]+)=", (DEPLOY / "crowns.env.example").read_text(), re.MULTILINE)
    assert sorted(offered) == sorted(set(offered))
    assert set(offered) == set(read)


def test_the_settings_can_be_read_from_the_example(tmp_path: Path) -> None:
    example = (DEPLOY / "crowns.env.example").read_text()
    given = dict(line.split("=", 1) for line in example.splitlines() if line.startswith("CROWNS_"))
    given |= {name: f"{name}-0123456789-0123456789-0123456789-0123456789" for name in given if "SECRET" in name}
    environment = {**os.environ, **given, "CROWNS_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "web.settings"}
    command = [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "ERROR"]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("command", commands())
def test_a_command_knows_its_options(command: str) -> None:
    """Each program is asked for its help, which must offer every option of the line."""
    words = shlex.split(command)
    options = {word.partition("=")[0] for word in words if word.startswith("--")}
    names = [word for word in words if word in {"worker", "beat", "connect", "crowns_init", "collectstatic"}]
    program = [sys.executable, *words[1:3]] if words[0] == "python" else [Path(sys.executable).with_name(words[0])]
    application = ["-A", "web"] if words[0] == "celery" else []
    ask = [*program, *application, *names, "--help"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "web.settings", "COLUMNS": "200"}
    offered = subprocess.run(ask, env=environment, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [option for option in options if option not in offered] == []
