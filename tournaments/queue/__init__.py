"""The way messages travel between the site's processes: RabbitMQ, or a file when there is no server."""

from tournaments.queue.queue_file import QueueFileError, discard
from tournaments.queue.settings import COLLECT, CONTROL, DEAD, DISPATCH, PUBLISH_ERRORS, celery_settings
from tournaments.queue.transport import QueueFull, embedded_url, is_embedded, register

__all__ = [
    "COLLECT",
    "CONTROL",
    "DEAD",
    "DISPATCH",
    "PUBLISH_ERRORS",
    "QueueFileError",
    "QueueFull",
    "celery_settings",
    "discard",
    "embedded_url",
    "is_embedded",
    "register",
]
