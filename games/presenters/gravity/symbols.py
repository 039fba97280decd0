"""The shapes of stars, pawns, doors and tokens: drawn once a page, and referred to wherever they stand."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from games.presenters.gravity.pictograms import CARD_ARTS, IMP


@lru_cache(maxsize=1)
def sprite() -> str:
    """Return the symbols that boards, cards and buttons on the same page refer to with ``<use>``."""
    out = ["<defs>"]
    for colour, shape in STAR_SHAPES.items():
        out.append(
            f'<symbol id="star-{colour}" viewBox="-20 -20 40 40" overflow="visible"><g class="star star-{colour}">'
            f'<path class="star-shape" d="{shape}"/><text class="star-letter" y="4.2">{colour.upper()}</text>'
            "</g></symbol>"
        )
    out += [
        f'<symbol id="{name}" viewBox="-20 -20 40 40" overflow="visible">{drawing}</symbol>'
        for name, drawing in SYMBOLS.items()
    ]
    out += [
        f'<symbol id="pawn-{seat}" viewBox="-20 -20 40 40" overflow="visible">{_draw_figure(head)}</symbol>'
        for seat, head in enumerate(PAWN_HEADS, start=1)
    ]
    out.append(IMP)
    out += [
        f'<symbol id="card-{card}" viewBox="-20 -20 40 40" overflow="visible"><g class="card-art">{art}</g></symbol>'
        for card, art in CARD_ARTS.items()
    ]
    out.append("</defs>")
    return "".join(out)


def _draw_figure(head: str) -> str:
    return (
        '<g class="pawn-figure">'
        '<path class="pawn-boots" d="M-9.5 8h8v8.2a1.6 1.6 0 0 1-1.6 1.6h-6.9a1.6 1.6 0 0 1-1.6-1.6v-1.8q0-2 2.1-2.6z'
        'M9.5 8h-8v8.2a1.6 1.6 0 0 0 1.6 1.6h6.9a1.6 1.6 0 0 0 1.6-1.6v-1.8q0-2-2.1-2.6z"/>'
        f'<path class="pawn-body" d="{head}"/>'
        '<path class="pawn-body" d="M-7-4.5h14q5.5 1 5.5 7v3q0 2-2 2.2v1.3q0 2.5-2.5 2.5h-16q-2.5 0-2.5-2.5v-1.3'
        'q-2-.2-2-2.2v-3q0-6 5.5-7z"/>'
        '<path class="pawn-visor" d="M-4.4-11.2q4.4-2.6 8.8 0v2.4q-4.4 2.4-8.8 0z"/>'
        "</g>"
    )


PAWN_HEADS: Final[tuple[str, ...]] = (
    # 1 a round helmet; 2 a square robot head; 3 cat's ears; 4 two feelers; 5 a tall cone; 6 a ringed planet
    "M0-18a7.6 7.6 0 0 1 7.6 7.6q0 4-3 6.4h-9.2q-3-2.4-3-6.4a7.6 7.6 0 0 1 7.6-7.6z",
    "M-7.5-17.5h15q1.5 0 1.5 1.5v10.5q0 1.5-1.5 1.5h-15q-1.5 0-1.5-1.5v-10.5q0-1.5 1.5-1.5z",
    "M-8.4-19.5l5 3.4q3.4-1 6.8 0l5-3.4q1.4 5.5.2 9.5q-1 4-4 6h-9.2q-3-2-4-6q-1.2-4 .2-9.5z",
    "M-9.6-19.8l1.8-1.4 4.6 4.6q3.2-1 6.4 0l4.6-4.6 1.8 1.4-4 6q2 2.5 1.5 5-.6 3-2.5 5h-9.2q-2-2-2.5-5-.5-2.5 1.5-5z",
    "M0-22.5l4.6 8q2.8 2.2 2.8 5.2 0 3.2-2.8 5.3h-9.2q-2.8-2.1-2.8-5.3 0-3 2.8-5.2z",
    "M-13.5-10q0-2.5 6-3.4 1.7-4.6 7.5-4.6t7.5 4.6q6 .9 6 3.4t-6.5 3.3q-1 1.8-2.5 2.7h-9q-1.5-1-2.5-2.7-6.5-1-6.5-3.3z",
)

SYMBOLS: Final[Mapping[str, str]] = {
    "replay": '<path class="replay-arrow" d="M-11.6-12.9a17.3 17.3 0 1 1-4.6 6.4"/>'
    '<path class="replay-head" d="M-19.6-5.2l2.9-7.6 5.2 6.2z"/>',
    "token": '<circle class="token-disc" r="14"/><path class="token-arrow" d="M-4.9-6.2a8 8 0 1 1-2.9 4.2"/>'
    '<path class="token-head" d="M-11.2-2l2.5-6.6 4.6 5.4z"/>',
    "door": '<path class="door-frame" d="M-13 19v-21a13 13 0 0 1 26 0v21z"/>'
    '<path class="door-leaf" d="M-8.5 19v-20.5a8.5 8.5 0 0 1 17 0v20.5z"/>'
    '<path class="door-arrow" d="M0 3v10m-4.2-4.2l4.2 4.4 4.2-4.4"/>',
    "door-open": '<path class="open-frame" d="M-13 19v-21a13 13 0 0 1 26 0v21z"/>'
    '<path class="open-light" d="M-8.5 19v-20.5a8.5 8.5 0 0 1 17 0v20.5z"/>'
    '<path class="open-rays" d="M-17-7l-3-1.6M17-7l3-1.6M-11-16l-2.2-3M11-16l2.2-3"/>'
    '<path class="open-arrow" d="M0 1v12m-4.6-4.6l4.6 4.8 4.6-4.8"/>',
    "cross": '<path class="cross-line" d="M-10-10l20 20m0-20l-20 20"/>',
}


def _points(values: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in values) + "z"


def _rayed(rays: int, outer: float, inner: float) -> str:
    """Return a star of straight rays, one of them upward."""
    return _points(
        (radius * sin(pi * i / rays), -radius * cos(pi * i / rays))
        for i in range(2 * rays)
        for radius in [outer if i % 2 == 0 else inner]
    )


def _lobed(lobes: int, middle: float, swing: float) -> str:
    """Return a star of round lobes, one of them upward."""
    steps = 16 * lobes
    return _points(
        (radius * sin(2 * pi * i / steps), -radius * cos(2 * pi * i / steps))
        for i in range(steps)
        for radius in [middle + swing * cos(2 * pi * i * lobes / steps)]
    )


STAR_SHAPES: Final[Mapping[str, str]] = {
    "b": _rayed(4, 15.5, 8.4),
    "y": _rayed(5, 14.8, 7.8),
    "p": _lobed(5, 11, 2.4),
    "g": _rayed(6, 14.4, 9),
    "o": _rayed(10, 13.8, 10.4),
    "w": _lobed(3, 11, 3),
}
