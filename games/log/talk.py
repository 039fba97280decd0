"""Who may read and write in the spectators' room of a game: the one answer for pages and commands.

While a game runs nobody who plays in it learns what spectators say, which could be advice; so it is shown to people
with a confirmed address alone, not to whoever looks on without an account. Once the game is over anyone may read it.
"""

from enum import StrEnum

from games.errors import GameCode
from games.log.table import ENDED, Reader, seat_of
from games.models import Game


class Thing(StrEnum):
    """What one can react to; the values are the columns of `Reaction`."""

    MESSAGE = "message"
    MOVE = "move"
    SPECTATOR_MESSAGE = "spectator_message"


def has_room(game: Game) -> bool:
    """Return whether spectators have a room at all: not before the start, nor in a game for its players only."""
    return game.was_set_up and not game.players_only


def why_not_read_room(game: Game, reader: Reader) -> GameCode | None:
    """Return why a reader may not read what spectators write, or None. Uses loaded seats."""
    if not game.was_set_up:
        return GameCode.NOT_RUNNING
    is_over = game.status in ENDED
    if not is_over and seat_of(game, reader) is not None:
        return GameCode.PLAYER_WATCHES
    if not has_room(game):
        return GameCode.NO_SUCH_GAME
    return None if is_over else _why_unknown(reader)


def why_not_write_room(game: Game, reader: Reader) -> GameCode | None:
    """Return why a reader may not write to the spectators, or None: who plays never may. Uses loaded seats."""
    if (code := why_not_read_room(game, reader)) is not None:
        return code
    return GameCode.PLAYER_WATCHES if seat_of(game, reader) is not None else _why_unknown(reader)


def _why_unknown(reader: Reader) -> GameCode | None:
    known = reader is not None and reader.is_authenticated and reader.is_confirmed
    return None if known else GameCode.NOT_CONFIRMED
