"""A limit on how often one person may write: a page, never an error, asks them to wait.

It is a guard against runaway scripts, not a rule of the game. What guests may post, they are counted by their network;
sign-in forms allauth limits itself, and the API has limits of its own. Where the cache can't be reached nobody is held
up.
"""

import time
from collections.abc import Callable
from typing import Any

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from redis.exceptions import RedisError

from gravitysite.errors import is_for_programs

WINDOW = 60
"""Seconds in which writes are counted."""
MANY = 5
"""So many times as often as a person may the guests of one network post: there may be a class of them."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class WriteLimitMiddleware:
    """Answers 429 with ``Retry-After`` to who writes more often than ``settings.WRITE_LIMITS`` allows.

    The settings map names of URLs to writes a minute; the empty name stands for all others together, and for no guest.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; `process_view` counts."""
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        _view: Callable[..., HttpResponseBase],
        _args: tuple[Any, ...],
        _kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        """Count a write before its view runs; return the page that refuses it, or None."""
        if request.method in _SAFE or is_for_programs(request):
            return None
        name = request.resolver_match.url_name if request.resolver_match else ""
        bucket = name if name in settings.WRITE_LIMITS else ""
        limit: int = settings.WRITE_LIMITS[bucket]
        if request.user.is_authenticated:
            who = str(request.user.pk)
        elif bucket:
            who, limit = get_ip(request), limit * MANY
        else:
            return None
        now = time.time()
        if writes_in_window(f"writes:{who}:{bucket}:{int(now) // WINDOW}") <= limit:
            return None
        return too_many(request, WINDOW - int(now) % WINDOW)


def writes_in_window(key: str) -> int:
    """Count one more write under ``key`` and return how many there are; 0 where the cache can't be reached."""
    try:
        cache.add(key, 0, timeout=WINDOW * 2)
        return int(cache.incr(key))
    except (RedisError, ValueError):  # the key may run out between the two
        return 0


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the page that asks to wait for ``seconds``; to htmx only its words, for the messages of the open page."""
    fragment = request.headers.get("HX-Request") == "true"
    response = render(request, "429.html#words" if fragment else "429.html", {"seconds": seconds}, status=429)
    response["Retry-After"] = str(seconds)
    if fragment:
        response["HX-Retarget"] = "#messages"
        response["HX-Reswap"] = "innerHTML"
    return response
