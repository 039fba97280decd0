"""The Celery application. Its settings are those of Django that start with ``CELERY_``."""

import os

from celery import Celery, signals

from gravitysite import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")

app = Celery("gravitysite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

signals.setup_logging.connect(logs.keep_logging)
signals.before_task_publish.connect(logs.remember_request)
signals.task_prerun.connect(logs.name_task)
signals.task_postrun.connect(logs.forget_task)
