"""What a Celery worker does with its broker connection, less what the site never uses."""

from typing import Any

from celery import bootsteps
from celery.worker import consumer, state

from tournaments.queue.settings import dead_letter_queue
from tournaments.queue.transport import Transport


class DeclareDeadLetters(bootsteps.StartStopStep):
    """Declare the dead-letter exchange and queue at each connect: Celery does not, and RabbitMQ would hold back."""

    requires = (consumer.Connection,)

    def start(self, parent: Any) -> None:
        with parent.connection.channel() as channel:
            dead_letter_queue()(channel).declare()


_NEVER_USED = {
    # 28 more quorum queues that carry etas and countdowns.
    "celery.worker.consumer.delayed_delivery:DelayedDelivery",
    # Workers that know of each other.
    "celery.worker.consumer.gossip:Gossip",
}


class Consumer(consumer.Consumer):
    """Celery's consumer without etas and without talk between workers."""

    class Blueprint(consumer.Consumer.Blueprint):
        default_steps = [  # noqa: RUF012 - Celery's own attribute
            *(step for step in consumer.Consumer.Blueprint.default_steps if step not in _NEVER_USED),
            DeclareDeadLetters,
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, without_mingle=True, **kwargs)
        Transport.is_stopping = staticmethod(_is_stopping)


def _is_stopping() -> bool:
    """Celery holds an exit code here, 0 among them, or None or False."""
    return not all(wish is None or wish is False for wish in (state.should_stop, state.should_terminate))
