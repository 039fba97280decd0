"""When a notice may be sent: pure functions, instants in, instants out."""

from datetime import UTC, datetime, time, timedelta
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from games.notices.kinds import Cadence

PRESENT_FOR: Final = timedelta(minutes=2)
"""How long after a page was last touched its reader counts as being there."""
HELD_FOR: Final = timedelta(minutes=10)
"""How long a notice waits for a reader who is there at most, in all."""
TURNS_APART: Final = timedelta(hours=1)
"""The time between two mails to a person about turns, unless something urgent brings the next one sooner."""
MORNING_LEFT: Final = timedelta(hours=1)
"""A warning could wait for the end of quiet hours if so much time is left to move then."""
LEASE: Final = timedelta(minutes=5)
"""How long who has claimed notices may take to send them."""
FIRST_RETRY: Final = timedelta(minutes=1)
LAST_RETRY: Final = timedelta(minutes=30)
"""The longest time between two attempts."""
GIVE_UP: Final = timedelta(days=3)
"""How long after a fact it is still tried to send it."""
KEPT_FOR: Final = timedelta(days=30)
"""How long a person can read what became of a notice."""


def ripe_at(cadence: Cadence, at: datetime, *, minutes: int, hour: int, zone: ZoneInfo) -> datetime:
    """Return when a fact of the instant ``at`` may be sent at that cadence; meaningless for ``never``."""
    match cadence:
        case Cadence.ONCE | Cadence.NEVER:
            return at
        case Cadence.LATER:
            return at + timedelta(minutes=minutes)
        case Cadence.HOURLY:
            full = at.replace(minute=0, second=0, microsecond=0)
            return full if full == at else full + timedelta(hours=1)
        case Cadence.DAILY:
            return next_digest(at, hour, zone)
        case _:
            assert_never(cadence)


def quiet_until(now: datetime, first: int | None, last: int | None, zone: ZoneInfo) -> datetime | None:
    """Return when the quiet hours end that hold now in the zone, or None outside of them.

    They go from the hour ``first`` to the hour ``last``, past midnight where that is the smaller one; there are none
    where either is None, or both are the same.
    """
    if first is None or last is None or first == last:
        return None
    hour = now.astimezone(zone).hour
    quiet = first <= hour < last if first < last else hour >= first or hour < last
    return next_digest(now, last, zone) if quiet else None


def next_digest(at: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """Return the first instant from ``at`` on at which it is that hour in the zone: one each day of the calendar.

    An hour that a clock change skips comes as much later as was skipped; one that comes twice counts the first time.
    """
    day = at.astimezone(zone).date()
    while True:
        local = datetime.combine(day, time(hour), tzinfo=zone)
        instant = local.astimezone(UTC)
        if instant >= at:
            return instant
        day += timedelta(days=1)


def retry_at(now: datetime, attempts: int) -> datetime:
    """Return when to try again after so many failed attempts: each time twice as long, up to half an hour."""
    return now + min(LAST_RETRY, FIRST_RETRY * (1 << min(attempts - 1, 10)))
