"""Telling an outside monitor that all is well. It calls somebody once it has heard nothing for a while."""

import urllib.request
from http.client import HTTPException
from typing import Final

import structlog
from django.conf import settings

from games.tasks.guard import TookTooLongError, within

PATIENCE: Final = 5.0
"""Seconds to wait for an answer, connecting included."""

logger = structlog.get_logger(__name__)


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows nowhere: another address might not be encrypted, and is none that the operator named."""

    def redirect_request(self, *_args: object) -> None:
        """Take a redirect for a refusal."""


_opener = urllib.request.build_opener(_StayHere)


def tell_monitor() -> bool:
    """Ask for ``HEARTBEAT_PING_URL``; return whether the monitor took it. Never raises.

    Who knows the address can keep the monitor quiet, so nothing of it is logged.
    """
    request = urllib.request.Request(settings.HEARTBEAT_PING_URL, headers={"User-Agent": "gravity-ping"})  # noqa: S310 - checked by the settings
    try:
        with within(PATIENCE), _opener.open(request, timeout=PATIENCE):
            return True
    except (HTTPException, OSError, ValueError, TookTooLongError) as error:
        logger.warning("monitor not told", error=type(error).__name__, status=getattr(error, "code", None))
        return False
