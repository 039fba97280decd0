"""Leaving a running game of one's own will."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._append import add_retirement
from games.commands._lock import lock_game
from games.errors import GameCode, GameError, Stale
from games.log.table import seat_of
from games.models import Game
from games.models.choices import Actor, Reason, Status


@transaction.atomic(durable=True)
def resign(*, game_key: str, user: User, seq: int, now: datetime) -> Game:
    """Retire the seat of ``user``, who saw the game after entry ``seq``, whoever is to move; once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running``, ``stale``.
    """
    game = lock_game(key=game_key)
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    if seat.retired:
        return game
    if game.status != Status.ACTIVE or seat.number is None:
        raise GameError(GameCode.NOT_RUNNING)
    if seq != game.seq:
        raise Stale
    add_retirement(game, seat=seat.number, reason=Reason.RESIGNED, by=Actor.PLAYER, now=now)
    return game
