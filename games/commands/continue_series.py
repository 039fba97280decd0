"""Beginning the next game of a series."""

from datetime import datetime
from random import Random

from django.db import transaction

from accounts.blocks import blocked_among
from accounts.models import User
from games.commands._lock import lock_game, save_change
from games.commands._open_game import terms_of
from games.commands._start import CHANCE, start_if_full
from games.log.seats import seats_of
from games.models import Game, Seat
from games.models.choices import Status


@transaction.atomic(durable=True)
def continue_series(*, game_id: int, now: datetime, rng: Random = CHANCE) -> Game | None:
    """Begin the game that follows a finished one in its series: the same people, everyone a seat nearer to the first.

    Return it, or None where none follows: it has begun already, the game is not over, or somebody has left it or the
    site, is suspended, or has blocked somebody, which ends the series.
    """
    # People before games, as everywhere: the new seats hold on to them.
    people = Seat.objects.filter(game=game_id, user__isnull=False).values("user")
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk"))
    old = lock_game(pk=game_id)
    if old.status != Status.FINISHED or not old.is_followed:
        return None
    old.is_followed = False
    first, *others = seats_of(old)
    seats = [*others, first]
    game = _next_game(old, seats, now, rng) if _play_on(seats, now) else None
    save_change(old, "is_followed")
    return game


def follows(length: int, number: int = 1) -> bool:
    """Return whether another game comes after the one of a number in a series."""
    return number < length


def _play_on(seats: list[Seat], now: datetime) -> bool:
    """Return whether everyone is still there, and nobody is kept apart from anybody."""
    people = [seat.user for seat in seats if seat.user is not None]
    if any(seat.retired or (seat.user is None and not seat.bot) for seat in seats):
        return False
    if any(not person.is_active or person.is_suspended(now) for person in people):
        return False
    return not blocked_among(people)


def _next_game(old: Game, seats: list[Seat], now: datetime, rng: Random) -> Game:
    number = old.series_number + 1
    game = Game.objects.create(
        creator=old.creator,
        rematch_of=old,
        series_length=old.series_length,
        series_number=number,
        series_of_id=old.series_of_id or old.pk,
        is_followed=follows(old.series_length, number),
        created_at=now,
        **terms_of(old),
    )
    for seat in seats:
        Seat.objects.create(game=game, user=seat.user, bot=seat.bot, name="" if seat.bot else seat.name)
    start_if_full(game, now=now, rng=rng)
    return game
