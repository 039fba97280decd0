"""Faces, tiles and geometry: what does not change as pawns move.

A *space* of the board is one number, ``y * width + x`` (x to the right, y down). Directions and feet are 0 to 3 for
N, E, S, W, clockwise. A *place* of a pawn is one number as well: ``space * 4 + feet``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from engine.errors import RecordError

SIDE: Final = 6
"""Spaces along the side of a tile."""
COMPASS: Final = "NESW"
NORTH, EAST, SOUTH, WEST = range(4)

MOVES: Final = ("S<", "S>", "L<", "L>", "H<", "H>", "J<<", "J<>", "J><", "J>>")
"""The moves that a platform can block, as `Board.path` names them."""

_ARROWS: Final = "^>v<"
_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))

ROTATIONS: Final = (0, 90, 180, 270)
"""The ways a tile can lie: degrees clockwise from its face as drawn."""
SIZES: Final = {2: (2, 1), 3: (2, 2), 4: (2, 2), 5: (3, 2), 6: (3, 2)}
"""Columns and rows of tiles, by number of players."""
CLOCKWISE: Final = {(2, 1): (0, 1), (2, 2): (0, 1, 3, 2), (3, 2): (0, 1, 2, 5, 4, 3)}
"""Tile indices in the clockwise order of doors, by columns and rows."""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a tile in some rotation: local coordinates 0 to 5.

    ``walls`` are (x, y, direction) of sides that bear a platform, each given once or twice; ``symbols`` maps (x, y) to
    True for a replay symbol and False for a star symbol; ``door`` is (x, y, feet).
    """

    walls: frozenset[tuple[int, int, int]]
    symbols: tuple[tuple[int, int, bool], ...]
    door: tuple[int, int, int]

    def rotated(self) -> "Face":
        """Return the face after a quarter turn clockwise."""
        return Face(
            frozenset((SIDE - 1 - y, x, (d + 1) % 4) for x, y, d in self.walls),
            tuple(sorted((SIDE - 1 - y, x, replay) for x, y, replay in self.symbols)),
            (SIDE - 1 - self.door[1], self.door[0], (self.door[2] + 1) % 4),
        )


@lru_cache(maxsize=1024)
def parse_face(drawing: tuple[str, ...]) -> Face:
    """Read the drawing of a face: 13 lines of up to 25 characters.

    Raises `RecordError` for a drawing that is malformed, lacks its one door on a platform, or has a row or column that
    no platform crosses (a fall there would never end).
    """
    if len(drawing) != 2 * SIDE + 1:
        raise RecordError(f"a face is drawn in {2 * SIDE + 1} lines, not {len(drawing)}")
    walls: set[tuple[int, int, int]] = set()
    symbols: list[tuple[int, int, bool]] = []
    doors: list[tuple[int, int, int]] = []
    for number, line in enumerate(drawing):
        if len(line) > 4 * SIDE + 1:
            raise RecordError(f"line {number} of a face is longer than {4 * SIDE + 1} characters")
        padded = line.ljust(4 * SIDE + 1)
        if number % 2 == 0:
            walls |= _horizontal_sides(padded, number)
        else:
            walls |= _spaces(padded, number, symbols, doors)
    if len(doors) != 1:
        raise RecordError(f"a face has exactly one door, not {len(doors)}")
    for i in range(SIDE):
        if not any(y == i and d in (EAST, WEST) for _, y, d in walls):
            raise RecordError(f"no platform crosses row {i}")
        if not any(x == i and d in (NORTH, SOUTH) for x, _, d in walls):
            raise RecordError(f"no platform crosses column {i}")
    if doors[0] not in walls:
        raise RecordError("the door's feet are not on a platform")
    return Face(frozenset(walls), tuple(symbols), doors[0])


def _horizontal_sides(line: str, number: int) -> set[tuple[int, int, int]]:
    """Read an even line: corners and the platforms above or below spaces."""
    walls: set[tuple[int, int, int]] = set()
    if any(line[4 * i] != "+" for i in range(SIDE + 1)):
        raise RecordError(f"line {number} of a face lacks a corner")
    for x in range(SIDE):
        side = line[4 * x + 1 : 4 * x + 4]
        if side == "---":
            walls |= {(x, y, d) for y, d in ((number // 2, NORTH), (number // 2 - 1, SOUTH)) if 0 <= y < SIDE}
        elif side != "   ":
            raise RecordError(f"line {number} of a face has {side!r} where a platform or nothing is drawn")
    return walls


def _spaces(
    line: str, number: int, symbols: list[tuple[int, int, bool]], doors: list[tuple[int, int, int]]
) -> set[tuple[int, int, int]]:
    """Read an odd line: spaces and the platforms beside them; adds to ``symbols`` and ``doors``."""
    y = number // 2
    walls: set[tuple[int, int, int]] = set()
    for column, char in enumerate(line):
        x = column // 4
        if char == " ":
            continue
        if column % 4 == 0 and char == "|":
            walls |= {(i, y, d) for i, d in ((x, WEST), (x - 1, EAST)) if 0 <= i < SIDE}
        elif column % 4 == 2 and char in "*R":
            symbols.append((x, y, char == "R"))
        elif column % 4 == 2 and char in _ARROWS:
            doors.append((x, y, _ARROWS.index(char)))
        else:
            raise RecordError(f"line {number} of a face has {char!r} in column {column}")
    return walls


@lru_cache(maxsize=1024)
def rotated_face(drawing: tuple[str, ...], rotation: int) -> Face:
    """Return the face of a drawing in one of `ROTATIONS`."""
    face = parse_face(drawing)
    for _ in range(ROTATIONS.index(rotation)):
        face = face.rotated()
    return face


class Board:
    """The geometry of tiles in certain rotations. Paths are computed when first asked for, then kept.

    A platform that is drawn on one side of a border blocks it on both (ruling R3).
    """

    __slots__ = (
        "_free",
        "_paths",
        "_ways",
        "blocked",
        "columns",
        "doors",
        "height",
        "neighbours",
        "order",
        "rotations",
        "rows",
        "width",
    )

    def __init__(
        self, columns: int, rows: int, drawings: tuple[tuple[str, ...], ...], rotations: tuple[int, ...]
    ) -> None:
        self.columns, self.rows, self.rotations = columns, rows, rotations
        self.width, self.height = columns * SIDE, rows * SIDE
        self.neighbours = neighbours(self.width, self.height)
        self.order = CLOCKWISE[columns, rows]
        blocked = bytearray(4 * self.width * self.height)
        doors = []
        for tile, (drawing, rotation) in enumerate(zip(drawings, rotations, strict=True)):
            face = rotated_face(drawing, rotation)
            left, top = tile % columns * SIDE, tile // columns * SIDE
            for x, y, side in face.walls:
                edge = ((top + y) * self.width + left + x) * 4 + side
                blocked[edge] = 1
                blocked[self.neighbours[edge] * 4 + (side ^ 2)] = 1
            x, y, feet = face.door
            doors.append(((top + y) * self.width + left + x) * 4 + feet)
        self.blocked: bytes = bytes(blocked)
        """One byte per side, index ``space * 4 + direction``: 1 where a platform stands."""
        self.doors: tuple[int, ...] = tuple(doors)
        """The place of each tile's door."""
        self._paths: dict[tuple[int, str], tuple[int, ...] | None] = {}
        self._free: dict[int, frozenset[str]] = {}
        self._ways: dict[tuple[int, str], tuple[tuple[int, str, str], ...]] = {}

    def __eq__(self, other: object) -> bool:
        """Return whether the other is the same geometry, though it was made anew."""
        return self is other or (isinstance(other, Board) and self._drawn() == other._drawn())

    def __hash__(self) -> int:
        """Return a number that equal boards share."""
        return hash(self.blocked)

    def _drawn(self) -> tuple[object, ...]:
        return self.columns, self.rows, self.rotations, self.blocked, self.doors

    def free_moves(self, place: int) -> frozenset[str]:
        """Return those of `MOVES` that no platform blocks from a place."""
        try:
            return self._free[place]
        except KeyError:
            free = self._free[place] = frozenset(move for move in MOVES if self.path(place, move) is not None)
            return free

    def path(self, place: int, move: str) -> tuple[int, ...] | None:
        """Return the spaces that a move from a place enters, falling included, or None if a platform blocks it.

        ``move`` is a step without its card: ``S``, ``L`` or ``H`` with ``<`` or ``>``, ``J`` with two of these, ``D``,
        or empty for a fall alone. The pawn ends on the last space; if there is none, it stays where it is. Each space
        that is passed counts (ruling R4), and so does the first one if a fall comes back to it (ruling R5).
        """
        key = (place, move)
        try:
            return self._paths[key]
        except KeyError:
            path = self._paths[key] = self._find_path(place, move)
            return path

    def _find_path(self, place: int, move: str) -> tuple[int, ...] | None:
        if move.startswith("J"):
            first = self.path(place, "S" + move[1])
            second = None if first is None else self.path(first[-1] * 4 + place % 4, "S" + move[2])
            return None if first is None or second is None else first + second
        space, feet = divmod(place, 4)
        entered: list[int] = []
        for direction in crossings(move, feet):
            if move != "D" and self.blocked[space * 4 + direction]:
                return None
            space = self.neighbours[space * 4 + direction]
            entered.append(space)
        while not self.blocked[space * 4 + feet]:
            space = self.neighbours[space * 4 + feet]
            entered.append(space)
        return tuple(entered)

    def way(self, place: int, move: str) -> tuple[tuple[int, str, str], ...]:
        """Return a `path` as it is told: each space, the side of the board that is left for it, and how it is entered.

        The side is a letter of `COMPASS`, or empty where the board does not wrap. How is ``walk``, ``jump``, ``drop``
        or ``fall``.
        """
        key = (place, move)
        try:
            return self._ways[key]
        except KeyError:
            way = self._ways[key] = tuple(self._find_way(place, move))
            return way

    def _find_way(self, place: int, move: str) -> Iterator[tuple[int, str, str]]:
        path = self.path(place, move) or ()
        space, feet = divmod(place, 4)
        if move.startswith("J"):
            first = self.way(place, "S" + move[1])
            yield from first
            yield from self.way(first[-1][0] * 4 + feet, "S" + move[2])
            return
        chosen = crossings(move, feet)
        how = {"S": "walk", "D": "drop"}.get(move[:1], "jump")
        for i, entered in enumerate(path):
            direction = chosen[i] if i < len(chosen) else feet
            wraps = abs(entered - space) not in (1, self.width)
            yield entered, COMPASS[direction] if wraps else "", how if i < len(chosen) else "fall"
            space = entered

    def blocking_side(self, place: int, move: str) -> tuple[int, int]:
        """Return (space, direction) of the platform that blocks a move for which `path` is None."""
        if move.startswith("J"):
            first = self.path(place, "S" + move[1])
            if first is not None:
                return self.blocking_side(first[-1] * 4 + place % 4, "S" + move[2])
            move = "S" + move[1]
        space, feet = divmod(place, 4)
        nearer, *further = crossings(move, feet)
        if self.blocked[space * 4 + nearer]:
            return space, nearer
        return self.neighbours[space * 4 + nearer], further[0]

    def tile_of(self, space: int) -> int:
        """Return the index of the tile that a space belongs to."""
        y, x = divmod(space, self.width)
        return y // SIDE * self.columns + x // SIDE

    def spaces_of(self, tile: int) -> list[int]:
        """Return the 36 spaces of a tile, row by row."""
        start = tile // self.columns * SIDE * self.width + tile % self.columns * SIDE
        return [start + y * self.width + x for y in range(SIDE) for x in range(SIDE)]


def crossings(move: str, feet: int) -> tuple[int, ...]:
    """Return the directions of a move's own crossings, before the fall, for a pawn with those feet."""
    if not move:
        return ()
    if move == "D":
        return (feet,)
    sideways = (feet + (1 if move[1] == "<" else 3)) % 4
    match move[0]:
        case "S":
            return (sideways,)
        case "L":
            return (sideways, sideways)
        case _:
            return (feet ^ 2, sideways)


@cache
def neighbours(width: int, height: int) -> tuple[int, ...]:
    """Return the neighbour of each space in each direction, index ``space * 4 + direction``; the board wraps."""
    return tuple(
        (y + dy) % height * width + (x + dx) % width for y in range(height) for x in range(width) for dx, dy in _STEPS
    )


@lru_cache(maxsize=2048)
def board_of(columns: int, rows: int, drawings: tuple[tuple[str, ...], ...], rotations: tuple[int, ...]) -> Board:
    """Return the geometry of tiles, row by row from the top left; the same object for the same tiles and rotations."""
    return Board(columns, rows, drawings, rotations)
