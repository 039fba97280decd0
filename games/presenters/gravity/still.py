"""The still part of the picture: tiles, grid, platforms, doors and replay symbols, kept as one string a layout."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from engine.gravity.board import SIDE
from games.presenters.gravity.land import draw_growth, draw_land
from games.presenters.gravity.space import MARGIN, UNIT, centre, parse_pawn, parse_space, use
from games.presenters.gravity.view import GravityView

type Sides = dict[int, set[int]]
"""The platforms on each line of the grid: from line to places along it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What stays on the board while nobody turns a tile."""

    columns: int
    rows: int
    width: int
    height: int
    platforms: tuple[str, ...]
    doors: tuple[str, ...]
    replay: tuple[str, ...]

    @classmethod
    def of(cls, view: GravityView) -> "Layout":
        """Return the layout that a view shows."""
        return cls(
            columns=view["columns"],
            rows=view["rows"],
            width=view["width"],
            height=view["height"],
            platforms=tuple(view["platforms"]),
            doors=tuple(view["doors"]),
            replay=tuple(view["replay"]),
        )


@lru_cache(maxsize=256)
def draw_still(layout: Layout) -> str:
    """Return the part of the picture that stays the same until a tile is turned."""
    width, height = layout.width, layout.height
    horizontal, vertical = _sides(layout)
    air = f'<rect class="air" x="{MARGIN}" y="{MARGIN}" width="{width * UNIT}" height="{height * UNIT}"/>'
    out = ['<g class="still">', air, *draw_land(layout.columns, layout.rows), _draw_grid(layout)]
    out += [
        f'<use href="#replay" transform="translate({x} {y})"/>'
        for x, y in (centre(*parse_space(space)) for space in layout.replay)
    ]
    out += [use("door", x, y, feet=feet) for x, y, feet in map(parse_pawn, layout.doors)]
    out.append(_draw_ledges(layout, horizontal, vertical))
    out.append(_draw_openings(layout, horizontal, vertical))
    out.append(_draw_labels(width, height))
    out.append("</g>")
    return "".join(out)


def _draw_labels(width: int, height: int) -> str:
    places = " ".join(str(MARGIN + x * UNIT + UNIT // 2) for x in range(width))
    letters = "".join(chr(ord("a") + x) for x in range(width))
    out = [f'<text x="{places}" y="{y}">{letters}</text>' for y in (11, MARGIN * 2 + height * UNIT - 4)]
    lines = [MARGIN + y * UNIT + UNIT // 2 + 4 for y in range(height)]
    digits, pairs = lines[:9], lines[9:]
    for x in (8, MARGIN * 2 + width * UNIT - 8):
        across, down = " ".join([str(x)] * len(digits)), " ".join(map(str, digits))
        out.append(f'<text x="{across}" y="{down}">{"123456789"[: len(digits)]}</text>')
        out += [f'<text x="{x}" y="{y}">{number}</text>' for number, y in enumerate(pairs, start=10)]
    # Each letter and digit has a place of its own in the lists of its element.
    return f'<g class="labels">{"".join(out)}</g>'


def _draw_grid(layout: Layout) -> str:
    right, bottom = MARGIN + layout.width * UNIT, MARGIN + layout.height * UNIT
    lines = "".join(f"M{MARGIN + x * UNIT} {MARGIN}V{bottom}" for x in range(layout.width + 1))
    lines += "".join(f"M{MARGIN} {MARGIN + y * UNIT}H{right}" for y in range(layout.height + 1))
    seams = "".join(f"M{MARGIN + x * UNIT} {MARGIN}V{bottom}" for x in range(SIDE, layout.width, SIDE))
    seams += "".join(f"M{MARGIN} {MARGIN + y * UNIT}H{right}" for y in range(SIDE, layout.height, SIDE))
    return f'<path class="grid" d="{lines}"/><path class="seams" d="{seams}"/>'


def _runs(places: Iterable[int]) -> list[tuple[int, int]]:
    """Return numbers as runs (first, one past the last)."""
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def _sides(layout: Layout) -> tuple[Sides, Sides]:
    """Return the platforms as places on each horizontal and each vertical line, those on the seam at both edges."""
    horizontal: dict[int, set[int]] = {}
    vertical: dict[int, set[int]] = {}
    for platform in layout.platforms:
        x, y, side = parse_pawn(platform)
        if side == "N":
            for line in (y, layout.height) if y == 0 else (y,):
                horizontal.setdefault(line, set()).add(x)
        else:
            for line in (x, layout.width) if x == 0 else (x,):
                vertical.setdefault(line, set()).add(y)
    return horizontal, vertical


def _draw_ledges(layout: Layout, horizontal: Sides, vertical: Sides) -> str:
    lines = [(first, y, end, y) for y, places in sorted(horizontal.items()) for first, end in _runs(places)]
    lines += [(x, first, x, end) for x, places in sorted(vertical.items()) for first, end in _runs(places)]
    drawn = "".join(
        f"M{MARGIN + from_x * UNIT} {MARGIN + from_y * UNIT}"
        + (f"H{MARGIN + to_x * UNIT}" if from_y == to_y else f"V{MARGIN + to_y * UNIT}")
        for from_x, from_y, to_x, to_y in lines
    )
    # Two boards on a page have one name for the same ledges, and two for others.
    name = f"ledges-{crc32(drawn.encode()):x}"
    return (
        f'<defs><path id="{name}" d="{drawn}"/></defs><use href="#{name}" class="rock-shade"/>'
        + draw_growth(lines, layout.columns, layout.rows)
        + "".join(
            f'<use href="#{name}" class="{layer}"/>' for layer in ("rock-edge", "rock-light", "rock", "rock-cracks")
        )
    )


def _draw_openings(layout: Layout, horizontal: Sides, vertical: Sides) -> str:
    """Return small arrows at the edges that can be crossed: there the board goes on at the opposite edge."""
    right, bottom = MARGIN + layout.width * UNIT, MARGIN + layout.height * UNIT
    marks = []
    for x in range(layout.width):
        if x not in horizontal.get(0, ()):
            middle = MARGIN + x * UNIT + UNIT // 2
            marks.append(f"M{middle - 4} {MARGIN - 2}l4-4 4 4M{middle - 4} {bottom + 2}l4 4 4-4")
    for y in range(layout.height):
        if y not in vertical.get(0, ()):
            middle = MARGIN + y * UNIT + UNIT // 2
            marks.append(f"M{MARGIN - 2} {middle - 4}l-4 4 4 4M{right + 2} {middle - 4}l4 4-4 4")
    return f'<path class="openings" d="{"".join(marks)}"/>'
