"""Deleting notices that were closed long ago."""

from datetime import datetime

from django.db import transaction

from games.notices import schedule
from games.notices.kinds import NoticeState
from games.notices.models import MailRefusal, Notice


@transaction.atomic(durable=True)
def prune_notices(*, size: int, now: datetime) -> int:
    """Delete at most ``size`` notices that were closed more than `schedule.KEPT_FOR` ago; return how many.

    Refusals of mails that are as old go with them.
    """
    MailRefusal.objects.filter(at__lt=now - schedule.KEPT_FOR).delete()
    closed = Notice.objects.exclude(state=NoticeState.WAITING).filter(closed_at__lt=now - schedule.KEPT_FOR)
    oldest = list(closed.order_by("closed_at").values_list("pk", flat=True)[:size])
    return Notice.objects.filter(pk__in=oldest).delete()[0] if oldest else 0
