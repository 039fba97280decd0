"""The heartbeat of a sweep, and the time given back when it stopped."""

from datetime import datetime

from django.db import transaction

from games import clock
from games.commands._clocks import credit_outages
from games.commands._lock import lock_game, save_change
from games.models import Heartbeat, Pause
from games.timing.deadlines import DUE_COLUMNS


@transaction.atomic(durable=True)
def beat(*, name: str, now: datetime) -> None:
    """Say that the sweep of that name is alive."""
    _beat(name, now)


@transaction.atomic(durable=True)
def beat_clocks(*, name: str, now: datetime) -> Pause | None:
    """Say that the sweep of the clocks is alive; return the outage that ends now, if it was not heard of for too long.

    From then on no clock counts the outage. Two sweeps at once find it once: the first one locks the heartbeat.
    """
    heartbeat = Heartbeat.objects.select_for_update().filter(name=name).first()
    if heartbeat is None:
        _beat(name, now)
        return None
    gap = clock.outage_gap(heartbeat.at, now)
    heartbeat.at = now
    heartbeat.save(update_fields=["at"])
    return None if gap is None else Pause.objects.create(reason=gap.reason, start=gap.start, end=gap.end)


@transaction.atomic(durable=True)
def credit_game(*, game_id: int, now: datetime) -> bool:
    """Give the open turn of a game back what outages took, as a visible event; return whether there was anything.

    Safe to repeat: each outage is given back once. Raises `GameError` (``no-such-game``).
    """
    game = lock_game(pk=game_id)
    credited = credit_outages(game, now)
    if credited:
        save_change(game, *DUE_COLUMNS)
    return credited


@transaction.atomic(durable=True)
def close_outage(*, outage_id: int) -> None:
    """Remember that every turn that an outage touched has been given it back, so that no sweep looks for more."""
    Pause.objects.filter(pk=outage_id).update(credited=True)


def _beat(name: str, now: datetime) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"at": now})
