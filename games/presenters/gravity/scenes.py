"""The positions of the rules page, with what is played in them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from games.presenters.gravity.board import Window
from games.presenters.gravity.stage import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A part of a position, and the steps of seat 1 in it, the last of which may be refused.

    Without steps nobody has moved. ``before`` says that the position before them is shown as well, ``doors`` that the
    doors are numbered.
    """

    stage: Stage
    window: Window
    steps: tuple[str, ...] | None = None
    before: bool = False
    doors: bool = False


_LEDGES: Final = (
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|               |",
    "+   +---+---+---+---+   +",
    "|",
    "+   +   +   +   +   +   +",
    "|                     v",
    "+---+---+---+---+---+---+",
)
_CEILING: Final = (
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|               |",
    "+   +---+   +   +   +   +",
    "|",
    "+   +---+---+---+---+   +",
    "|",
    "+   +   +   +   +   +   +",
    "|                     v",
    "+---+---+---+---+---+---+",
)
_CORNER: Final = (
    "+   +   +   +   +   +   +",
    "|",
    "+---+   +   +   +   +---+",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "        |     v",
    "+   +---+---+---+---+   +",
)
_DOORWAY: Final = (
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|         v",
    "+   +   +---+   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+---+---+---+---+---+---+",
)
_FEET: Final = (
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|       |",
    "+   +---+   +   +   +   +",
    "|           |",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|                     v",
    "+---+---+---+---+---+---+",
)
_FALL: Final = (
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|     *",
    "+   +---+   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|         *",
    "+   +---+---+---+   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|                     v",
    "+---+---+---+---+---+---+",
)
_TURN: Final = (
    "+   +   +   +   +   +   +",
    "|     v       *",
    "+   +---+   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|             R",
    "+   +   +   +---+   +   +",
    "|",
    "+   +   +   +   +---+   +",
    "|     *",
    "+---+   +   +   +   +   +",
    "|",
    "+---+---+---+---+---+---+",
)
_TILE: Final = (
    "+   +   +   +   +---+   +",
    "|     *",
    "+   +   +   +   +   +   +",
    "|                 *",
    "+   +   +---+   +   +   +",
    "|         R",
    "+   +   +   +   +   +   +",
    "|",
    "+   +---+   +   +   +   +",
    "|             v",
    "+   +   +   +---+   +   +",
    "|",
    "+---+---+---+   +   +---+",
)

_LONG: Final = Stage(face=_LEDGES, pawns=("3,3,S",))
_HIGH: Final = Stage(face=_CEILING, pawns=("1,3,S",))
_SQUARE: Final = Stage(face=_DOORWAY, seats=4, turns=(0, 90, 270, 180))
_FOUR: Final = Stage(face=_FEET, seats=4)
THEFT: Final = Stage(face=_FALL, pawns=("1,1,S", "2,3,S"), stars="yg", bare=("1,1", "2,3"), loots=("y", "yyb"))
TURN: Final = Stage(face=_TURN, pawns=("", "4,3,S"), stars="gbyp", bare=("3,2",), loots=("g", "yw"))
TURN_STEPS: Final = ("L>", "&", "S>(H)", "x2w")
TURN_PARTS: Final = (1, 1, 3, 1, 3, 1, 4, 1)
"""How many events each of the eight pictures of a whole turn shows."""
TURN_WINDOW: Final = Window(0, 0, 6, 5)

EXAMPLES: Final[Mapping[str, Scene]] = {
    "long-near": Scene(stage=_LONG, window=Window(1, 3, 4, 1), steps=("L>",)),
    "long-far": Scene(stage=replace(_LONG, pawns=("2,3,S",)), window=Window(1, 3, 4, 1), steps=("L>",)),
    "high-up": Scene(stage=_HIGH, window=Window(1, 2, 4, 2), steps=("H>",)),
    "high-aside": Scene(stage=replace(_HIGH, pawns=("3,3,S",)), window=Window(1, 2, 4, 2), steps=("H>",)),
    "corner": Scene(stage=Stage(face=_CORNER, pawns=("0,0,S",)), window=Window(0, 0, 12, 6), steps=("H<",)),
    "doors-2": Scene(stage=Stage(face=_DOORWAY), window=Window(0, 0, 12, 6), doors=True),
    "doors-4": Scene(stage=_SQUARE, window=Window(0, 0, 12, 12), doors=True),
    "doors-6": Scene(
        stage=Stage(face=_DOORWAY, seats=6, turns=(0, 90, 180, 270, 0, 90)), window=Window(0, 0, 18, 12), doors=True
    ),
    "doors-skipped": Scene(
        stage=replace(_SQUARE, pawns=("", "9,2,W")),
        window=Window(0, 0, 12, 12),
        steps=(),
        doors=True,
    ),
    "theft": Scene(stage=THEFT, window=Window(0, 1, 5, 3), steps=("S>(L)", "x2y")),
    "tile": Scene(
        stage=Stage(face=_TILE, pawns=("1,3,S", "4,5,S"), stars="bpo", goodies="P"),
        window=Window(0, 0, 6, 6),
        steps=("P+",),
        before=True,
    ),
}
"""The examples of the rules page by name."""

LEGEND: Final[Mapping[str, tuple[Scene, ...]]] = {
    "platform": (
        Scene(stage=_FOUR, window=Window(1, 5, 1, 1)),
        Scene(stage=_FOUR, window=Window(3, 2, 1, 1)),
    ),
    "opening": (Scene(stage=Stage(face=_CORNER), window=Window(0, 5, 1, 1)),),
    "feet": (Scene(stage=replace(_FOUR, pawns=("1,1,S", "2,1,W", "1,2,N", "2,2,E")), window=Window(1, 1, 2, 2)),),
    "way": (Scene(stage=THEFT, window=Window(1, 1, 2, 3), steps=("S>(L)",)),),
}
"""What of the legend is no symbol alone."""
