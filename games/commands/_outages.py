"""Giving outages back in one locked game: parts of commands."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import DateTimeField, Exists, OuterRef, Q

from games import clock
from games.clock import PauseReason
from games.commands._charges import recount_seat
from games.commands._clocks import add_remark, move_deadline
from games.commands._lock import save_seats
from games.log.seats import seats_of
from games.log.table import next_actor
from games.models import Charge, Game, Pause, Remark
from games.models.choices import RemarkKind, Status
from games.notices.facts import MovedBy
from games.timing.deadlines import CLOCK_COLUMNS, pause_span
from statements import Parameter, Select

NEVER: Final = datetime.max.replace(tzinfo=UTC)
WAITING: Final = Select(
    Pause.objects.filter(
        ~Exists(Remark.objects.filter(pause=OuterRef("pk"), game=Parameter("game"))),
        Q(credited=False) | Q(end__gt=Parameter("since", DateTimeField())),
        game=None,
        end__isnull=False,
        start__lt=Parameter("until", DateTimeField()),
    ).order_by("start", "pk")
)
"""The outages that may have to be given back to a game."""
WORTH_A_NOTICE: Final = timedelta(minutes=5)
"""Shorter outages are told in the game's log alone."""


def credit_outages(game: Game, now: datetime, until: datetime | None = None) -> bool:
    """Give back each outage that this running game has not been given back yet; return whether there was any.

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
    credited = [outage for outage in list(outages) if _credit(game, outage, now)]
    if credited:
        gone = sum((outage.end - outage.start for outage in credited if outage.end), timedelta())
        move_deadline(game, MovedBy.OUTAGE if gone >= WORTH_A_NOTICE else MovedBy.CALENDAR, now)
    return bool(credited)


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
