"""A person's holidays and the clocks that they stop: parts of commands, which change the one and so move the other."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from accounts.models import User
from games.commands._charges import settle_clock
from games.commands._clocks import enqueue_warnings, move_deadline
from games.commands._lock import lock_game, save_change
from games.log.table import next_actor
from games.models import Game, Seat
from games.models.choices import Status
from games.notices.facts import MovedBy
from games.timing.deadlines import CLOCK_COLUMNS, DUE_COLUMNS, time_control_of


def settle_games(user: User, now: datetime) -> list[Game]:
    """Lock the games in which a turn of the person is open and holidays count; take off the time gone by until now.

    Return those in which time is left. Where it has run out nothing changes: a deadline that has passed does not move
    any more, and a clock that was settled after it would not know when it passed.
    """
    running = Seat.objects.filter(user=user, ended_at=None, game__status=Status.ACTIVE)
    seats = running.filter(since__isnull=False, number=F("game__to_move"))
    games = [lock_game(pk=pk) for pk in sorted(seats.values_list("game", flat=True))]
    settled = []
    for game in games:
        seat = next_actor(game)
        if seat is not None and seat.user_id == user.pk and time_control_of(game).holidays:
            enqueue_warnings(game, now)
            if settle_clock(game, seat, now):
                seat.save(update_fields=CLOCK_COLUMNS)
                settled.append(game)
    return settled


def move_deadlines(games: Sequence[Game], now: datetime) -> None:
    """Derive the deadlines of settled games anew, now that the holidays are others."""
    for game in games:
        move_deadline(game, MovedBy.HOLIDAY, now)
        save_change(game, *DUE_COLUMNS)
