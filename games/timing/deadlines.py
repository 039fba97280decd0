"""When the time of who must act runs out: rows in, the pure functions of `games.clock` asked, one answer out."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import DateField, DateTimeField, Q

from accounts.zones import zone
from games import clock
from games.clock import Calendar, Clock, ClockWarning, PauseReason, TimeControl
from games.log.seats import first_day
from games.log.table import next_actor
from games.models import Game, Holiday, Pause, Seat
from statements import Parameter, Select

CLOCK_COLUMNS = ("allowance", "reserve", "since", "zone", "misses")
"""The columns of a seat that keep its clock."""
DUE_COLUMNS = ("deadline", "warning_at")
"""The columns of a game that say when the open turn is due for something."""
LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)
HOLIDAYS: Final = Select(
    Holiday.objects.filter(user=Parameter("user"), last__gte=Parameter("day", DateField())).order_by("first")
)
PAUSES: Final = Select(
    Pause.objects.filter(
        Q(game=Parameter("game")) | Q(game=None), Q(end=None) | Q(end__gt=Parameter("since", DateTimeField()))
    ).order_by("start")
)


def deadline_of(game: Game, calendar: Calendar | None = None) -> datetime | None:
    """Return when the open turn's time runs out: the one function that says so. Uses seats that were loaded.

    None where nobody's time runs: a computer player is to move, the staff has stopped the clock, the game does not run.
    Without the mover's ``calendar`` it is read: at most two queries.
    """
    turn = _open_turn(game, calendar)
    return None if turn is None else clock.turn_deadline(*turn)


def warnings_of(game: Game) -> tuple[ClockWarning, ...]:
    """Return the warnings of the open turn, earliest first, whether or not they were given. Reads as `deadline_of`."""
    turn = _open_turn(game)
    return () if turn is None else clock.warning_instants(*turn)


def derive_due(game: Game, now: datetime) -> None:
    """Set a game's `DUE_COLUMNS`; the next warning is the first one after ``now``. Reads as `deadline_of`."""
    turn = _open_turn(game)
    game.deadline = None if turn is None else clock.turn_deadline(*turn)
    game.warning_at = None if turn is None else next_warning(clock.warning_instants(*turn), now)


def _open_turn(game: Game, calendar: Calendar | None = None) -> tuple[TimeControl, Calendar, Clock] | None:
    """Return what says how the time of the open turn goes on, or None where nobody's does."""
    seat = next_actor(game)
    if seat is None or seat.since is None:
        return None
    return time_control_of(game), calendar or calendar_of(game, seat), clock_of(seat)


def next_warning(warnings: Iterable[ClockWarning], now: datetime) -> datetime | None:
    """Return the instant of the first of these warnings that comes after ``now``, or None."""
    return next((warning.at for warning in warnings if warning.at > now), None)


def time_control_of(game: Game) -> TimeControl:
    """Return a game's time control."""
    return TimeControl.from_json(game.time_control)


def clock_of(seat: Seat) -> Clock:
    """Return a seat's clock as it is stored."""
    return Clock(seat.allowance, seat.reserve, seat.since)


def set_clock(seat: Seat, new: Clock) -> None:
    """Set the columns that keep a seat's clock, without saving."""
    seat.allowance, seat.reserve, seat.since = new.allowance, new.reserve, new.since


def zone_of(seat: Seat) -> ZoneInfo:
    """Return where a seat's weekends count: in the zone of its open turn, else in its owner's."""
    owner = "UTC" if seat.user is None else seat.user.time_zone
    return zone(seat.zone if seat.since is not None and seat.zone else owner)


def calendar_of(game: Game, seat: Seat) -> Calendar:
    """Return what stops a seat's clock since it was stored: no query where it is known that nothing does, else two."""
    if seat.since is not None and seat.may_stop is False:
        return Calendar(zone_of(seat))
    return Calendar(zone_of(seat), _holidays(game, seat), _pauses(game, seat.since))


def calendar_since(game: Game, seat: Seat, since: datetime, zone_name: str) -> Calendar:
    """Return what stopped a seat's clock from an instant on in a turn that had that zone: two queries."""
    return Calendar(zone(zone_name), _holidays_since(seat, since), _pauses(game, since))


def _holidays(game: Game, seat: Seat) -> tuple[clock.HolidaySpan, ...]:
    return _holidays_since(seat, seat.since) if time_control_of(game).holidays else ()


def _holidays_since(seat: Seat, since: datetime | None) -> tuple[clock.HolidaySpan, ...]:
    if seat.user_id is None:
        return ()
    return clock_holidays(HOLIDAYS(user=seat.user_id, day=date.min if since is None else first_day(since)))


def clock_holidays(rows: Iterable[Holiday]) -> tuple[clock.HolidaySpan, ...]:
    """Return stored holidays as `games.clock` knows them."""
    return tuple(row.span for row in rows)


def _pauses(game: Game, since: datetime | None) -> tuple[clock.PauseSpan, ...]:
    return tuple(pause_span(row) for row in PAUSES(game=game.pk, since=since or LONG_AGO))


def pause_span(row: Pause) -> clock.PauseSpan:
    """Return a stored pause as `games.clock` knows it."""
    return clock.PauseSpan(PauseReason(row.reason), row.start, row.end)
