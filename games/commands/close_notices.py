"""What becomes of claimed notices once sending them has been tried. Each holds only while the sender's lease does."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games.commands.refuse_address import refuse_address
from games.notices import schedule
from games.notices.kinds import Cause, NoticeState
from games.notices.models import Notice


@transaction.atomic(durable=True)
def close_sent(*, notices: Sequence[Notice], now: datetime) -> None:
    """Note that the notices were sent."""
    _held(notices).update(state=NoticeState.SENT, cause="", closed_at=now, lease_until=None)


@transaction.atomic(durable=True)
def close_refused(*, user: User, notices: Sequence[Notice], now: datetime) -> None:
    """Note that the notices failed because the person's address refuses mail for good."""
    refuse_address(user=user, address=user.email)
    _held(notices).update(state=NoticeState.FAILED, cause=Cause.REFUSED, closed_at=now, lease_until=None)


@transaction.atomic(durable=True)
def postpone(*, notices: Sequence[Notice], message_id: str, maybe_sent: bool, now: datetime) -> None:
    """Give the notices back for a later attempt; a mail that may have got through keeps its Message-ID.

    What has been tried for `schedule.GIVE_UP` has failed.
    """
    late = [notice.pk for notice in notices if now - notice.at > schedule.GIVE_UP]
    held = _held(notices)
    held.filter(pk__in=late).update(state=NoticeState.FAILED, cause=Cause.GAVE_UP, closed_at=now, lease_until=None)
    held.exclude(pk__in=late).update(
        due_at=schedule.retry_at(now, max(notice.attempts for notice in notices)),
        cause=Cause.RETRY,
        lease_until=None,
        message_id=message_id if maybe_sent else "",
    )


def _held(notices: Sequence[Notice]) -> QuerySet[Notice]:
    """Return the rows as far as they are still this sender's."""
    lease = notices[0].lease_until
    return Notice.objects.filter(pk__in=[notice.pk for notice in notices], state=NoticeState.WAITING, lease_until=lease)
