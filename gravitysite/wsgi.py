"""The WSGI entry point, which every server of the site uses."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")

application = get_wsgi_application()
