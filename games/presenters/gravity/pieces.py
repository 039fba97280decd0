"""The pieces of the board and the pictures of the cards: all of them are drawn in one static file.

A browser keeps that file, so that no page and no answer carries the drawings along. A page has a symbol for each piece
that refers to the file, and refers to its own symbols. Of a page's sheets nothing but tokens reaches into the file:
there colours and strokes are attributes.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.safestring import SafeString

from games.presenters.gravity.land import GRADIENTS

FILE: Final = "games/gravity/pieces.svg"
_PIECE: Final = re.compile(r'^<\w+ id="([\w-]+)"(?: class="([\w-]+)")?', re.MULTILINE)


@lru_cache(maxsize=1)
def drawings() -> str:
    """Return all that is drawn in the file, with its ids. Raises `FileNotFoundError`."""
    found = finders.find(FILE)
    if not found:
        raise FileNotFoundError(FILE)
    return Path(found).read_text("utf-8").partition(">")[2].rpartition("</svg>")[0]


@lru_cache(maxsize=1)
def sprite() -> str:
    """Return the symbols that boards, cards and buttons on the same page refer to with ``<use>``."""
    symbols = (
        f'<g id="{name}"{f' class="{classes}"' if classes else ""}><use href="{_address(name)}"/></g>'
        for name, classes in _PIECE.findall(drawings())
        if not name.startswith("front-")
    )
    return f"<defs>{GRADIENTS}{''.join(symbols)}</defs>"


@lru_cache(maxsize=1)
def whole_sprite() -> str:
    """Return the symbols with their drawings in them, for a picture that has nothing beside itself."""
    return f"<defs>{GRADIENTS}{drawings()}</defs>"


def draw_front(seat: int) -> SafeString:
    """Return the traveller of a seat as seen from the front."""
    return SafeString(f'<use href="{_address(f"front-{seat}")}"/>')


def _address(name: str) -> str:
    return f"{static(FILE)}#{name}"
