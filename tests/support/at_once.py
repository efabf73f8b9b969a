"""Calls that meet each other."""

import threading
from collections.abc import Callable

from django.db import connection


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What each returned or raised, all called at the same moment by threads with connections of their own."""
    gate, outcomes = threading.Barrier(len(calls)), [None] * len(calls)

    def run(number: int) -> None:
        try:
            gate.wait()
            outcomes[number] = calls[number]()
        except Exception as error:
            outcomes[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes
