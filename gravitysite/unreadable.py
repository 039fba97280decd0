"""Refuses what no page of the site can have sent, before anything reads it.

Left to themselves such requests end in an exception, some of them in the very page that reports the error.
"""

from collections.abc import Callable
from typing import Final

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from gravitysite.errors import bad_request, is_for_programs

_NUL: Final = "\0"
_UTF_8: Final = {"utf-8", "utf8"}


class UnreadableRequestMiddleware:
    """Answers 400 to a NUL character in an address or a cookie (no database takes it), and to a form that is none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        if is_readable(request):
            return self.get_response(request)
        return bad_request(request)


def is_readable(request: HttpRequest) -> bool:
    """Return whether the address, the cookies and the form, if one was sent, can be read."""
    if _NUL in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return False
    if any(_NUL in value for value in request.COOKIES.values()):
        return False
    if request.content_params is not None and request.content_params.get("charset", "utf-8").lower() not in _UTF_8:
        return False
    if is_for_programs(request):
        return True  # it takes no forms, and says so itself
    try:
        _ = request.POST  # reads nothing but forms
    except (BadRequest, MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        return False
    return True
