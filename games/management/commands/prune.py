"""Deletes by hand what workers delete once a day."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import commands

SIZE = 500


class Command(BaseCommand):
    help = (
        "Deletes presences older than a day, mutes of games that ended 30 days ago and expired sessions, in small "
        "batches. Workers do so once a day; to run it again, or twice at once, does no harm."
    )

    def handle(self, **_options: Any) -> None:
        now, total = timezone.now(), 0
        while gone := commands.prune_traces(size=SIZE, now=now):
            total += gone
        self.stdout.write(f"{total} rows deleted.")
