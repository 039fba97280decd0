"""Who sits at a game's table, and who must act: the one answer for pages, timers, notices and tasks."""

from typing import TYPE_CHECKING, Final

from games.models import Game, Seat
from games.models.choices import Status

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


type Reader = User | AnonymousUser | None
"""Who looks: a person, or a guest."""


ENDED: Final = frozenset({Status.FINISHED, Status.CANCELLED})


def next_actor(game: Game) -> Seat | None:
    """Return the seat that must act for the game to go on, or None if it waits for nobody.

    The one answer to "whose move is it", for pages, timers, notices and tasks. Uses seats that were prefetched.
    """
    if game.status != Status.ACTIVE:
        return None
    return next((seat for seat in game.seats.all() if seat.number == game.to_move), None)


def people_in(game: Game) -> tuple[int, ...]:
    """Return the numbers of the seats of people who still play in a started game, in order. Uses loaded seats."""
    seats = (seat for seat in game.seats.all() if seat.user_id is not None and not seat.retired)
    return tuple(seat.number for seat in seats if seat.number is not None)


def seat_of(game: Game, reader: Reader) -> Seat | None:
    """Return the seat that ``reader`` holds in a game, or None."""
    if reader is None or not reader.is_authenticated:
        return None
    return next((seat for seat in game.seats.all() if seat.user_id == reader.pk), None)


def is_open_to_all(game: Game) -> bool:
    """Return whether nothing of the game is hidden any more, because it has ended."""
    return game.status in ENDED
