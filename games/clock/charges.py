"""What was taken off a clock, kept so that it can be counted again when an outage in it becomes known only afterwards.

A clock is settled when a turn ends, and within a turn when the time control or the holidays change. An outage that
covers that instant, or lies before it, is often found later: by the first sweep that runs again, or by the staff.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from games.clock.calendar import Calendar
from games.clock.time_control import TimeControl
from games.clock.turns import Clock, settle


@dataclass(frozen=True, slots=True)
class Charge:
    """One settling of a seat's clock: from ``before``, with its ``since``, to the instant ``end``; it left ``after``.

    ``turn`` is a number that all charges of one turn share. ``increment`` is what the reserve gained at the end, never
    above ``cap``. ``carries`` says whether the turn goes on with what was left of its allowance.
    """

    turn: int
    time_control: TimeControl
    before: Clock
    end: datetime
    after: Clock
    increment: int
    cap: int
    carries: bool


@dataclass(frozen=True, slots=True)
class Correction:
    """What counting again changes of a seat's clock, in seconds; ``allowance`` only while turn ``turn`` is open."""

    turn: int | None
    allowance: int
    reserve: int

    def apply(self, time_control: TimeControl, clock: Clock, turn: int) -> Clock:
        """Return the clock with the correction, in the turn of that number; without a turn open ``since`` is None."""
        more = self.allowance if clock.since is not None and turn == self.turn else 0
        reserve = min(max(time_control.reserve_cap, clock.reserve), clock.reserve + self.reserve)
        return replace(clock, allowance=max(0, clock.allowance + more), reserve=max(0, reserve))


def recount(charges: Iterable[tuple[Charge, Calendar]]) -> tuple[list[Charge], Correction]:
    """Return one seat's charges, in order, as their calendars make them now, and what that changes of its clock.

    What one charge leaves is what the next one begins with. To repeat it changes nothing more.
    """
    counted: list[Charge] = []
    correction = Correction(None, 0, 0)
    for charge, calendar in charges:
        before = correction.apply(charge.time_control, charge.before, charge.turn)
        left = settle(charge.time_control, calendar, before, charge.end)
        allowance = left.allowance if charge.carries else charge.after.allowance
        reserve = min(charge.cap, left.reserve + charge.increment)
        after = replace(charge.after, allowance=allowance, reserve=reserve)
        counted.append(replace(charge, before=before, after=after))
        correction = Correction(charge.turn, allowance - charge.after.allowance, reserve - charge.after.reserve)
    return counted, correction
