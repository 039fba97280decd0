"""The ASGI entry point, for the process ``live``, which holds open streams; pages are served through WSGI."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")

application = get_asgi_application()
