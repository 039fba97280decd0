"""Giving a free seat to a computer player."""

from datetime import datetime
from random import Random

from django.db import transaction

from accounts.models import User
from games.commands._allowed import refuse_suspended
from games.commands._lock import lock_game, lock_person
from games.commands._open_game import limit_bot_games, seat_bot
from games.commands._start import CHANCE, start_if_full
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.models import Game
from games.models.choices import Status


@transaction.atomic(durable=True)
def add_bot(
    *, game_key: str, user: User, bot: str, now: datetime, taken: int | None = None, rng: Random = CHANCE
) -> Game:
    """Seat a computer player in an open game that ``user`` created, and start the game if that fills it.

    ``taken`` is how many seats were taken when ``user`` chose: the same choice once more is no error. Raises
    `GameError`: ``no-such-game``, ``not-creator``, ``not-open``, ``suspended``, ``seats-changed``, ``unknown-bot``,
    ``too-many-bot-games``, ``too-many-new-bot-games``.
    """
    person = lock_person(user.pk)
    game = lock_game(key=game_key)
    if game.creator_id != user.pk:
        raise GameError(GameCode.NOT_CREATOR)
    seats = seats_of(game)
    if taken is not None and len(seats) != taken:
        if len(seats) == taken + 1 and max(seats, key=lambda seat: seat.pk).bot == bot:
            return game
        raise GameError(GameCode.SEATS_CHANGED)
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    refuse_suspended(person, now)
    if not any(seat.bot for seat in seats):
        limit_bot_games(user, now)
    seat_bot(game, bot)
    start_if_full(game, now=now, rng=rng)
    return game
