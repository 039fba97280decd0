"""The board of Gravity as one SVG picture, drawn on the server.

The still part (tiles, grid, platforms, doors, replay symbols) is built once per layout and cached as one string; the
moving part (stars, pawns, paths) is a few references to the symbols of `sprite`. Colours and strokes are in
``static/games/gravity/board.css``: the picture carries classes only, so that it follows the reader's theme.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from random import Random
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString

UNIT = 40
"""Side of a space in the picture's own units."""
MARGIN = UNIT // 2
"""Half a space around the board for the labels: the overlay of buttons counts on it (``.spots`` in table.css)."""

TURNS = {"S": 0, "W": 90, "N": 180, "E": 270}
"""Degrees clockwise from a figure that stands upright."""
AHEAD = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
type Space = tuple[int, int]
type BoardView = Mapping[str, Any]


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
    def of(cls, view: BoardView) -> "Layout":
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


@dataclass(frozen=True, slots=True)
class Trail:
    """The way of one pawn through one turn, read from its events.

    ``strokes`` are unbroken runs of spaces; a teleport or a turned tile starts a new one.
    """

    seat: int
    start: str | None = None
    strokes: tuple[tuple[Space, ...], ...] = ()
    collected: tuple[tuple[str, Space], ...] = ()
    ejected: tuple[tuple[int, Space], ...] = ()
    turned_tile: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn over the still board: ``trail`` of the last turn, or of the turn being composed (``preview``)."""

    trail: Trail | None = None
    preview: bool = False
    title: str = ""
    description: str = ""
    names: Sequence[str] = field(default_factory=tuple)


def label_space(x: int, y: int) -> str:
    """Return a space's name for people: column letter from the left, row number from the top."""
    return f"{chr(ord('a') + x)}{y + 1}"


def parse_pawn(pawn: str) -> tuple[int, int, str]:
    """Return column, row and feet of a pawn or a door as a view writes it."""
    x, y, feet = pawn.split(",")
    return int(x), int(y), feet


def trail_of(events: Iterable[Any], seat: int, start: str | None) -> Trail:
    """Return the trail that a turn's events draw for ``seat``, whose pawn stood at ``start`` (or nowhere) before."""
    strokes: list[list[Space]] = [[parse_pawn(start)[:2]]] if start else []
    collected: list[tuple[str, Space]] = []
    ejected: list[tuple[int, Space]] = []
    turned: int | None = None
    for event in events:
        params = event.params
        match event.kind:
            case "placed" | "teleported":
                strokes.append([(params["x"], params["y"])])
            case "moved" | "fell" if strokes:
                strokes[-1].append((params["x"], params["y"]))
            case "moved" | "fell":
                strokes.append([(params["x"], params["y"])])
            case "tile_turned":
                turned = params["tile"]
                strokes.append([])
            case "collected":
                collected.append((params["item"], (params["x"], params["y"])))
            case "ejected":
                ejected.append((params["victim"], (params["x"], params["y"])))
            case _:
                pass
    return Trail(
        seat=seat,
        start=start,
        strokes=tuple(tuple(stroke) for stroke in strokes if stroke),
        collected=tuple(collected),
        ejected=tuple(ejected),
        turned_tile=turned,
    )


def draw_board(view: BoardView, picture: Picture | None = None) -> SafeString:
    """Return the whole picture of a view as an ``<svg>`` element, with a title and a description for screen readers."""
    picture = picture or Picture()
    width, height = view["width"] * UNIT + 2 * MARGIN, view["height"] * UNIT + 2 * MARGIN
    head = (
        f'<svg class="gravity-board" viewBox="0 0 {width} {height}" role="img"'
        ' aria-labelledby="board-title board-desc" focusable="false">'
        f'<title id="board-title">{escape(picture.title)}</title>'
        f'<desc id="board-desc">{escape(picture.description)}</desc>'
    )
    parts = [
        head,
        sprite(),
        draw_still(Layout.of(view)),
        _draw_open_door(view),
        _draw_stars(view["stars"]),
    ]
    trail = picture.trail
    if trail is not None:
        parts.append(_draw_trail(trail, view, preview=picture.preview))
    parts.append(_draw_pawns(view, trail, preview=picture.preview))
    parts.append("</svg>")
    return SafeString("".join(parts))


@lru_cache(maxsize=256)
def draw_still(layout: Layout) -> str:
    """Return the part of the picture that stays the same until a tile is turned."""
    width, height = layout.width, layout.height
    out = ['<g class="still">', _draw_sky(layout), _draw_grid(layout)]
    out += [_use("replay", *_parse_space(space), cls="replay-symbol") for space in layout.replay]
    out += [_use("door", x, y, feet=feet, cls="door") for x, y, feet in map(parse_pawn, layout.doors)]
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


PAWN_HEADS: tuple[str, ...] = (
    # 1 a round helmet; 2 a square robot head; 3 cat's ears; 4 two feelers; 5 a tall cone; 6 a ringed planet
    "M0-18a7.6 7.6 0 0 1 7.6 7.6q0 4-3 6.4h-9.2q-3-2.4-3-6.4a7.6 7.6 0 0 1 7.6-7.6z",
    "M-7.5-17.5h15q1.5 0 1.5 1.5v10.5q0 1.5-1.5 1.5h-15q-1.5 0-1.5-1.5v-10.5q0-1.5 1.5-1.5z",
    "M-8.4-19.5l5 3.4q3.4-1 6.8 0l5-3.4q1.4 5.5.2 9.5q-1 4-4 6h-9.2q-3-2-4-6q-1.2-4 .2-9.5z",
    "M-9.6-19.8l1.8-1.4 4.6 4.6q3.2-1 6.4 0l4.6-4.6 1.8 1.4-4 6q2 2.5 1.5 5-.6 3-2.5 5h-9.2q-2-2-2.5-5-.5-2.5 1.5-5z",
    "M0-22.5l4.6 8q2.8 2.2 2.8 5.2 0 3.2-2.8 5.3h-9.2q-2.8-2.1-2.8-5.3 0-3 2.8-5.2z",
    "M-13.5-10q0-2.5 6-3.4 1.7-4.6 7.5-4.6t7.5 4.6q6 .9 6 3.4t-6.5 3.3q-1 1.8-2.5 2.7h-9q-1.5-1-2.5-2.7-6.5-1-6.5-3.3z",
)

SYMBOLS: Mapping[str, str] = {
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


STAR_SHAPES: Mapping[str, str] = {
    "b": _rayed(4, 15.5, 8.4),
    "y": _rayed(5, 14.8, 7.8),
    "p": _lobed(5, 11, 2.4),
    "g": _rayed(6, 14.4, 9),
    "o": _rayed(10, 13.8, 10.4),
    "w": _lobed(3, 11, 3),
}


def _parse_space(space: str) -> Space:
    x, y = space.split(",")[:2]
    return int(x), int(y)


def _centre(x: int, y: int) -> Space:
    return MARGIN + x * UNIT + UNIT // 2, MARGIN + y * UNIT + UNIT // 2


def _use(symbol: str, x: int, y: int, *, feet: str = "S", cls: str = "") -> str:
    """Return a reference to a symbol on a space. A symbol spans one space, whatever the place it is used in."""
    cx, cy = _centre(x, y)
    turn = f" rotate({TURNS[feet]})" if TURNS[feet] else ""
    return (
        f'<use href="#{symbol}" class="{cls}" x="-20" y="-20" width="40" height="40"'
        f' transform="translate({cx} {cy}){turn}"/>'
    )


def _draw_sky(layout: Layout) -> str:
    """Return the tiles with specks of far stars, the same on each drawing of a layout."""
    rng = Random(f"{layout.width}x{layout.height}")  # noqa: S311 - only specks of far stars
    side = 6 * UNIT
    out = [
        f'<rect class="tile tile-{(column + row) % 2}" x="{MARGIN + column * side}" y="{MARGIN + row * side}"'
        f' width="{side}" height="{side}"/>'
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
    seams = "".join(f"M{MARGIN + x * UNIT} {MARGIN}V{bottom}" for x in range(6, layout.width, 6))
    seams += "".join(f"M{MARGIN} {MARGIN + y * UNIT}H{right}" for y in range(6, layout.height, 6))
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


def _draw_open_door(view: BoardView) -> str:
    x, y, feet = parse_pawn(view["doors"][view["open_door"]])
    return _use("door-open", x, y, feet=feet, cls="open-door")


def _draw_stars(rows: Sequence[str]) -> str:
    return "".join(
        _use(f"star-{colour}", x, y) for y, row in enumerate(rows) for x, colour in enumerate(row) if colour != "."
    )


def _draw_trail(trail: Trail, view: BoardView, *, preview: bool) -> str:
    mode = "preview" if preview else "last"
    out = [f'<g class="trail trail-{mode} seat-{trail.seat}">']
    if trail.turned_tile is not None:
        side = 6 * UNIT
        row, column = divmod(trail.turned_tile, view["columns"])
        out.append(
            f'<rect class="turned-tile" x="{MARGIN + column * side + 3}" y="{MARGIN + row * side + 3}"'
            f' width="{side - 6}" height="{side - 6}" rx="8"/>'
        )
    path = "".join(_draw_stroke(stroke, view["width"], view["height"]) for stroke in trail.strokes)
    out.append(f'<path class="trail-glow" d="{path}"/><path class="trail-dots" d="{path}"/>')
    for item, (x, y) in trail.collected:
        symbol = "token" if item == "r" else f"star-{item}"
        out.append(_use(symbol, x, y, cls="collected"))
        cx, cy = _centre(x, y)
        out.append(f'<circle class="collected-ring" cx="{cx}" cy="{cy}" r="17"/>')
    landing = view["pawns"][trail.seat - 1]
    if trail.start and landing != trail.start:
        x, y, feet = parse_pawn(trail.start)
        out.append(_use(f"pawn-{trail.seat}", x, y, feet=feet, cls=f"pawn ghost seat-{trail.seat}"))
    for victim, (x, y) in trail.ejected:
        cx, cy = _centre(x, y)
        out.append(_use("cross", x, y, cls=f"ejected seat-{victim}"))
        out.append(
            f'<g class="ejected-tag seat-{victim}"><circle cx="{cx + 13}" cy="{cy - 13}" r="7.5"/>'
            f'<text x="{cx + 13}" y="{cy - 9.2}">{victim}</text></g>'
        )
    out.append("</g>")
    return "".join(out)


def _draw_stroke(stroke: Sequence[Space], width: int, height: int) -> str:
    """Return the path through a run of spaces; where it crosses the edge it leaves the board and comes back."""
    x, y = _centre(*stroke[0])
    path = [f"M{x} {y}"]
    for (from_x, from_y), (to_x, to_y) in pairwise(stroke):
        step_x, step_y = to_x - from_x, to_y - from_y
        wraps_x, wraps_y = abs(step_x) == width - 1, abs(step_y) == height - 1
        x, y = _centre(to_x, to_y)
        if wraps_x or wraps_y:
            out_x, out_y = (-_sign(step_x) if wraps_x else 0), (-_sign(step_y) if wraps_y else 0)
            old_x, old_y = _centre(from_x, from_y)
            half = UNIT // 2 + 6
            path.append(f"L{old_x + out_x * half} {old_y + out_y * half}M{x - out_x * half} {y - out_y * half}")
        path.append(f"L{x} {y}")
    return "".join(path)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _draw_pawns(view: BoardView, trail: Trail | None, *, preview: bool) -> str:
    out = []
    for seat, pawn in enumerate(view["pawns"], start=1):
        if pawn is None:
            continue
        x, y, feet = parse_pawn(pawn)
        cx, cy = _centre(x, y)
        ahead_x, ahead_y = AHEAD[feet]
        if seat == view["seat"]:
            out.append(f'<circle class="to-move look-here seat-{seat}" cx="{cx}" cy="{cy}" r="19"/>')
        if trail is not None and preview and seat == trail.seat:
            out.append(f'<circle class="landing seat-{seat}" cx="{cx}" cy="{cy}" r="19.5"/>')
        out.append(_use(f"pawn-{seat}", x, y, feet=feet, cls=f"pawn seat-{seat}"))
        number_x, number_y = cx + 3 * ahead_x, cy + 3 * ahead_y + 4
        out.append(f'<text class="pawn-number seat-{seat}" x="{number_x}" y="{number_y}">{seat}</text>')
    return "".join(out)
