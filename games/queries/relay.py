"""Whether the mail server that this site sends through takes mails, and what became of those that it did not."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Min, QuerySet

from accounts.models import User
from games.notices.kinds import Cause, NoticeState
from games.notices.models import MailRefusal, Notice

MANY: Final = 5
"""So many people refused, and more of them than got a mail, are no chance: something is wrong with the server."""
WINDOW: Final = timedelta(minutes=10)
"""The time in which they count, and for which sending then rests."""
ALARM_FOR: Final = timedelta(hours=1)
"""How long they keep the alarm."""
LATE: Final = timedelta(hours=1)
"""After so much time of trying, a mail that was not taken is worth the alarm, even if there is only one."""
RECENT: Final = timedelta(days=1)
"""How long mails that were given up keep the alarm."""


@dataclass(frozen=True, slots=True)
class MailTrouble:
    """What is wrong with mails: false when nothing is."""

    refused: int
    """People whose mails were refused in the last hour, if they are many."""
    reply: str
    """The last answer to one of these, without addresses."""
    late: int
    """Notices which it has been tried to send for more than an hour."""
    late_since: datetime | None
    given_up: int
    """Notices that were given up in the last day."""
    addresses: int
    """Addresses that were found to be nobody's in the last day: their owners' affair, and no trouble by itself."""

    def __bool__(self) -> bool:
        """Return whether somebody should look after it."""
        return bool(self.refused or self.late or self.given_up)


def is_paused(now: datetime) -> bool:
    """Return whether sending rests, since many mails have just been refused: two queries at most."""
    return _refused_people(now, WINDOW) > 0


def refused_since(now: datetime) -> list[User]:
    """Return the people who were marked within `WINDOW`, whose marks are in doubt where sending rests."""
    marked = MailRefusal.objects.filter(at__gt=now - WINDOW, gone=True).values("user")
    return list(User.objects.filter(pk__in=marked).exclude(refused_address=""))


def refused_addresses() -> int:
    """Return how many people's present addresses refuse mail."""
    return User.objects.filter(is_active=True).exclude(refused_address="").count()


def mail_trouble(now: datetime) -> MailTrouble:
    """Return what is wrong with mails: five queries at most."""
    refused = _refused_people(now, ALARM_FOR)
    last = MailRefusal.objects.order_by("-at", "-pk").first() if refused else None
    late = Notice.objects.filter(state=NoticeState.WAITING, cause=Cause.RETRY, tried_at__lt=now - LATE)
    tried = late.aggregate(count=Count("*"), since=Min("tried_at"))
    recent = Notice.objects.filter(state=NoticeState.FAILED, closed_at__gt=now - RECENT)
    gone = MailRefusal.objects.filter(gone=True, at__gt=now - RECENT).exclude(user__refused_address="")
    return MailTrouble(
        refused=refused,
        reply="" if last is None else last.reply,
        late=tried["count"],
        late_since=tried["since"],
        given_up=recent.filter(cause=Cause.GAVE_UP).count(),
        addresses=gone.values("user").distinct().count(),
    )


def _refused_people(now: datetime, span: timedelta) -> int:
    """Return how many people were refused in that time, or 0 where they are few, or fewer than got a mail."""
    refused = _people(MailRefusal.objects.filter(at__gt=now - span, at__lte=now))
    if refused < MANY:
        return 0
    sent = Notice.objects.filter(state=NoticeState.SENT, closed_at__gt=now - span, outlet=None)
    return refused if refused > _people(sent) else 0


def _people(rows: QuerySet[MailRefusal] | QuerySet[Notice]) -> int:
    return rows.values("user").distinct().count()
