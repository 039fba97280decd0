"""The end of an open game that does not fill, and what can be done against it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._lock import lock_game, save_change
from games.commands._open_game import withdraw
from games.errors import GameCode, GameError
from games.models import EXPIRY_NOTICE, OPEN_FOR, Game
from games.models.choices import RemarkKind, Status
from games.notices.facts import CancelledBy, ExpiryNears
from games.notices.outbox import enqueue


@transaction.atomic(durable=True)
def expire_open_game(*, game_id: int, now: datetime) -> bool:
    """Cancel a game that has been open for too long, or enqueue once that it will be; return whether it did either.

    Safe to repeat: both are asked again under the lock. Raises `GameError` (``no-such-game``).
    """
    game = lock_game(pk=game_id)
    if game.status != Status.OPEN or game.expires_at is None:
        return False
    if game.expires_at <= now:
        withdraw(game, RemarkKind.EXPIRED, CancelledBy.EXPIRY, now)
        return True
    if game.expiry_noticed or game.expires_at - EXPIRY_NOTICE > now:
        return False
    game.expiry_noticed = True
    save_change(game, "expiry_noticed")
    enqueue(game, ExpiryNears(game.expires_at), now=now)
    return True


@transaction.atomic(durable=True)
def keep_open(*, game_key: str, user: User, now: datetime) -> Game:
    """Let an open game that ``user`` created stay open for another `OPEN_FOR` from now.

    Raises `GameError`: ``no-such-game``, ``not-creator``, ``not-open``.
    """
    game = lock_game(key=game_key)
    if game.creator_id != user.pk:
        raise GameError(GameCode.NOT_CREATOR)
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    game.expires_at, game.expiry_noticed = now + OPEN_FOR, False
    save_change(game, "expires_at", "expiry_noticed")
    return game
