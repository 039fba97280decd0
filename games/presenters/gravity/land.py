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

GRADIENTS: Final = "".join(
    f'<radialGradient id="ground-{kind}" cx=".3" cy=".25" r=".95"><stop class="tile-{kind}"/>'
    f'<stop offset="1" class="tile-{kind} far"/></radialGradient>'
    for kind in range(GROUNDS)
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
