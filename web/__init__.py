"""The site. Importing it makes the Celery application known: whoever sends a task sends it to the right broker."""

from web.celery import app as celery_app

__all__ = ["celery_app"]
