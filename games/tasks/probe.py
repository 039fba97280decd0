"""Asking the site through its own address, as a player would."""

import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

PATIENCE: Final = 5.0
"""Seconds to wait for an answer."""


def site_answers() -> bool | None:
    """Return whether the lobby can be read at ``PROBE_URL``; None if nothing is to be asked.

    Where that is another address than the public one, the request says what the proxy would say of it.
    """
    if not settings.PROBE_URL:
        return None
    request = urllib.request.Request(settings.PROBE_URL + reverse("lobby"), headers={"User-Agent": "gravity-probe"})  # noqa: S310 - ours
    if settings.PROBE_URL != settings.SITE_URL:
        public = urlsplit(settings.SITE_URL)
        request.add_header("Host", public.netloc)
        request.add_header("X-Forwarded-Proto", public.scheme)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE):  # noqa: S310 - the operator's own address
            return True
    except (urllib.error.URLError, HTTPException, OSError):
        return False
