"""Carries out steps, one space at a time, on a draft of the state."""

from typing import Final, final

from engine.contract import Event, Json
from engine.gravity.board import COMPASS, SIDE, Board
from engine.gravity.events import EventKind
from engine.gravity.notation import QUARTERS
from engine.gravity.state import (
    BASE,
    CARDS,
    GOODIES,
    ITEMS,
    NOTHING,
    OFF,
    REPLAY,
    STAR,
    TOKEN,
    Player,
    State,
)

_HOW: Final = {quarters: how for how, quarters in QUARTERS.items()}
_BARE: Final = tuple(bytes((content & REPLAY,)) for content in range(16))
"""What a space holds once its star is taken, by its content."""


@final
class Draft:
    """A turn while its seat plays it. Events are emitted only if there is a list to collect them in.

    What the seat to move has stands in the draft itself (``pawn`` to ``loot``), as nearly every step changes it; its
    entry in ``players`` is out of date until `freeze`. ``stands`` are the spaces of the other pawns, by player, while a
    pawn moves: no pawn is in its own way.
    """

    __slots__ = (
        "actions",
        "board",
        "cells",
        "door",
        "events",
        "face_down",
        "face_up",
        "hand",
        "loot",
        "origin",
        "pawn",
        "players",
        "reached",
        "replayed",
        "seat",
        "stands",
        "supply",
        "victims",
    )

    def __init__(self, state: State, events: list[Event] | None) -> None:
        self.origin = state
        self.events = events
        self.board: Board = state.board
        self.cells: bytes = state.cells
        self.players: list[Player] = list(state.players)
        self.supply = state.supply
        self.door = state.door
        self.seat = state.seat
        self.reached = state.reached
        self.actions = state.actions
        self.replayed = state.replayed
        self.victims = state.victims
        mover = state.players[state.seat]
        self.pawn = mover.pawn
        self.hand = mover.hand
        self.face_up = mover.face_up
        self.face_down = mover.face_down
        self.loot = mover.loot
        self.stands: list[int] = []

    def freeze(self) -> State:
        """Return the state that the draft has become."""
        self.players[self.seat] = Player(self.pawn, self.hand, self.face_up, self.face_down, self.loot)
        was = self.origin
        return State(
            was.setup,
            self.board,
            self.cells,
            tuple(self.players),
            self.supply,
            self.door,
            self.seat,
            was.round,
            was.turns,
            was.retired,
            self.reached,
            was.finished,
            self.actions,
            self.replayed,
            self.victims,
        )

    # Cards

    def lay(self, card: int, *, face_up: bool) -> None:
        """Lay a card (a bit) in front; a goodie is always passed on instead (ruling R12).

        A hand without any card left, goodies included, takes all cards back (ruling R14).
        """
        self.hand &= ~card
        if card & GOODIES:
            self._pass_on(card)
        else:
            if face_up:
                self.face_up |= card
            else:
                self.face_down |= card
            if self.events is not None:
                self.emit(EventKind.LAID, {"card": CARDS[card.bit_length() - 1], "face_up": face_up})
        if not self.hand:
            self.take_back("empty")

    def _pass_on(self, card: int) -> None:
        """Pass a played goodie (a bit) to the next active player on the left."""
        to = self.origin.next_active(self.seat)
        heir = self.players[to]
        self.players[to] = Player(heir.pawn, heir.hand | card, heir.face_up, heir.face_down, heir.loot)
        if self.events is not None:
            self.emit(EventKind.PASSED, {"card": CARDS[card.bit_length() - 1], "to": to + 1})

    def take_back(self, why: str) -> None:
        """Return the cards in front of the seat to move to its hand."""
        count = (self.face_up | self.face_down).bit_count()
        if count:
            self.hand |= BASE
            self.face_up = self.face_down = 0
            if self.events is not None:
                self.emit(EventKind.CARDS_RETURNED, {"count": count, "why": why})

    # Loot

    def steal(self, victim: int, item: int) -> None:
        """Take an item from the first victim."""
        robbed = self.players[victim]
        self.players[victim] = Player(
            robbed.pawn, robbed.hand, robbed.face_up, robbed.face_down, _changed(robbed.loot, item, -1)
        )
        self.loot = _changed(self.loot, item, 1)
        self.victims = self.victims[1:]
        if self.events is not None:
            self.emit(EventKind.STOLE, {"victim": victim + 1, "item": ITEMS[item]})

    def spend_token(self) -> None:
        """Return a token to the supply for a second action."""
        self.loot = _changed(self.loot, TOKEN, -1)
        self.supply += 1
        self.replayed = True
        if self.events is not None:
            self.emit(EventKind.TOKEN_SPENT, {})

    # Movement

    def place(self) -> None:
        """Enter at the open door, feet as the door's; it is a space entered like any other (ruling R7)."""
        self._enter_door(EventKind.PLACED)

    def teleport(self) -> None:
        """Go to the open door's space, feet as the door's (ruling R18)."""
        self._enter_door(EventKind.TELEPORTED)

    def _enter_door(self, kind: EventKind) -> None:
        place = self.board.doors[self.door]
        if self.events is not None:
            self.emit(kind, {**self._xy(place >> 2), "feet": COMPASS[place & 3]})
        self._look_around()
        self.enter(place >> 2)
        self.pawn = place

    def travel(self, move: str) -> None:
        """Make a move that no platform blocks (see `Board.path`), and fall. A hanging pawn moves alike (ruling R17)."""
        path = self.board.path(self.pawn, move)
        assert path is not None
        if not path:
            return
        self._look_around()
        if self.events is None:
            for space in path:
                if self.cells[space] or space in self.stands or self.board.doors[self.door] >> 2 == space:
                    self.enter(space)
        else:
            for space, side, how in self.board.way(self.pawn, move):
                if side:
                    self.emit(EventKind.WRAPPED, {"side": side})
                if how == "fall":
                    self.emit(EventKind.FELL, self._xy(space))
                else:
                    self.emit(EventKind.MOVED, {**self._xy(space), "how": how})
                self.enter(space)
        self.pawn = path[-1] * 4 + (self.pawn & 3)

    def _look_around(self) -> None:
        """Note where the other pawns stand."""
        self.stands = [player.pawn >> 2 for player in self.players]
        self.stands[self.seat] = OFF

    def rotate(self, quarters: int) -> None:
        """Rotate the pawn clockwise on the spot, and fall."""
        feet = (self.pawn + quarters) & 3
        self.pawn = self.pawn & ~3 | feet
        if self.events is not None:
            self.emit(EventKind.ROTATED, {"feet": COMPASS[feet], "how": _HOW[quarters]})
        self.travel("")

    def turn_tile(self, quarters: int) -> None:
        """Turn the tile under the pawn clockwise with everything on it, and fall.

        No pawn enters a space by turning (ruling R15), and no other pawn falls (ruling R16).
        """
        tile = self.board.tile_of(self.pawn >> 2)
        goes = carried_along(self.board, tile, quarters)
        cells = bytearray(self.cells)
        for space, to in goes.items():
            cells[to] = self.cells[space]
        self.cells = bytes(cells)
        for index, player in enumerate(self.players):
            if player.pawn >> 2 in goes:
                pawn = goes[player.pawn >> 2] * 4 + (player.pawn + quarters) % 4
                self.players[index] = Player(pawn, player.hand, player.face_up, player.face_down, player.loot)
        self.pawn = goes[self.pawn >> 2] * 4 + (self.pawn + quarters) % 4
        rotations = list(self.board.rotations)
        rotations[tile] = (rotations[tile] + 90 * quarters) % 360
        self.board = self.origin.setup.board(tuple(rotations))
        if self.events is not None:
            self.emit(EventKind.TILE_TURNED, {"tile": tile, "how": _HOW[quarters]})
        self.travel("")

    def enter(self, space: int) -> None:
        """Enter a space: eject the pawn on it, or else take its star, or else a token; then move the open door on."""
        if space in self.stands:
            self._eject(self.stands.index(space), space)
        elif content := self.cells[space]:
            if content & STAR:
                self.cells = self.cells[:space] + _BARE[content] + self.cells[space + 1 :]
                self._collect((content & STAR) - 1, space)
            elif self.supply:
                self.supply -= 1
                self._collect(TOKEN, space)
        if self.board.doors[self.door] >> 2 == space:
            self._move_door(space)

    def _eject(self, index: int, space: int) -> None:
        self.stands[index] = OFF
        victim = self.players[index]
        count = (victim.face_up | victim.face_down).bit_count()
        self.players[index] = Player(OFF, victim.hand | BASE if count else victim.hand, 0, 0, victim.loot)
        if self.events is not None:
            self.emit(EventKind.EJECTED, {"victim": index + 1, **self._xy(space)})
            if count:
                returned: dict[str, Json] = {"count": count, "why": "ejected"}
                self.events.append(Event(EventKind.CARDS_RETURNED, index + 1, returned))
        if victim.loot != NOTHING:
            self.victims += (index,)

    def _collect(self, item: int, space: int) -> None:
        self.loot = _changed(self.loot, item, 1)
        if self.events is not None:
            self.emit(EventKind.COLLECTED, {"item": ITEMS[item], **self._xy(space)})

    def _move_door(self, mover: int) -> None:
        """Open the next door clockwise whose space holds no pawn.

        ``mover`` is the space that the moving pawn enters, the only one that it occupies (ruling R6).
        """
        order = self.board.order
        here = order.index(self.door)
        for tile in order[here + 1 :] + order[:here]:
            space = self.board.doors[tile] >> 2
            if space != mover and space not in self.stands:
                if self.events is not None:
                    self.emit(EventKind.DOOR_MOVED, {"from": self.door, "to": tile})
                self.door = tile
                return

    # Events

    def emit(self, kind: EventKind, params: dict[str, Json]) -> None:
        """Emit an event of the seat to move, if events are kept."""
        if self.events is not None:
            self.events.append(Event(kind, self.seat + 1, params))

    def _xy(self, space: int) -> dict[str, Json]:
        width = self.board.width
        return {"x": space % width, "y": space // width}


def carried_along(board: Board, tile: int, quarters: int) -> dict[int, int]:
    """Return where what is on each space of a tile is, once that tile has turned clockwise by so many quarters."""
    spaces = board.spaces_of(tile)
    target = list(range(SIDE * SIDE))
    for _ in range(quarters):
        target = [i % SIDE * SIDE + SIDE - 1 - i // SIDE for i in target]
    return {space: spaces[i] for space, i in zip(spaces, target, strict=True)}


def _changed(loot: tuple[int, ...], item: int, count: int) -> tuple[int, ...]:
    """Return loot with ``count`` more of an item (or fewer, if negative)."""
    return (*loot[:item], loot[item] + count, *loot[item + 1 :])
