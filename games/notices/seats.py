"""Who sits in a game, as notices need it. Uses loaded seats."""

from collections.abc import Sequence

from games.models import Game


def all_users(game: Game) -> list[int | None]:
    """Return the ids of the users in all seats."""
    return [seat.user_id for seat in game.seats.all()]


def users_in_seats(game: Game, numbers: Sequence[int]) -> list[int | None]:
    """Return the ids of the users in these seats."""
    return [seat.user_id for seat in game.seats.all() if seat.number in numbers]
