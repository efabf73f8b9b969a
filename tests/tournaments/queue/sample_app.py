"""A Celery application configured as the site's, with tasks whose effects can be read from a folder."""

import os
import time
from pathlib import Path

from celery import Celery

from tournaments.queue import celery_settings, register

register()
app = Celery("sample")
app.conf.update(celery_settings(os.environ["SAMPLE_BROKER_URL"]))
FOLDER = Path(os.environ["SAMPLE_FOLDER"])


@app.task(name="control.note")
def note(word: str) -> None:
    with (FOLDER / "notes").open("a") as notes:
        notes.write(f"{word}\n")


@app.task(name="dispatch.hold")
def hold(word: str) -> None:
    """Note the word, then be busy until the file `release` is there."""
    note(word)
    while not (FOLDER / "release").exists():
        time.sleep(0.05)
    note(f"{word} done")


@app.task(name="elsewhere.note")
def misnamed() -> None:
    """Its name says no queue."""
