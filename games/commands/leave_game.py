"""Giving up a seat before the start."""

from django.db import transaction

from accounts.models import User
from games.commands._lock import lock_game, save_change
from games.errors import GameCode, GameError
from games.log.seats import load_seats
from games.log.table import seat_of
from games.models import Game
from games.models.choices import Status


@transaction.atomic(durable=True)
def leave_game(*, game_key: str, user: User) -> Game:
    """Take ``user`` out of an open game. Leaving a running one is `resign`.

    Raises `GameError`: ``no-such-game``, ``not-joined``, ``not-open``, ``creator-stays``.
    """
    game = lock_game(key=game_key)
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_JOINED)
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    if game.creator_id == user.pk:
        raise GameError(GameCode.CREATOR_STAYS)
    seat.delete()
    save_change(game)
    load_seats(game)
    return game
