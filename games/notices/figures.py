"""Figures of the outbox."""

from datetime import datetime

from django.db.models import Count, Min, Q

from games.notices.kinds import NoticeState
from games.notices.models import Notice


def notices_by_result() -> dict[tuple[str, str], int]:
    """Return how many notices there are of each (state, reason): one query."""
    rows = Notice.objects.values_list("state", "cause").annotate(n=Count("*")).order_by()
    return {(state, cause): n for state, cause, n in rows}


def oldest_due(now: datetime, *, mails: bool) -> datetime | None:
    """Return since when the notice that is due for longest has been due, or None: one query over the index.

    One of those that take a mail, or of those for outlets.
    """
    due = Notice.objects.filter(
        Q(lease_until=None) | Q(lease_until__lt=now), state=NoticeState.WAITING, due_at__lte=now, outlet__isnull=mails
    )
    oldest: datetime | None = due.aggregate(at=Min("due_at"))["at"]
    return oldest
