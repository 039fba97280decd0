"""What the staff knows of outages better than the sweeps: marking one, taking one back, stopping all clocks."""

from datetime import datetime

from django.db import transaction

from accounts.audit import Staff, record
from accounts.models import StaffAct
from games.clock import PauseReason
from games.commands.credit_outage import KEPT_FOR, close_outage, credit_game, games_to_take_back
from games.models import Pause


class OutageRefusedError(Exception):
    """An outage that can't be marked, taken back, begun or ended; the message is one line for the operator."""


@transaction.atomic(durable=True)
def mark_outage(*, start: datetime, end: datetime, now: datetime, staff: Staff | None = None) -> Pause:
    """Record that time counted for nobody from ``start`` to ``end``; the next sweep gives it back.

    Raises `OutageRefusedError` for one that is not over, or lies so far back that charges are not kept.
    """
    if not start < end <= now:
        raise OutageRefusedError("an outage begins before it ends, and is over")
    if start < now - KEPT_FOR:
        raise OutageRefusedError(f"an outage can be marked for {KEPT_FOR.days} days")
    outage = Pause.objects.create(reason=PauseReason.OUTAGE, start=start, end=end)
    record(staff or Staff.operator(), StaffAct.MARK_OUTAGE, now, start=start.isoformat(), end=end.isoformat())
    return outage


def unmark_outage(*, outage_id: int, now: datetime, staff: Staff | None = None) -> int:
    """Let the time of an outage count after all; return how many games that changed.

    No open turn is left with less than half of its allowance by that, or than it had, if that was less. If it is
    interrupted the next sweep goes on, before any turn ends. Raises `OutageRefusedError`.
    """
    with transaction.atomic(durable=True):
        outage = Pause.objects.select_for_update().filter(pk=outage_id, game=None, end__isnull=False).first()
        if outage is None:
            raise OutageRefusedError("there is no such outage")
        # Its remarks can't be deleted, so neither can it: nothing is left of its time instead.
        outage.end, outage.credited = outage.start, False
        outage.save(update_fields=["end", "credited"])
        record(staff or Staff.operator(), StaffAct.UNMARK_OUTAGE, now, outage=outage.pk)
    changed = sum(credit_game(game_id=pk, now=now) for pk in games_to_take_back(outage))
    close_outage(outage_id=outage.pk)
    return changed


@transaction.atomic(durable=True)
def stop_clocks(*, now: datetime, staff: Staff | None = None) -> Pause:
    """Stop the clocks of all games until `start_clocks`; turns can still be played. No error if they stand still."""
    pause, created = Pause.objects.get_or_create(
        game=None, end=None, defaults={"reason": PauseReason.STAFF, "start": now, "credited": False}
    )
    if created:
        record(staff or Staff.operator(), StaffAct.STOP_CLOCKS, now)
    return pause


@transaction.atomic(durable=True)
def start_clocks(*, now: datetime, staff: Staff | None = None) -> Pause | None:
    """Let the clocks of all games run again: the next sweep moves the deadlines. Return the pause, None if they ran."""
    pause = Pause.objects.select_for_update().filter(game=None, end=None).first()
    if pause is not None:
        pause.end = max(now, pause.start)
        pause.save(update_fields=["end"])
        record(staff or Staff.operator(), StaffAct.START_CLOCKS, now)
    return pause
