"""The queue file: one process, then several that race, fork and are killed."""

import multiprocessing
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from tournaments.queue.queue_file import (
    DROP_HEAD,
    REJECT_PUBLISH,
    SCHEMA_VERSION,
    QueueFile,
    QueueFileError,
    QueueOptions,
    discard,
)

PUBLISHER = """
import sys
from pathlib import Path
from tournaments.queue.queue_file import QueueFile
file, name, count = QueueFile(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
for number in range(count):
    file.put("q", f"{name}-{number}")
    print(f"{name}-{number}", flush=True)
"""
# Takes until it meets as many "end" messages as there are publishers, or is killed.
CONSUMER = """
import sys, time
from pathlib import Path
from tournaments.queue.queue_file import QueueFile
file = QueueFile(Path(sys.argv[1]))
while (message := file.take("q")) != "end":
    print(message, flush=True) if message else time.sleep(0.005)
"""


class Program:
    """A Python process whose output is kept in a file."""

    def __init__(self, code: str, path: Path, *arguments: object) -> None:
        self.output = path.with_name(f"{path.name}.{'-'.join(map(str, arguments)) or id(self)}.out")
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code, str(path), *map(str, arguments)], stdout=output
            )

    def lines(self) -> list[str]:
        """The complete lines: a killed process may have begun one more."""
        return self.output.read_text().rpartition("\n")[0].split("\n")

    def finish(self) -> list[str]:
        assert self.process.wait(timeout=60) == 0
        return self.lines()

    def kill_9(self) -> list[str]:
        self.process.kill()
        self.process.wait(timeout=10)
        return self.lines()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "queue.db"


@pytest.fixture
def file(path: Path) -> QueueFile:
    return QueueFile(path)


def take_all(file: QueueFile, queue: str = "q") -> list[str]:
    return list(iter(lambda: file.take(queue), None))


def test_a_queue_is_first_in_first_out(file: QueueFile) -> None:
    for word in ("a", "b", "c"):
        file.put("q", word)
        file.put("other", word.upper())
    assert file.size("q") == 3
    assert take_all(file) == ["a", "b", "c"]
    assert take_all(file, "other") == ["A", "B", "C"]
    assert file.take("q") is None


def test_purge_and_delete(file: QueueFile) -> None:
    file.declare("q", QueueOptions())
    file.bind("e", "q", "key", "^key$")
    file.put("q", "a")
    file.put("q", "b")
    assert file.purge("q") == 2
    assert file.is_declared("q")
    assert file.bindings("e") == [("key", "^key$", "q")]
    file.put("q", "c")
    file.delete("q")
    assert (file.size("q"), file.is_declared("q"), file.bindings("e")) == (0, False, [])


def test_a_full_queue_refuses_or_forgets_as_declared(file: QueueFile) -> None:
    file.declare("refuses", QueueOptions(max_length=2, overflow=REJECT_PUBLISH))
    file.declare("forgets", QueueOptions(max_length=2, overflow=DROP_HEAD))
    assert [file.put("refuses", word) for word in "abc"] == [True, True, False]
    assert [file.put("forgets", word) for word in "abc"] == [True, True, True]
    assert take_all(file, "refuses") == ["a", "b"]
    assert take_all(file, "forgets") == ["b", "c"]


def test_a_taken_message_may_always_return(file: QueueFile) -> None:
    file.declare("q", QueueOptions(max_length=1, overflow=REJECT_PUBLISH))
    file.put("q", "a")
    taken = file.take("q")
    assert taken
    file.put("q", "b")
    file.put_back("q", taken)
    assert take_all(file) == ["b", "a"]


def test_options_are_those_of_the_last_declaration(file: QueueFile) -> None:
    arguments = {"x-max-length": 5, "x-overflow": REJECT_PUBLISH, "x-delivery-limit": 3, "x-dead-letter-exchange": "d"}
    for options in (QueueOptions.from_arguments(None), QueueOptions.from_arguments(arguments)):
        file.declare("q", options)
        assert file.options("q") == options
    assert file.options("never declared") == QueueOptions()


def test_a_discarded_file_begins_anew(file: QueueFile, path: Path) -> None:
    file.put("q", "a")
    file.close()
    discard(path)
    assert not list(path.parent.iterdir())
    assert file.take("q") is None


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(QueueFileError, match=r"folder .*/missing of the queue file does not exist: create it"):
        QueueFile(tmp_path / "missing" / "queue.db").open()


def test_a_file_of_another_version_is_refused(file: QueueFile, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(QueueFileError, match="has version 2, this program reads 1: stop all processes and delete it"):
        file.open()


def test_a_damaged_file_is_named(file: QueueFile, path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(QueueFileError, match=r"queue\.db is unreadable .*: stop all processes and delete it"):
        file.open()


def test_many_processes_may_create_the_file_at_once(tmp_path: Path) -> None:
    """About one start in a hundred of these fails if nobody tries again."""
    fork = multiprocessing.get_context("fork")
    barrier = fork.Barrier(6)

    def child(name: int) -> None:
        for attempt in range(100):
            file = QueueFile(tmp_path / f"{attempt}.db")
            barrier.wait(20)
            file.put("q", str(name))
            file.close()

    children = [fork.Process(target=child, args=(name,)) for name in range(6)]
    for process in children:
        process.start()
    for process in children:
        process.join(60)
    assert [process.exitcode for process in children] == [0] * 6
    for attempt in range(100):
        with closing(QueueFile(tmp_path / f"{attempt}.db")) as file:
            assert file.size("q") == 6


def test_racing_processes_lose_nothing_and_take_nothing_twice(path: Path) -> None:
    consumers = [Program(CONSUMER, path) for _ in range(3)]
    publishers = [Program(PUBLISHER, path, name, 2000) for name in ("a", "b")]
    sent = [line for publisher in publishers for line in publisher.finish()]
    file = QueueFile(path)
    for _ in consumers:
        file.put("q", "end")
    taken = [line for consumer in consumers for line in consumer.finish() if line]
    assert len(sent) == 4000
    assert Counter(taken) == Counter(sent)


def test_kill_9_leaves_a_whole_file(path: Path) -> None:
    """A publisher and a consumer are killed; what was put is there, but for the one message in the consumer's hand."""
    publishers = [Program(PUBLISHER, path, name, 1_000_000) for name in ("victim", "other")]
    consumers = [Program(CONSUMER, path, name) for name in ("victim", "other")]
    for program in (*publishers, *consumers):
        wait_until(lambda program=program: len(program.lines()) > 200, "everybody is busy")
    sent = [line for publisher in publishers for line in publisher.kill_9()]
    taken = consumers[0].kill_9()
    file = QueueFile(path)
    file.put("q", "end")
    taken += consumers[1].finish()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert max(Counter(taken).values()) == 1
    assert len(set(sent) - set(taken)) <= 1
    # A publisher may die between putting a message and saying so.
    assert len(set(taken) - set(sent)) <= 2
    assert file.size("q") == 0


def test_a_file_open_at_a_fork_serves_both_sides(path: Path) -> None:
    """The child must not go on in a log of its own when the parent, as the last one known to the kernel, removes it."""
    file = QueueFile(path)
    file.put("q", "before")
    fork = multiprocessing.get_context("fork")
    parent_closed = fork.Event()

    def child() -> None:
        file.put("q", "child")
        parent_closed.wait(10)
        file.put("q", "child again")

    process = fork.Process(target=child)
    process.start()
    wait_until(lambda: file.size("q") == 2, "the child has put its message")
    file.close()
    parent_closed.set()
    process.join(10)
    file.put("q", "parent")
    assert take_all(file) == ["before", "child", "child again", "parent"]


def test_other_threads_and_forks_do_not_wait_for_each_other(path: Path) -> None:
    """Fork again and again while threads use the file: no deadlock, no message lost."""
    script = """
import os, sys, threading
from pathlib import Path
from tournaments.queue.queue_file import QueueFile
file = QueueFile(Path(sys.argv[1]))
def put(name):
    for number in range(200):
        file.put("q", f"{name}-{number}")
threads = [threading.Thread(target=put, args=(name,)) for name in ("a", "b")]
[thread.start() for thread in threads]
for number in range(20):
    if os.fork() == 0:
        file.put("q", f"child-{number}")
        os._exit(0)
[thread.join() for thread in threads]
for number in range(20):
    assert os.wait()[1] == 0
"""
    Program(script, path).finish()
    assert len(set(take_all(QueueFile(path)))) == 420
