"""Figures of the outbox."""

from datetime import datetime

from django.db.models import Count, Min, Q

from games.notices.kinds import NoticeState
from games.notices.models import Notice


def notices_by_result() -> dict[tuple[str, str], int]:
    """Return how many notices there are of each (state, reason): one query."""
    rows = Notice.objects.values_list("state", "cause").annotate(n=Count("*")).order_by()
    return {(state, cause): n for state, cause, n in rows}


def oldest_due(now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return since when the notice has been due that is due for longest: of those for mails, and of those for outlets.

    One query over the index.
    """
    due = Notice.objects.filter(
        Q(lease_until=None) | Q(lease_until__lt=now), state=NoticeState.WAITING, due_at__lte=now
    )
    oldest = due.aggregate(
        mails=Min("due_at", filter=Q(outlet=None)), outlets=Min("due_at", filter=Q(outlet__isnull=False))
    )
    return oldest["mails"], oldest["outlets"]
