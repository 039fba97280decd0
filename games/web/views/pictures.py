"""Pictures of a game's board, as anybody may see it: for lists, mails and previews of links."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from allauth.core.internal import ratelimit
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from games.presenters.pictures import draw
from games.presenters.sheets import Scheme
from games.queries.pictures import Pictured, pictured
from games.web.answers import about_a_game, query_number
from games.web.pictures import BusyError, as_picture, asked_scheme, draw_card, look_of, render

KEPT: Final = "public, max-age=604800, immutable"
"""A position never changes; how it is drawn may, once in a while."""
KEPT_BY_NOBODY: Final = "private, no-store"
"""A picture of a game for its players only."""
KEPT_SHORTLY: Final = "public, max-age=60"

type Drawer = Callable[[HttpRequest, Pictured, Scheme, str], HttpResponse]


@require_safe
@as_picture
@about_a_game
def board_svg(request: HttpRequest, key: str) -> HttpResponse:
    """Draw the board as it is now, or after the entry ``?at=``, in the colours of ``?scheme=``."""
    return _answer(request, key, _as_svg)


@require_safe
@as_picture
@about_a_game
def board_png(request: HttpRequest, key: str) -> HttpResponse:
    """Draw the same on a card, for programs that know no SVG."""
    return _answer(request, key, _as_png)


def _answer(request: HttpRequest, key: str, drawer: Drawer) -> HttpResponse:
    """Return a picture, or that the one which is there is still right. One query then."""
    at = query_number(request, "at")
    scheme = asked_scheme(request)
    asked = pictured(key, at, request.user)
    tag = f'"{key}-{"new" if asked.seq is None else asked.seq}-{scheme}-{look_of(asked.ruleset)}"'
    response = get_conditional_response(request, etag=tag) or drawer(request, asked, scheme, tag)
    if response.status_code in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}:
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = (
            (KEPT_SHORTLY if at is None else KEPT) if asked.is_for_all else KEPT_BY_NOBODY
        )
    return response


def _as_svg(_request: HttpRequest, asked: Pictured, scheme: Scheme, _tag: str) -> HttpResponse:
    return HttpResponse(draw(asked, scheme), content_type="image/svg+xml")


def _as_png(request: HttpRequest, asked: Pictured, scheme: Scheme, tag: str) -> HttpResponse:
    """Return a picture that was rendered before, or render it, unless that is asked for too often."""
    kept = caches["pictures"]
    made: bytes | None = kept.get(tag)
    if made is None:
        if ratelimit.consume(request, app="allauth.account", action="picture", limit_get=True) is None:
            return _later(HTTPStatus.TOO_MANY_REQUESTS, 60)
        try:
            made = render(draw_card(draw(asked, scheme), scheme))
        except BusyError:
            return _later(HTTPStatus.SERVICE_UNAVAILABLE, 10)
        kept.set(tag, made)
    return HttpResponse(made, content_type="image/png")


def _later(status: HTTPStatus, seconds: int) -> HttpResponse:
    return HttpResponse(status=status, headers={"Retry-After": str(seconds), "Cache-Control": "no-store"})
