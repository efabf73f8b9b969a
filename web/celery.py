"""The Celery application: `celery -A web worker`, `celery -A web beat`."""

import os
from typing import Any

from celery import Celery
from django.conf import settings

from tournaments.queue import celery_settings, register

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
# Read when numpy is first loaded, by whoever computes strengths: many small sums, which threads of its own slow down.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _configuration() -> dict[str, Any]:
    """Read at the first use, not at import: Django's settings import this package."""
    return {
        **celery_settings(settings.BROKER_URL),
        "beat_schedule": settings.BEAT_SCHEDULE,
        "worker_hijack_root_logger": False,
    }


register()
app = Celery("crowns")
app.add_defaults(_configuration)
app.autodiscover_tasks()
