"""Putting a seat out of a running game."""

from datetime import datetime

from django.db import transaction

from games.commands._append import add_retirement
from games.commands._lock import lock_game
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.models import Entry
from games.models.choices import Actor, Reason, Status


@transaction.atomic(durable=True)
def retire_seat(*, game_key: str, seat: int, reason: Reason, by: Actor, now: datetime) -> Entry | None:
    """Retire seat number ``seat`` of a running game; return the entry, or None if it has left already.

    Raises `GameError`: ``no-such-game``, ``not-running``; `RulesError` (``not-active``) for a seat that never was.
    """
    game = lock_game(key=game_key)
    if any(other.retired for other in seats_of(game) if other.number == seat):
        return None
    if game.status != Status.ACTIVE:
        raise GameError(GameCode.NOT_RUNNING)
    return add_retirement(game, seat=seat, reason=reason, by=by, now=now)
