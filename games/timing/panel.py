"""What the pages and the API show of a game's clocks at an instant."""

from dataclasses import dataclass
from datetime import datetime

from games import clock
from games.clock import PauseReason, TimeControl
from games.log.table import Table
from games.models import Seat
from games.models.choices import Status
from games.timing.deadlines import calendar_of, clock_of, deadline_of, time_control_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTime:
    """A seat's time."""

    seat: Seat
    name: str
    left: int | None
    """Seconds left, reserve included, of the open turn, else for the next one; None for who has no clock any more."""
    reserve: int
    """Seconds of the reserve that are left."""
    runs: bool
    """Whether the seat's turn is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPanel:
    """A game's clocks at ``now``."""

    time_control: TimeControl
    now: datetime
    deadline: datetime | None
    """When the open turn runs out; None while nobody's time does."""
    reasons: tuple[PauseReason, ...]
    """Why the clock of who is to move stands still at the moment; empty while it runs."""
    seats: tuple[SeatTime, ...]

    @property
    def has_reserve(self) -> bool:
        """Whether the time control knows a reserve."""
        return self.time_control.reserve_cap > 0


def clock_panel(table: Table, now: datetime) -> ClockPanel:
    """Return the clocks of a table's game at ``now``: two queries at most, none where nothing may stop the clock."""
    game, mover = table.game, table.mover
    time_control = time_control_of(game)
    calendar = None
    if mover is not None and mover.since is not None:
        calendar = calendar_of(game, mover)
    seats = []
    for seat, name in table.seated:
        runs = seat.since is not None and calendar is not None and seat == mover
        left, reserve = None, seat.reserve
        if runs and calendar is not None:
            settled = clock.settle(time_control, calendar, clock_of(seat), now)
            left, reserve = settled.seconds_left, settled.reserve
        elif seat.user_id is not None and not seat.retired and game.status == Status.ACTIVE:
            left = time_control.allowance + seat.reserve
        seats.append(SeatTime(seat=seat, name=name, left=left, reserve=reserve, runs=runs))
    return ClockPanel(
        time_control=time_control,
        now=now,
        deadline=None if calendar is None else deadline_of(game, calendar),
        reasons=() if calendar is None else tuple(sorted(clock.pause_reasons(time_control, calendar, now))),
        seats=tuple(seats),
    )
