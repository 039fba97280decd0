"""Positions for readers outside the engine: in full, or as a seat or a guest may see them.

One thing is hidden: which cards lie face down in front of a player, and so which of the rest are in their hand.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Final

from engine.contract import Event, JsonObject, Seat
from engine.gravity.board import COMPASS, NORTH, WEST, Board
from engine.gravity.events import EventKind
from engine.gravity.rules import ranking
from engine.gravity.state import BASE, COLOURS, GOODIES, ITEMS, OFF, REPLAY, STAR, Player, State, cards_text

DRAWING: Final = frozenset({"columns", "rows", "width", "height", "faces", "replay", "doors", "platforms"})
"""The keys of the fixed part of a view, which draw the board."""


def position(state: State) -> JsonObject:
    """Return the whole position, hidden cards included, in the form that docs/record.md describes."""
    return _moving_part(state) | {
        "hands": [cards_text(player.hand) for player in state.players],
        "face_down": [cards_text(player.face_down) for player in state.players],
    }


def view(state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
    """Return the position as a seat or a guest (None) may see it, with the fixed part of the board.

    Unknown cards are ``?``: in a hand they come first, then its goodies. Nothing is hidden in a game that has ended.
    """
    hides = [not (state.finished or ended) and index + 1 != seat for index in range(len(state.players))]
    players = list(zip(state.players, hides, strict=True))
    return (
        _moving_part(state)
        | {
            "hands": [_hidden_hand(player) if hide else cards_text(player.hand) for player, hide in players],
            "face_down": [
                "?" * player.face_down.bit_count() if hide else cards_text(player.face_down) for player, hide in players
            ],
        }
        | _fixed_part(state)
    )


def known_to(state: State, seat: Seat | None) -> State:
    """Return a state that is equal to ``state`` as far as a seat knows.

    The hidden cards of all others are replaced by possible ones that do not depend on the real ones.
    """
    return _with_others(state, seat, lambda unknown, count: unknown[:count])


def imagine(state: State, seat: Seat | None, rng: Random) -> State:
    """Return the same with possible cards that are drawn by chance."""
    return _with_others(state, seat, rng.sample)


def _with_others(state: State, seat: Seat | None, choose: Callable[[list[int], int], list[int]]) -> State:
    """Return the state with cards face down in front of all but a seat that were chosen from those that may lie there.

    ``choose`` gets the possible cards, as bits, and how many of them lie there.
    """

    def other(player: Player) -> Player:
        unknown = [1 << i for i in range(BASE.bit_length()) if not player.face_up >> i & 1]
        down = sum(choose(unknown, player.face_down.bit_count()))
        hand = BASE & ~player.face_up & ~down | player.hand & GOODIES
        return Player(player.pawn, hand, player.face_up, down, player.loot)

    players = tuple(player if index + 1 == seat else other(player) for index, player in enumerate(state.players))
    return replace(state, players=players)


def _hidden_hand(player: Player) -> str:
    """Return a hand as others see it: goodies are open (ruling R13)."""
    if not player.face_down:
        return cards_text(player.hand)
    return "?" * (player.hand & BASE).bit_count() + cards_text(player.hand & GOODIES)


def view_events(events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return the events with each card that others laid face down replaced by None."""
    return tuple(
        Event(event.kind, event.seat, {**event.params, "card": None})
        if event.kind == EventKind.LAID and event.seat != seat and not event.params["face_up"]
        else event
        for event in events
    )


def star_rows(state: State) -> list[str]:
    """Return the stars on the board, one string per row, ``.`` for none."""
    letters = "." + COLOURS
    width = state.board.width
    text = "".join(letters[content & STAR] if content & STAR else "." for content in state.cells)
    return [text[start : start + width] for start in range(0, len(text), width)]


def place_text(state: State, pawn: int) -> str | None:
    """Return a pawn's place as ``x,y,feet``, None off the board."""
    if pawn == OFF:
        return None
    y, x = divmod(pawn >> 2, state.board.width)
    return f"{x},{y},{COMPASS[pawn & 3]}"


def loot_text(player: Player) -> str:
    """Return loot as letters with counts, zeros left out."""
    return "".join(f"{item}{count}" for item, count in zip(ITEMS, player.loot, strict=True) if count)


def _moving_part(state: State) -> JsonObject:
    seen: JsonObject = {
        "turns": state.turns,
        "round": state.round,
        "seat": None if state.finished else state.seat + 1,
        "finished": state.finished,
        "open_door": state.door,
        "supply": state.supply,
        "tiles": list(state.board.rotations),
        "stars": star_rows(state),
        "pawns": [place_text(state, player.pawn) for player in state.players],
        "face_up": [cards_text(player.face_up) for player in state.players],
        "loot": [loot_text(player) for player in state.players],
        "points": [player.points for player in state.players],
        "retired": [index + 1 for index in state.retired],
    }
    return seen | {"ranking": list(ranking(state))} if state.finished else seen


def _fixed_part(state: State) -> JsonObject:
    board = state.board
    return {
        "columns": board.columns,
        "rows": board.rows,
        "width": board.width,
        "height": board.height,
        "faces": [name for name, _ in state.setup.tiles],
        "replay": [_xy(board, space) for space, content in enumerate(state.cells) if content & REPLAY],
        "doors": [place_text(state, place) for place in board.doors],
        "platforms": list(_platforms(board)),
    }


@lru_cache(maxsize=2048)
def _platforms(board: Board) -> tuple[str, ...]:
    """Return ``x,y,N`` or ``x,y,W`` for each platform: every side is the north or west side of a space."""
    return tuple(
        f"{_xy(board, space)},{COMPASS[side]}"
        for space in range(board.width * board.height)
        for side in (NORTH, WEST)
        if board.blocked[space * 4 + side]
    )


def _xy(board: Board, space: int) -> str:
    y, x = divmod(space, board.width)
    return f"{x},{y}"
