"""The clocks of a locked game: parts of commands, which save the seats' `CLOCK_COLUMNS` and its `DUE_COLUMNS`."""

from datetime import datetime

from games import clock
from games.clock import Calendar
from games.commands._charges import finish_clock
from games.commands._plans import make_due
from games.log.seats import seats_of
from games.log.table import next_actor
from games.models import Game, Pause, Remark, Seat
from games.models.choices import RemarkKind
from games.notices.facts import DeadlineMoved, MovedBy, TimeRunsShort, TurnBegan
from games.notices.outbox import enqueue
from games.timing.deadlines import (
    clock_of,
    derive_due,
    set_clock,
    time_control_of,
    warnings_of,
)


def open_clocks(game: Game) -> None:
    """Give each person's seat the clock of the start; computer players have none."""
    for seat in seats_of(game):
        if seat.user_id is not None:
            set_clock(seat, clock.new_clock(time_control_of(game)))


def begin_turn(game: Game, now: datetime) -> Seat | None:
    """Start the clock of who must act, derive the `DUE_COLUMNS`, enqueue the notice of the turn; return the seat.

    Of a seat with plans the notice waits until these have been looked at (`play_plan`). None for a computer player.
    The game's derived columns must be those of the new turn.
    """
    seat = next_actor(game)
    if seat is None or seat.user is None:
        derive_due(game, now)
        return None
    seat.zone = _zone_of_turn(game, seat, seat.user.time_zone, now)
    set_clock(seat, clock.start_turn(time_control_of(game), clock_of(seat), now))
    derive_due(game, now)
    if seat.number is not None and not make_due(game, seat):
        enqueue(game, TurnBegan(seat.number, game.seq), now=now)
    return seat


def _zone_of_turn(game: Game, seat: Seat, zone: str, now: datetime) -> str:
    """Return where the weekends of a new turn count: in its owner's ``zone``, or where their last turn counted them.

    One weekend counts in one zone, else who travels west between two turns of it would have three days of it.
    """
    if seat.number is None or seat.zone in ("", zone):
        return zone
    weekend = clock.weekend_somewhere(now)
    counted = weekend is not None and game.entries.filter(seat=seat.number, at__gt=weekend).exists()
    return seat.zone if counted else zone


def end_turn(
    game: Game, seat: Seat, now: datetime, *, turn: int, by_owner: bool, calendar: Calendar | None = None
) -> None:
    """Stop the clock of a seat whose turn is over; a turn of its owner earns the increment and clears the misses.

    ``turn`` is the number of turns played before it. The seat's ``calendar`` is read where it is not given.
    """
    if seat.since is None:
        return
    finish_clock(game, seat, now, turn=turn, by_owner=by_owner, calendar=calendar)
    if by_owner:
        seat.misses = 0


def move_deadline(game: Game, why: MovedBy, now: datetime) -> bool:
    """Derive the `DUE_COLUMNS` anew, and enqueue a notice if the deadline moved; return whether either changed."""
    before = game.deadline, game.warning_at
    seat = next_actor(game)
    if seat is not None:
        seat.may_stop = None  # what stops clocks may have changed since the seats were loaded
        enqueue_warnings(game, now)
    derive_due(game, now)
    if game.deadline != before[0] and seat is not None and seat.number is not None:
        enqueue(game, DeadlineMoved(seat.number, game.deadline, why), now=now)
    return (game.deadline, game.warning_at) != before


def enqueue_warnings(game: Game, now: datetime) -> None:
    """Enqueue the warnings of the open turn that are due by ``now``, without moving on to the next one.

    To be called before a clock is settled: what it had left at an earlier instant can't be told any more then.
    """
    seat = next_actor(game)
    if game.warning_at is None or game.warning_at > now or seat is None or seat.number is None:
        return
    due = tuple(warning for warning in warnings_of(game) if game.warning_at <= warning.at <= now)
    if due:
        enqueue(game, TimeRunsShort(seat.number, game.deadline, due), now=now)


def add_remark(
    game: Game,
    kind: RemarkKind,
    now: datetime,
    *,
    seat: int | None = None,
    pause: Pause | None = None,
    **params: object,
) -> None:
    """Add a visible event to a locked game, after its last entry."""
    at = now.replace(microsecond=0)
    Remark.objects.create(game=game, at=at, after=game.seq, kind=kind, seat=seat, pause=pause, params=params)
