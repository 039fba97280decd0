"""Writing to the others in a game."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from accounts.models import User
from games.commands._allowed import refuse_bot, refuse_silenced
from games.commands._lock import lock_game, save_change
from games.commands._open_game import RECENT
from games.errors import GameCode, GameError
from games.log.table import seat_of
from games.models import Game, Message
from games.notices.facts import MessageWritten
from games.notices.outbox import enqueue

SAME_REQUEST: Final = timedelta(minutes=1)
"""For how long the same words again are taken for the same request sent twice."""
MOST_MESSAGES: Final = 100
"""How many messages one person can write in a game within `RECENT`."""


@transaction.atomic(durable=True)
def write_message(*, game_key: str, user: User, text: str, now: datetime) -> Game:
    """Let ``user`` say ``text``, tidied, to the others in a started game. The same at once again is written once.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running`` before the start, ``guest-writes``,
    ``not-for-bots``, ``suspended``, ``silenced``, ``too-many-messages``.
    """
    game = lock_game(key=game_key)
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    if seat.number is None:
        raise GameError(GameCode.NOT_RUNNING)
    if user.is_guest:
        raise GameError(GameCode.GUEST_WRITES)
    refuse_bot(user)
    refuse_silenced(seat.user or user, now)
    last = game.messages.order_by("-pk").first()
    if last is not None and (last.seat, last.text) == (seat.number, text) and now - last.at < SAME_REQUEST:
        return game
    if game.messages.filter(seat=seat.number, at__gt=now - RECENT).count() >= MOST_MESSAGES:
        raise GameError(GameCode.TOO_MANY_MESSAGES, most=MOST_MESSAGES)
    message = Message.objects.create(game=game, seat=seat.number, text=text, at=now)
    save_change(game)
    enqueue(game, MessageWritten(seat.number, message.pk), now=now)
    return game
