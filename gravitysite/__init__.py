"""The project package: settings, addresses and entry points of the site."""

from gravitysite.celery import app as celery_app

__all__ = ["celery_app"]
