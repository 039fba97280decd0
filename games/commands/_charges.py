"""Settling a seat's clock such that it can be counted again: parts of commands, on a locked game.

Time that no sweep has vouched for yet is not charged where it has grown to an outage, which is recorded first; where it
becomes one only afterwards, or is marked as one by the staff, `recount_seat` gives it back.
"""

from datetime import datetime, timedelta
from typing import Final

from games import clock
from games.clock import Calendar, Clock, TimeControl
from games.commands._running_outage import record_running_outage
from games.models import Charge, Game, Seat
from games.timing.deadlines import calendar_of, calendar_since, clock_of, set_clock, time_control_of, zone_of
from statements import Insert

CHARGE: Final = Insert(Charge)


def settle_clock(game: Game, seat: Seat, now: datetime) -> bool:
    """Take the time up to ``now`` off the clock of a seat's open turn, without saving; return whether any is left.

    Where none is nothing changes: a deadline that has passed does not move any more, and a clock that was settled after
    it would not know when it passed.
    """
    time_control, before = time_control_of(game), clock_of(seat)
    left = clock.settle(time_control, _settling_calendar(game, seat, now), before, now)
    if left.seconds_left <= 0:
        return False
    cap = time_control.reserve_cap
    _keep(seat, zone_of(seat).key, clock.Charge(game.turns, time_control, before, now, left, 0, cap, carries=True))
    set_clock(seat, left)
    return True


def finish_clock(
    game: Game, seat: Seat, now: datetime, *, turn: int, by_owner: bool, calendar: Calendar | None = None
) -> None:
    """Stop the clock of a seat whose turn, number ``turn``, is over, without saving.

    The seat's ``calendar`` is read where it is not given.
    """
    time_control, before = time_control_of(game), clock_of(seat)
    if before.since is None:
        return
    # Nothing that stops a clock can matter where not even the whole span has used the reserve.
    within_allowance = now - before.since <= timedelta(seconds=before.allowance)
    settling = Calendar(zone_of(seat)) if within_allowance else _settling_calendar(game, seat, now, calendar)
    after = clock.finish_turn(time_control, settling, before, now, by_owner=by_owner)
    if time_control.reserve_cap and not within_allowance:
        increment = time_control.reserve_increment if by_owner else 0
        cap = time_control.reserve_cap
        charge = clock.Charge(turn, time_control, before, now, after, increment, cap, carries=False)
        _keep(seat, zone_of(seat).key, charge)
    set_clock(seat, after)


def adopt_clock(game: Game, seat: Seat, new: TimeControl, now: datetime) -> None:
    """Give a seat the clock that it has under a new time control, which the game does not have yet, without saving."""
    old, before = time_control_of(game), clock_of(seat)
    after = clock.adopt_time_control(old, new, _settling_calendar(game, seat, now), before, now)
    if before.since is not None:
        increment = new.reserve_start if old.reserve_cap == 0 else 0
        charge = clock.Charge(game.turns, old, before, now, after, increment, new.reserve_cap, carries=False)
        _keep(seat, zone_of(seat).key, charge)
    set_clock(seat, after)


def recount_seat(game: Game, seat: Seat, since: datetime) -> bool:
    """Count anew what was taken off a seat's clock in all that ended after ``since``; return whether that changes it.

    The charges are saved, the seat is not. Safe to repeat: what was given back is not given back again.
    """
    rows = list(Charge.objects.filter(seat=seat, end__gt=since).order_by("pk"))
    counted, correction = clock.recount((_charge(row), calendar_since(game, seat, row.start, row.zone)) for row in rows)
    for row, charge in zip(rows, counted, strict=True):
        row.allowance_before, row.reserve_before = charge.before.allowance, charge.before.reserve
        row.allowance_after, row.reserve_after = charge.after.allowance, charge.after.reserve
    Charge.objects.bulk_update(
        rows, ("allowance_before", "reserve_before", "allowance_after", "reserve_after"), batch_size=100
    )
    before = clock_of(seat)
    set_clock(seat, correction.apply(time_control_of(game), before, game.turns))
    return clock_of(seat) != before


def _settling_calendar(game: Game, seat: Seat, now: datetime, calendar: Calendar | None = None) -> Calendar:
    """Return what stops a seat's clock that is to be settled, with the outage that goes on, which is recorded first."""
    if record_running_outage(now):
        seat.may_stop = calendar = None  # both were read before it was recorded
    return calendar or calendar_of(game, seat)


def _charge(row: Charge) -> clock.Charge:
    return clock.Charge(
        turn=row.turn,
        time_control=TimeControl.from_json(row.time_control),
        before=Clock(row.allowance_before, row.reserve_before, row.start),
        end=row.end,
        after=Clock(row.allowance_after, row.reserve_after, row.end if row.carries else None),
        increment=row.increment,
        cap=row.cap,
        carries=row.carries,
    )


def _keep(seat: Seat, zone_name: str, charge: clock.Charge) -> None:
    assert charge.before.since is not None  # only the clock of an open turn is settled
    if charge.carries and _goes_on(seat, zone_name, charge):
        return
    row = Charge(
        seat=seat,
        turn=charge.turn,
        zone=zone_name,
        time_control=charge.time_control.to_json(),
        start=charge.before.since,
        end=max(charge.end, charge.before.since),
        allowance_before=charge.before.allowance,
        reserve_before=charge.before.reserve,
        allowance_after=charge.after.allowance,
        reserve_after=charge.after.reserve,
        increment=charge.increment,
        cap=charge.cap,
        carries=charge.carries,
    )
    CHARGE(row)


def _goes_on(seat: Seat, zone_name: str, charge: clock.Charge) -> bool:
    """Let the charge before go on to the end of this one, if they differ in nothing else; return whether it does.

    So a clock that is settled over and over, as where holidays are set and dropped, leaves one charge.
    """
    since, terms = charge.before.since, charge.time_control.to_json()
    last = Charge.objects.filter(seat=seat, turn=charge.turn, zone=zone_name, carries=True).order_by("-pk").first()
    if last is None or last.end.replace(microsecond=0) != since or last.time_control != terms:
        return False
    if (last.allowance_after, last.reserve_after) != (charge.before.allowance, charge.before.reserve):
        return False
    last.end = max(charge.end, last.end)
    last.allowance_after, last.reserve_after = charge.after.allowance, charge.after.reserve
    last.save(update_fields=["end", "allowance_after", "reserve_after"])
    return True
