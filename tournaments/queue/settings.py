"""Queues and every Celery setting, for RabbitMQ and for the embedded transport alike.

    app = Celery("crowns")
    register()
    app.conf.update(celery_settings(settings.BROKER_URL))

A task's name says its queue: `control.sweep`, `dispatch.match`, `collect.results`. No task is sent with an eta or a
countdown: what is due later waits as a row for the sweeper.
"""

from typing import Any

import amqp.exceptions
import kombu.exceptions
from kombu.entity import Exchange, Queue

from tournaments.queue.transport import is_embedded

CONTROL = "crowns.control.v1"
"""Rounds, ratings and the sweeper."""
DISPATCH = "crowns.dispatch.v1"
"""Reserve bots and start attempts: milliseconds each."""
COLLECT = "crowns.collect.v1"
"""Fetch results from the referee: each holds a thread for one poll."""
DEAD = "crowns.dead.v1"
"""What was delivered too often or refused, for a person to look at."""

QUEUE_OF_PREFIX = {"control": CONTROL, "dispatch": DISPATCH, "collect": COLLECT}

PUBLISH_ERRORS = (kombu.exceptions.OperationalError, amqp.exceptions.MessageNacked)
"""What sending a task may raise: broker away, or queue full. The sweeper sends the hint again."""

DELIVERY_LIMIT = 10
MAX_LENGTH = 10_000

# A queue cannot be declared again with other arguments: whoever changes these raises the version in the names.
_EXCHANGE = Exchange("crowns", type="topic")
_DEAD_EXCHANGE = Exchange("crowns.dead", type="fanout")
TASK_QUEUE_ARGUMENTS = {
    "x-queue-type": "quorum",
    "x-delivery-limit": DELIVERY_LIMIT,
    "x-dead-letter-exchange": _DEAD_EXCHANGE.name,
    "x-dead-letter-strategy": "at-least-once",
    "x-max-length": MAX_LENGTH,
    "x-overflow": "reject-publish",
}


def task_queues() -> list[Queue]:
    """The queues that workers consume."""
    return [
        Queue(name, _EXCHANGE, routing_key=name, queue_arguments=TASK_QUEUE_ARGUMENTS)
        for name in QUEUE_OF_PREFIX.values()
    ]


def dead_letter_queue() -> Queue:
    """Nobody consumes it; it keeps its newest messages."""
    return Queue(DEAD, _DEAD_EXCHANGE, queue_arguments={"x-queue-type": "quorum", "x-max-length": MAX_LENGTH})


def route(name: str, *_: Any, **__: Any) -> dict[str, str]:
    """The queue of a task, from the first word of its name."""
    queue = QUEUE_OF_PREFIX.get(name.partition(".")[0])
    if queue is None:
        raise ValueError(f"task {name!r}: its name must begin with one of {', '.join(QUEUE_OF_PREFIX)} and a dot")
    return {"queue": queue, "routing_key": queue}


def celery_settings(broker_url: str) -> dict[str, Any]:
    """All of Celery's configuration but the beat schedule."""
    return {
        "broker_url": broker_url,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "task_queues": task_queues(),
        "task_default_queue": CONTROL,
        "task_create_missing_queues": False,
        "task_routes": (route,),
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        # A page that enqueues must not wait long for a broker that is away.
        "task_publish_retry_policy": {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2},
        "timezone": "UTC",
        "worker_consumer": "tournaments.queue.worker:Consumer",
        "worker_pool": "threads",
        "worker_concurrency": 8,
        # In memory: every period is short and every task may run twice, so nothing is worth remembering.
        "beat_scheduler": "celery.beat:Scheduler",
        **(_EMBEDDED if is_embedded(broker_url) else _RABBITMQ),
    }


_RABBITMQ = {
    "task_default_queue_type": "quorum",
    "worker_detect_quorum_queues": True,
    "worker_prefetch_multiplier": 1,
    "broker_transport_options": {"confirm_publish": True, "confirm_timeout": 5},
}
# With a multiplier of 1 a full window waits out the whole polling interval before the next message.
_EMBEDDED = {"worker_prefetch_multiplier": 4}
