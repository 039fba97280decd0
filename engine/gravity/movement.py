"""Carries out steps, one space at a time, on a draft of the state."""

from typing import Final

from engine.contract import Event, Json
from engine.gravity.board import COMPASS, SIDE, Board, crossings
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
    cards_bits,
)

_HOW: Final = {quarters: how for how, quarters in QUARTERS.items()}


class Draft:
    """A state while its seat to move changes it. Events are emitted only if there is a list to collect them in."""

    __slots__ = (
        "actions",
        "board",
        "cells",
        "door",
        "events",
        "origin",
        "pawns",
        "players",
        "replayed",
        "seat",
        "supply",
        "victims",
    )

    def __init__(self, state: State, events: list[Event] | None) -> None:
        self.origin = state
        self.events = events
        self.board: Board = state.board
        self.cells: bytes | bytearray = state.cells
        self.players = list(state.players)
        self.pawns = [player.pawn for player in state.players]
        self.supply = state.supply
        self.door = state.door
        self.seat = state.seat
        self.actions = state.actions
        self.replayed = state.replayed
        self.victims = state.victims

    def freeze(self, *, reached: bool) -> State:
        """Return the state that the draft has become."""
        for index, pawn in enumerate(self.pawns):
            player = self.players[index]
            if player.pawn != pawn:
                self.players[index] = Player(pawn, player.hand, player.face_up, player.face_down, player.loot)
        was = self.origin
        return State(
            was.setup,
            self.board,
            bytes(self.cells),
            tuple(self.players),
            self.supply,
            self.door,
            self.seat,
            was.round,
            was.turns,
            was.retired,
            reached,
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
        mover = self.players[self.seat]
        hand, up, down = mover.hand & ~card, mover.face_up, mover.face_down
        if card & GOODIES:
            self._pass_on(card)
        elif face_up:
            up |= card
        else:
            down |= card
        self.players[self.seat] = Player(mover.pawn, hand, up, down, mover.loot)
        if self.events is not None and card & BASE:
            self.emit(EventKind.LAID, card=CARDS[card.bit_length() - 1], face_up=face_up)
        if not hand:
            self.take_back(self.seat, "empty")

    def _pass_on(self, card: int) -> None:
        """Pass a played goodie (a bit) to the next active player on the left."""
        to = self.origin.next_active(self.seat)
        heir = self.players[to]
        self.players[to] = Player(heir.pawn, heir.hand | card, heir.face_up, heir.face_down, heir.loot)
        if self.events is not None:
            self.emit(EventKind.PASSED, card=CARDS[card.bit_length() - 1], to=to + 1)

    def take_back(self, index: int, why: str) -> None:
        """Return the cards in front of a player to the hand."""
        player = self.players[index]
        if count := (player.face_up | player.face_down).bit_count():
            self.players[index] = Player(player.pawn, player.hand | BASE, 0, 0, player.loot)
            if self.events is not None:
                self.events.append(Event(EventKind.CARDS_RETURNED, index + 1, {"count": count, "why": why}))

    # Movement

    def place(self) -> None:
        """Enter at the open door, feet as the door's; it is a space entered like any other (ruling R7)."""
        place = self.board.doors[self.door]
        if self.events is not None:
            self.emit(EventKind.PLACED, **self._xy(place >> 2), feet=COMPASS[place & 3])
        self.enter(place >> 2)
        self.pawns[self.seat] = place

    def teleport(self) -> None:
        """Go to the open door's space, feet as the door's (ruling R18)."""
        place = self.board.doors[self.door]
        self.pawns[self.seat] = OFF
        if self.events is not None:
            self.emit(EventKind.TELEPORTED, **self._xy(place >> 2), feet=COMPASS[place & 3])
        self.enter(place >> 2)
        self.pawns[self.seat] = place

    def travel(self, move: str) -> None:
        """Make a move that no platform blocks (see `Board.path`), and fall. A hanging pawn moves alike (ruling R17)."""
        place = self.pawns[self.seat]
        path = self.board.path(place, move)
        assert path is not None
        if not path:
            return
        self.pawns[self.seat] = OFF
        if self.events is None:
            for space in path:
                self.enter(space)
        else:
            self._travel_emitting(place, move, path)
        self.pawns[self.seat] = path[-1] * 4 + (place & 3)

    def _travel_emitting(self, place: int, move: str, path: tuple[int, ...]) -> None:
        space, feet = place >> 2, place & 3
        if move.startswith("J"):
            first = self.board.path(place, "S" + move[1])
            assert first is not None
            self._travel_emitting(place, "S" + move[1], first)
            self._travel_emitting(first[-1] * 4 + feet, "S" + move[2], path[len(first) :])
            return
        chosen = crossings(move, feet)
        how = {"S": "walk", "D": "drop"}.get(move[:1], "jump")
        for i, entered in enumerate(path):
            direction = chosen[i] if i < len(chosen) else feet
            if self._wraps(space, direction):
                self.emit(EventKind.WRAPPED, side=COMPASS[direction])
            if i < len(chosen):
                self.emit(EventKind.MOVED, **self._xy(entered), how=how)
            else:
                self.emit(EventKind.FELL, **self._xy(entered))
            self.enter(entered)
            space = entered

    def rotate(self, quarters: int) -> None:
        """Rotate the pawn clockwise on the spot, and fall."""
        place = self.pawns[self.seat]
        feet = (place + quarters) & 3
        self.pawns[self.seat] = place & ~3 | feet
        if self.events is not None:
            self.emit(EventKind.ROTATED, feet=COMPASS[feet], how=_HOW[quarters])
        self.travel("")

    def turn_tile(self, quarters: int) -> None:
        """Turn the tile under the pawn clockwise with everything on it, and fall.

        No pawn enters a space by turning (ruling R15), and no other pawn falls (ruling R16).
        """
        tile = self.board.tile_of(self.pawns[self.seat] >> 2)
        spaces = self.board.spaces_of(tile)
        target = list(range(SIDE * SIDE))
        for _ in range(quarters):
            target = [i % SIDE * SIDE + SIDE - 1 - i // SIDE for i in target]
        goes = {space: spaces[i] for space, i in zip(spaces, target, strict=True)}
        cells = bytearray(self.cells)
        for space, to in goes.items():
            cells[to] = self.cells[space]
        self.cells = cells
        for index, pawn in enumerate(self.pawns):
            if pawn >> 2 in goes:
                self.pawns[index] = goes[pawn >> 2] * 4 + (pawn + quarters) % 4
        rotations = list(self.board.rotations)
        rotations[tile] = (rotations[tile] + 90 * quarters) % 360
        self.board = self.origin.setup.board(tuple(rotations))
        if self.events is not None:
            self.emit(EventKind.TILE_TURNED, tile=tile, how=_HOW[quarters])
        self.travel("")

    def enter(self, space: int) -> None:
        """Enter a space: eject the pawn on it, or else take its star, or else a token; then move the open door on."""
        content = self.cells[space]
        for index, pawn in enumerate(self.pawns):
            if pawn >> 2 == space:
                self._eject(index, space)
                break
        else:
            if content & STAR:
                if isinstance(self.cells, bytes):
                    self.cells = bytearray(self.cells)
                self.cells[space] = content & REPLAY
                self._collect((content & STAR) - 1, space)
            elif content and self.supply:
                self.supply -= 1
                self._collect(TOKEN, space)
        if self.board.doors[self.door] >> 2 == space:
            self._move_door(space)

    def _eject(self, index: int, space: int) -> None:
        self.pawns[index] = OFF
        if self.events is not None:
            self.emit(EventKind.EJECTED, victim=index + 1, **self._xy(space))
        self.take_back(index, "ejected")
        if self.players[index].loot != NOTHING:
            self.victims += (index,)

    def _collect(self, item: int, space: int) -> None:
        self.gain(self.seat, item, 1)
        if self.events is not None:
            self.emit(EventKind.COLLECTED, item=ITEMS[item], **self._xy(space))

    def gain(self, index: int, item: int, count: int) -> None:
        """Give a player ``count`` of an item (or take it away, if negative)."""
        player = self.players[index]
        loot = (*player.loot[:item], player.loot[item] + count, *player.loot[item + 1 :])
        self.players[index] = Player(player.pawn, player.hand, player.face_up, player.face_down, loot)

    def _move_door(self, mover: int) -> None:
        """Open the next door clockwise whose space holds no pawn.

        ``mover`` is the space that the moving pawn enters, the only one that it occupies (ruling R6).
        """
        taken = {mover, *(pawn >> 2 for pawn in self.pawns)}
        order = self.board.order
        here = order.index(self.door)
        for tile in order[here + 1 :] + order[:here]:
            if self.board.doors[tile] >> 2 not in taken:
                if self.events is not None:
                    self.emit(EventKind.DOOR_MOVED, **{"from": self.door, "to": tile})
                self.door = tile
                return

    # Events

    def emit(self, kind: EventKind, **params: Json) -> None:
        """Emit an event of the seat to move, if events are kept."""
        if self.events is not None:
            self.events.append(Event(kind, self.seat + 1, params))

    def _xy(self, space: int) -> dict[str, Json]:
        y, x = divmod(space, self.board.width)
        return {"x": x, "y": y}

    def _wraps(self, space: int, direction: int) -> bool:
        y, x = divmod(space, self.board.width)
        return (y == 0, x == self.board.width - 1, y == self.board.height - 1, x == 0)[direction]


def leave(draft: Draft, index: int) -> None:
    """Take a retiring player's pawn off the board and pass their goodies to the next active player (ruling R20)."""
    player = draft.players[index]
    goodies = player.hand & ~BASE
    draft.pawns[index] = OFF
    draft.players[index] = Player(OFF, player.hand & BASE, player.face_up, player.face_down, player.loot)
    if not goodies:
        return
    to = draft.origin.next_active(index)
    heir = draft.players[to]
    draft.players[to] = Player(heir.pawn, heir.hand | goodies, heir.face_up, heir.face_down, heir.loot)
    if draft.events is not None:
        for card in CARDS:
            if goodies & cards_bits(card):
                draft.events.append(Event(EventKind.PASSED, index + 1, {"card": card, "to": to + 1}))
