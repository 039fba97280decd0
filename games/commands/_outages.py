"""Giving outages back in one locked game: parts of commands."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import DateTimeField, Exists, F, OuterRef, Q

from games import clock
from games.clock import PauseReason
from games.commands._charges import recount_seat
from games.commands._clocks import add_remark, move_deadline
from games.commands._lock import save_seats
from games.log.seats import seats_of
from games.log.table import next_actor
from games.models import Charge, Game, Pause, Remark, Seat
from games.models.choices import RemarkKind, Status
from games.notices.facts import MovedBy
from games.timing.deadlines import CLOCK_COLUMNS, calendar_of, clock_of, pause_span, time_control_of
from statements import Parameter, Select

NEVER: Final = datetime.max.replace(tzinfo=UTC)
_TOLD: Final = Remark.objects.filter(pause=OuterRef("pk"), game=Parameter("game"))
WAITING: Final = Select(
    Pause.objects.filter(
        Q(~Exists(_TOLD), Q(credited=False) | Q(end__gt=Parameter("since", DateTimeField())))
        | Q(Exists(_TOLD), ~Exists(_TOLD.filter(kind=RemarkKind.OUTAGE_UNDONE)), credited=False, end=F("start")),
        game=None,
        end__isnull=False,
        start__lt=Parameter("until", DateTimeField()),
    ).order_by("start", "pk")
)
"""The outages that may have to be given back to a game, or that were and are taken back by the staff."""
WORTH_A_NOTICE: Final = timedelta(minutes=5)
"""Shorter outages are told in the game's log alone."""


def credit_outages(game: Game, now: datetime, until: datetime | None = None) -> bool:
    """Give back each outage that this running game has not been given back yet, and take back those that the staff has.

    Return whether there was any.

    The open turn gets its time back by the calendar, which knows an outage from the moment it is stored: its deadline
    is derived anew. Turns that ended meanwhile get back what their seats lost of the reserve. Each seat that gets time
    back gets a remark. The seats are saved, the `DUE_COLUMNS` are not. Safe to repeat. An outage that began at
    ``until`` or later, the last instant at which the site was known to be up, still goes on, and waits.
    """
    if game.status != Status.ACTIVE:
        return False
    seat = next_actor(game)
    since = NEVER if seat is None or seat.since is None else seat.since
    outages = WAITING(game=game.pk, since=since, until=until or NEVER)
    credited = undone = False
    gone = timedelta()
    for outage in list(outages):
        assert outage.end is not None
        if outage.end == outage.start and outage.remarks.filter(game=game).exists():
            _take_back(game, outage, now)
            undone = True
        elif _credit(game, outage, now):
            gone += outage.end - outage.start
            credited = True
    if credited or undone:
        why = MovedBy.OUTAGE if gone >= WORTH_A_NOTICE else MovedBy.STAFF if undone else MovedBy.CALENDAR
        move_deadline(game, why, now)
    return credited or undone


def seconds_given(outage: Pause, start: datetime, end: datetime, known: list[Pause]) -> int:
    """Return the seconds of a span that an outage covers, and no pause of the game nor an outage found before it."""
    earlier = (pause_span(other) for other in known if other.game_id is not None or other.pk < outage.pk)
    assert outage.end is not None  # what is given back is over
    return clock.seconds_outside(tuple(earlier), max(start, outage.start), min(end, outage.end))


def remark_kind(outage: Pause) -> RemarkKind:
    """Return how the log of a game calls that it is given an outage back."""
    return RemarkKind.OUTAGE if outage.reason == PauseReason.OUTAGE else RemarkKind.MAINTENANCE


def _credit(game: Game, outage: Pause, now: datetime) -> bool:
    assert outage.end is not None
    known = list(Pause.objects.filter(Q(game=None) | Q(game=game), start__lt=outage.end))
    seconds: Counter[int] = Counter()
    changed = []
    charges = Charge.objects.filter(seat__game=game, start__lt=outage.end, end__gt=outage.start)
    for seat in seats_of(game):
        spans = [(charge.start, charge.end) for charge in charges if charge.seat_id == seat.pk]
        if spans and recount_seat(game, seat, outage.start):
            changed.append(seat)
        if seat == next_actor(game) and seat.since is not None and seat.since < outage.end:
            spans.append((seat.since, outage.end))
        if seat.number is not None:
            seconds[seat.number] += sum(seconds_given(outage, start, end, known) for start, end in spans)
    save_seats(changed, CLOCK_COLUMNS)
    for number, given in sorted(seconds.items()):
        if given:
            add_remark(game, remark_kind(outage), now, seat=number, pause=outage, seconds=given)
    return bool(changed) or any(seconds.values())


def _take_back(game: Game, outage: Pause, now: datetime) -> None:
    changed = {seat for seat in seats_of(game) if recount_seat(game, seat, outage.start)}
    add_remark(game, RemarkKind.OUTAGE_UNDONE, now, pause=outage)
    seat = next_actor(game)
    if seat is not None and seat.since is not None and (more := _lacking(game, seat, outage, now)):
        seat.allowance += more
        changed.add(seat)
        add_remark(game, RemarkKind.TIME_GIVEN, now, seat=seat.number, seconds=more)
    save_seats(changed, CLOCK_COLUMNS)


def _lacking(game: Game, seat: Seat, outage: Pause, now: datetime) -> int:
    """Return the seconds of an outage to leave to the open turn, so that its person has time to play it.

    Half of the allowance, as when the first warning comes; no more than the seat got of the outage.
    """
    assert seat.since is not None
    seat.may_stop = None
    time_control = time_control_of(game)
    used = clock.time_used(time_control, calendar_of(game, seat), seat.since, now)
    told = Remark.objects.filter(game=game, pause=outage, seat=seat.number).values_list("params", flat=True)
    given: int = sum(params["seconds"] for params in told)
    return min(given, max(0, time_control.allowance // 2 - (clock_of(seat).seconds_left - used)))
