"""Writing something down about a game, for oneself."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._lock import lock_person
from games.errors import GameCode, GameError
from games.models import Game, Note


@transaction.atomic(durable=True)
def write_note(*, game_key: str, user: User, text: str, now: datetime) -> None:
    """Keep a text, tidied and short enough, as the one note of a person on a game; an empty one takes it away.

    Raises `GameError`: ``no-such-game`` for one in which they have no seat.
    """
    lock_person(user.pk)
    game = Game.objects.filter(key=game_key, seats__user=user).first()
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    if text:
        Note.objects.update_or_create(game=game, user=user, defaults={"text": text, "at": now})
    else:
        Note.objects.filter(game=game, user=user).delete()
