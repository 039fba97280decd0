"""The WSGI entry point, which every server of the site uses."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")

application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - all views are imported now, and not while somebody waits for the first page
