"""One sweep at a time."""

from datetime import datetime, timedelta

from django.db import transaction

from games.models import Heartbeat


@transaction.atomic(durable=True)
def begin_sweep(*, name: str, lease: timedelta, now: datetime) -> bool:
    """Say that the sweep of that name begins; return False if another one is still at work.

    A sweep that does not end within ``lease`` is given up for dead, as is one that began in the future, where a clock
    was set back. Who begins one also leaves its heartbeat.
    """
    heartbeat, fresh = Heartbeat.objects.select_for_update().get_or_create(name=name, defaults={"at": now})
    if not fresh and heartbeat.busy_until is not None and now < heartbeat.busy_until <= now + lease:
        return False
    heartbeat.at, heartbeat.busy_until = now, now + lease
    heartbeat.save(update_fields=["at", "busy_until"])
    return True


def hold_sweep(*, name: str, lease: timedelta, now: datetime) -> None:
    """Say that the sweep of that name, which has begun, goes on, and may take as long again."""
    Heartbeat.objects.filter(name=name).update(at=now, busy_until=now + lease)


@transaction.atomic(durable=True)
def end_sweep(*, name: str) -> None:
    """Say that the sweep of that name has ended."""
    Heartbeat.objects.filter(name=name).update(busy_until=None)
