"""What becomes of claimed notices, and of their outlet, once it was called. Each holds only while the lease does."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from accounts import mails
from games.commands._outbox import WELL
from games.commands.close_notices import held
from games.notices import schedule
from games.notices.kinds import Cause, Channel, NoticeState
from games.notices.models import Notice, Outlet

OFF_AFTER: Final = timedelta(days=1)
"""How long an outlet may fail until it is switched off."""

logger = structlog.get_logger(__name__)


@transaction.atomic(durable=True)
def call_taken(*, outlet: Outlet, notices: Sequence[Notice], now: datetime) -> None:
    """Note that an outlet took its call."""
    held(notices).update(state=NoticeState.SENT, cause="", closed_at=now, lease_until=None)
    Outlet.objects.filter(pk=outlet.pk).update(reached_at=now, **WELL)


@transaction.atomic(durable=True)
def call_missed(
    *,
    outlet: Outlet,
    notices: Sequence[Notice],
    message_id: str,
    trouble: str,
    maybe_taken: bool,
    wait: timedelta | None,
    now: datetime,
) -> None:
    """Leave an outlet alone for a while, ever longer, or for as long as it asks.

    What may have got through keeps the number of its call. An outlet that has failed for `OFF_AFTER` is switched off,
    and its person is told by a mail.
    """
    row = Outlet.objects.select_for_update(no_key=True).select_related("user").filter(pk=outlet.pk).first()
    if row is None or not held(notices).exists():
        return
    row.failures += 1
    row.failing_since = row.failing_since or now
    row.wait_until = max(schedule.retry_at(now, row.failures), now + (wait or timedelta()))
    row.trouble = trouble
    row.save(update_fields=["failures", "failing_since", "wait_until", "trouble"])
    held(notices).update(cause=Cause.MISSED, lease_until=None, message_id=message_id if maybe_taken else "")
    if now - row.failing_since >= OFF_AFTER:
        _switch_off(row, now)
        return
    waiting = Notice.objects.filter(outlet=row, state=NoticeState.WAITING)
    waiting.update(due_at=Greatest(F("due_at"), row.wait_until))


@transaction.atomic(durable=True)
def call_lost(*, outlet: Outlet, notices: Sequence[Notice], trouble: str, now: datetime) -> None:
    """Give up an outlet that is no more, or that may not be called: forget a browser, switch a webhook off."""
    if not held(notices).exists():
        return
    if outlet.channel == Channel.PUSH:
        outlet.delete()
        return
    row = Outlet.objects.select_for_update(no_key=True).select_related("user").filter(pk=outlet.pk).first()
    if row is not None:
        row.trouble = trouble
        row.save(update_fields=["trouble"])
        held(notices).update(lease_until=None)
        _switch_off(row, now)


def _switch_off(outlet: Outlet, now: datetime) -> None:
    """Send nothing more to a locked outlet, close what waits for it, and tell its person."""
    outlet.off_at = now
    outlet.save(update_fields=["off_at"])
    Notice.objects.filter(outlet=outlet, state=NoticeState.WAITING, lease_until=None).update(
        state=NoticeState.HELD_BACK, cause=Cause.SWITCHED_OFF, closed_at=now
    )
    logger.info("outlet switched off", user=outlet.user_id, outlet=outlet.pk, trouble=outlet.trouble)
    mails.ask(mails.OUTLET_OFF, outlet.user.email, user=outlet.user, name=outlet.name)
