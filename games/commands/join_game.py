"""Taking a seat."""

from datetime import datetime
from random import Random

from django.db import transaction

from accounts.bots import same_people
from accounts.models import User
from games.commands._allowed import refuse_apart, refuse_suspended
from games.commands._lock import lock_game, lock_person
from games.commands._open_game import limit_bot_games, limit_games
from games.commands._start import CHANCE, start_if_full
from games.errors import GameCode, GameError
from games.log.gates import why_refused
from games.log.seats import seats_of
from games.log.table import seat_of
from games.models import Game, Removal, Seat
from games.models.choices import Status
from games.notices.facts import Joined
from games.notices.outbox import enqueue


@transaction.atomic(durable=True)
def join_game(*, game_key: str, user: User, now: datetime, rng: Random = CHANCE) -> Game:
    """Seat ``user`` in an open game, and start the game if that fills it. Once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-open``, ``guest-joins`` for a guest in a game that is listed,
    ``bot-joins`` for a bot in one that takes none, ``was-removed``, also where it was one's bot, ``suspended``,
    ``no-seat-for-you``, ``too-many-games``, ``too-many-bot-games``, ``too-many-new-bot-games``, and why its gates do
    not let them in.
    """
    person = lock_person(user.pk)
    game = lock_game(key=game_key)
    take_seat(game, person, now, rng)
    return game


def take_seat(game: Game, user: User, now: datetime, rng: Random) -> None:
    """Seat a locked person in a locked game, as `join_game` does."""
    if seat_of(game, user) is not None:
        return
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    if user.is_guest and game.public:
        raise GameError(GameCode.GUEST_JOINS)
    if user.is_bot and not game.takes_bots:
        raise GameError(GameCode.BOT_JOINS)
    if Removal.objects.filter(same_people(user, "user"), game=game).exists():
        raise GameError(GameCode.WAS_REMOVED)
    refuse_suspended(user, now)
    refuse_apart(user, game, GameCode.NO_SEAT_FOR_YOU)
    if why := why_refused(game, user):
        raise why
    limit_games(user)
    if any(seat.bot for seat in seats_of(game)):
        limit_bot_games(user, now)
    Seat.objects.create(game=game, user=user, name=user.display_name)
    enqueue(game, Joined(user.pk), now=now)
    start_if_full(game, now=now, rng=rng)
