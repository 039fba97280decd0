"""Taking somebody's seat away before the start."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._lock import lock_game, save_change
from games.errors import GameCode, GameError
from games.log.seats import load_seats, seats_of
from games.models import Game, Invitation, Removal, Seat
from games.models.choices import Status
from games.notices.facts import Removed
from games.notices.outbox import enqueue


@transaction.atomic(durable=True)
def remove_player(*, game_key: str, user: User, seat_id: int, now: datetime) -> str:
    """Free a seat of an open game that ``user`` created; return the name of who had it, empty for a computer player.

    A person who was removed takes no seat in this game again unless they are invited. A seat that nobody has any more
    is no error. Raises `GameError`: ``no-such-game``, ``not-creator``, ``not-open``, ``creator-stays``.
    """
    game = lock_game(key=game_key)
    if game.creator_id != user.pk:
        raise GameError(GameCode.NOT_CREATOR)
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    seat = next((seat for seat in seats_of(game) if seat.pk == seat_id), None)
    if seat is None:
        return ""
    if seat.user_id == user.pk:
        raise GameError(GameCode.CREATOR_STAYS)
    _remove(game, seat, now)
    save_change(game)
    load_seats(game)
    return "" if seat.user is None else seat.user.shown_name


def _remove(game: Game, seat: Seat, now: datetime) -> None:
    person = seat.user_id
    seat.delete()
    if person is not None:
        Invitation.objects.filter(game=game, user=person).delete()
        removal = Removal.objects.create(game=game, user_id=person, at=now)
        enqueue(game, Removed(person, removal.pk), now=now)
