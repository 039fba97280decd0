"""Say whether clocks and sweeps are as they should be, for whoever watches the site."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.log.record import write_instant
from games.queries.due import alarm


class Command(BaseCommand):
    help = (
        "Prints a line for each turn more than 5 minutes past its deadline and each old heartbeat; then exits with 1."
    )

    def handle(self, **_options: Any) -> None:
        found = alarm(timezone.now())
        for late in found.overdue:
            self.stdout.write(f"game {late.key}: overdue since {write_instant(late.deadline)}")
        for heartbeat in found.heartbeats:
            last = "never" if heartbeat.at is None else f"last {write_instant(heartbeat.at)}"
            self.stdout.write(f"heartbeat {heartbeat.name}: {last}")
        if found:
            raise SystemExit(1)
        self.stdout.write("nothing is overdue")
