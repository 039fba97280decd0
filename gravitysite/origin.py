"""Where the site is: absolute addresses begin with SITE_URL, whatever a client says that the site is called."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

_PORTS: Final = {"http": 80, "https": 443}


class OriginMiddleware:
    """Lets nothing follow the Host header but the choice among ALLOWED_HOSTS.

    Links in mails, and every other address that is built from a request, begin with SITE_URL. ALLOWED_HOSTS says
    nothing of ports; one that is not the site's is refused (400), lest it come into a page, a mail or the name of a
    count.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        if settings.SITE_PORT_ONLY and not is_of_the_site(request.get_host()):
            return HttpResponse("Bad request", content_type="text/plain", status=HTTPStatus.BAD_REQUEST)
        # What `HttpRequest.build_absolute_uri` begins with.
        request._current_scheme_host = settings.SITE_URL  # type: ignore[attr-defined]
        return self.get_response(request)


def is_of_the_site(host: str) -> bool:
    """Return whether a host names no port, or the one of SITE_URL."""
    site = urlsplit(settings.SITE_URL)
    return urlsplit(f"//{host}").port in {None, site.port or _PORTS[site.scheme]}
