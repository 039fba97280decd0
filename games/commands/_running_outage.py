"""Outages as they become known: to who settles a clock while one goes on, and to the sweep that ends it.

Nobody who has locked a game waits for a row here: the row of an outage that goes on grows each time that a clock is
settled in it; where another command has it, a row is made beside it. The sweep that ends it puts one in their place.
"""

from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Exists, Max, OuterRef, QuerySet

from games import clock
from games.clock import PauseSpan
from games.models import Game, Heartbeat, Pause, Remark
from games.models.choices import Status
from games.models.time import SIGNS_OF_LIFE
from games.timing.deadlines import pause_span
from statements import Select

HEARD: Final = Select(Heartbeat.objects.filter(name__in=SIGNS_OF_LIFE).values_list("at"))


def record_running_outage(now: datetime) -> bool:
    """Record the outage that goes on at ``now`` and that no sweep could record yet; return whether one does.

    To be called before a clock is settled or an outage taken for one: one query, where none goes on.
    """
    gap = clock.outage_gap(last_sign_of_life(), now)
    if gap is not None and not is_known(gap):
        row = _free_row(gap)
        if row is None:
            record(gap)
        else:
            row.end = max(row.end or now, now)
            row.save(update_fields=["end"])
    return gap is not None


def recorded(gap: PauseSpan) -> QuerySet[Pause]:
    """Return what was recorded of an outage while it went on, as far as no game was told of it."""
    rows = Pause.objects.filter(game=None, reason=gap.reason, start=gap.start, credited=False)
    return rows.filter(~Exists(Remark.objects.filter(pause=OuterRef("pk"))))


def _free_row(gap: PauseSpan) -> Pause | None:
    rows = recorded(gap)
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True, no_key=True)
    return rows.first()


def last_sign_of_life() -> datetime | None:
    """Return until when time is known to count; where no sweep was ever heard of, the last entry of a running game."""
    return last_heartbeat() or last_entry()


def last_heartbeat() -> datetime | None:
    """Return until when the sweeps and the web server were all heard of; None on a fresh site."""
    return min((at for (at,) in HEARD()), default=None)


def last_entry() -> datetime | None:
    """Return when the last turn of all running games began."""
    running = Game.objects.filter(status=Status.ACTIVE)
    last: datetime | None = running.aggregate(last=Max("turn_began_at"))["last"]
    return last


def is_known(gap: PauseSpan) -> bool:
    """Return whether a span is part of outages that are stored: where no sweep ran, nobody asked the site either."""
    assert gap.end is not None
    known = Pause.objects.filter(game=None, start__lt=gap.end, end__gt=gap.start)
    return clock.seconds_outside([pause_span(pause) for pause in known], gap.start, gap.end) == 0


def record(gap: PauseSpan) -> Pause:
    """Store an outage, which no clock counts from now on."""
    return Pause.objects.create(reason=gap.reason, start=gap.start, end=gap.end)
