"""A person's holidays: dated absences, set beforehand."""

from datetime import date, datetime

from django.db import transaction

from accounts.models import User
from accounts.zones import zone
from games import clock
from games.commands._holidays import move_deadlines, settle_games
from games.commands._lock import lock_person
from games.commands._outbox import reconsider
from games.errors import GameCode, GameError
from games.models import Holiday
from games.notices.outbox import enqueue_holiday, enqueue_holiday_anew, forget_holiday
from games.timing.deadlines import clock_holidays


@transaction.atomic(durable=True)
def add_holiday(*, user: User, first: date, last: date, now: datetime) -> Holiday:
    """Set a holiday of days that have not begun in the person's zone, both included; it counts there in all games.

    The deadlines of the person's open turns move with it. The same once more is the same holiday. Raises `ClockError`
    where it breaks a limit.
    """
    person = lock_person(user.pk)
    if same := person.holidays.filter(first=first, last=last).first():
        return same
    before = clock_holidays(person.holidays.all())
    holiday = Holiday(user=person, first=first, last=last, zone=person.time_zone)
    clock.check_holiday_change(before, (*before, holiday.span), now)
    games = settle_games(person, now)
    holiday.save()
    enqueue_holiday(holiday, now)
    move_deadlines(games, now)
    return holiday


@transaction.atomic(durable=True)
def drop_holiday(*, user: User, holiday_id: int, now: datetime) -> None:
    """Take back the days of a holiday that have not begun: all of it, or all but those that have.

    Raises `GameError` (``no-such-holiday``); `ClockError` (``holiday-not-beforehand``) once its last day has begun.
    """
    person = lock_person(user.pk)
    row = Holiday.objects.filter(user=person, pk=holiday_id).first()
    if row is None:
        raise GameError(GameCode.NO_SUCH_HOLIDAY)
    begun = row.span.days_begun(now)
    if row.last in begun:
        raise clock.ClockError(clock.ClockCode.HOLIDAY_NOT_BEFOREHAND, day=row.last.isoformat())
    before = clock_holidays(person.holidays.all())
    games = settle_games(person, now)
    if not begun:
        forget_holiday(row)
        row.delete()
    else:
        row.last = begun[-1]
        row.save(update_fields=["last"])
        enqueue_holiday(row, now)
    clock.check_holiday_change(before, clock_holidays(person.holidays.all()), now)
    move_deadlines(games, now)


@transaction.atomic(durable=True)
def follow_zone(*, user_id: int, now: datetime) -> None:
    """Let what follows from a person's time zone follow the present one; once more changes nothing.

    Holidays to come move there with their notices and the deadlines of open turns, but for those that have begun in the
    old zone or would have begun in the new one: they stay where they are. Notices that wait for an hour of the day are
    looked at anew.
    """
    person = lock_person(user_id)
    coming = [row for row in person.holidays.exclude(zone=person.time_zone) if not _begun_in(row, person, now)]
    games = settle_games(person, now) if coming else []
    for row in coming:
        row.zone = person.time_zone
        row.save(update_fields=["zone"])
        enqueue_holiday_anew(row, now)
    move_deadlines(games, now)
    reconsider(person)


def _begun_in(row: Holiday, person: User, now: datetime) -> bool:
    """Return whether a holiday has begun in its own zone or in the person's."""
    return any(clock.has_begun(row.first, here, now) for here in (row.span.zone, zone(person.time_zone)))
