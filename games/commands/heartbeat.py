"""The heartbeats of the sweeps and of the web server, and the outages that are found when they come again."""

from datetime import datetime

from django.db import transaction

from games import clock
from games.commands._running_outage import is_known, last_entry, record, recorded
from games.models import Heartbeat, Pause
from games.models.time import CLOCKS, WEB


@transaction.atomic(durable=True)
def beat(*, name: str, now: datetime) -> None:
    """Say that the sweep of that name is alive."""
    _beat(name, now)


@transaction.atomic(durable=True)
def beat_clocks(*, name: str = CLOCKS, now: datetime) -> Pause | None:
    """Say that the sweep of the clocks is alive; return the outage that ends now, if it was not heard of for too long.

    Where it was never heard of the last entry of a running game is the last sign of life: games that were imported
    into a fresh database stood still since. From then on no clock counts the outage. Two sweeps at once find it once:
    the first one locks the heartbeat.
    """
    heartbeat = Heartbeat.objects.select_for_update().filter(name=name).first()
    if heartbeat is not None:
        last: datetime | None = heartbeat.at
    else:
        last = last_entry() if name == CLOCKS else None
    _beat(name, now)
    gap = clock.outage_gap(last, now)
    if gap is None:
        return None
    recorded(gap).delete()
    return None if is_known(gap) else record(gap)


def beat_web(*, answered: bool | None, now: datetime) -> tuple[Pause | None, datetime]:
    """Say whether the site answered at its own address; None if nobody asks, which forgets that it ever did.

    Return the outage that ends now, and until when the site is known to have been up. A site that has never answered
    is one that can't be asked from here: its silence is no outage, but raises the alarm.
    """
    if answered is None:
        Heartbeat.objects.filter(name=WEB).delete()
        return None, now
    if answered:
        return beat_clocks(name=WEB, now=now), now
    last = Heartbeat.objects.filter(name=WEB).values_list("at", flat=True).first()
    return None, now if last is None else min(last, now)


def _beat(name: str, now: datetime) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"at": now})
