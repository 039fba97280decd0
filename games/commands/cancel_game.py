"""Withdrawing a game that has not started. One that has is cancelled by consent: `games.commands.propose`."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands.clocks import add_remark
from games.commands.lock import lock_game, save_change
from games.errors import Code, GameError
from games.labels import RemarkKind, Status
from games.models import Game
from games.notifications.facts import CancelledBy, GameCancelled
from games.notifications.tell import tell


@transaction.atomic(durable=True)
def cancel_game(*, game_key: str, user: User, now: datetime) -> Game:
    """Cancel an open game that ``user`` created; once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-creator``, ``not-open``.
    """
    game = lock_game(key=game_key)
    if game.creator_id != user.pk:
        raise GameError(Code.NOT_CREATOR)
    if game.status == Status.CANCELLED:
        return game
    if game.status != Status.OPEN:
        raise GameError(Code.NOT_OPEN)
    withdraw(game, RemarkKind.CANCELLED, CancelledBy.CREATOR, now)
    return game


def withdraw(game: Game, kind: RemarkKind, why: CancelledBy, now: datetime) -> None:
    """Cancel a locked open game, with a remark of that kind."""
    game.status = Status.CANCELLED
    game.finished_at = now
    save_change(game, "status", "finished_at")
    add_remark(game, kind, now)
    tell(game, GameCancelled(why), now=now)
