"""The Celery application. Its settings are those of Django that start with ``CELERY_``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")

app = Celery("gravitysite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
