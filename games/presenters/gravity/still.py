"""The still part of the picture: tiles, grid, platforms, doors and replay symbols, kept as one string a layout."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engine.gravity.board import SIDE
from games.presenters.gravity.space import MARGIN, TILE, UNIT, parse_pawn, parse_space, use
from games.presenters.gravity.view import GravityView


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
    out = ['<g class="still">', _draw_sky(layout), _draw_grid(layout)]
    out += [use("replay", *parse_space(space), cls="replay-symbol") for space in layout.replay]
    out += [use("door", x, y, feet=feet, cls="door") for x, y, feet in map(parse_pawn, layout.doors)]
    out.append(_draw_ledges(layout))
    out.append(_draw_openings(layout))
    out.append('<g class="labels">')
    out += [
        f'<text x="{MARGIN + x * UNIT + UNIT // 2}" y="11">{chr(ord("a") + x)}</text>'
        f'<text x="{MARGIN + x * UNIT + UNIT // 2}" y="{MARGIN * 2 + height * UNIT - 4}">{chr(ord("a") + x)}</text>'
        for x in range(width)
    ]
    out += [
        f'<text x="8" y="{MARGIN + y * UNIT + UNIT // 2 + 4}">{y + 1}</text>'
        f'<text x="{MARGIN * 2 + width * UNIT - 8}" y="{MARGIN + y * UNIT + UNIT // 2 + 4}">{y + 1}</text>'
        for y in range(height)
    ]
    out.append("</g></g>")
    return "".join(out)


def _draw_sky(layout: Layout) -> str:
    """Return the tiles with specks of far stars, the same on each drawing of a layout."""
    rng = Random(f"{layout.width}x{layout.height}")  # noqa: S311 - only specks of far stars
    out = [
        f'<rect class="tile tile-{(column + row) % 2}" x="{MARGIN + column * TILE}" y="{MARGIN + row * TILE}"'
        f' width="{TILE}" height="{TILE}"/>'
        for row in range(layout.rows)
        for column in range(layout.columns)
    ]
    specks = "".join(
        f"M{MARGIN + rng.randrange(4, layout.width * UNIT - 4)} {MARGIN + rng.randrange(4, layout.height * UNIT - 4)}h0"
        for _ in range(layout.width * layout.height // 2)
    )
    out.append(f'<path class="specks" d="{specks}"/>')
    return "".join(out)


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


def _sides(layout: Layout) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
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


def _draw_ledges(layout: Layout) -> str:
    horizontal, vertical = _sides(layout)
    body, light = [], []
    for line, places in sorted(horizontal.items()):
        y = MARGIN + line * UNIT
        for first, end in _runs(places):
            body.append(f"M{MARGIN + first * UNIT} {y}H{MARGIN + end * UNIT}")
            light.append(f"M{MARGIN + first * UNIT + 1} {y - 2}H{MARGIN + end * UNIT - 1}")
    for line, places in sorted(vertical.items()):
        x = MARGIN + line * UNIT
        for first, end in _runs(places):
            body.append(f"M{x} {MARGIN + first * UNIT}V{MARGIN + end * UNIT}")
            light.append(f"M{x - 2} {MARGIN + first * UNIT + 1}V{MARGIN + end * UNIT - 1}")
    drawn = "".join(body)
    return (
        f'<path class="ledge-shade" d="{drawn}" transform="translate(1.5 3)"/><path class="ledge" d="{drawn}"/>'
        f'<path class="ledge-light" d="{"".join(light)}"/>'
    )


def _draw_openings(layout: Layout) -> str:
    """Return small arrows at the edges that can be crossed: there the board goes on at the opposite edge."""
    horizontal, vertical = _sides(layout)
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
