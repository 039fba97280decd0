"""What a turn that is planned ahead relies on in the position, and whether it is so.

A condition is text, as a step is: a name and numbers, ``star(3,11)``. All of them are about what lies open, so that no
hidden card decides whether one holds.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, assert_never

from engine.contract import Condition, Event, Seat
from engine.errors import RulesCode, RulesError
from engine.gravity.events import EventKind
from engine.gravity.movement import carried_along
from engine.gravity.notation import QUARTERS, parse_step
from engine.gravity.rules import play_steps
from engine.gravity.state import ITEMS, OFF, REPLAY, STAR, TOKEN, State, cards_bits
from engine.gravity.view import known_to, place_text

_TURN_TILE: Final = cards_bits("P")
_FORM: Final = re.compile(r"(?P<kind>[a-z]+)\((?P<params>[^()]*)\)")


class ConditionKind(StrEnum):
    """What a plan can rely on, with its parameters in parentheses: x and y name a space."""

    STANDS = "stands"
    """The own pawn stands there (x, y, feet): nobody has thrown it out, or turned the tile under it."""
    OFF = "off"
    """The own pawn is off the board ()."""
    DOOR = "door"
    """The open door is that of a tile (tile)."""
    STAR = "star"
    """A star lies there (x, y)."""
    TOKEN = "token"  # noqa: S105 - it is no secret
    """A token can be had there, and so many are left (x, y, count)."""
    RIVAL = "rival"
    """A rival's pawn stands there (seat, x, y)."""
    HAS = "has"
    """A rival has such an item (seat, item)."""
    FREE = "free"
    """No rival's pawn is in the way (x, y, x, y …)."""
    TAKEN = "taken"
    """On the doors of these tiles, and of no others, stand rivals' pawns (tile, tile …)."""
    TILES = "tiles"
    """The tiles lie turned by so many degrees clockwise (rotation, rotation …)."""


def as_if_to_move(state: State, seat: Seat) -> State:
    """Return the state as a seat would move in it now, with what it knows. Raises `RulesError`."""
    index = seat - 1
    if state.finished:
        raise RulesError(RulesCode.GAME_OVER)
    if not 0 <= index < len(state.players) or not state.is_active(index):
        raise RulesError(RulesCode.NOT_ACTIVE, seat=seat)
    return known_to(replace(state, seat=index), seat)


def conditions(state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
    """Return what the steps of a planned turn rely on. Raises `RulesError` if they are not legal."""
    start = as_if_to_move(state, seat)
    events: list[Event] = []
    play_steps(start, steps, events)
    return tuple(_Reliance(start, events, steps, door_moves=_enters_before(state, seat - 1)).conditions())


def holds(state: State, seat: Seat, condition: str) -> bool:  # noqa: C901, PLR0911 - a table: one case a kind
    """Return whether a condition of a seat's plan holds between turns."""
    kind, params = read_condition(condition)
    match kind:
        case ConditionKind.STANDS:
            return place_text(state, state.players[seat - 1].pawn) == ",".join(params)
        case ConditionKind.OFF:
            return state.players[seat - 1].pawn == OFF
        case ConditionKind.DOOR:
            return state.door == int(params[0])
        case ConditionKind.STAR:
            return bool(state.cells[_space(state, params)] & STAR)
        case ConditionKind.TOKEN:
            return state.cells[_space(state, params)] == REPLAY and state.supply >= int(params[2])
        case ConditionKind.RIVAL:
            pawn = state.players[int(params[0]) - 1].pawn
            return pawn != OFF and pawn >> 2 == _space(state, params[1:])
        case ConditionKind.HAS:
            return state.players[int(params[0]) - 1].loot[ITEMS.index(params[1])] > 0
        case ConditionKind.FREE:
            way = {_space(state, params[i:]) for i in range(0, len(params), 2)}
            return way.isdisjoint(_rivals(state, seat - 1))
        case ConditionKind.TAKEN:
            return _taken_doors(state, seat - 1) == [int(tile) for tile in params]
        case ConditionKind.TILES:
            return state.board.rotations == tuple(map(int, params))
        case _:
            assert_never(kind)


def read_condition(text: str) -> tuple[ConditionKind, tuple[str, ...]]:
    """Return the kind of a condition, and its parameters in order. Raises `ValueError` for what is none."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError(text)
    return ConditionKind(form["kind"]), tuple(form["params"].split(",")) if form["params"] else ()


class _Reliance:
    """What a turn relies on, gathered from what happens as it is played.

    Spaces are those of the position before the turn, also for what comes after a tile was turned in it.
    """

    def __init__(self, start: State, events: Sequence[Event], steps: Sequence[str], *, door_moves: bool) -> None:
        self.start = start
        self.door_moves = door_moves
        self.events = events
        self.steps = [parse_step(step) for step in steps]
        self.rivals = _rivals(start, start.seat)
        self.before = list(range(len(start.cells)))
        """By space of the board as the turn has made it, the space that it was before the turn."""

    def conditions(self) -> Iterator[Condition]:
        """Yield the conditions, the gravest first."""
        pawn = place_text(self.start, self.start.players[self.start.seat].pawn)
        yield Condition(f"{ConditionKind.STANDS}({pawn})" if pawn else f"{ConditionKind.OFF}()", is_necessary=True)
        yield from self._of_doors()
        way, found = self._follow()
        yield from found
        if way:
            spaces = ",".join(self._xy(space) for space in dict.fromkeys(way))
            yield Condition(f"{ConditionKind.FREE}({spaces})")
        if any(player.hand & _TURN_TILE for player in self.start.players):
            yield Condition(f"{ConditionKind.TILES}({','.join(map(str, self.start.board.rotations))})")

    def _of_doors(self) -> Iterator[Condition]:
        """Yield what the turn relies on where it enters by the open door, or by the one that opens in its course."""
        kinds = [event.kind for event in self.events]
        entries = [at for at, kind in enumerate(kinds) if kind in {EventKind.PLACED, EventKind.TELEPORTED}]
        if not entries:
            return
        yield Condition(f"{ConditionKind.DOOR}({self.start.door})", is_necessary=True, is_unlikely=self.door_moves)
        if EventKind.DOOR_MOVED in kinds[: entries[-1]]:
            tiles = ",".join(map(str, _taken_doors(self.start, self.start.seat)))
            yield Condition(f"{ConditionKind.TAKEN}({tiles})")

    def _follow(self) -> tuple[list[int], list[Condition]]:
        """Return the spaces that are entered where no rival stands, and what is met, collected and stolen there."""
        way: list[int] = []
        found: list[Condition] = []
        board, tokens = self.start.board, 0
        stolen_from = {event.params["victim"] for event in self.events if event.kind == EventKind.STOLE}
        for event in self.events:
            match event.kind:
                case EventKind.PLACED | EventKind.TELEPORTED | EventKind.MOVED | EventKind.FELL:
                    if (space := self._was(event)) not in self.rivals:
                        way.append(space)
                case EventKind.EJECTED:
                    victim = event.params["victim"]
                    text = f"{ConditionKind.RIVAL}({victim},{self._xy(self._was(event))})"
                    found.append(Condition(text, is_necessary=victim in stolen_from))
                case EventKind.STOLE:
                    text = f"{ConditionKind.HAS}({event.params['victim']},{event.params['item']})"
                    found.append(Condition(text, is_necessary=True))
                case EventKind.COLLECTED if event.params["item"] == ITEMS[TOKEN]:
                    tokens += 1
                    found.append(Condition(f"{ConditionKind.TOKEN}({self._xy(self._was(event))},{tokens})"))
                case EventKind.COLLECTED:
                    found.append(Condition(f"{ConditionKind.STAR}({self._xy(self._was(event))})"))
                case EventKind.TILE_TURNED:
                    tile, quarters = int(str(event.params["tile"])), QUARTERS[str(event.params["how"])]
                    before = self.before.copy()
                    for space, to in carried_along(board, tile, quarters).items():
                        self.before[to] = before[space]
                case _:
                    pass
        return way, found

    def _was(self, event: Event) -> int:
        """Return the space of an event, as it was before the turn."""
        return self.before[_space(self.start, (str(event.params["x"]), str(event.params["y"])))]

    def _xy(self, space: int) -> str:
        y, x = divmod(space, self.start.board.width)
        return f"{x},{y}"


def _enters_before(state: State, index: int) -> bool:
    """Return whether a rival who moves before a seat is off the board: they enter by the open door, which moves on."""
    seats = len(state.players)
    before = ((state.seat + i) % seats for i in range((index - state.seat) % seats))
    return any(state.is_active(i) and state.players[i].pawn == OFF for i in before)


def _space(state: State, params: Sequence[str]) -> int:
    """Return the space that the first two parameters name."""
    return int(params[1]) * state.board.width + int(params[0])


def _rivals(state: State, index: int) -> frozenset[int]:
    """Return the spaces on which the pawns of all others stand."""
    others = (player.pawn for i, player in enumerate(state.players) if i != index)
    return frozenset(pawn >> 2 for pawn in others if pawn != OFF)


def _taken_doors(state: State, index: int) -> list[int]:
    """Return the tiles on whose doors the pawns of others stand."""
    rivals = _rivals(state, index)
    return [tile for tile, place in enumerate(state.board.doors) if place >> 2 in rivals]
