"""Headers of every page: what a browser may keep of it, and what it may do with the reader's devices."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

NOBODY: Final = "()"
OURSELVES: Final = "(self)"
PERMISSIONS: Final = ", ".join(
    f"{feature}={OURSELVES if feature.startswith('publickey-credentials') else NOBODY}"
    for feature in (
        "accelerometer",
        "autoplay",
        "browsing-topics",
        "camera",
        "display-capture",
        "encrypted-media",
        "fullscreen",
        "geolocation",
        "gyroscope",
        "hid",
        "idle-detection",
        "local-fonts",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "picture-in-picture",
        "publickey-credentials-create",
        "publickey-credentials-get",
        "screen-wake-lock",
        "serial",
        "storage-access",
        "usb",
        "window-management",
        "xr-spatial-tracking",
    )
)
"""The site asks for none of these but passkeys, and neither may a frame in it. Of other names Chromium complains."""


class HeadersMiddleware:
    """Lets a browser keep nothing that it got with a session's cookie or an access token, and use no device.

    Whoever comes to the browser after a reader has signed out finds no page of theirs by Back; after a move Back asks
    anew. It looks at the cookie and the header alone, so that it costs no statement.

    A view that says ``public`` answers everyone alike: that may be kept, whoever asked, unless a cookie comes with it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        name, kept = settings.SESSION_COOKIE_NAME, response.headers.get("Cache-Control", "")
        if kept.startswith("public") and not response.cookies:
            # What comes from the middleware further in: nothing of the answer depends on the reader or their language.
            for header in ("Vary", "Content-Language"):
                response.headers.pop(header, None)
            return response
        personal = name in request.COOKIES or name in response.cookies or "HTTP_AUTHORIZATION" in request.META
        if personal and "no-store" not in kept:
            response.headers["Cache-Control"] = "private, no-store"
        return response
