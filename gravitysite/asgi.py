"""The ASGI entry point, for the process ``live``, which holds open streams; pages are served through WSGI.

``/healthz`` and ``/metrics`` of this process are answered here, by its loop: whatever its thread is waiting for.
"""

import os
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, Final

import django
from django.core.handlers.asgi import ASGIHandler, ASGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup(set_prefix=False)

from django.http import HttpRequest, HttpResponse  # noqa: E402 - Django must be set up first

from gravitysite.health import healthz, live_metrics, watched  # noqa: E402 - as above

ANSWERS: Final[Mapping[str, Callable[[HttpRequest], HttpResponse]]] = {"/healthz": healthz, "/metrics": live_metrics}


class LiveHandler(ASGIHandler):
    """Answers requests with one thread for all that is not asynchronous, and so with one connection to the database.

    Django has a thread for each request, for as long as it lasts: thousands, where streams are open. So many that come
    back at once, as after a restart, would also keep each other from the few connections that there are.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        answer = ANSWERS.get(scope["path"]) if scope["type"] == "http" else None
        if answer is not None:
            await self.send_response(watched(ASGIRequest(scope, BytesIO()), answer), send)
        elif scope["type"] == "http":
            await self.handle(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)  # which refuses it


application = LiveHandler()
