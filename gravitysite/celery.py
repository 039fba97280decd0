"""The Celery application. Its settings are those of Django that start with ``CELERY_``."""

import os
from pathlib import Path

from celery import Celery, signals

from gravitysite import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")

app = Celery("gravitysite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def note_life(**_signal: object) -> None:
    """Touch the file named by ``SIGN_OF_LIFE``, if one is named: this worker does what it gets."""
    if path := os.environ.get("SIGN_OF_LIFE"):
        Path(path).touch()


signals.setup_logging.connect(logs.keep_logging)
signals.before_task_publish.connect(logs.remember_request)
signals.task_prerun.connect(logs.name_task)
signals.task_postrun.connect(logs.forget_task)
signals.task_postrun.connect(note_life)
signals.worker_ready.connect(note_life)
