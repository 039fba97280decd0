"""Giving a free seat to a computer player."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands.lock import lock_game
from games.commands.start import start_if_full
from games.errors import Code, GameError
from games.labels import Status
from games.models import Game, Seat
from games.positions import rules_of


@transaction.atomic(durable=True)
def add_bot(*, game_key: str, user: User, bot: str, now: datetime) -> Game:
    """Seat a computer player in an open game that ``user`` created, and start the game if that fills it.

    Raises `GameError`: ``no-such-game``, ``not-creator``, ``not-open``, ``unknown-bot``.
    """
    game = lock_game(key=game_key)
    if game.creator_id != user.pk:
        raise GameError(Code.NOT_CREATOR)
    if game.status != Status.OPEN:
        raise GameError(Code.NOT_OPEN)
    seat_bot(game, bot)
    start_if_full(game, now=now)
    return game


def seat_bot(game: Game, bot: str) -> None:
    """Add a computer player's seat to an open game that has room for it. Raises `GameError` (``unknown-bot``)."""
    if bot not in rules_of(game).bots:
        raise GameError(Code.UNKNOWN_BOT, bot=bot)
    alike = Seat.objects.filter(game=game, bot=bot).count()
    name = f"{bot.capitalize()} bot"
    Seat.objects.create(game=game, bot=bot, name=f"{name} {alike + 1}" if alike else name)
