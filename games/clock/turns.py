"""The clock of a seat through a turn: start, use, finish, warn, expire.

A whole turn, replay token included, is one span: the clock hears of its beginning and of its end, of nothing between.
The same seat again in the next turn is a new turn, with a new allowance.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from games.clock.calendar import Calendar, deadline, time_used
from games.clock.errors import ClockCode, ClockError
from games.clock.time_control import HOUR, OnTimeout, TimeControl

MISSES_TO_RETIRE: Final = 3
"""At this many misses in a row a seat retires."""
LAST_WARNING_FROM: Final = 12 * HOUR
"""The least allowance that has a second warning."""
LAST_WARNING_MAX: Final = 12 * HOUR
"""The second warning comes no earlier than with this much left."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What a seat has left, in seconds, as of the instant ``since``; with no turn open ``since`` is None.

    Between two stored clocks the rest is derived: `settle` says what is left at a later instant.
    """

    allowance: int
    reserve: int
    since: datetime | None

    @property
    def seconds_left(self) -> int:
        """All that is left as of ``since``: allowance and reserve."""
        return self.allowance + self.reserve


class Expiry(StrEnum):
    """What the end of a seat's time leads to."""

    AUTOPILOT = "autopilot"
    RETIRE = "retire"


class WarningKind(StrEnum):
    """Which warning: half of the allowance is left, or the last stretch begins."""

    HALF = "half"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class ClockWarning:
    """One warning to the seat to move, and when it is due."""

    kind: WarningKind
    at: datetime


def new_clock(time_control: TimeControl) -> Clock:
    """Return the clock of a seat at the start of a game, no turn open."""
    return Clock(allowance=0, reserve=time_control.reserve_start, since=None)


def start_turn(time_control: TimeControl, clock: Clock, now: datetime) -> Clock:
    """Return the clock with a turn open and a full allowance. Raises `ClockError` (``turn-open``) within a turn."""
    if clock.since is not None:
        raise ClockError(ClockCode.TURN_OPEN)
    return replace(clock, allowance=time_control.allowance, since=now.replace(microsecond=0))


def settle(time_control: TimeControl, calendar: Calendar, clock: Clock, now: datetime) -> Clock:
    """Return the clock with the time up to ``now`` taken off, the allowance first; ``since`` never goes back.

    To be stored before anything of the time control, the zone or the holidays changes, so that what is gone stays gone.
    """
    if clock.since is None or now <= clock.since:
        return clock
    used = time_used(time_control, calendar, clock.since, now)
    from_reserve = max(0, used - clock.allowance)
    return Clock(
        allowance=max(0, clock.allowance - used),
        reserve=max(0, clock.reserve - from_reserve),
        since=now.replace(microsecond=0),
    )


def finish_turn(
    time_control: TimeControl, calendar: Calendar, clock: Clock, now: datetime, *, by_owner: bool = True
) -> Clock:
    """Return the clock with the turn ended: what is left of the allowance is lost, the reserve grows up to its cap.

    A turn that autopilot played (``by_owner`` false) earns no increment. Raises `ClockError` (``turn-not-open``).
    """
    if clock.since is None:
        raise ClockError(ClockCode.TURN_NOT_OPEN)
    reserve = settle(time_control, calendar, clock, now).reserve
    if by_owner:
        reserve = min(time_control.reserve_cap, reserve + time_control.reserve_increment)
    return Clock(allowance=0, reserve=reserve, since=None)


def time_left(time_control: TimeControl, calendar: Calendar, clock: Clock, now: datetime) -> int:
    """Return the seconds left at an instant, reserve included."""
    return settle(time_control, calendar, clock, now).seconds_left


def turn_deadline(time_control: TimeControl, calendar: Calendar, clock: Clock) -> datetime | None:
    """Return when the time of the open turn runs out; None with no turn open, or during a pause without an end."""
    return None if clock.since is None else deadline(time_control, calendar, clock.seconds_left, clock.since)


def is_overdue(time_control: TimeControl, calendar: Calendar, clock: Clock, now: datetime) -> bool:
    """Return whether the open turn's time has run out: what the sweep asks again under the lock."""
    due = turn_deadline(time_control, calendar, clock)
    return due is not None and due <= now


def warning_instants(time_control: TimeControl, calendar: Calendar, clock: Clock) -> tuple[ClockWarning, ...]:
    """Return the warnings of the open turn that lie after ``clock.since``, earliest first.

    One when half of the allowance is left; for allowances of 12 h or more one when 20 % of it, at most 12 h, is left
    with the reserve included.
    """
    if clock.since is None:
        return ()
    thresholds = [(WarningKind.HALF, clock.reserve + time_control.allowance // 2)]
    if time_control.allowance >= LAST_WARNING_FROM:
        thresholds.append((WarningKind.LAST, min(time_control.allowance // 5, LAST_WARNING_MAX)))
    warnings = []
    for kind, left in thresholds:
        if clock.seconds_left > left:
            at = deadline(time_control, calendar, clock.seconds_left - left, clock.since)
            if at is not None:
                warnings.append(ClockWarning(kind, at))
    return tuple(warnings)


def on_expiry(time_control: TimeControl, misses: int) -> Expiry:
    """Decide what the end of a seat's time leads to, given its misses in a row before this one."""
    if time_control.on_timeout is OnTimeout.STRICT or misses + 1 >= MISSES_TO_RETIRE:
        return Expiry.RETIRE
    return Expiry.AUTOPILOT


def adopt_time_control(old: TimeControl, new: TimeControl, calendar: Calendar, clock: Clock, now: datetime) -> Clock:
    """Return a seat's clock under a new time control that all consented to.

    An open turn begins again with the new allowance. The reserve is kept up to the new cap; a game that had no
    reserve until now gets the new one's start.
    """
    settled = settle(old, calendar, clock, now)
    reserve = new.reserve_start if old.reserve_cap == 0 else min(settled.reserve, new.reserve_cap)
    return Clock(allowance=0 if settled.since is None else new.allowance, reserve=reserve, since=settled.since)
