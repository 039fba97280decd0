"""Places on the board: as views write them, as people call them, and as points and marks of the picture."""

from typing import Final

from engine.gravity.board import SIDE

UNIT: Final = 40
"""Side of a space in the picture's own units."""
MARGIN: Final = UNIT // 2
"""Half a space around the board for the labels: the overlay of buttons counts on it (``.spots`` in table.css)."""

TILE: Final = SIDE * UNIT
"""Side of a tile in these units."""

ROTATIONS: Final = {"S": 0, "W": 90, "N": 180, "E": 270}
"""Degrees clockwise from a figure that stands upright."""
LEFT: Final = {"S": "W", "W": "N", "N": "E", "E": "S"}
"""Where a pawn's left is, by its feet; its right is opposite."""
OPPOSITE: Final = {"N": "S", "S": "N", "E": "W", "W": "E"}
ARROWS: Final = {"N": "↑", "E": "→", "S": "↓", "W": "←"}
type Space = tuple[int, int]


def turned(feet: str, degrees: int) -> str:
    """Return a direction as it shows on a board that is turned clockwise by so many degrees, of a multiple of 90."""
    for _quarter in range(degrees // 90 % 4):
        feet = LEFT[feet]
    return feet


def turned_space(space: Space, degrees: int, width: int, height: int) -> Space:
    """Return column and row of a space on a board that is turned clockwise by so many degrees."""
    x, y = space
    return {0: (x, y), 90: (height - 1 - y, x), 180: (width - 1 - x, height - 1 - y), 270: (y, width - 1 - x)}[degrees]


def label_space(x: int, y: int) -> str:
    """Return a space's name for people: column letter from the left, row number from the top."""
    return f"{chr(ord('a') + x)}{y + 1}"


def parse_pawn(pawn: str) -> tuple[int, int, str]:
    """Return column, row and feet of a pawn or a door as a view writes it."""
    x, y, feet = pawn.split(",")
    return int(x), int(y), feet


def parse_space(space: str) -> Space:
    """Return column and row of a space as a view writes it."""
    x, y = space.split(",")[:2]
    return int(x), int(y)


def centre(x: int, y: int) -> Space:
    """Return the point in the middle of a space."""
    return MARGIN + x * UNIT + UNIT // 2, MARGIN + y * UNIT + UNIT // 2


def picture_side(spaces: int) -> int:
    """Return how long a side of the picture is that shows so many spaces, margins included."""
    return spaces * UNIT + 2 * MARGIN


def item_symbol(item: str) -> str:
    """Return the id of the symbol of a star or a token, by its letter."""
    return "token" if item == "r" else f"star-{item}"


def use(symbol: str, x: int, y: int, *, feet: str = "S", cls: str = "", more: str = "") -> str:
    """Return a reference to a symbol on a space. A symbol spans one space, whatever the place it is used in."""
    cx, cy = centre(x, y)
    turn = f" rotate({ROTATIONS[feet]})" if ROTATIONS[feet] else ""
    named = f' class="{cls}"' if cls else ""
    return f'<use href="#{symbol}"{named} transform="translate({cx} {cy}){turn}"{more}/>'
