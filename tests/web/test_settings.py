"""Environment variables: what they mean, and what is said about a wrong one. Settings are read by a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from web.settings import env

SHOWN = ("SITE_URL", "ALLOWED_HOSTS", "DEBUG", "IS_EMBEDDED", "SESSION_COOKIE_SECURE", "EMAIL_BACKEND", "BROKER_URL")
READ = (
    "import json; from django.conf import settings as s; "
    f"print(json.dumps({{name: getattr(s, name) for name in {SHOWN}}} | {{'engine': s.DATABASES['default']['ENGINE']}}))"
)
SECRETS = {
    "CROWNS_SECRET_KEY": "k" * 50,
    "CROWNS_CONTROL_SECRET_RUN": "run",
    "CROWNS_CONTROL_SECRET_WATCH": "watch",
}
POSTGRES = {"CROWNS_DATABASE_URL": "postgres://fc:secret@127.0.0.1:5499/fc"}


def settings_with(data_dir: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CROWNS_")}
    environment = {**clean, "CROWNS_DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "web.settings", **variables}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", READ], env=environment, capture_output=True, text=True, check=False
    )


def test_without_any_variable_it_is_one_machine(tmp_path: Path) -> None:
    shown = json.loads(settings_with(tmp_path).stdout)
    assert shown == {
        "SITE_URL": "http://127.0.0.1:8000",
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "DEBUG": False,
        "IS_EMBEDDED": True,
        "SESSION_COOKIE_SECURE": False,
        "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
        "BROKER_URL": f"crowns+sqlite:///{tmp_path}/broker.sqlite3",
        "engine": "django.db.backends.sqlite3",
    }
    kept = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(kept) == {"secret_key", "control_run", "control_watch"}
    assert len(set(kept.values())) == 3
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()} == {0o600}
    settings_with(tmp_path)
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == kept


def test_on_servers(tmp_path: Path) -> None:
    ran = settings_with(
        tmp_path,
        **SECRETS,
        **POSTGRES,
        CROWNS_SITE_URL="https://crowns.example/",
        CROWNS_ALLOWED_HOSTS="crowns.example, www.crowns.example",
        CROWNS_BROKER_URL="amqp://fc:secret@127.0.0.1:5679/fc",
    )
    shown = json.loads(ran.stdout)
    assert shown["SITE_URL"] == "https://crowns.example"
    assert shown["ALLOWED_HOSTS"] == ["crowns.example", "www.crowns.example"]
    assert shown["engine"] == "django.db.backends.postgresql"
    assert shown["SESSION_COOKIE_SECURE"] is True
    assert list(tmp_path.iterdir()) == []


WRONG = {
    "no secret key": ({**POSTGRES}, "CROWNS_SECRET_KEY is not set: with CROWNS_DATABASE_URL it must be given"),
    "debug": ({"CROWNS_DEBUG": "maybe"}, "CROWNS_DEBUG='maybe': give 1 or 0"),
    "days": ({"CROWNS_TOKEN_DAYS": "0"}, "CROWNS_TOKEN_DAYS='0': give a whole number, at least 1"),
    "bots": ({"CROWNS_MAX_BOTS_PER_OWNER": "many"}, "CROWNS_MAX_BOTS_PER_OWNER='many': give a whole number"),
    "shard": ({"CROWNS_SHARDS": "main=here"}, "CROWNS_SHARDS: 'main=here' is not NAME=CONTROL_ADDRESS=BOT_ADDRESS"),
    "two shards of a name": ({"CROWNS_SHARDS": "a=b=c,a=d=e"}, "two shards of one name in 'a=b=c,a=d=e'"),
    "database": ({**SECRETS, "CROWNS_DATABASE_URL": "mysql://x/y"}, "CROWNS_DATABASE_URL: give postgres://"),
}


@pytest.mark.parametrize(("variables", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_variable_is_named(tmp_path: Path, variables: dict[str, str], message: str) -> None:
    ran = settings_with(tmp_path, **variables)
    assert ran.returncode == 1
    assert message in ran.stderr


def test_parts_of_a_database_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROWNS_DATABASE_URL", "postgresql://us%40er:p%2Fw@[::1]:5499/na%20me?sslmode=require")
    found = env.database("CROWNS_DATABASE_URL", Path("unused"))
    assert [found[name] for name in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "us@er",
        "p/w",
        "::1",
        "5499",
        "na me",
    ]
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["pool"]["max_size"] == 12
    monkeypatch.setenv("CROWNS_DATABASE_URL", "sqlite:////srv/crowns/db.sqlite3")
    assert env.database("CROWNS_DATABASE_URL", Path("unused"))["NAME"] == "/srv/crowns/db.sqlite3"
    monkeypatch.setenv("CROWNS_DATABASE_URL", "")
    assert env.database("CROWNS_DATABASE_URL", Path("here"))["NAME"] == "here"


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FLAG", "WHOLE", "WORDS", "TEXT"):
        monkeypatch.setenv(name, "")
    assert env.flag("FLAG", default=True) is True
    assert env.whole("WHOLE", 7) == 7
    assert env.words("WORDS", "a,b") == ["a", "b"]
    assert env.text("TEXT", "x") == "x"
    with pytest.raises(ImproperlyConfigured):
        env.shards("TEXT", "nonsense")
