"""What moves on the board in one entry of the log, for the script that plays it: points and degrees, no rules.

An act is a JSON object with its ``kind``, how long it takes (``ms``), and after how long the next one begins
(``wait``). Points are those of the picture, turns are degrees clockwise from a figure that stands upright. They go on
counting, so that a figure always turns the way it did. Cards are in no act: what is said of them is in the captions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from engine.contract import Event, Json, JsonObject
from engine.gravity.board import SIDE
from engine.gravity.events import EventKind
from games.presenters.gravity.board import AHEAD
from games.presenters.gravity.space import (
    MARGIN,
    ROTATIONS,
    TILE,
    UNIT,
    Space,
    centre,
    item_symbol,
    parse_pawn,
    picture_side,
)
from games.presenters.gravity.still import Layout, draw_still
from games.presenters.gravity.view import EventParams, GravityView, read_params

DEGREES: Final = {"+": 90, "-": -90, "=": 180}
SHORTEST: Final = 500
LONGEST: Final = 1_700
"""Between these many milliseconds all waits of an entry take together; its last caption stays a little longer."""
REST: Final = 700
FALL: Final = 190
"""A first space falls so long; the further ones follow faster and faster."""
STEPS: Final = {"walk": 230, "jump": 170, "drop": 200}


def acts_of(
    events: Sequence[Event], before: GravityView, after: GravityView, told: Sequence[int] = ()
) -> list[JsonObject]:
    """Return the acts of an entry between two views, as they follow each other.

    ``told`` says before each event, and at the end, how many sentences may be shown by then.
    """
    director = _Director(before, after)
    shown = 0
    for place, event in enumerate(events):
        shown = director.tell(shown, told[place] if told else 0)
        director.stage(EventKind(event.kind), read_params(event), event.seat)
    director.tell(shown, told[-1] if told else 0)
    return _in_time(director.acts)


type Standing = Literal[EventKind.PLACED, EventKind.TELEPORTED, EventKind.ROTATED]
type Travelling = Literal[EventKind.MOVED, EventKind.FELL, EventKind.WRAPPED]
type Giving = Literal[EventKind.STOLE, EventKind.TOKEN_SPENT]
type Taking = Literal[EventKind.COLLECTED, EventKind.EJECTED, EventKind.STOLE, EventKind.TOKEN_SPENT]
type Building = Literal[EventKind.TILE_TURNED, EventKind.DOOR_MOVED]
type Closing = Literal[EventKind.RETIRED, EventKind.ROUND_ENDED, EventKind.GAME_ENDED]


@dataclass(slots=True)
class _Pawn:
    x: int
    y: int
    turn: int

    @property
    def point(self) -> Space:
        return centre(self.x, self.y)


class _Director:
    """Follows pawns, stars and the open door through the events, and writes down what is seen of each."""

    def __init__(self, before: GravityView, after: GravityView) -> None:
        self.after = after
        self.columns = before["columns"]
        self.pawns = {
            seat: _Pawn(x, y, ROTATIONS[feet])
            for seat, pawn in enumerate(before["pawns"], start=1)
            if pawn is not None
            for x, y, feet in [parse_pawn(pawn)]
        }
        self.stars = {(x, y) for y, row in enumerate(before["stars"]) for x, colour in enumerate(row) if colour != "."}
        self.doors = before["doors"]
        self.door = before["open_door"]
        self.thrown: dict[int, Space] = {}
        self.side = ""
        self.fallen = 0
        self.acts: list[JsonObject] = []

    def act(self, kind: str, *, wait: int = 0, ms: int = 0, **more: Json) -> None:
        self.acts.append({"kind": kind, "wait": wait, "ms": ms or wait, **more})

    def tell(self, shown: int, upto: int) -> int:
        """Let the sentences up to that number be shown."""
        if upto > shown:
            self.act("caption", first=shown, upto=upto)
        return max(shown, upto)

    def stage(self, kind: EventKind, params: EventParams, seat: int | None) -> None:
        """Write down what is seen of one event."""
        if kind != EventKind.FELL:
            self.fallen = self.fallen if kind in _ON_THE_WAY else 0
        match kind:
            case EventKind.PLACED | EventKind.TELEPORTED | EventKind.ROTATED:
                self._turn_up(kind, params, seat or 0)
            case EventKind.MOVED | EventKind.FELL | EventKind.WRAPPED:
                self._travel(kind, params, seat or 0)
            case EventKind.COLLECTED | EventKind.EJECTED | EventKind.STOLE | EventKind.TOKEN_SPENT:
                self._change_hands(kind, params, seat or 0)
            case EventKind.TILE_TURNED | EventKind.DOOR_MOVED:
                self._rebuild(kind, params)
            case EventKind.RETIRED | EventKind.ROUND_ENDED | EventKind.GAME_ENDED:
                self._close(kind, seat or 0)
            case EventKind.LAID | EventKind.PASSED | EventKind.CARDS_RETURNED:
                pass  # cards lie beside the board
            case _:
                assert_never(kind)

    def _turn_up(self, kind: Standing, params: EventParams, seat: int) -> None:
        match kind:
            case EventKind.PLACED | EventKind.TELEPORTED:
                pawn = self.pawns[seat] = _Pawn(params["x"], params["y"], ROTATIONS[params["feet"]])
                x, y = pawn.point
                name, wait = ("place", 400) if kind == EventKind.PLACED else ("teleport", 500)
                self.act(name, wait=wait, seat=seat, x=x, y=y, turn=pawn.turn)
            case EventKind.ROTATED:
                self.pawns[seat].turn += DEGREES[params["how"]]
                self.act("rotate", wait=320, seat=seat, turn=self.pawns[seat].turn)
            case _:
                assert_never(kind)

    def _travel(self, kind: Travelling, params: EventParams, seat: int) -> None:
        match kind:
            case EventKind.MOVED:
                self._step(params, seat, "move", STEPS[params["how"]])
            case EventKind.FELL:
                self.fallen += 1
                ms = round(FALL * (self.fallen**0.5 - (self.fallen - 1) ** 0.5))
                self._step(params, seat, "fall", ms)
            case EventKind.WRAPPED:
                self.side = params["side"]
            case _:
                assert_never(kind)

    def _change_hands(self, kind: Taking, params: EventParams, seat: int) -> None:
        match kind:
            case EventKind.COLLECTED:
                self._collect(params)
            case EventKind.EJECTED:
                self._eject(params["victim"])
            case EventKind.STOLE | EventKind.TOKEN_SPENT:
                self._hand_over(kind, params, seat)
            case _:
                assert_never(kind)

    def _rebuild(self, kind: Building, params: EventParams) -> None:
        match kind:
            case EventKind.TILE_TURNED:
                self._turn_tile(params["tile"], params["how"])
            case EventKind.DOOR_MOVED:
                self.door = params["to"]
                x, y, turn = self._open_door()
                self.act("door", wait=120, ms=400, x=x, y=y, turn=turn)
            case _:
                assert_never(kind)

    def _close(self, kind: Closing, seat: int) -> None:
        match kind:
            case EventKind.RETIRED:
                if self.pawns.pop(seat, None):
                    self.act("leave", wait=600, seat=seat)
            case EventKind.ROUND_ENDED:
                self.act("round", wait=150)
            case EventKind.GAME_ENDED:
                self.act("end", wait=300)
            case _:
                assert_never(kind)

    def _step(self, params: EventParams, seat: int, how: str, ms: int) -> None:
        """Go to a space, over the edge where the pawn is leaving the board."""
        pawn, side = self.pawns[seat], self.side
        (old_x, old_y), self.side = pawn.point, ""
        pawn.x, pawn.y = params["x"], params["y"]
        x, y = pawn.point
        if side:
            by_x, by_y = AHEAD[side][0] * UNIT, AHEAD[side][1] * UNIT
            out, into = [old_x + by_x, old_y + by_y], [x - by_x, y - by_y]
            self.act("wrap", wait=ms + 120, seat=seat, out=out, into=into, x=x, y=y)
        else:
            self.act(how, wait=ms, seat=seat, x=x, y=y, first=self.fallen == 1)

    def _turn_tile(self, tile: int, how: str) -> None:
        """Turn a tile with all that stands on it. A turn of the game turns one at most: the next view has its face."""
        row, column = divmod(tile, self.columns)
        left, top = column * SIDE, row * SIDE

        def turned(x: int, y: int) -> Space:
            x, y = x - left, y - top
            for _quarter in range(DEGREES[how] // 90 % 4):
                x, y = SIDE - 1 - y, x
            return left + x, top + y

        on_it = {space for space in self.stars if space[0] // SIDE == column and space[1] // SIDE == row}
        seats: list[Json] = []
        for seat, pawn in self.pawns.items():
            if pawn.x // SIDE == column and pawn.y // SIDE == row:
                pawn.x, pawn.y = turned(pawn.x, pawn.y)
                pawn.turn += DEGREES[how]
                seats.append({"seat": seat, "x": pawn.point[0], "y": pawn.point[1], "turn": pawn.turn})
        stars: list[Json] = []
        for space in sorted(on_it):
            to = turned(*space)
            stars.append({"from": _at(space), "to": _at(to), "x": centre(*to)[0], "y": centre(*to)[1]})
        self.stars = self.stars - on_it | {turned(*space) for space in on_it}
        self.doors = self.after["doors"]
        x, y, turn = self._open_door()
        self.act(
            "turn-tile",
            wait=700,
            left=MARGIN + left * UNIT,
            top=MARGIN + top * UNIT,
            side=TILE,
            by=DEGREES[how],
            seats=seats,
            stars=stars,
            door={"x": x, "y": y, "turn": turn, "along": self.door == tile},
            still=draw_still(Layout.of(self.after)),
        )

    def _collect(self, params: EventParams) -> None:
        space, item = (params["x"], params["y"]), params["item"]
        self.stars.discard(space)
        x, y = centre(*space)
        self.act("collect", wait=60, ms=650, symbol=item_symbol(item), at=_at(space) if item != "r" else "", x=x, y=y)

    def _eject(self, victim: int) -> None:
        """Throw a pawn over the nearest edge."""
        pawn = self.pawns.pop(victim, None)
        if pawn is None:
            return
        x, y = self.thrown[victim] = pawn.point
        right, bottom = picture_side(self.after["width"]), picture_side(self.after["height"])
        ways = [(y, (x, -2 * UNIT)), (bottom - y, (x, bottom + 2 * UNIT))]
        ways += [(x, (-2 * UNIT, y)), (right - x, (right + 2 * UNIT, y))]
        to_x, to_y = min(ways)[1]
        self.act("eject", wait=150, ms=700, seat=victim, x=to_x, y=to_y)

    def _hand_over(self, kind: Giving, params: EventParams, seat: int) -> None:
        pawn = self.pawns.get(seat)
        if pawn is None:
            return
        x, y = pawn.point
        if kind == EventKind.TOKEN_SPENT:
            self.act("spend", wait=250, ms=650, symbol=item_symbol("r"), x=x, y=y)
        else:
            from_x, from_y = self.thrown.get(params["victim"], pawn.point)
            symbol = item_symbol(params["item"])
            self.act("steal", wait=350, ms=600, symbol=symbol, **{"from": [from_x, from_y - UNIT]}, x=x, y=y)

    def _open_door(self) -> tuple[int, int, int]:
        x, y, feet = parse_pawn(self.doors[self.door])
        return *centre(x, y), ROTATIONS[feet]


_ON_THE_WAY: Final = {EventKind.WRAPPED, EventKind.COLLECTED, EventKind.EJECTED, EventKind.DOOR_MOVED}
"""What happens on the way of a pawn without ending its fall."""


def _at(space: Space) -> str:
    return f"{space[0]},{space[1]}"


def _in_time(acts: list[JsonObject]) -> list[JsonObject]:
    """Return the acts made as much faster as they are too many; what is over at once rests a little."""
    total = sum(_number(act["wait"]) for act in acts)
    if total > LONGEST:
        for act in acts:
            act |= {name: _number(act[name]) * LONGEST // total for name in ("wait", "ms")}
        total = LONGEST
    rest = max(REST, SHORTEST + REST - total)
    return [*acts, {"kind": "rest", "wait": rest, "ms": rest}]


def _number(value: Json) -> int:
    assert isinstance(value, int)
    return value
