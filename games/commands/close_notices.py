"""What becomes of claimed notices once sending them has been tried. Each holds only while the sender's lease does."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from accounts.audit import Staff, record
from accounts.models import StaffAct, User
from games.commands.refuse_address import refuse_address
from games.notices import schedule
from games.notices.kinds import Cause, NoticeState
from games.notices.models import MailRefusal, Notice

UNREACHED: Final = (Cause.REFUSED, Cause.GAVE_UP, Cause.NO_ADDRESS)
"""Why notices are closed that would have been sent had their person's address taken mails."""


@transaction.atomic(durable=True)
def close_sent(*, notices: Sequence[Notice], now: datetime) -> None:
    """Note that the notices were sent."""
    held(notices).update(state=NoticeState.SENT, cause="", closed_at=now, lease_until=None)


@transaction.atomic(durable=True)
def close_refused(*, user: User, notices: Sequence[Notice], reply: str, now: datetime) -> None:
    """Note that the notices failed because nobody has the person's address, as the mail server's ``reply`` says."""
    refuse_address(user=user, address=user.email)
    MailRefusal.objects.create(user=user, at=now, reply=reply, gone=True)
    held(notices).update(state=NoticeState.FAILED, cause=Cause.REFUSED, closed_at=now, lease_until=None)


@transaction.atomic(durable=True)
def postpone(*, notices: Sequence[Notice], message_id: str, maybe_sent: bool, now: datetime, refusal: str = "") -> None:
    """Give the notices back for a later attempt; a mail that may have got through keeps its Message-ID.

    What has been tried for `schedule.GIVE_UP`, counted from the first attempt, has failed. ``refusal``: what the mail
    server said, if it refused for good and it was not for the address.
    """
    if refusal:
        MailRefusal.objects.create(user_id=notices[0].user_id, at=now, reply=refusal, gone=False)
    late = [notice.pk for notice in notices if now - (notice.tried_at or now) > schedule.GIVE_UP]
    rows = held(notices)
    rows.filter(pk__in=late).update(state=NoticeState.FAILED, cause=Cause.GAVE_UP, closed_at=now, lease_until=None)
    rows.exclude(pk__in=late).update(
        due_at=schedule.retry_at(now, max(notice.attempts for notice in notices)),
        cause=Cause.RETRY,
        lease_until=None,
        message_id=message_id if maybe_sent else "",
    )


@transaction.atomic(durable=True)
def reopen(*, people: Iterable[User], now: datetime, staff: Staff | None = None) -> int:
    """Trust people's addresses again, and let wait anew what was closed since they took no mail; return how many.

    Each is looked at again before it is sent: what is no longer so is not. Where the ``staff`` does it, and not the
    person, that is written down.
    """
    users = [user.pk for user in people]
    User.objects.filter(pk__in=users).update(refused_address="")
    if staff is not None:
        record(staff, StaffAct.SEND_AGAIN, now, person=users[0] if len(users) == 1 else None, people=len(users))
    return _unreached(users).update(
        state=NoticeState.WAITING,
        cause="",
        closed_at=None,
        due_at=now,
        tried_at=None,
        attempts=0,
        message_id="",
    )


@transaction.atomic(durable=True)
def doubt_refusals(*, people: Iterable[User], now: datetime) -> None:
    """Take back that nobody has these addresses, since the mail server refused too many at once.

    Their notices keep the count of their attempts, and wait for as long as after any other failure.
    """
    users = {user.pk for user in people}
    User.objects.filter(pk__in=users).update(refused_address="")
    for notice in _unreached(users).filter(cause=Cause.REFUSED).select_for_update(no_key=True):
        notice.state, notice.cause, notice.closed_at, notice.message_id = NoticeState.WAITING, Cause.RETRY, None, ""
        notice.due_at = schedule.retry_at(now, notice.attempts)
        notice.save(update_fields=["state", "cause", "closed_at", "due_at", "message_id"])


def _unreached(users: Iterable[int]) -> QuerySet[Notice]:
    """Return the closed notices that people did not get because their addresses took no mail."""
    closed = (NoticeState.FAILED, NoticeState.HELD_BACK)
    return Notice.objects.filter(user__in=list(users), state__in=closed, cause__in=UNREACHED)


def held(notices: Sequence[Notice]) -> QuerySet[Notice]:
    """Return the rows as far as they are still this sender's."""
    lease = notices[0].lease_until
    return Notice.objects.filter(pk__in=[notice.pk for notice in notices], state=NoticeState.WAITING, lease_until=lease)
