"""Stop the clocks of all games, for maintenance."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import commands
from games.log.record import write_instant


class Command(BaseCommand):
    help = "Stops the clocks of all games until start_clocks, for maintenance. Turns can still be played."

    def handle(self, **_options: Any) -> None:
        pause = commands.stop_clocks(now=timezone.now())
        self.stdout.write(f"all clocks stand still since {write_instant(pause.start)}")
