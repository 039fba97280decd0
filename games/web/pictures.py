"""Pictures of boards: drawn as SVG, put on a card of the site's sky, and rendered one after the other."""

import hashlib
import re
from functools import cache
from threading import BoundedSemaphore, Lock
from typing import Final

import resvg_py
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.csp import CSP
from django.views.decorators.csp import csp_override

from games.presenters.registry import PRESENTERS
from games.presenters.sheets import Scheme, read_sheets, work_out
from games.queries.practice import Practice

WIDTH: Final = 1200
HEIGHT: Final = 630
"""What programs that preview links expect."""
_ROOM: Final = (1130, 570)
"""So large the board may be on it."""
_STARS: Final = ("M40 52h0M96 236h0M28 418h0M84 590h0M1164 88h0M1108 310h0M1176 470h0M1090 600h0M430 14h0M760 618h0",)
_VIEW_BOX: Final = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
_rendering: Final = Lock()
_queue: Final = BoundedSemaphore(2)
"""One that is being rendered, and one that waits for it: no more threads stand still for pictures."""
_KEPT: Final = "public, max-age=86400"
as_picture: Final = csp_override({"default-src": [CSP.NONE], "style-src": [CSP.UNSAFE_INLINE]})
"""Decorates what answers with a picture: that loads nothing, and may have the colours that stand in it."""


class BusyError(Exception):
    """Others are waiting for their pictures."""


def asked_scheme(request: HttpRequest) -> Scheme:
    """Return the colours of ``?scheme=``, the light ones where none are asked for. Raises `Http404`."""
    try:
        return Scheme(request.GET.get("scheme", Scheme.LIGHT))
    except ValueError as error:
        raise Http404 from error


def answer_with_position(request: HttpRequest, practice: Practice) -> HttpResponse:
    """Draw where a practice board stands, the same for everyone, in the colours that are asked for."""
    scheme = asked_scheme(request)
    with translation.override(settings.LANGUAGE_CODE):
        drawn = PRESENTERS[practice.page.game.ruleset].picture(practice.page.view, (), scheme)
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": _KEPT})


def draw_card(picture: str, scheme: Scheme) -> str:
    """Return a picture in the middle of a card with the site's sky around it."""
    tokens = read_sheets(("site/base.css",)).tokens
    below, above, star = (work_out(f"var({token})", tokens, scheme) for token in ("--sky-1", "--sky-2", "--gold"))
    size = _VIEW_BOX.search(picture)
    assert size is not None  # the presenter's promise
    wide, high = int(size[1]), int(size[2])
    scale = min(_ROOM[0] / wide, _ROOM[1] / high)
    wide, high = round(wide * scale), round(high * scale)
    place = f'x="{(WIDTH - wide) // 2}" y="{(HEIGHT - high) // 2}" width="{wide}" height="{high}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        '<linearGradient id="sky" x2="0" y2="1">'
        f'<stop stop-color="{above}"/><stop offset="1" stop-color="{below}"/></linearGradient>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#sky)"/>'
        f'<path d="{_STARS[0]}" fill="none" stroke="{star}" stroke-width="5" stroke-linecap="round"/>'
        f"{picture.replace('<svg ', f'<svg {place} ', 1)}</svg>"
    )


def render(document: str) -> bytes:
    """Return a document as a PNG of the size of a card. Raises `BusyError`.

    It takes some tenths of a second in which this process does nothing else: so one at a time.
    """
    if not _queue.acquire(blocking=False):
        raise BusyError
    try:
        with _rendering:
            return resvg_py.svg_to_bytes(svg_string=document, width=WIDTH, height=HEIGHT, skip_system_fonts=True)
    finally:
        _queue.release()


@cache
def look_of(ruleset: str) -> str:
    """Return a word that is another one as soon as this release draws boards in another way."""
    presenter = PRESENTERS[ruleset]
    with translation.override(settings.LANGUAGE_CODE):
        drawn = "".join(draw_card(presenter.picture(None, (), scheme), scheme) for scheme in Scheme)
    return hashlib.blake2b(f"{resvg_py.__version__}{drawn}".encode(), digest_size=6).hexdigest()
