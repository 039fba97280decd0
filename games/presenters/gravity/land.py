"""The ground of a strange little planet: dunes, craters, and what grows on the ledges.

None of it says where down is: light falls on all tiles the same way, and what stands on a ledge grows on both faces.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from engine.gravity.board import SIDE
from games.presenters.gravity.space import MARGIN, TILE, UNIT

GROUNDS: Final = 3
"""So many kinds of ground there are; the ids of their gradients are ``ground-0`` and so on."""

LAND: Final = (
    "".join(
        f'<radialGradient id="ground-{kind}" cx=".3" cy=".25" r=".95"><stop class="tile-{kind}"/>'
        f'<stop offset="1" class="tile-{kind} far"/></radialGradient>'
        for kind in range(GROUNDS)
    )
    + '<g id="land-0"><path class="land" d="M-104-40C-96-96-16-112 8-80'
    'S76-66 100-24 68 40 24 30-30 74-72 56-112 8-104-40z"/>'
    '<path class="land" d="M-70-36C-62-66-14-78-2-54S50-44 56-18 20 6 0 2-34 30-54 20-76-12-70-36z'
    'M44 96q10-28 40-30t30 26-34 26-36-22z"/></g>'
    '<g id="land-1"><path class="land" d="M-108 40Q-90-16-40-4T30-48 96-92 108-30 70 40 0 62-50 104-108 40z"/>'
    '<path class="land" d="M-80 44Q-66 12-34 20T38-20 80-54 84-16 52 18-6 38-44 74-80 44z'
    'M-96-76q6-34 40-30t22 40-40 20-22-30z"/></g>'
    '<g id="crater"><circle class="crater" r="10"/>'
    '<path class="crater-rim" d="M-8.6 5A10 10 0 0 0 8.6-5 11 11 0 0 1-8.6 5z"/></g>'
    '<g id="crystal"><path class="crystal" d="M-2-14l3.5 4.5v19L-2 14l-3.5-4.5v-19z'
    'M4.5-10.5l2.3 3v15l-2.3 3-2.3-3v-15zM-7.5-9l2 2.5v13l-2 2.5-2-2.5v-13z"/>'
    '<path class="crystal-light" d="M-2-14l3.5 4.5v19L-2 14zM4.5-10.5l2.3 3v15l-2.3 3z"/></g>'
    '<path id="plant" class="plant" d="M0 12.5V-12.5M0-6q-6 .5-7-4.5 6-1 7 4.5zM0-7.5q5-.5 5.5-5-5.5 0-5.5 5z'
    'M0 6q6-.5 7 4.5-6 1-7-4.5zM0 7.5q-5 .5-5.5 5 5.5 0 5.5-5z"/>'
)

type Line = tuple[int, int, int, int]
"""A run of platforms from one corner of spaces to another: column and row, column and row."""


def draw_land(columns: int, rows: int) -> Iterator[str]:
    """Yield the ground of so many tiles, the same each time."""
    rng = Random(f"{columns}x{rows}")  # noqa: S311 - only where craters are
    for row in range(rows):
        for column in range(columns):
            x, y = MARGIN + column * TILE, MARGIN + row * TILE
            kind = (column + 2 * row) % GROUNDS
            yield f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE}" fill="url(#ground-{kind})"/>'
            turn = rng.choice((0, 90, 180, 270))
            yield (
                f'<use href="#land-{rng.randrange(2)}" class="tile-{kind}"'
                f' transform="translate({x + TILE // 2} {y + TILE // 2})rotate({turn})"/>'
            )
            for size in (rng.uniform(1.2, 2.1), rng.uniform(0.5, 0.9)):
                at = f"{x + rng.randrange(30, TILE - 30)} {y + rng.randrange(30, TILE - 30)}"
                yield f'<use href="#crater" transform="translate({at})scale({size:.1f})"/>'
    count = columns * rows * 6
    dust = "".join(
        f"M{MARGIN + rng.randrange(4, columns * TILE - 4)} {MARGIN + rng.randrange(4, rows * TILE - 4)}h0"
        for _ in range(count)
    )
    yield f'<path class="specks" d="{dust}"/>'


def draw_growth(lines: Sequence[Line], columns: int, rows: int) -> str:
    """Return what grows on ledges: at corners of spaces, where nobody's feet stand, and nowhere at the edge."""
    rng = Random(repr(lines))  # noqa: S311 - only what grows where
    meeting: Counter[tuple[int, int]] = Counter()
    corners: list[tuple[int, int, int, int]] = []
    for from_x, from_y, to_x, to_y in lines:
        flat = from_y == to_y
        first, end = (from_x, to_x) if flat else (from_y, to_y)
        for place in range(first, end + 1):
            corner = (place, from_y) if flat else (from_x, place)
            meeting[corner] += 1
            corners.append((*corner, 0 if flat else 90, (place == first) - (place == end)))
    moss, stalks = [], []
    for x, y, turn, inward in corners:
        chance = rng.random()
        if meeting[x, y] > 1 or x in (0, columns * SIDE) or y in (0, rows * SIDE) or chance > 0.42:
            continue
        along = 7 * inward
        at_x, at_y = MARGIN + x * UNIT + (0 if turn else along), MARGIN + y * UNIT + (along if turn else 0)
        if chance < 0.24:
            moss.append(f"M{at_x} {at_y - 7}v14" if turn else f"M{at_x - 7} {at_y}h14")
        else:
            kind = "crystal" if chance < 0.31 else "plant"
            turned = "rotate(90)" if turn else ""
            stalks.append(f'<use href="#{kind}" transform="translate({at_x} {at_y}){turned}"/>')
    return f'<path class="moss" d="{"".join(moss)}"/>{"".join(stalks)}'
