"""Who sits in a game, as notices need it. Uses loaded seats."""

from collections.abc import Sequence

from games.log.seats import seats_of
from games.models import Game


def all_users(game: Game) -> list[int | None]:
    """Return the ids of the users in all seats."""
    return [seat.user_id for seat in seats_of(game)]


def users_in_seats(game: Game, numbers: Sequence[int]) -> list[int | None]:
    """Return the ids of the users in these seats."""
    return [seat.user_id for seat in seats_of(game) if seat.number in numbers]
