"""When a seat's time counts: weekends, holidays and pauses, and what follows from them, the deadline."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from games.clock.errors import ClockCode, ClockError
from games.clock.time_control import DAY, MINUTE, TimeControl

HOLIDAY_DAYS_MAX: Final = 14
"""The most days of one holiday."""
YEAR_DAYS_MAX: Final = 30
"""The most days of holiday in a calendar year."""
HEARTBEAT_MAX: Final = MINUTE
"""Seconds. A sign of life older than this means that the site was down."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)
_ONE_DAY: Final = timedelta(days=1)
_HORIZON: Final = 3653 * DAY
_FOREVER: Final = 2**62
_SATURDAY: Final = 5
_FIRST_ZONE: Final = timezone(timedelta(hours=14))
_LAST_ZONE: Final = timezone(timedelta(hours=-12))

type _Span = tuple[int, int]
"""From and up to, in whole seconds since 1970."""


class PauseReason(StrEnum):
    """Why a clock stands still. Several can hold at once; it runs only when none does."""

    WEEKEND = "weekend"
    HOLIDAY = "holiday"
    OUTAGE = "outage"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class HolidaySpan:
    """An absence in whole days, both included, of one zone: that of its owner when it began, in every clock of theirs.

    So a day stops a clock once, in one place, and has begun, for good, when it begins there: see `has_begun`.
    """

    first: date
    last: date
    zone: ZoneInfo

    @property
    def begins(self) -> datetime:
        """The instant at which the first day begins, in UTC."""
        return _to_instant(_midnight(self.zone, self.first))

    @property
    def ends(self) -> datetime:
        """The instant at which the last day is over, in UTC."""
        return _to_instant(_midnight(self.zone, self.last, after=1))

    def days(self) -> Iterator[date]:
        """Yield each day, in order."""
        return (self.first + n * _ONE_DAY for n in range((self.last - self.first).days + 1))

    def days_begun(self, now: datetime) -> tuple[date, ...]:
        """Return the days that have begun, in order: those that nothing takes back."""
        return tuple(day for day in self.days() if has_begun(day, self.zone, now))


@dataclass(frozen=True, slots=True)
class PauseSpan:
    """A span that does not count, from ``start`` up to ``end``; with no end (None) it goes on until it gets one."""

    reason: PauseReason
    start: datetime
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Calendar:
    """All that can stop one seat's clock: weekends, its owner's holidays, and the pauses of the game or the site."""

    zone: ZoneInfo
    """Where weekends are counted. Holidays have zones of their own."""
    holidays: tuple[HolidaySpan, ...] = ()
    pauses: tuple[PauseSpan, ...] = ()


def deadline(time_control: TimeControl, calendar: Calendar, seconds_left: int, now: datetime) -> datetime | None:
    """Return the instant at which ``seconds_left`` from ``now`` on are used up: the one function that says so.

    It is the first such instant, in UTC, and ``now`` itself where nothing is left. None while a pause without an end
    keeps it from ever coming. Raises `ClockError` (``no-deadline``) if it lies more than ten years ahead.
    """
    start = _to_seconds(now)
    endless = [_to_seconds(p.start) for p in calendar.pauses if p.end is None]
    if seconds_left <= 0:
        return None if any(begins <= start for begins in endless) else _to_instant(start)
    left = seconds_left
    for begins, ends in _running_spans(time_control, calendar, start, start + _HORIZON):
        if left <= ends - begins:
            return _to_instant(begins + left)
        left -= ends - begins
    if endless:
        return None
    raise ClockError(ClockCode.NO_DEADLINE)


def time_used(time_control: TimeControl, calendar: Calendar, start: datetime, end: datetime) -> int:
    """Return how many seconds count between two instants; 0 if ``end`` is not after ``start``."""
    spans = _running_spans(time_control, calendar, _to_seconds(start), _to_seconds(end))
    return sum(ends - begins for begins, ends in spans)


def pause_reasons(time_control: TimeControl, calendar: Calendar, now: datetime) -> frozenset[PauseReason]:
    """Return all that keeps a clock from running at that instant; it runs only when this is empty."""
    at = _to_seconds(now)
    weekends = next(_weekends(calendar.zone, at, at + 1), None) if time_control.weekends else None
    reasons = {reason for reason, begins, ends in _dated_gaps(time_control, calendar) if begins <= at < ends}
    return frozenset(reasons | ({PauseReason.WEEKEND} if weekends else set()))


def resumes_at(time_control: TimeControl, calendar: Calendar, now: datetime) -> datetime | None:
    """Return when a clock next runs: ``now`` if it does, None if a pause without an end keeps it from running."""
    start = _to_seconds(now)
    span = next(_running_spans(time_control, calendar, start, start + _HORIZON), None)
    return None if span is None else _to_instant(span[0])


def pause(calendar: Calendar, reason: PauseReason, now: datetime) -> Calendar:
    """Return the calendar with a pause that begins now and has no end yet; the same if that reason holds already."""
    if any(p.reason is reason and p.end is None for p in calendar.pauses):
        return calendar
    return replace(calendar, pauses=(*calendar.pauses, PauseSpan(reason, now, None)))


def resume(calendar: Calendar, reason: PauseReason, now: datetime) -> Calendar:
    """Return the calendar with the pause for that reason ended now; other reasons go on."""
    ended = (replace(p, end=now) if p.reason is reason and p.end is None else p for p in calendar.pauses)
    return replace(calendar, pauses=tuple(ended))


def outage_gap(last_heartbeat: datetime | None, now: datetime) -> PauseSpan | None:
    """Return the pause to give to every running turn if the last heartbeat is more than a minute old."""
    if last_heartbeat is None or now - last_heartbeat <= timedelta(seconds=HEARTBEAT_MAX):
        return None
    return PauseSpan(PauseReason.OUTAGE, last_heartbeat, now)


def seconds_outside(pauses: Iterable[PauseSpan], start: datetime, end: datetime) -> int:
    """Return how many seconds of a span none of these pauses covers."""
    at, until, outside = _to_seconds(start), _to_seconds(end), 0
    for begins, ends in sorted(
        (_to_seconds(p.start), _FOREVER if p.end is None else _to_seconds(p.end)) for p in pauses
    ):
        outside += max(0, min(begins, until) - at)
        at = max(at, ends)
    return outside + max(0, until - at)


def holiday_balance(holidays: Sequence[HolidaySpan], year: int) -> int:
    """Return how many days of holiday are left in a calendar year, derived from the dated list."""
    return YEAR_DAYS_MAX - sum(day.year == year for holiday in holidays for day in holiday.days())


def check_holidays(holidays: Sequence[HolidaySpan]) -> None:
    """Refuse, with `ClockError`, a list with a holiday too long, two that overlap, or a year with too many days."""
    for holiday in holidays:
        dates = {"first": holiday.first.isoformat(), "last": holiday.last.isoformat()}
        if holiday.last < holiday.first:
            raise ClockError(ClockCode.HOLIDAY_BACKWARDS, **dates)
        if (holiday.last - holiday.first).days >= HOLIDAY_DAYS_MAX:
            raise ClockError(ClockCode.HOLIDAY_TOO_LONG, **dates, maximum=HOLIDAY_DAYS_MAX)
    for earlier, later in pairwise(sorted(holidays, key=lambda holiday: holiday.first)):
        if later.first <= earlier.last:
            raise ClockError(ClockCode.HOLIDAYS_OVERLAP, day=later.first.isoformat())
    years = Counter(day.year for holiday in holidays for day in holiday.days())
    for year, days in sorted(years.items()):
        if days > YEAR_DAYS_MAX:
            raise ClockError(ClockCode.HOLIDAYS_USED_UP, year=year, days=days, maximum=YEAR_DAYS_MAX)


def has_begun(day: date, zone: ZoneInfo, now: datetime) -> bool:
    """Return whether a day has begun in a zone: what says so to the clock and to the rule alike."""
    return _midnight(zone, day) <= _to_seconds(now)


def check_holiday_change(before: Sequence[HolidaySpan], after: Sequence[HolidaySpan], now: datetime) -> None:
    """Refuse, with `ClockError`, a new list that breaks a limit or changes a day that has begun.

    A day that would move to another zone must have begun in neither. Days taken stay taken, and a holiday is set
    beforehand.
    """
    check_holidays(after)
    changed = {(day, h.zone) for h in before for day in h.days()} ^ {(day, h.zone) for h in after for day in h.days()}
    begun = [day for day, zone in changed if has_begun(day, zone, now)]
    if begun:
        raise ClockError(ClockCode.HOLIDAY_NOT_BEFOREHAND, day=min(begun).isoformat())


def weekend_somewhere(now: datetime) -> datetime | None:
    """Return when the weekend began that lasts anywhere on Earth at an instant, or None on other days.

    It begins on Saturday where days begin first, 14 hours ahead of UTC, and ends on Sunday night where they end last.
    """
    for zone in (_FIRST_ZONE, _LAST_ZONE):
        local = now.astimezone(zone)
        if local.weekday() >= _SATURDAY:
            saturday = local.date() - (local.weekday() - _SATURDAY) * _ONE_DAY
            return datetime(saturday.year, saturday.month, saturday.day, tzinfo=_FIRST_ZONE).astimezone(UTC)
    return None


def _running_spans(time_control: TimeControl, calendar: Calendar, start: int, end: int) -> Iterator[_Span]:
    """Yield the spans between two instants that count, in order: one step a weekend, holiday or pause."""
    dated = sorted(gap[1:] for gap in _dated_gaps(time_control, calendar) if gap[1] < end and gap[2] > start)
    weekends = _weekends(calendar.zone, start, end) if time_control.weekends else iter(())
    cursor = start
    for begins, ends in heapq.merge(dated, weekends):
        if cursor < begins:
            yield cursor, begins
        cursor = max(cursor, ends)
        if cursor >= end:
            return
    if cursor < end:
        yield cursor, end


def _dated_gaps(time_control: TimeControl, calendar: Calendar) -> Iterator[tuple[PauseReason, int, int]]:
    if time_control.holidays:
        for holiday in calendar.holidays:
            if holiday.first <= holiday.last:
                yield PauseReason.HOLIDAY, _to_seconds(holiday.begins), _to_seconds(holiday.ends)
    for span in calendar.pauses:
        begins, ends = _to_seconds(span.start), _FOREVER if span.end is None else _to_seconds(span.end)
        if begins < ends:
            yield span.reason, begins, ends


def _weekends(zone: ZoneInfo, start: int, end: int) -> Iterator[_Span]:
    """Yield the weekends that have a second in the span, in order."""
    today = _to_instant(start).astimezone(zone).date()
    saturday = today - (today.weekday() - _SATURDAY) % 7 * _ONE_DAY
    while (begins := _midnight(zone, saturday)) < end:
        ends = _midnight(zone, saturday, after=2)
        if ends > start:
            yield begins, ends
        saturday += 7 * _ONE_DAY


def _midnight(zone: ZoneInfo, day: date, after: int = 0) -> int:
    """Return the instant at which a day, or the one so many days after it, begins in a zone.

    Where a change of the clocks skips midnight it is the instant of the change; where midnight comes twice, the first.
    """
    day += after * _ONE_DAY
    return _to_seconds(datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC))


def _to_seconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _SECOND


def _to_instant(seconds: int) -> datetime:
    return _EPOCH + seconds * _SECOND
