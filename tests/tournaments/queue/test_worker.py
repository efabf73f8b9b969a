"""A real Celery worker with the site's settings, on both brokers."""

import importlib
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from kombu import Queue

from tests.support.waiting import wait_until
from tournaments.queue import COLLECT, CONTROL, DEAD, DISPATCH

pytestmark = pytest.mark.system

APP = "tests.tournaments.queue.sample_app"


@pytest.fixture
def sample(broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The sample application as a publisher sees it; workers inherit its environment."""
    monkeypatch.setenv("SAMPLE_BROKER_URL", broker_url)
    monkeypatch.setenv("SAMPLE_FOLDER", str(tmp_path))
    sys.modules.pop(APP, None)
    module = importlib.import_module(APP)
    yield module
    module.app.close()


@contextmanager
def worker(folder: Path, name: str = "one") -> Iterator[subprocess.Popen[bytes]]:
    log = folder / f"{name}.log"
    command = [sys.executable, "-m", "celery", "-A", APP, "worker", "-l", "info", "-n", f"{name}@test"]
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        try:
            wait_until(lambda: "ready." in log.read_text(), f"worker {name} is ready")
            yield process
        finally:
            process.kill()


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0


def notes(folder: Path) -> Counter[str]:
    file = folder / "notes"
    return Counter(file.read_text().splitlines()) if file.exists() else Counter()


def dead_letters(sample: ModuleType) -> list[str]:
    """The tasks named by the dead letters."""
    with sample.app.connection_for_read() as connection:
        queue = Queue(DEAD, no_declare=True)(connection.default_channel)
        return [message.headers["task"] for message in iter(lambda: queue.get(no_ack=True), None)]


def test_a_worker_answers_and_works(sample: ModuleType, tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        words = [f"word-{number}" for number in range(200)]
        for word in words:
            sample.note.delay(word)
        assert sample.app.control.ping(timeout=1) == [{"one@test": {"ok": "pong"}}]
        [[node, queues]] = sample.app.control.inspect(timeout=1).active_queues().items()
        assert (node, {queue["name"] for queue in queues}) == ("one@test", {CONTROL, DISPATCH, COLLECT})
        wait_until(lambda: notes(tmp_path).total() >= 200, "all notes are written")
        stop(process)
    assert notes(tmp_path) == Counter(words)


def test_an_unknown_task_goes_to_the_dead_letters(sample: ModuleType, tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        sample.app.send_task("control.unknown")
        sample.note.delay("after")
        wait_until(lambda: notes(tmp_path), "the worker goes on")
        stop(process)
    found: list[str] = []
    wait_until(lambda: found.extend(dead_letters(sample)) or found, "the dead letter arrives")
    assert found == ["control.unknown"]


def test_a_task_whose_name_says_no_queue_is_refused_at_once(sample: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"task 'elsewhere\.note': its name must begin with one of control, dispatch"):
        sample.misnamed.delay()


def test_a_warm_stop_finishes_what_runs_and_leaves_the_rest(sample: ModuleType, tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        for number in range(8 + 5):  # more than there are threads
            sample.hold.delay(f"hold-{number}")
        wait_until(lambda: notes(tmp_path).total() == 8, "all threads are busy")
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: "Warm shutdown" in (tmp_path / "one.log").read_text(), "the worker stops taking")
        (tmp_path / "release").touch()
        assert process.wait(timeout=60) == 0
    first = {word for word in notes(tmp_path) if word.endswith("done")}
    assert len(first) >= 8
    with worker(tmp_path, "two") as process:
        wait_until(lambda: notes(tmp_path).total() == 26, "the second worker finishes the others")
        stop(process)
    assert notes(tmp_path) == Counter(f"hold-{n}{end}" for n in range(13) for end in ("", " done"))


@pytest.mark.parametrize("broker_url", ["rabbitmq"], indirect=True)
def test_rabbitmq_gives_a_killed_workers_tasks_to_the_next(sample: ModuleType, tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        sample.hold.delay("held")
        wait_until(lambda: notes(tmp_path)["held"], "the task is running")
        process.kill()
    (tmp_path / "release").touch()
    with worker(tmp_path, "two") as process:
        wait_until(lambda: notes(tmp_path)["held done"], "the second worker runs it again")
        stop(process)
    assert notes(tmp_path) == {"held": 2, "held done": 1}


@pytest.mark.parametrize("broker_url", ["embedded"], indirect=True)
def test_embedded_loses_only_what_a_killed_worker_had_taken(sample: ModuleType, tmp_path: Path) -> None:
    """The sweeper's part: see the site's own tests."""
    with worker(tmp_path) as process:
        sample.hold.delay("held")
        wait_until(lambda: notes(tmp_path)["held"], "the task is running")
        process.kill()
        process.wait()
    sample.note.delay("waiting")
    with worker(tmp_path, "two") as process:
        wait_until(lambda: notes(tmp_path)["waiting"], "the second worker does what was not taken")
        stop(process)
    assert notes(tmp_path) == {"held": 1, "waiting": 1}


@pytest.mark.parametrize("broker_url", ["rabbitmq"], indirect=True)
def test_no_queues_for_delays_are_declared(sample: ModuleType, tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        with sample.app.connection_for_read() as connection:
            channel = connection.channel()
            with pytest.raises(connection.channel_errors, match="NOT_FOUND"):
                channel.queue_declare("celery_delayed_0", passive=True)
        stop(process)


@pytest.mark.parametrize("broker_url", ["embedded"], indirect=True)
def test_an_idle_worker_costs_little(sample: ModuleType, tmp_path: Path) -> None:
    """Polling takes less than a twentieth of a core."""
    with worker(tmp_path) as process:
        before = _cpu_seconds(process.pid)
        assert sample.app.control.ping(timeout=3) == [{"one@test": {"ok": "pong"}}]
        assert _cpu_seconds(process.pid) - before < 0.15
        stop(process)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
