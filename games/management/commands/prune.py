"""Deletes by hand what workers delete once a day."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import commands

SIZE = 500


class Command(BaseCommand):
    help = (
        "Deletes guest accounts that were idle for 30 days, presences older than a day, mutes of games that ended 30 "
        "days ago, expired sessions, access tokens that expired 30 days ago, archives older than a week, reports that "
        "were closed a year ago, and what the staff did two years ago, in small batches. Workers do so once a day; to "
        "run it again, or twice at once, does no harm."
    )

    def handle(self, **_options: Any) -> None:
        now, total, guests = timezone.now(), 0, 0
        while gone := commands.expire_guests(size=SIZE, now=now):
            guests += gone
        while gone := commands.prune_traces(size=SIZE, now=now):
            total += gone
        if guests:
            self.stdout.write(f"{guests} guest accounts deleted.")
        self.stdout.write(f"{total} rows deleted.")
