"""``manage.py expire_accounts``."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts import pending
from accounts.tasks import SIZE


class Command(BaseCommand):
    """Deletes accounts that were not confirmed within a week, with the names they held. Workers do so every hour."""

    help = "Delete accounts whose address was not confirmed within 7 days."

    def handle(self, *_args: Any, **_options: Any) -> None:
        total = 0
        while gone := pending.expire(now=timezone.now(), size=SIZE):
            total += gone
        self.stdout.write(f"{total} unconfirmed accounts deleted.")
