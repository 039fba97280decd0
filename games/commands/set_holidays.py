"""A person's holidays: dated absences, set beforehand."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.zones import zone
from games import clock
from games.commands._charges import settle_clock
from games.commands._clocks import enqueue_warnings, move_deadline
from games.commands._lock import lock_game, save_change
from games.errors import GameCode, GameError
from games.log.table import next_actor
from games.models import Game, Holiday, Seat
from games.models.choices import Status
from games.notices.facts import MovedBy
from games.notices.outbox import enqueue_holiday
from games.timing.deadlines import (
    CLOCK_COLUMNS,
    DUE_COLUMNS,
    clock_holidays,
    time_control_of,
)


@transaction.atomic(durable=True)
def add_holiday(*, user: User, first: date, last: date, now: datetime) -> Holiday:
    """Set a holiday from tomorrow on at the earliest, both days included. Raises `ClockError` where it breaks a limit.

    The deadlines of the person's open turns move with it.
    """
    before, today = _lock_holidays(user, now)
    clock.check_holiday_change(before, (*before, clock.HolidaySpan(first, last)), today)
    games = _settled_games(user, now)
    holiday = Holiday.objects.create(user=user, first=first, last=last)
    enqueue_holiday(holiday, user, now)
    _move_deadlines(games, now)
    return holiday


@transaction.atomic(durable=True)
def drop_holiday(*, user: User, holiday_id: int, now: datetime) -> None:
    """Take back what is still to come of a holiday: all of it before it begins, else the days from tomorrow on.

    Raises `GameError` (``no-such-holiday``); `ClockError` (``holiday-not-beforehand``) for one that is over.
    """
    before, today = _lock_holidays(user, now)
    row = Holiday.objects.filter(user=user, pk=holiday_id).first()
    if row is None:
        raise GameError(GameCode.NO_SUCH_HOLIDAY)
    if row.last <= today:
        raise clock.ClockError(clock.ClockCode.HOLIDAY_NOT_BEFOREHAND, day=row.last.isoformat())
    games = _settled_games(user, now)
    if row.first > today:
        row.delete()
    else:
        row.last = today
        row.save(update_fields=["last"])
        enqueue_holiday(row, user, now)
    clock.check_holiday_change(before, clock_holidays(user.holidays.all()), today)
    _move_deadlines(games, now)


def _lock_holidays(user: User, now: datetime) -> tuple[tuple[clock.HolidaySpan, ...], date]:
    """Return a person's holidays, locked with the person, and the date in their zone."""
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    return clock_holidays(Holiday.objects.filter(user=person)), now.astimezone(zone(person.time_zone)).date()


def _settled_games(user: User, now: datetime) -> list[Game]:
    """Lock the games in which a turn of the person is open and holidays count; take off the time gone by until now.

    Return those in which time is left. Where it has run out nothing changes: a deadline that has passed does not move
    any more, and a clock that was settled after it would not know when it passed.
    """
    seats = Seat.objects.filter(user=user, since__isnull=False, game__status=Status.ACTIVE, number=F("game__to_move"))
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


def _move_deadlines(games: Sequence[Game], now: datetime) -> None:
    for game in games:
        move_deadline(game, MovedBy.HOLIDAY, now)
        save_change(game, *DUE_COLUMNS)
