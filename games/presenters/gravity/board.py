"""The board of Gravity as one SVG picture, drawn on the server.

The still part is built once per layout and cached as one string; the moving part (stars, pawns, paths) is a few
references to the symbols of `sprite`. Colours and strokes are in ``static/games/gravity/board.css`` and ``pieces.svg``:
the picture carries classes only, so that it follows the reader's theme.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.presenters.gravity.pieces import sprite, whole_sprite
from games.presenters.gravity.space import (
    MARGIN,
    TILE,
    UNIT,
    Space,
    centre,
    item_symbol,
    parse_pawn,
    parse_space,
    picture_side,
    use,
)
from games.presenters.gravity.still import Layout, draw_still
from games.presenters.gravity.trail import Trail
from games.presenters.gravity.view import GravityView

AHEAD: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn over the still board, and how the whole is turned.

    ``trails`` are those of past turns, the last one shown and the others where they are asked for; ``preview`` is that
    of the turn being composed. ``turn`` is by how many degrees clockwise the board is turned. ``alone`` is a picture
    that must have everything in itself.
    """

    trails: tuple[Trail, ...] = ()
    preview: Trail | None = None
    turn: int = 0
    title: str = ""
    description: str = ""
    alone: bool = False


def draw_board(view: GravityView, picture: Picture | None = None) -> SafeString:
    """Return the whole picture of a view as an ``<svg>`` element, with a title and a description for screen readers."""
    picture = picture or Picture()
    width, height = picture_side(view["width"]), picture_side(view["height"])
    wide, high = (height, width) if picture.turn % 180 else (width, height)
    head = (
        f'<svg class="gravity-board turned-{picture.turn}" viewBox="0 0 {wide} {high}" role="img"'
        ' aria-labelledby="board-title board-desc">'
        f'<title id="board-title">{escape(picture.title)}</title>'
        f'<desc id="board-desc">{escape(picture.description)}</desc>'
    )
    parts = [
        head,
        whole_sprite() if picture.alone else sprite(),
        f'<g class="ground"{_turned(picture.turn, width, height)}>',
        draw_still(Layout.of(view)),
        _draw_open_door(view),
        _draw_stars(view["stars"]),
    ]
    last = len(picture.trails) - 1
    parts += [draw_trail(trail, view, "past" if i < last else "last") for i, trail in enumerate(picture.trails)]
    if picture.preview is not None:
        parts.append(draw_trail(picture.preview, view, "preview"))
    parts.append(_draw_pawns(view, picture.preview))
    parts.append("</g></svg>")
    return SafeString("".join(parts))


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the board: its first column and row, and how many of them."""

    x: int
    y: int
    columns: int
    rows: int

    def shows(self, place: str) -> bool:
        """Return whether a place as views write it lies in the window or beside its far edges."""
        x, y = parse_space(place)
        return self.x <= x <= self.x + self.columns and self.y <= y <= self.y + self.rows


def draw_part(
    view: GravityView, window: Window, *, trail: Trail | None = None, mode: str = "last", over: str = ""
) -> SafeString:
    """Return the picture of a part of the board, for a page that has the symbols; it has no words.

    ``trail`` is drawn as `draw_trail` does in that ``mode``, and ``over`` is what lies on top of all.
    """
    whole = (window.columns, window.rows) == (view["width"], view["height"])
    edge = MARGIN if whole else 8
    left, top = MARGIN + window.x * UNIT - edge, MARGIN + window.y * UNIT - edge
    wide, high = window.columns * UNIT + 2 * edge, window.rows * UNIT + 2 * edge
    seen = _seen_through(view, window)
    preview = trail if mode == "preview" else None
    head = (
        f'<svg class="gravity-board part" viewBox="{left} {top} {wide} {high}" width="{wide}" height="{high}"'
        ' aria-hidden="true"><g class="ground">'
    )
    parts = [
        head,
        draw_still(Layout.of(seen)),
        _draw_open_door(seen),
        _draw_stars(seen["stars"]),
        draw_trail(trail, seen, mode) if trail else "",
        _draw_pawns({**seen, "seat": None}, preview),
        f"{over}</g></svg>",
    ]
    return SafeString("".join(parts))


def _seen_through(view: GravityView, window: Window) -> GravityView:
    """Return a view without most of what lies outside of a window."""
    rows = [
        "".join(star if window.shows(f"{x},{y}") else "." for x, star in enumerate(row))
        for y, row in enumerate(view["stars"])
    ]
    return {
        **view,
        "stars": rows,
        "pawns": [pawn if pawn and window.shows(pawn) else None for pawn in view["pawns"]],
        "platforms": [platform for platform in view["platforms"] if window.shows(platform)],
        "replay": [symbol for symbol in view["replay"] if window.shows(symbol)],
    }


def draw_scene(view: GravityView) -> SafeString:
    """Return the picture for a page that has one of `draw_board` already: what moves on it can be found by the script.

    It refers to the other's symbols, has no words, shows nothing of the last turn or the next, and is not turned.
    """
    width, height = picture_side(view["width"]), picture_side(view["height"])
    parts = [
        f'<svg class="gravity-board scene" viewBox="0 0 {width} {height}" aria-hidden="true">',
        '<g class="ground">',
        draw_still(Layout.of(view)),
        _draw_open_door(view),
        _draw_stars(view["stars"], found=True),
        _draw_pawns({**view, "seat": None}, None),
        "</g></svg>",
    ]
    return SafeString("".join(parts))


def _turned(turn: int, width: int, height: int) -> str:
    """Return the attribute that turns the ground of a picture of that width and height."""
    moved = {90: f"{height} 0", 180: f"{width} {height}", 270: f"0 {width}"}
    return f' transform="translate({moved[turn]}) rotate({turn})"' if turn else ""


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


def draw_trail(trail: Trail, view: GravityView, mode: str) -> str:
    """Return what is seen of a turn on the still picture: the way with its direction and order, and what it did.

    ``mode`` is ``last``, ``past`` or ``preview``, and ``ghost`` for a step that might be taken: that one has a pawn,
    since ``view`` is then the position before.
    """
    out = [f'<g class="trail trail-{mode} seat-{trail.seat}">']
    if trail.turned_tile is not None:
        row, column = divmod(trail.turned_tile, view["columns"])
        out.append(
            f'<rect class="turned-tile" x="{MARGIN + column * TILE + 3}" y="{MARGIN + row * TILE + 3}"'
            f' width="{TILE - 6}" height="{TILE - 6}" rx="8"/>'
        )
    legs = [leg for stroke in trail.strokes for leg in _legs(stroke, view["width"], view["height"])]
    path = "".join(leg.path for leg in legs)
    out.append(f'<path class="trail-glow" d="{path}"/><path class="trail-line" d="{path}"/>')
    out.append(f'<path class="trail-heads" d="{"".join(leg.heads for leg in legs)}"/>')
    for item, (x, y) in trail.collected:
        out.append(use(item_symbol(item), x, y, cls="collected"))
        cx, cy = centre(x, y)
        out.append(f'<circle class="collected-ring" cx="{cx}" cy="{cy}" r="17"/>')
    landing = trail.landing if mode == "ghost" else view["pawns"][trail.seat - 1]
    if trail.start and landing != trail.start:
        out.append(_draw_ghost(trail.seat, trail.start, "leaves" if mode == "ghost" else ""))
    if mode == "ghost" and landing:
        out.append(_draw_ghost(trail.seat, landing, "lands"))
    for victim, (x, y) in trail.ejected:
        cx, cy = centre(x, y)
        out.append(use("cross", x, y, cls=f"ejected seat-{victim}"))
        out.append(draw_tag(cx + 13, cy - 13, victim, f"ejected-tag seat-{victim}"))
    if len(legs) > 1:
        out += [draw_tag(*leg.stop, number, "stop") for number, leg in enumerate(legs, start=1)]
    out.append("</g>")
    return "".join(out)


def _draw_ghost(seat: int, pawn: str, cls: str) -> str:
    x, y, feet = parse_pawn(pawn)
    return use(f"pawn-{seat}", x, y, feet=feet, cls=f"pawn ghost {cls} seat-{seat}")


def draw_tag(x: int, y: int, number: int, cls: str) -> str:
    """Return a number in a circle around a point of the picture."""
    return f'<g class="{cls}" transform="translate({x} {y})"><circle r="7"/><text y="3.5">{number}</text></g>'


@dataclass(frozen=True, slots=True)
class _Leg:
    """A straight part of a way: its line, an arrow head for each space, and where its number stands."""

    path: str
    heads: str
    stop: Space


def _legs(stroke: Sequence[Space], width: int, height: int) -> Iterator[_Leg]:
    """Yield the legs of a way. Where it crosses the edge it leaves the board and comes back on the other side."""
    steps = [(_step(*pair, width, height), pair) for pair in pairwise(stroke)]
    for (ahead_x, ahead_y), leg in groupby(steps, key=lambda step: step[0][0]):
        path, heads, stop = list[str](), "", (0, 0)
        for (_ahead, wraps), (before, after) in leg:
            (old_x, old_y), (x, y) = centre(*before), centre(*after)
            half = UNIT // 2 + 6
            path.append("" if path else f"M{old_x} {old_y}")
            if wraps:
                path.append(f"L{old_x + ahead_x * half} {old_y + ahead_y * half}")
                path.append(f"M{x - ahead_x * half} {y - ahead_y * half}")
            path.append(f"L{x} {y}")
            heads += _head(x - ahead_x * UNIT // 2, y - ahead_y * UNIT // 2, ahead_x, ahead_y)
            stop = (x - 13, y + 13)
        yield _Leg("".join(path), heads, stop)


def _step(before: Space, after: Space, width: int, height: int) -> tuple[Space, bool]:
    """Return the direction of a step to a neighbour, and whether it crosses the edge."""
    step_x, step_y = after[0] - before[0], after[1] - before[1]
    wraps = abs(step_x) == width - 1 or abs(step_y) == height - 1
    sign = -1 if wraps else 1
    return (sign * _sign(step_x), sign * _sign(step_y)), wraps


def _head(x: int, y: int, ahead_x: int, ahead_y: int) -> str:
    """Return an arrow head whose tip is two units ahead of a point."""
    tip_x, tip_y = x + 2 * ahead_x, y + 2 * ahead_y
    side_x, side_y = 4 * ahead_y, 4 * ahead_x
    back_x, back_y = tip_x - 4 * ahead_x, tip_y - 4 * ahead_y
    return f"M{back_x + side_x} {back_y + side_y}L{tip_x} {tip_y}L{back_x - side_x} {back_y - side_y}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _draw_pawns(view: GravityView, preview: Trail | None) -> str:
    out = []
    for seat, pawn in enumerate(view["pawns"], start=1):
        if pawn is None:
            continue
        x, y, feet = parse_pawn(pawn)
        cx, cy = centre(x, y)
        ahead_x, ahead_y = AHEAD[feet]
        if seat == view["seat"]:
            out.append(f'<circle class="to-move look-here seat-{seat}" cx="{cx}" cy="{cy}" r="19"/>')
        if preview is not None and seat == preview.seat:
            out.append(f'<circle class="landing seat-{seat}" cx="{cx}" cy="{cy}" r="19.5"/>')
        out.append(use(f"pawn-{seat}", x, y, feet=feet, cls=f"pawn seat-{seat}"))
        number_x, number_y = cx + 3 * ahead_x, cy + 3 * ahead_y + 4
        out.append(f'<text class="pawn-number seat-{seat}" x="{number_x}" y="{number_y}">{seat}</text>')
    return "".join(out)
