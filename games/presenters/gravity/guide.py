"""The pictures of the rules page: what lies on the board, and examples, drawn by the board and played by the engine.

`tests/games/test_guide.py` plays each example and holds its words to what happens.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from engine.contract import Event
from engine.errors import RulesError
from engine.gravity.board import CLOCKWISE
from engine.gravity.events import EventKind
from games.presenters.gravity.board import AHEAD, Window, draw_part, draw_tag
from games.presenters.gravity.reference import CARD_WORDS
from games.presenters.gravity.scenes import EXAMPLES, LEGEND, TURN, TURN_PARTS, TURN_STEPS, TURN_WINDOW, Scene
from games.presenters.gravity.sentences import ITEM_NAMES
from games.presenters.gravity.space import UNIT, centre, item_symbol, parse_pawn, use
from games.presenters.gravity.stage import follow, parts_of
from games.presenters.gravity.trail import Trail, trail_of
from games.presenters.gravity.view import GravityView, read_params, read_refusal

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Shown:
    """Drawings, side by side, and what they show."""

    drawings: tuple[SafeString, ...]
    words: "_StrPromise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """What the rules page shows beside its text: the legend, examples by their chapter, a whole turn in pictures."""

    legend: tuple[Shown, ...]
    examples: Mapping[str, tuple[Shown, ...]]
    turn: tuple[Shown, ...]
    cards: Mapping[str, "_StrPromise"]
    """What each card does."""


LEGEND_WORDS: Final[Mapping[str, "_StrPromise"]] = {
    "platform": _("Platforms, lying and upright: each is a wall between two spaces."),
    "opening": _("An open edge: here the board goes on at the opposite side."),
    "replay": _("A replay symbol without a star: whoever enters takes a token."),
    "token": _("A replay token: worth a point, or a second action."),
    "door": _("A closed door. Its arrow shows where the feet of a pawn will point that enters."),
    "door-open": _("The open door: pawns enter here."),
    "feet": _("Pawns whose feet point down, to the left, up and to the right. Each stands on a platform."),
    "way": _("A pawn's way: arrows show its direction, numbers the order of its parts."),
    "ejected": _("Somebody is thrown out here; the number is the seat's."),
    "landing": _("Where your pawn ends up with the steps that you have chosen so far."),
}
"""What each thing on the board is, beside the stars."""

EXAMPLE_WORDS: Final[Mapping[str, "_StrPromise"]] = {
    "long-near": _("No long jump to the right: a platform stands right beside the pawn."),
    "long-far": _("None here either: the first crossing is free, the second one is not."),
    "high-up": _("No high jump: a platform is right above the pawn."),
    "high-aside": _("No high jump to the right: the way up is free, the way aside is not."),
    "corner": _(
        "A high jump to the left from a corner goes around the board three times: up over the top edge, left over the"
        " side, and in its fall down over the bottom edge."
    ),
    "doors-2": _("Two tiles: left, right, and left again."),
    "doors-4": _("Four tiles: clockwise around the square."),
    "doors-6": _("Six tiles: the top row from the left, then the bottom row from the right."),
    "doors-skipped": _("Ada has entered through door 1. Bo stands on door 2, so the next open door is 3."),
    "theft": _(
        "Ada steps off her ledge, falls on Bo and throws him out. She steals a yellow star: her second makes a pair."
    ),
    "tile": _(
        "Ada turns the tile under her pawn a quarter clockwise: now her feet point to the left. Bo stood on a"
        " platform of the opposite edge, which is elsewhere now: he hangs in the air until his own next action is over."
    ),
}

TURN_WORDS: Final[Sequence["_StrPromise"]] = (
    _("Ada's pawn is off the board: it enters through the open door, with its feet as the door shows."),
    _("The Open Door marker moves on to the next door."),
    _("Ada plays the card Long jump: two spaces to the right."),
    _("The star on the space that she enters is hers."),
    _("She falls, and takes a token from the uncovered replay symbol."),
    _("She gives the token back to the supply for a second action."),
    _("A simple move: she lays a card face down, goes one space to the right, falls on Bo and throws him out."),
    _("She steals a star from Bo, and her turn is over."),
)

_DEFINITION: Final = re.compile(r'<defs><path id="([^"]*)" d="[^"]*"/></defs>')

CHAPTERS: Final[Mapping[str, Sequence[str]]] = {
    "blocked": ("long-near", "long-far", "high-up", "high-aside"),
    "wrap": ("corner",),
    "theft": ("theft",),
    "doors": ("doors-2", "doors-4", "doors-6", "doors-skipped"),
    "tile": ("tile",),
}


def guide() -> Guide:
    """Return the pictures of the rules page, with words in the language in which they are read."""
    drawn, words = _drawn(), {**{f"star-{colour}": ITEM_NAMES[colour] for colour in "bypgow"}, **LEGEND_WORDS}
    return Guide(
        legend=tuple(Shown(drawn[f"legend {name}"], words[name]) for name in words),
        examples={
            chapter: tuple(Shown(drawn[name], EXAMPLE_WORDS[name]) for name in names)
            for chapter, names in CHAPTERS.items()
        },
        turn=tuple(Shown((drawing,), words) for drawing, words in zip(drawn["turn"], TURN_WORDS, strict=True)),
        cards=CARD_WORDS,
    )


@cache
def _drawn() -> Mapping[str, tuple[SafeString, ...]]:
    """Return all drawings. What several of them share is defined in one, since a page has each name once."""
    drawn = {f"legend {name}": drawings for name, drawings in _drawn_legend().items()}
    drawn |= {name: _draw(scene) for name, scene in EXAMPLES.items()}
    drawn["turn"] = _drawn_turn()
    defined: set[str] = set()

    def define_once(match: re.Match[str]) -> str:
        known = match[1] in defined
        defined.add(match[1])
        return "" if known else match[0]

    return {
        name: tuple(SafeString(_DEFINITION.sub(define_once, drawing)) for drawing in drawings)
        for name, drawings in drawn.items()
    }


def _drawn_legend() -> Mapping[str, tuple[SafeString, ...]]:
    stars = {f"star-{colour}": (_draw_symbol(f"star-{colour}"),) for colour in "bypgow"}
    scenes = {name: tuple(drawing for scene in scenes for drawing in _draw(scene)) for name, scenes in LEGEND.items()}
    way = LEGEND["way"][0]
    view, events = way.stage.play(way.steps or ())
    x, y, _feet = parse_pawn(view["pawns"][0] or "")
    end = Window(x, y, 1, 1)
    trail = trail_of(events, 1, way.stage.pawns[0])
    return {
        "platform": scenes["platform"],
        "opening": scenes["opening"],
        **stars,
        **{name: (_draw_symbol(name),) for name in ("replay", "token", "door", "door-open")},
        "feet": scenes["feet"],
        "way": scenes["way"],
        "ejected": (draw_part({**view, "pawns": [None, None]}, end, trail=Trail(1, ejected=trail.ejected)),),
        "landing": (draw_part(view, end, trail=Trail(1), mode="preview"),),
    }


def _drawn_turn() -> tuple[SafeString, ...]:
    """Return a picture for each part of a turn, with the way that the pawn goes in it."""
    view = TURN.view()
    _after, events = TURN.play(TURN_STEPS)
    drawn = []
    for part in parts_of(events, TURN_PARTS):
        trail = trail_of(part, 1, view["pawns"][0])
        view = follow(view, part)
        drawn.append(draw_part(view, TURN_WINDOW, trail=trail, over=_show_passing(part, view)))
    return tuple(drawn)


def _show_passing(events: Sequence[Event], view: GravityView) -> str:
    """Return the token that is spent, or the star that is stolen, above the pawn that does it."""
    x, y, _feet = parse_pawn(view["pawns"][0] or "")
    items = (
        "r" if event.kind == EventKind.TOKEN_SPENT else read_params(event)["item"]
        for event in events
        if event.kind in (EventKind.TOKEN_SPENT, EventKind.STOLE)
    )
    return "".join(use(item_symbol(item), x, y - 1) for item in items)


def _draw(scene: Scene) -> tuple[SafeString, ...]:
    """Return a scene as it is after its steps, with their way; what is refused is crossed out where it is blocked."""
    before = scene.stage.view()
    over = _number_doors(before) if scene.doors else ""
    if scene.steps is None:
        return (draw_part(before, scene.window, over=over),)
    try:
        after, events = scene.stage.play(scene.steps)
    except RulesError as error:
        over += _cross_out(error, before["pawns"][0] or "")
        return (draw_part(before, scene.window, over=over),)
    trail = trail_of(events, 1, before["pawns"][0])
    drawing = draw_part(after, scene.window, trail=trail, over=over)
    return (draw_part(before, scene.window), drawing) if scene.before else (drawing,)


def _cross_out(error: RulesError, pawn: str) -> str:
    """Return the way of a pawn to the platform that blocks it, and a cross on that."""
    refused, (from_x, from_y, _feet) = read_refusal(error), parse_pawn(pawn)
    (start_x, start_y), (x, y) = centre(from_x, from_y), centre(refused["x"], refused["y"])
    ahead_x, ahead_y = AHEAD[refused["side"]]
    side_x, side_y = x + ahead_x * UNIT // 2, y + ahead_y * UNIT // 2
    path = f"M{start_x} {start_y}L{x} {y}L{side_x} {side_y}"
    return (
        f'<g class="trail seat-1"><path class="trail-glow" d="{path}"/><path class="trail-line" d="{path}"/></g>'
        f'<use href="#cross" class="refused"'
        f' transform="translate({side_x} {side_y})scale(.8)"/>'
    )


def _number_doors(view: GravityView) -> str:
    """Return the numbers of the doors in their order."""
    order = CLOCKWISE[view["columns"], view["rows"]]
    doors = [centre(*parse_pawn(view["doors"][tile])[:2]) for tile in order]
    return "".join(
        f'<g transform="translate({x - 30} {y - 30})scale(2.2)">{draw_tag(0, 0, number, "stop seat-1")}</g>'
        for number, (x, y) in enumerate(doors, start=1)
    )


def _draw_symbol(name: str) -> SafeString:
    """Return one of the symbols of the board, alone."""
    size = 'viewBox="-20 -20 40 40" width="56" height="56"'
    return SafeString(f'<svg class="symbol" {size} aria-hidden="true"><use href="#{name}"/></svg>')
