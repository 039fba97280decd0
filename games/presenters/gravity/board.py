"""The board of Gravity as one SVG picture, drawn on the server.

The still part is built once per layout and cached as one string; the moving part (stars, pawns, paths) is a few
references to the symbols of `sprite`. Colours and strokes are in ``static/games/gravity/board.css``: the picture
carries classes only, so that it follows the reader's theme.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.presenters.gravity.space import MARGIN, TILE, UNIT, Space, centre, item_symbol, parse_pawn, picture_side, use
from games.presenters.gravity.still import Layout, draw_still
from games.presenters.gravity.symbols import sprite
from games.presenters.gravity.trail import Trail
from games.presenters.gravity.view import GravityView

AHEAD: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn over the still board: ``trail`` of the last turn, or of the turn being composed (``preview``)."""

    trail: Trail | None = None
    preview: bool = False
    title: str = ""
    description: str = ""


def draw_board(view: GravityView, picture: Picture | None = None) -> SafeString:
    """Return the whole picture of a view as an ``<svg>`` element, with a title and a description for screen readers."""
    picture = picture or Picture()
    width, height = picture_side(view["width"]), picture_side(view["height"])
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


def draw_scene(view: GravityView) -> SafeString:
    """Return the picture for a page that has one of `draw_board` already: what moves on it can be found by the script.

    It refers to the other's symbols, has no words, and shows nothing of the last turn or the next.
    """
    width, height = picture_side(view["width"]), picture_side(view["height"])
    parts = [
        f'<svg class="gravity-board scene" viewBox="0 0 {width} {height}" aria-hidden="true" focusable="false">',
        draw_still(Layout.of(view)),
        _draw_open_door(view),
        _draw_stars(view["stars"], found=True),
        _draw_pawns({**view, "seat": None}, None, preview=False),
        "</svg>",
    ]
    return SafeString("".join(parts))


def _draw_open_door(view: GravityView) -> str:
    x, y, feet = parse_pawn(view["doors"][view["open_door"]])
    return use("door-open", x, y, feet=feet, cls="open-door")


def _draw_stars(rows: Sequence[str], *, found: bool = False) -> str:
    return "".join(
        use(f"star-{colour}", x, y, more=f' data-at="{x},{y}"' if found else "")
        for y, row in enumerate(rows)
        for x, colour in enumerate(row)
        if colour != "."
    )


def _draw_trail(trail: Trail, view: GravityView, *, preview: bool) -> str:
    mode = "preview" if preview else "last"
    out = [f'<g class="trail trail-{mode} seat-{trail.seat}">']
    if trail.turned_tile is not None:
        row, column = divmod(trail.turned_tile, view["columns"])
        out.append(
            f'<rect class="turned-tile" x="{MARGIN + column * TILE + 3}" y="{MARGIN + row * TILE + 3}"'
            f' width="{TILE - 6}" height="{TILE - 6}" rx="8"/>'
        )
    path = "".join(_draw_stroke(stroke, view["width"], view["height"]) for stroke in trail.strokes)
    out.append(f'<path class="trail-glow" d="{path}"/><path class="trail-dots" d="{path}"/>')
    for item, (x, y) in trail.collected:
        out.append(use(item_symbol(item), x, y, cls="collected"))
        cx, cy = centre(x, y)
        out.append(f'<circle class="collected-ring" cx="{cx}" cy="{cy}" r="17"/>')
    landing = view["pawns"][trail.seat - 1]
    if trail.start and landing != trail.start:
        x, y, feet = parse_pawn(trail.start)
        out.append(use(f"pawn-{trail.seat}", x, y, feet=feet, cls=f"pawn ghost seat-{trail.seat}"))
    for victim, (x, y) in trail.ejected:
        cx, cy = centre(x, y)
        out.append(use("cross", x, y, cls=f"ejected seat-{victim}"))
        out.append(
            f'<g class="ejected-tag seat-{victim}"><circle cx="{cx + 13}" cy="{cy - 13}" r="7.5"/>'
            f'<text x="{cx + 13}" y="{cy - 9.2}">{victim}</text></g>'
        )
    out.append("</g>")
    return "".join(out)


def _draw_stroke(stroke: Sequence[Space], width: int, height: int) -> str:
    """Return the path through a run of spaces; where it crosses the edge it leaves the board and comes back."""
    x, y = centre(*stroke[0])
    path = [f"M{x} {y}"]
    for (from_x, from_y), (to_x, to_y) in pairwise(stroke):
        step_x, step_y = to_x - from_x, to_y - from_y
        wraps_x, wraps_y = abs(step_x) == width - 1, abs(step_y) == height - 1
        x, y = centre(to_x, to_y)
        if wraps_x or wraps_y:
            out_x, out_y = (-_sign(step_x) if wraps_x else 0), (-_sign(step_y) if wraps_y else 0)
            old_x, old_y = centre(from_x, from_y)
            half = UNIT // 2 + 6
            path.append(f"L{old_x + out_x * half} {old_y + out_y * half}M{x - out_x * half} {y - out_y * half}")
        path.append(f"L{x} {y}")
    return "".join(path)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _draw_pawns(view: GravityView, trail: Trail | None, *, preview: bool) -> str:
    out = []
    for seat, pawn in enumerate(view["pawns"], start=1):
        if pawn is None:
            continue
        x, y, feet = parse_pawn(pawn)
        cx, cy = centre(x, y)
        ahead_x, ahead_y = AHEAD[feet]
        if seat == view["seat"]:
            out.append(f'<circle class="to-move look-here seat-{seat}" cx="{cx}" cy="{cy}" r="19"/>')
        if trail is not None and preview and seat == trail.seat:
            out.append(f'<circle class="landing seat-{seat}" cx="{cx}" cy="{cy}" r="19.5"/>')
        out.append(use(f"pawn-{seat}", x, y, feet=feet, cls=f"pawn seat-{seat}"))
        number_x, number_y = cx + 3 * ahead_x, cy + 3 * ahead_y + 4
        out.append(f'<text class="pawn-number seat-{seat}" x="{number_x}" y="{number_y}">{seat}</text>')
    return "".join(out)
