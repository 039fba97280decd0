"""Figures of the mails about accounts; their rows are kept for a day after they are closed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Min, Q

from accounts.models import AccountMail

LATE: Final = timedelta(minutes=30)
"""After so much time a mail that waits is worth the alarm: whoever asked for it sits and waits too."""
OPEN: Final = Q(closed_at=None)


@dataclass(frozen=True, slots=True)
class AccountMailTrouble:
    """What is wrong with mails about accounts: false when nothing is."""

    late: int
    """Mails that have waited for more than half an hour."""
    late_since: datetime | None
    given_up: int
    """Mails that were given up in the last day, after a day of trying."""

    def __bool__(self) -> bool:
        """Return whether somebody should look after it."""
        return bool(self.late or self.given_up)


def account_mail_trouble(now: datetime) -> AccountMailTrouble:
    """Return what is wrong with mails about accounts: one query."""
    late = Q(OPEN, at__lt=now - LATE)
    found = AccountMail.objects.aggregate(
        late=Count("pk", filter=late), since=Min("at", filter=late), given_up=Count("pk", filter=Q(given_up=True))
    )
    return AccountMailTrouble(found["late"], found["since"], found["given_up"])


def account_mails_by_result() -> dict[str, int]:
    """Return how many mails there are that wait, were sent, were not called for, or were given up: one query."""
    results = {
        "waiting": OPEN,
        "sent": Q(sent=True),
        "not-needed": ~OPEN & Q(sent=False, given_up=False),
        "given-up": Q(given_up=True),
    }
    counts = {f"count-{name}": Count("pk", filter=which) for name, which in results.items()}
    found = AccountMail.objects.aggregate(**counts)
    return {name: found[f"count-{name}"] for name in results}


def oldest_account_mail() -> datetime | None:
    """Return when the mail was asked for that has waited for longest, or None: one query over the index."""
    oldest: datetime | None = AccountMail.objects.filter(OPEN).aggregate(at=Min("at"))["at"]
    return oldest
