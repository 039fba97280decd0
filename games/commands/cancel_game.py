"""Withdrawing a game that has not started. One that has is cancelled by consent: `games.commands.propose`."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._lock import lock_game
from games.commands._open_game import withdraw
from games.errors import GameCode, GameError
from games.models import Game
from games.models.choices import RemarkKind, Status
from games.notices.facts import CancelledBy


@transaction.atomic(durable=True)
def cancel_game(*, game_key: str, user: User, now: datetime) -> Game:
    """Cancel an open game that ``user`` created; once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-creator``, ``not-open``.
    """
    game = lock_game(key=game_key)
    if game.creator_id != user.pk:
        raise GameError(GameCode.NOT_CREATOR)
    if game.status == Status.CANCELLED:
        return game
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    withdraw(game, RemarkKind.CANCELLED, CancelledBy.CREATOR, now)
    return game
