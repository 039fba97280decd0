"""The streams: ``/live/games/<key>/`` of one game, ``/live/me/`` of all games in which a person has a seat.

Each event names a game and its version; what has changed is asked for like anything else. They are served under ASGI
alone: the web server, whose threads they would hold, knows none of them.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from math import ceil
from time import monotonic
from typing import Final

from allauth.core.internal.ratelimit import get_ip
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import tokens
from accounts.models import Scope, User
from games.announce import game_channel, person_channel
from games.api.access import bearer, wait_after_wrong
from games.errors import GameError
from games.live.hub import Hub
from games.queries.game_page import game_version

MOST: Final = 20
"""How many streams one person, or one network of people who are not signed in, can have at once."""
BEAT: Final = 25.0
"""Seconds without an event after which an empty line is sent, so that nobody on the way takes the stream for dead."""
LASTS: Final = 540.0
"""Seconds after which a stream ends, and is asked for anew: who has signed out since then gets none."""
AGAIN: Final = 3000
"""Milliseconds after which a browser asks anew."""

LATER: Final = 60_000
"""The same for one that has too many streams."""

type View = Callable[..., HttpResponseBase]

_open: Final = Counter[str]()
"""How many streams there are of each who listens."""


def streamed(view: View) -> View:
    """Let a view answer under ASGI, to GET, where streams are offered; else there is nothing at its address."""

    @wraps(view)
    def checked(request: HttpRequest, **named: str) -> HttpResponseBase:
        if not isinstance(request, ASGIRequest) or not settings.LIVE:
            raise Http404
        return view(request, **named)

    return require_safe(checked)


@streamed
def game(request: HttpRequest, key: str) -> HttpResponseBase:
    """Stream the changes of a game, and of all games of who is signed in, beginning with its present version."""
    return _answer(request, key)


@streamed
def me(request: HttpRequest) -> HttpResponseBase:
    """Stream the changes of all games in which whoever is signed in has a seat; 401 for who is not."""
    return _answer(request, None)


def open_streams() -> int:
    """Return how many streams this process holds."""
    return _open.total()


def is_hearing() -> bool:
    """Return whether this process hears what is said of changes, as far as it knows."""
    return _hub().is_hearing()


def _answer(request: HttpRequest, key: str | None) -> HttpResponseBase:
    text, reader = bearer(request), request.user if isinstance(request.user, User) else None
    if text is not None:  # a token counts alone, whatever cookies come with it
        token = tokens.find(text, now=timezone.now())
        if token is None and (seconds := wait_after_wrong(request)) is not None:
            return HttpResponse(status=429, headers={"Retry-After": f"{ceil(seconds)}"})
        reader = token.user if token is not None and token.allows(Scope.READ) else None
    if reader is None and (key is None or text is not None):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    if key is not None:
        _version(key, reader)
    who = f"person {reader.pk}" if reader is not None else get_ip(request)
    if _open[who] >= MOST:
        return HttpResponse(status=429, headers={"Retry-After": "60"})
    channels = [] if key is None else [game_channel(key)]
    if reader is not None:
        channels.append(person_channel(reader.pk))
    lines = b"" if request.method == "HEAD" else _lines(who, channels, key, reader)
    return StreamingHttpResponse(
        lines, content_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


async def _lines(who: str, channels: Collection[str], key: str | None, reader: User | None) -> AsyncIterator[bytes]:
    """Yield what a stream says. It listens before it looks, so that nothing falls between the two."""
    end = monotonic() + LASTS
    with _counted(who):
        if _open[who] > MOST:  # they asked for many at once, and all were let in before the first was counted
            yield f"retry: {LATER}\n\n".encode()
            return
        async with _hub().listen(channels) as listener:
            if key is not None and not listener.is_over:
                listener.tell(key, await sync_to_async(_version)(key, reader))
            await sync_to_async(close_old_connections)()  # it is of this stream, which needs none from now on
            yield f"retry: {AGAIN}\n\n".encode()
            while not listener.is_over and (left := end - monotonic()) > 0:
                news = await listener.wait(min(BEAT, left))
                yield b"".join(_event(*one) for one in news.items()) or b":\n\n"


@contextmanager
def _counted(who: str) -> Iterator[None]:
    _open[who] += 1
    try:
        yield
    finally:
        _open[who] -= 1
        if not _open[who]:
            del _open[who]


def _event(key: str, version: int) -> bytes:
    return b"event: game\ndata: %s\n\n" % json.dumps({"game": key, "version": version}).encode()


def _version(key: str, reader: User | None) -> int:
    try:
        return game_version(key, reader)[1]
    except GameError as error:
        raise Http404 from error


@cache
def _hub() -> Hub:
    return Hub(settings.REDIS_URL)
