"""Let the clocks of all games run again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.audit import add_staff_arguments, staff_of
from games import commands


class Command(BaseCommand):
    help = "Lets the clocks of all games run again, after stop_clocks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_staff_arguments(parser)

    def handle(self, **options: Any) -> None:
        pause = commands.start_clocks(now=timezone.now(), staff=staff_of(options))
        if pause is None or pause.end is None:
            self.stdout.write("all clocks run already")
        else:
            seconds = int((pause.end - pause.start).total_seconds())
            self.stdout.write(f"all clocks run; the next sweep gives {seconds} s back to every open turn")
