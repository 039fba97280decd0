"""All shapes that are drawn once a page and referred to wherever they stand: stars, doors, tokens, pawns, cards."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from games.presenters.gravity.characters import draw_characters
from games.presenters.gravity.land import LAND
from games.presenters.gravity.pictograms import CARD_ARTS, IMP


@lru_cache(maxsize=1)
def sprite() -> str:
    """Return the symbols that boards, cards and buttons on the same page refer to with ``<use>``."""
    out = ["<defs>", LAND]
    out += [
        f'<g id="star-{colour}" class="star-{colour}">'
        f'<path class="star-shape" d="{shape}"/><path class="star-facet" d="{FACETS[colour]}"/>'
        f'<circle class="star-table" r="6.6"/><text class="star-letter" y="4.1">{colour.upper()}</text></g>'
        for colour, shape in STAR_SHAPES.items()
    ]
    out += [f'<g id="{name}">{drawing}</g>' for name, drawing in SYMBOLS.items()]
    out.append(f'<g id="replay">{REPLAY}</g>')
    out += draw_characters()
    out.append(IMP)
    out += [f'<g id="card-{card}" class="card-art">{art}</g>' for card, art in CARD_ARTS.items()]
    out.append("</defs>")
    return "".join(out)


REPLAY: Final = (
    '<circle class="replay-disc" r="16"/><path class="replay-arrow" d="M-12.2-10.2a15.9 15.9 0 0 1 25.5.8'
    'M12.2 10.2a15.9 15.9 0 0 1-25.5-.8M-4.8-3.7a6 6 0 1 1-1.1 4.6"/>'
    '<path class="replay-head" d="M16-4l.2-8.4-6.3 4.5zM-16 4l-.2 8.4 6.3-4.5zM-9 1.5l3-5.5 3.5 5z"/>'
)

SYMBOLS: Final[Mapping[str, str]] = {
    "token": '<circle class="token-edge" cy="1.5" r="14.5"/><circle class="token-disc" r="14"/>'
    '<circle class="token-rim" r="10.8"/>'
    '<path class="token-arrow" d="M-4.9-4.5a6.6 6.6 0 1 1-1.4 6.5"/>'
    '<path class="token-head" d="M-9.5 1.8l3.4-5.8 3.7 5.3z"/>',
    "door": '<path class="door-frame" d="M-13 19V-1a13 13 0 0 1 26 0v20z"/>'
    '<path class="door-leaf" d="M-9.5 19V-1a9.5 9.5 0 0 1 19 0v20z"/>'
    '<path class="door-arrow" d="M0 1.5v9.5M-4.5 7.2L0 11.5l4.5-4.3"/><path class="door-knob" d="M6.6 12.5h0"/>',
    "door-open": '<circle class="open-glow" cy="-1" r="20"/><circle class="open-glow" cy="-1" r="16.5"/>'
    '<path class="open-frame" d="M-13 19V-1a13 13 0 0 1 26 0v20z"/>'
    '<path class="open-light" d="M-9.5 19V-1a9.5 9.5 0 0 1 19 0v20z"/>'
    '<path class="open-leaf" d="M-9.5 19V-1q0-4 1-6l-8 3.5v20z"/>'
    '<path class="open-arrow" d="M1.5-2v13M-3.5 6.6l5 5.2 5-5.2"/>',
    "cross": '<path class="cross-line" d="M-10-10l20 20m0-20l-20 20"/>',
}


def _join(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{round(x, 1) + 0:g} {round(y, 1) + 0:g}" for x, y in points).replace(" -", "-")


type Radii = Sequence[float]
"""How far the corners of a star are from its middle, clockwise from the top, again and again."""


def _corners(rays: int, radii: Radii) -> list[tuple[float, float]]:
    count = 2 * rays
    return [
        (radii[i % len(radii)] * sin(2 * pi * i / count), -radii[i % len(radii)] * cos(2 * pi * i / count))
        for i in range(count)
    ]


def _facets(rays: int, radii: Radii) -> str:
    """Return the side of each ray that lies in the shade."""
    corners = _corners(rays, radii)
    return "M0 0" + "".join(f"L{_join(corners[i : i + 2])}z" for i in range(0, len(corners), 2))


_STARS: Final[Mapping[str, tuple[int, Radii]]] = {
    "b": (4, (15.8, 7.8)),
    "y": (5, (15.6, 7.6)),
    "p": (5, (14.5, 9.8)),
    "g": (6, (15, 9)),
    "o": (10, (15, 10.6)),
    "w": (8, (12.5, 8.4, 17, 8.4)),
}
STAR_SHAPES: Final[Mapping[str, str]] = {colour: f"M{_join(_corners(*star))}z" for colour, star in _STARS.items()}
FACETS: Final[Mapping[str, str]] = {
    colour: _facets(rays, [radius * 0.94 for radius in radii]) for colour, (rays, radii) in _STARS.items()
}
