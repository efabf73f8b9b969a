"""The site's Celery application, whose worker says at its end which step took how much CPU: `celery -A tests.bench.timed_worker`.

The steps are those functions of the site's that tasks call. Their CPU is that of the thread that runs them, each less what other
steps took within it. What a worker spends beside them - receiving messages, the threads of gRPC and of the broker's connection -
is the rest of the process.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from celery.signals import worker_ready, worker_shutdown

from web.celery import app

__all__ = ["app"]

VARIABLE = "CROWNS_BENCH_STEPS"
"""Names the file that is written."""

_cpu: Counter[str] = Counter()
_calls: Counter[str] = Counter()
_lock = threading.Lock()
_here = threading.local()


def timed(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        nested = _here.__dict__.setdefault("nested", [])
        nested.append(0.0)
        began = time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent = time.thread_time() - began
            own = spent - nested.pop()
            if nested:
                nested[-1] += spent
            with _lock:
                _cpu[step] += own
                _calls[step] += 1

    return run


@worker_ready.connect
def _time_the_steps(**_: Any) -> None:
    from tournaments import tasks
    from tournaments.services import collect, hints

    steps = (
        ("create", tasks, "tournament_advance"),
        ("dispatch", tasks, "match_dispatch"),
        ("collect", tasks, "results_collect"),
        ("verify", collect, "verify_record"),
        ("record", collect, "result_record"),
        ("close", tasks, "round_settle"),
        ("watch", tasks, "sweep"),
        ("watch", tasks, "shards_configure"),
        ("watch", tasks, "shard_watch"),
        ("watch", tasks, "shard_sync"),
        ("hint", hints, "send"),
    )
    for step, module, name in steps:
        setattr(module, name, timed(step, getattr(module, name)))


@worker_shutdown.connect
def _tell(**_: Any) -> None:
    Path(os.environ[VARIABLE]).write_text(json.dumps({"cpu_s": _cpu, "calls": _calls}))
