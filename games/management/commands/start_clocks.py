"""Let the clocks of all games run again."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games import commands


class Command(BaseCommand):
    help = "Lets the clocks of all games run again, after stop_clocks."

    def handle(self, **_options: Any) -> None:
        pause = commands.start_clocks(now=timezone.now())
        if pause is None or pause.end is None:
            self.stdout.write("all clocks run already")
        else:
            seconds = int((pause.end - pause.start).total_seconds())
            self.stdout.write(f"all clocks run; the next sweep gives {seconds} s back to every open turn")
