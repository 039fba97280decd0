"""Small boards that are made for a picture: drawn as text, played by the engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle
from typing import Final

from engine.contract import Event, JsonObject
from engine.gravity import Gravity
from engine.gravity.board import COMPASS, SIDE, SIZES, rotated_face
from engine.gravity.events import EventKind
from engine.gravity.record import FORMAT
from engine.gravity.state import ITEMS, OFF, STAR, Player, State
from games.presenters.gravity.space import parse_pawn, parse_space
from games.presenters.gravity.view import GravityView, read_params, read_view

RULES: Final = Gravity()
NAMES: Final = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A position in which seat 1 is to move. Every tile shows the same face, turned by so many degrees by ``turns``.

    ``pawns`` are ``x,y,feet`` by seat, empty off the board; who is missing is off it. ``stars`` are the colours of the
    symbols of each tile, from its top left, again and again; on the spaces of ``bare`` they are gone. ``loots`` are
    what the seats have, one letter an item; ``goodies`` what the first holds.
    """

    face: tuple[str, ...]
    seats: int = 2
    turns: tuple[int, ...] = ()
    pawns: tuple[str, ...] = ()
    stars: str = "b"
    bare: tuple[str, ...] = ()
    loots: tuple[str, ...] = ()
    goodies: str = ""

    def state(self) -> State:
        """Return the position as the engine has it."""
        return _state_of(self)

    def view(self) -> GravityView:
        """Return the position before anybody moves."""
        return read_view(RULES.view(self.state(), None))

    def play(self, steps: Sequence[str]) -> tuple[GravityView, tuple[Event, ...]]:
        """Return where steps of seat 1 lead, and how. Raises `RulesError` for steps that are not legal."""
        applied = RULES.play_steps(self.state(), steps)
        return read_view(RULES.view(applied.state, None)), applied.events


@cache
def _state_of(stage: Stage) -> State:
    state = RULES.read_setup(_record_of(stage))
    cells = bytearray(state.cells)
    for space in stage.bare:
        x, y = parse_space(space)
        cells[y * state.board.width + x] &= ~STAR
    players = list(state.players)
    for seat, pawn in enumerate(stage.pawns):
        players[seat] = replace(players[seat], pawn=_place(pawn, state.board.width))
    for seat, loot in enumerate(stage.loots):
        players[seat] = _with_loot(players[seat], loot)
    return replace(state, cells=bytes(cells), players=tuple(players))


def _place(pawn: str, width: int) -> int:
    if not pawn:
        return OFF
    x, y, feet = parse_pawn(pawn)
    return (y * width + x) * 4 + COMPASS.index(feet)


def _with_loot(player: Player, loot: str) -> Player:
    return replace(player, loot=tuple(loot.count(item) for item in ITEMS))


def _record_of(stage: Stage) -> JsonObject:
    columns, rows = SIZES[stage.seats]
    turns = stage.turns or (0,) * (columns * rows)
    return {
        "format": FORMAT,
        "players": list(NAMES[: stage.seats]),
        "options": {"expert": False},
        "board": {
            "columns": columns,
            "rows": rows,
            "tiles": [{"face": "drawn", "turn": turn} for turn in turns],
            "faces": {"drawn": list(stage.face)},
        },
        "stars": ["".join(row) for row in _stars(stage, columns, rows, turns)],
        "open_door": 0,
        "goodies": {"1": stage.goodies} if stage.goodies else {},
    }


def _stars(stage: Stage, columns: int, rows: int, turns: Sequence[int]) -> list[list[str]]:
    grid = [["."] * columns * SIDE for _row in range(rows * SIDE)]
    for tile, turn in enumerate(turns):
        symbols = sorted(rotated_face(stage.face, turn).symbols, key=lambda symbol: (symbol[1], symbol[0]))
        for (x, y, _replay), colour in zip(symbols, cycle(stage.stars), strict=False):
            grid[tile // columns * SIDE + y][tile % columns * SIDE + x] = colour
    return grid


def follow(view: GravityView, events: Sequence[Event]) -> GravityView:
    """Return a view after some events of one action: pawns, stars and the open door, and nothing else, move on."""
    pawns, stars, door = [*view["pawns"]], [*map(list, view["stars"])], view["open_door"]
    for event in events:
        params, mover = read_params(event), (event.seat or 1) - 1
        match event.kind:
            case EventKind.PLACED:
                pawns[mover] = f"{params['x']},{params['y']},{params['feet']}"
            case EventKind.MOVED | EventKind.FELL:
                pawns[mover] = f"{params['x']},{params['y']},{parse_pawn(pawns[mover] or '')[2]}"
            case EventKind.COLLECTED:
                stars[params["y"]][params["x"]] = "."
            case EventKind.EJECTED:
                pawns[params["victim"] - 1] = None
            case EventKind.DOOR_MOVED:
                door = params["to"]
            case _:
                pass
    return {**view, "pawns": pawns, "stars": ["".join(row) for row in stars], "open_door": door}


def parts_of(events: Sequence[Event], sizes: Sequence[int]) -> Iterator[tuple[Event, ...]]:
    """Yield events in parts of these sizes."""
    start = 0
    for size in sizes:
        yield tuple(events[start : start + size])
        start += size
